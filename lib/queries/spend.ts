import { queryOptions } from "@tanstack/react-query";
import type { ExploreAnswer, ExploreQuestion, RowsAnswer, RowsQuestion } from "@/lib/domain/cost/explore";
import type { WhyAnswer, WhyQuestion } from "@/lib/domain/cost/why-view";
import { getJson } from "./fetch";

/** The worker brings the ledger up to date twice a minute. */
const LEDGER_MS = 15_000;

export function exploreQuery(question: ExploreQuestion) {
  return queryOptions({
    queryKey: ["cost", "spend", question],
    queryFn: ({ signal }) => getJson<ExploreAnswer>("/api/v1/cost/spend", question, signal),
    refetchInterval: LEDGER_MS,
  });
}

export function spendRowsQuery(question: RowsQuestion) {
  return queryOptions({
    queryKey: ["cost", "rows", question],
    queryFn: ({ signal }) => getJson<RowsAnswer>("/api/v1/cost/rows", question, signal),
    refetchInterval: LEDGER_MS,
  });
}

export function whyQuery(question: WhyQuestion) {
  return queryOptions({
    queryKey: ["cost", "why", question],
    queryFn: ({ signal }) => getJson<WhyAnswer>("/api/v1/cost/why", question, signal),
    refetchInterval: LEDGER_MS,
  });
}
