import { MixQuestion } from "@/lib/domain/plan/mix-view";
import { readMix } from "@/lib/services/plan/mix";
import { exportMix } from "@/lib/services/plan/tables";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(MixQuestion, readMix), MixQuestion, exportMix);
