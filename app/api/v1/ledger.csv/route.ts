import { LedgerQuestion } from "@/lib/domain/cost/view";
import { exportLedger } from "@/lib/services/cost/export";
import { table } from "@/lib/web/table-file";

export const GET = table(LedgerQuestion, exportLedger);
