import { queryOptions } from "@tanstack/react-query";
import type { WindowQuestion } from "@/lib/domain/fleet/view";
import { PRESET_MS } from "@/lib/domain/fleet/window";
import type {
  FleetSeriesAnswer,
  FleetSeriesQuestion,
  InstanceSeriesQuestion,
  SeriesAnswer,
} from "@/lib/domain/telemetry/view";
import { getJson } from "./fetch";

/** A window that ends now is asked again when it has moved by a point; one of the past is settled. */
function refetchOf({ range, from, to }: WindowQuestion): number | false {
  if (from !== undefined && to !== undefined) return false;
  return Math.max(10_000, PRESET_MS[range] / 600);
}

export function instanceSeriesQuery(question: InstanceSeriesQuestion) {
  return queryOptions({
    queryKey: ["series", "instance", question],
    queryFn: ({ signal }) => getJson<SeriesAnswer>("/api/v1/series", question, signal),
    refetchInterval: refetchOf(question),
  });
}

export function fleetSeriesQuery(question: FleetSeriesQuestion) {
  return queryOptions({
    queryKey: ["series", "fleet", question],
    queryFn: ({ signal }) => getJson<FleetSeriesAnswer>("/api/v1/fleet/series", question, signal),
    refetchInterval: refetchOf(question),
  });
}
