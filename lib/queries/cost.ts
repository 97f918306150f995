import { queryOptions } from "@tanstack/react-query";
import type { CostAnswer, CostQuestion } from "@/lib/domain/cost/view";
import { getJson } from "./fetch";

/** The worker brings the ledger up to date twice a minute. */
const LEDGER_MS = 15_000;

export function costQuery(question: CostQuestion) {
  return queryOptions({
    queryKey: ["cost", question],
    queryFn: ({ signal }) => getJson<CostAnswer>("/api/v1/cost", question, signal),
    refetchInterval: LEDGER_MS,
  });
}
