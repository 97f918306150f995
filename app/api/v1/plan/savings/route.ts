import { SavingsQuestion } from "@/lib/domain/plan/savings-view";
import { readSavings } from "@/lib/services/plan/savings";
import { exportSavings } from "@/lib/services/plan/sizing-files";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(SavingsQuestion, readSavings), SavingsQuestion, exportSavings);
