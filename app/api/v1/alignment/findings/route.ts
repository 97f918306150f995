import { FindingsQuestion } from "@/lib/domain/alignment/view";
import { readFindings } from "@/lib/services/alignment/read";
import { exportFindings } from "@/lib/services/alignment/report";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(FindingsQuestion, readFindings), FindingsQuestion, exportFindings);
