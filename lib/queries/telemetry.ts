import { queryOptions } from "@tanstack/react-query";
import type { WindowQuestion } from "@/lib/domain/fleet/view";
import { PRESET_MS } from "@/lib/domain/fleet/window";
import type { Live, Roster } from "@/lib/domain/telemetry/live";
import type { QualityAnswer, RefusalsAnswer } from "@/lib/domain/telemetry/quality";
import type { SeriesAnswer, SeriesAsked } from "@/lib/domain/telemetry/view";
import { getJson, getPackedJson } from "./fetch";

/** A window that ends now is asked again when it has moved by a point; one of the past is settled. */
function refetchOf({ range, from, to }: WindowQuestion): number | false {
  if (from !== undefined && to !== undefined) return false;
  return Math.max(10_000, PRESET_MS[range] / 600);
}

export function seriesQuery(question: SeriesAsked) {
  return queryOptions({
    queryKey: ["series", question],
    queryFn: ({ signal }) => getJson<SeriesAnswer>("/api/v1/series", question, signal),
    refetchInterval: refetchOf(question),
  });
}

/** As often as the server makes it anew. */
const LIVE_MS = 5_000;

/** The newest sample of every GPU. */
export function liveQuery() {
  return queryOptions({
    queryKey: ["live", "heat"],
    queryFn: ({ signal }) => getPackedJson<Live>("/api/v1/live", {}, signal),
    refetchInterval: LIVE_MS,
  });
}

/** Who stands where in a live view, by the version that it names; asked once for each. */
export function rosterQuery(version: string | null) {
  return queryOptions({
    queryKey: ["live", "roster", version],
    queryFn: ({ signal }) => getPackedJson<Roster>("/api/v1/live/roster", {}, signal),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const SELDOM_MS = 30_000;

/** How good the last day's samples of a machine are. */
export function qualityQuery(instanceId: string) {
  return queryOptions({
    queryKey: ["quality", instanceId],
    queryFn: ({ signal }) => getJson<QualityAnswer>(`/api/v1/fleet/${instanceId}/quality`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

/** What senders sent in vain. */
export function refusalsQuery() {
  return queryOptions({
    queryKey: ["quality", "refusals"],
    queryFn: ({ signal }) => getJson<RefusalsAnswer>("/api/v1/refusals", {}, signal),
    refetchInterval: SELDOM_MS,
  });
}
