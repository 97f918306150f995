import { CostQuestion } from "@/lib/domain/cost/view";
import { readCost } from "@/lib/services/cost/month";
import { get } from "@/lib/web/route";

export const GET = get(CostQuestion, readCost);
