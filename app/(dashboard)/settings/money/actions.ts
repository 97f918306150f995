"use server";

import { AccountingChange, BudgetChange, StoragePriceChange } from "@/lib/domain/settings";
import * as settings from "@/lib/services/settings";
import { action } from "@/lib/web/action";

export const changeBudget = action(BudgetChange, settings.changeBudget);
export const changeAccountingZone = action(AccountingChange, settings.changeAccountingZone);
export const changeStoragePrice = action(StoragePriceChange, settings.changeStoragePrice);
