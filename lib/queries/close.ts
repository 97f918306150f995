import { queryOptions } from "@tanstack/react-query";
import type { CloseAnswer, MonthQuestion } from "@/lib/domain/cost/close";
import type { StatementAnswer, StatementQuestion } from "@/lib/domain/cost/statement";
import { getJson } from "./fetch";

const LEDGER_MS = 30_000;

export function closeQuery(question: MonthQuestion) {
  return queryOptions({
    queryKey: ["cost", "close", question],
    queryFn: ({ signal }) => getJson<CloseAnswer>("/api/v1/cost/close", question, signal),
    refetchInterval: LEDGER_MS,
  });
}

export function statementQuery(question: StatementQuestion) {
  return queryOptions({
    queryKey: ["cost", "statement", question],
    queryFn: ({ signal }) => getJson<StatementAnswer>("/api/v1/cost/statement", question, signal),
    // What is on paper does not change while it is looked at.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
