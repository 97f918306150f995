import { InstanceSeriesQuestion } from "@/lib/domain/telemetry/view";
import { readInstanceSeries } from "@/lib/services/telemetry/series";
import { get } from "@/lib/web/route";

export const GET = get(InstanceSeriesQuestion, readInstanceSeries);
