import { ExploreQuestion } from "@/lib/domain/cost/explore";
import { SpendTableQuestion } from "@/lib/domain/cost/tables";
import { readExplore } from "@/lib/services/cost/explore";
import { exportSpend } from "@/lib/services/tables";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(ExploreQuestion, readExplore), SpendTableQuestion, exportSpend);
