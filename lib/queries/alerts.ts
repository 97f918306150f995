import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CoverageAnswer } from "@/lib/domain/alerts/coverage";
import type { ExplainAnswer } from "@/lib/domain/alerts/explain";
import type { RuleAnswer, RuleFormAnswer, RulePreview, RulesAnswer } from "@/lib/domain/alerts/rule-view";
import type { RuleKind, Selector } from "@/lib/domain/alerts/rules";
import type { AlertAnswer, AlertCounts, InboxAnswer, PeopleToAsk } from "@/lib/domain/alerts/view";
import { getJson } from "./fetch";

const OFTEN_MS = 5_000;
const SELDOM_MS = 15_000;

/** Every question about alerts and rules starts with this word, so that an act can have all of them asked again. */
export const ALERTS = "alerts";

export function alertCountsQuery() {
  return queryOptions({
    queryKey: [ALERTS, "counts"],
    queryFn: ({ signal }) => getJson<AlertCounts>("/api/v1/alerts/counts", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function inboxQuery() {
  return queryOptions({
    queryKey: [ALERTS, "inbox"],
    queryFn: ({ signal }) => getJson<InboxAnswer>("/api/v1/alerts", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function alertQuery({ alertId }: { alertId: string }) {
  return queryOptions({
    queryKey: [ALERTS, "alert", alertId],
    queryFn: ({ signal }) => getJson<AlertAnswer>(`/api/v1/alerts/${alertId}`, {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function explainQuery({ alertId, at }: { alertId: string; at?: number | undefined }) {
  return queryOptions({
    queryKey: [ALERTS, "explain", alertId, at ?? null],
    queryFn: ({ signal }) => getJson<ExplainAnswer>(`/api/v1/alerts/${alertId}/explain`, { at }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** Who may be given an alert. */
export function peopleToAskQuery() {
  return queryOptions({
    queryKey: [ALERTS, "people"],
    queryFn: ({ signal }) => getJson<PeopleToAsk>("/api/v1/alerts/people", {}, signal),
    staleTime: 60_000,
  });
}

export function rulesQuery() {
  return queryOptions({
    queryKey: [ALERTS, "rules"],
    queryFn: ({ signal }) => getJson<RulesAnswer>("/api/v1/rules", {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function ruleQuery({ ruleId }: { ruleId: string }) {
  return queryOptions({
    queryKey: [ALERTS, "rule", ruleId],
    queryFn: ({ signal }) => getJson<RuleAnswer>(`/api/v1/rules/${ruleId}`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function ruleFormQuery() {
  return queryOptions({
    queryKey: [ALERTS, "rule-form"],
    queryFn: ({ signal }) => getJson<RuleFormAnswer>("/api/v1/rules/form", {}, signal),
  });
}

export type PreviewQuestion = { kind: RuleKind; metric: string; selector: Selector };

/** Asked while somebody types: the last answer stays until the next is there. */
export function rulePreviewQuery({ kind, metric, selector }: PreviewQuestion) {
  const words = Object.fromEntries(
    Object.entries(selector).flatMap(([key, values]) => (values?.length ? [[key, values.join(",")]] : [])),
  );
  return queryOptions({
    queryKey: [ALERTS, "rule-preview", kind, metric, words],
    queryFn: ({ signal }) => getJson<RulePreview>("/api/v1/rules/preview", { kind, metric, ...words }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function coverageQuery() {
  return queryOptions({
    queryKey: [ALERTS, "coverage"],
    queryFn: ({ signal }) => getJson<CoverageAnswer>("/api/v1/rules/coverage", {}, signal),
    refetchInterval: SELDOM_MS,
  });
}
