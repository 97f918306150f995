import { queryOptions } from "@tanstack/react-query";
import type { ChangeEvidence } from "@/lib/domain/intents/change";
import type { LaunchOffers } from "@/lib/domain/intents/preflight";
import type { EvidenceQuestion, IntentAnswer } from "@/lib/domain/intents/view";
import { getJson } from "./fetch";

export function launchOffersQuery() {
  return queryOptions({
    queryKey: ["intents", "offers"],
    queryFn: ({ signal }) => getJson<LaunchOffers>("/api/v1/launch-offers", {}, signal),
    refetchInterval: 15_000,
  });
}

export function intentQuery(intentId: string) {
  return queryOptions({
    queryKey: ["intents", "one", intentId],
    queryFn: ({ signal }) => getJson<IntentAnswer>(`/api/v1/intents/${intentId}`, {}, signal),
    refetchInterval: 2_000,
  });
}

/** What a dialog shows before a machine ends or restarts; never older than the dialog. */
export function evidenceQuery({ instanceId, kind }: EvidenceQuestion) {
  return queryOptions({
    queryKey: ["intents", "evidence", instanceId, kind],
    queryFn: ({ signal }) => getJson<ChangeEvidence>(`/api/v1/fleet/${instanceId}/evidence`, { kind }, signal),
    refetchInterval: 10_000,
    gcTime: 0,
    staleTime: 0,
  });
}
