import { queryOptions } from "@tanstack/react-query";
import type { SavingsAnswer, SavingsQuestion } from "@/lib/domain/plan/savings-view";
import type { SizingQuestion } from "@/lib/domain/plan/sizing";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import type { WorkloadsAnswer } from "@/lib/domain/plan/workload-view";
import { getJson } from "./fetch";

const SELDOM_MS = 60_000;

export function savingsQuery(question: SavingsQuestion) {
  return queryOptions({
    queryKey: ["plan", "savings", question],
    queryFn: ({ signal }) => getJson<SavingsAnswer>("/api/v1/plan/savings", asked(question), signal),
    refetchInterval: SELDOM_MS,
  });
}

/** As the address carries it: lists with commas. */
export function asked({ set, who, ...rest }: SavingsQuestion) {
  return { ...rest, set: set.join(","), who: who.join(",") };
}

export function sizingQuery(question: SizingQuestion) {
  return queryOptions({
    queryKey: ["plan", "sizing", question],
    queryFn: ({ signal }) => getJson<SizingAnswer>("/api/v1/plan/sizing", question, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function workloadsQuery() {
  return queryOptions({
    queryKey: ["plan", "workloads"],
    queryFn: ({ signal }) => getJson<WorkloadsAnswer>("/api/v1/plan/workloads", {}, signal),
    refetchInterval: SELDOM_MS,
  });
}
