import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ActivityFilter } from "@/lib/domain/activity/question";
import type { ActivityAnswer, Chain } from "@/lib/domain/activity/view";
import { getJson } from "./fetch";

export function activityQuery(question: ActivityFilter) {
  return infiniteQueryOptions({
    queryKey: ["activity", "acts", question],
    queryFn: ({ signal, pageParam }) =>
      getJson<ActivityAnswer>("/api/v1/activity", { ...question, after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  });
}

export function chainQuery() {
  return queryOptions({
    queryKey: ["activity", "chain"],
    queryFn: ({ signal }) => getJson<Chain>("/api/v1/activity/chain", {}, signal),
    staleTime: 60_000,
  });
}
