"use server";

import { NewSpend, SpendFile, SpendKey, TargetsText } from "@/lib/domain/plan/mix";
import * as verbs from "@/lib/services/plan/mix";
import { action } from "@/lib/web/action";

export const target = action(TargetsText, verbs.setTargets);
export const enter = action(NewSpend, verbs.enterSpend);
export const preview = action(SpendFile, verbs.previewSpend);
export const importFile = action(SpendFile, verbs.importSpend);
export const remove = action(SpendKey, verbs.removeSpend);
