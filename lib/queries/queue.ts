import { queryOptions } from "@tanstack/react-query";
import type { QueueAnswer } from "@/lib/domain/intents/queue";
import { getJson } from "./fetch";

/** What was asked of Lambda and is not done, in the order of its turns. */
export function queueQuery() {
  return queryOptions({
    queryKey: ["intents", "queue"],
    queryFn: ({ signal }) => getJson<QueueAnswer>("/api/v1/intents/queue", {}, signal),
    refetchInterval: 3_000,
  });
}
