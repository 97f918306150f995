import { queryOptions } from "@tanstack/react-query";
import type { OverviewAnswer } from "@/lib/domain/overview";
import { getJson } from "./fetch";

export function overviewQuery() {
  return queryOptions({
    queryKey: ["overview"],
    queryFn: ({ signal }) => getJson<OverviewAnswer>("/api/v1/overview", {}, signal),
    refetchInterval: 5_000,
  });
}
