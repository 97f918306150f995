import { RunQuestion } from "@/lib/domain/workload/view";
import { readRunSeries } from "@/lib/services/workload/read";
import { get } from "@/lib/web/route";

export const GET = get(RunQuestion, readRunSeries);
