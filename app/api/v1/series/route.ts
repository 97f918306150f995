import { SeriesQuestion } from "@/lib/domain/telemetry/view";
import { isSettled, readSeries } from "@/lib/services/telemetry/series";
import { get } from "@/lib/web/route";

export const GET = get(SeriesQuestion, readSeries, isSettled);
