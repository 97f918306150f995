import { RunsQuestion } from "@/lib/domain/workload/view";
import { exportRuns } from "@/lib/services/workload/files";
import { readRuns } from "@/lib/services/workload/read";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(RunsQuestion, readRuns), RunsQuestion, exportRuns);
