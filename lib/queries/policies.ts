import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  AutomationState,
  PoliciesAnswer,
  PolicyAnswer,
  PolicyChoices,
  PreviewAnswer,
} from "@/lib/domain/policies/view";
import { getJson } from "./fetch";

export const POLICIES = "policies";

export function policiesQuery() {
  return queryOptions({
    queryKey: [POLICIES, "list"],
    queryFn: ({ signal }) => getJson<PoliciesAnswer>("/api/v1/policies", {}, signal),
    refetchInterval: 10_000,
  });
}

export function policyQuery(policyId: string) {
  return queryOptions({
    queryKey: [POLICIES, "one", policyId],
    queryFn: ({ signal }) => getJson<PolicyAnswer>(`/api/v1/policies/${policyId}`, {}, signal),
    refetchInterval: 10_000,
  });
}

export function policyChoicesQuery() {
  return queryOptions({
    queryKey: [POLICIES, "choices"],
    queryFn: ({ signal }) => getJson<PolicyChoices>("/api/v1/policies/choices", {}, signal),
    staleTime: 60_000,
  });
}

/** `draft`: the policy as JSON. */
export function policyPreviewQuery(draft: string) {
  return queryOptions({
    queryKey: [POLICIES, "preview", draft],
    queryFn: ({ signal }) => getJson<PreviewAnswer>("/api/v1/policies/preview", { draft }, signal),
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** For the frame of every page. */
export function automationQuery() {
  return queryOptions({
    queryKey: ["automation"],
    queryFn: ({ signal }) => getJson<AutomationState>("/api/v1/automation", {}, signal),
    refetchInterval: 10_000,
  });
}
