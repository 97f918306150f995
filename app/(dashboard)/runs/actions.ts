"use server";

import { NewRun } from "@/lib/domain/workload/run";
import { createRun } from "@/lib/services/workload/runs";
import { action } from "@/lib/web/action";

export const create = action(NewRun, createRun);
