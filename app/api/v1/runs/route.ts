import { RunsQuestion } from "@/lib/domain/workload/view";
import { readRuns } from "@/lib/services/workload/read";
import { get } from "@/lib/web/route";

export const GET = get(RunsQuestion, readRuns);
