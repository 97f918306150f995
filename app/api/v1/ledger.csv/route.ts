import { LedgerQuestion } from "@/lib/domain/cost/view";
import { exportLedger } from "@/lib/services/cost/export";
import { csv } from "@/lib/web/download";

export const GET = csv(LedgerQuestion, exportLedger);
