"use server";

import { RemoveRun, RunChange, RunId } from "@/lib/domain/workload/run";
import { changeRun, endRun, removeRun } from "@/lib/services/workload/runs";
import { action } from "@/lib/web/action";

export const change = action(RunChange, changeRun);
export const end = action(RunId, endRun);
export const remove = action(RemoveRun, removeRun);
