import { queryOptions } from "@tanstack/react-query";
import type { AllocationAnswer, AllocationQuestion } from "@/lib/domain/cost/allocation-view";
import { getJson } from "./fetch";

const LEDGER_MS = 15_000;

export function allocationQuery(question: AllocationQuestion) {
  return queryOptions({
    queryKey: ["cost", "allocation", question],
    queryFn: ({ signal }) => getJson<AllocationAnswer>("/api/v1/cost/allocation", question, signal),
    refetchInterval: LEDGER_MS,
  });
}
