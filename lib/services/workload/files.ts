import { runsTable } from "@/lib/domain/workload/table";
import { exporting } from "@/lib/services/table";
import { readRuns } from "./read";

export const exportRuns = exporting(readRuns, runsTable);
