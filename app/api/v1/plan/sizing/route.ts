import { SizingQuestion } from "@/lib/domain/plan/sizing";
import { readSizing } from "@/lib/services/plan/sizing";
import { exportSizing } from "@/lib/services/plan/sizing-files";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(SizingQuestion, readSizing), SizingQuestion, exportSizing);
