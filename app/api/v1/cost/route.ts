import { CostTableQuestion } from "@/lib/domain/cost/tables";
import { CostQuestion } from "@/lib/domain/cost/view";
import { readCost } from "@/lib/services/cost/month";
import { exportCost } from "@/lib/services/tables";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(CostQuestion, readCost), CostTableQuestion, exportCost);
