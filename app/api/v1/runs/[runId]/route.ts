import { RunQuestion } from "@/lib/domain/workload/view";
import { readRun } from "@/lib/services/workload/read";
import { get } from "@/lib/web/route";

export const GET = get(RunQuestion, readRun);
