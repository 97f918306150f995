import { CompareQuestion } from "@/lib/domain/plan/compare-view";
import { readCompare } from "@/lib/services/plan/compare";
import { exportCompare } from "@/lib/services/plan/tables";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(CompareQuestion, readCompare), CompareQuestion, exportCompare);
