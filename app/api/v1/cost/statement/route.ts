import { StatementQuestion } from "@/lib/domain/cost/statement";
import { exportStatement, readStatement } from "@/lib/services/cost/statement";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(StatementQuestion, readStatement), StatementQuestion, exportStatement);
