import { FleetSeriesQuestion } from "@/lib/domain/telemetry/view";
import { readFleetSeries } from "@/lib/services/telemetry/series";
import { get } from "@/lib/web/route";

export const GET = get(FleetSeriesQuestion, readFleetSeries);
