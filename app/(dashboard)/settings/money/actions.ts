"use server";

import { AccountingChange, AnomalyChange, StoragePriceChange } from "@/lib/domain/settings";
import * as settings from "@/lib/services/settings";
import { action } from "@/lib/web/action";

export const changeAnomalies = action(AnomalyChange, settings.changeAnomalies);
export const changeAccountingZone = action(AccountingChange, settings.changeAccountingZone);
export const changeStoragePrice = action(StoragePriceChange, settings.changeStoragePrice);
