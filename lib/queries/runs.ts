import { queryOptions } from "@tanstack/react-query";
import type {
  RunAnswer,
  RunPlacesAnswer,
  RunQuestion,
  RunSeriesAnswer,
  RunsAnswer,
  RunsQuestion,
} from "@/lib/domain/workload/view";
import { getJson } from "./fetch";

const OFTEN_MS = 10_000;
const SELDOM_MS = 30_000;

export function runsQuery(question: Partial<RunsQuestion>) {
  return queryOptions({
    queryKey: ["runs", "rows", question],
    queryFn: ({ signal }) => getJson<RunsAnswer>("/api/v1/runs", question, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function runQuery({ runId }: RunQuestion) {
  return queryOptions({
    queryKey: ["runs", "run", runId],
    queryFn: ({ signal }) => getJson<RunAnswer>(`/api/v1/runs/${runId}`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function runSeriesQuery({ runId }: RunQuestion) {
  return queryOptions({
    queryKey: ["runs", "series", runId],
    queryFn: ({ signal }) => getJson<RunSeriesAnswer>(`/api/v1/runs/${runId}/series`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function runPlacesQuery() {
  return queryOptions({
    queryKey: ["runs", "places"],
    queryFn: ({ signal }) => getJson<RunPlacesAnswer>("/api/v1/runs/places", {}, signal),
    staleTime: SELDOM_MS,
  });
}
