import { queryOptions } from "@tanstack/react-query";
import type { AlertCounts, InboxAnswer } from "@/lib/domain/alerts/view";
import { getJson } from "./fetch";

const OFTEN_MS = 5_000;

/** Every question about alerts starts with this word, so that an act can make all of them be asked again. */
const ALERTS = "alerts";

export function alertCountsQuery() {
  return queryOptions({
    queryKey: [ALERTS, "counts"],
    queryFn: ({ signal }) => getJson<AlertCounts>("/api/v1/alerts/counts", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function inboxQuery() {
  return queryOptions({
    queryKey: [ALERTS, "inbox"],
    queryFn: ({ signal }) => getJson<InboxAnswer>("/api/v1/alerts", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}
