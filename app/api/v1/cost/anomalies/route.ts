import { AnomaliesQuestion } from "@/lib/domain/cost/anomaly-view";
import { readAnomalies } from "@/lib/services/cost/anomalies";
import { exportAnomalies } from "@/lib/services/cost/outlook-files";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(AnomaliesQuestion, readAnomalies), AnomaliesQuestion, exportAnomalies);
