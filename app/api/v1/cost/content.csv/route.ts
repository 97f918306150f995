import { MonthQuestion } from "@/lib/domain/cost/close";
import { exportContent } from "@/lib/services/cost/statement";
import { csv } from "@/lib/web/download";

export const GET = csv(MonthQuestion, exportContent);
