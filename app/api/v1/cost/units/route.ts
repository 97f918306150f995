import { UnitsTableQuestion } from "@/lib/domain/cost/outlook-tables";
import { UnitsQuestion } from "@/lib/domain/cost/units";
import { exportUnits } from "@/lib/services/cost/outlook-files";
import { readUnits } from "@/lib/services/cost/units";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(UnitsQuestion, readUnits), UnitsTableQuestion, exportUnits);
