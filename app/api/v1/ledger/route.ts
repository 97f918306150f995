import { LedgerQuestion } from "@/lib/domain/cost/view";
import { exportLedger } from "@/lib/services/cost/export";
import { readLedger } from "@/lib/services/cost/read";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(LedgerQuestion, readLedger), LedgerQuestion, exportLedger);
