import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { BacktestAnswer } from "@/lib/domain/alerts/backtest";
import type { inputOf } from "@/lib/domain/alerts/draft";
import { postJson } from "./fetch";

export type BacktestAsked = ReturnType<typeof inputOf> & { days: number; alertId?: string };

/** Asked while somebody drags: the last answer stays until the next is there. */
export function backtestQuery(asked: BacktestAsked) {
  const { severity: _, action: __, reason: ___, runbook: ____, labels: _____, ...judged } = asked;
  return queryOptions({
    queryKey: ["backtest", judged],
    queryFn: ({ signal }) =>
      postJson<BacktestAnswer>("/api/v1/rules/backtest", { ...asked, name: asked.name || "Draft" }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    retry: false,
  });
}
