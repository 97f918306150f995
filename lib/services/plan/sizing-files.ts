import { savingsTable } from "@/lib/domain/plan/savings-view";
import { sizingTable } from "@/lib/domain/plan/sizing-view";
import { exporting } from "@/lib/services/table";
import { readAllSavings } from "./savings";
import { readSizing } from "./sizing";

// As files: what the page says, and every machine where a page shows the largest.
export const exportSizing = exporting(readSizing, sizingTable);
export const exportSavings = exporting(readAllSavings, savingsTable);
