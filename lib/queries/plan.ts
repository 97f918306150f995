import { queryOptions } from "@tanstack/react-query";
import type { CompareAnswer, CompareQuestion } from "@/lib/domain/plan/compare-view";
import type { MixAnswer, MixQuestion } from "@/lib/domain/plan/mix-view";
import type { QuotesAnswer, QuotesQuestion } from "@/lib/domain/plan/quote-view";
import type { ScenariosAnswer } from "@/lib/domain/plan/scenario-view";
import type { SpotAnswer, SpotQuestion } from "@/lib/domain/plan/spot-view";
import { getJson } from "./fetch";

/** Prices change when somebody says so, or when Lambda's list is read. */
const PRICES_MS = 60_000;

export function compareQuery(question: CompareQuestion) {
  return queryOptions({
    queryKey: ["plan", "compare", question],
    queryFn: ({ signal }) => getJson<CompareAnswer>("/api/v1/plan/compare", question, signal),
    refetchInterval: PRICES_MS,
  });
}

export function quotesQuery(question: QuotesQuestion) {
  return queryOptions({
    queryKey: ["plan", "quotes", question],
    queryFn: ({ signal }) => getJson<QuotesAnswer>("/api/v1/plan/quotes", question, signal),
    refetchInterval: PRICES_MS,
  });
}

export function spotQuery(question: SpotQuestion) {
  return queryOptions({
    queryKey: ["plan", "spot", question],
    queryFn: ({ signal }) => getJson<SpotAnswer>("/api/v1/plan/spot", question, signal),
    refetchInterval: PRICES_MS,
  });
}

export function scenariosQuery() {
  return queryOptions({
    queryKey: ["plan", "scenarios"],
    queryFn: ({ signal }) => getJson<ScenariosAnswer>("/api/v1/plan/scenarios", {}, signal),
    refetchInterval: PRICES_MS,
  });
}

export function mixQuery(question: MixQuestion) {
  return queryOptions({
    queryKey: ["plan", "mix", question],
    queryFn: ({ signal }) => getJson<MixAnswer>("/api/v1/plan/mix", question, signal),
    refetchInterval: PRICES_MS,
  });
}
