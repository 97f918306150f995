import { queryOptions } from "@tanstack/react-query";
import type { GuardrailsAnswer } from "@/lib/domain/intents/guardrails-form";
import type { LaunchBatchAnswer } from "@/lib/domain/intents/launch";
import type { LaunchOffers } from "@/lib/domain/intents/offers";
import type { LaunchTemplatesAnswer } from "@/lib/domain/intents/templates";
import type { VerificationAnswer } from "@/lib/domain/intents/verification";
import { getJson } from "./fetch";
import { SETTINGS_KEY } from "./settings";

export function launchOffersQuery() {
  return queryOptions({
    queryKey: ["intents", "offers"],
    queryFn: ({ signal }) => getJson<LaunchOffers>("/api/v1/launch-offers", {}, signal),
    refetchInterval: 15_000,
  });
}

export function launchTemplatesQuery() {
  return queryOptions({
    queryKey: ["intents", "templates"],
    queryFn: ({ signal }) => getJson<LaunchTemplatesAnswer>("/api/v1/launch-templates", {}, signal),
    refetchInterval: 60_000,
  });
}

/** The launches of one act, as they come along. */
export function launchBatchQuery(intentId: string) {
  return queryOptions({
    queryKey: ["intents", "launch-batch", intentId],
    queryFn: ({ signal }) => getJson<LaunchBatchAnswer>(`/api/v1/intents/${intentId}/batch`, {}, signal),
    refetchInterval: 5_000,
  });
}

/** How a machine stands against what was ordered. */
export function verificationQuery(instanceId: string) {
  return queryOptions({
    queryKey: ["fleet", "verification", instanceId],
    queryFn: ({ signal }) => getJson<VerificationAnswer>(`/api/v1/fleet/${instanceId}/verification`, {}, signal),
    refetchInterval: 10_000,
  });
}

export function guardrailsQuery() {
  return queryOptions({
    queryKey: [...SETTINGS_KEY, "guardrails"],
    queryFn: ({ signal }) => getJson<GuardrailsAnswer>("/api/v1/settings/guardrails", {}, signal),
    refetchInterval: 30_000,
  });
}
