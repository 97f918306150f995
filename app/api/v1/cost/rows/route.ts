import { RowsQuestion } from "@/lib/domain/cost/explore";
import { exportSpendRows, readSpendRows } from "@/lib/services/cost/explore";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(RowsQuestion, readSpendRows), RowsQuestion, exportSpendRows);
