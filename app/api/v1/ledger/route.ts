import { LedgerQuestion } from "@/lib/domain/cost/view";
import { exportLedger } from "@/lib/services/cost/export";
import { readLedger } from "@/lib/services/cost/read";
import { csv, orCsv } from "@/lib/web/download";
import { get } from "@/lib/web/route";

export const GET = orCsv(get(LedgerQuestion, readLedger), csv(LedgerQuestion, exportLedger));
