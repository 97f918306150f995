import { queryOptions } from "@tanstack/react-query";
import type { EventsAnswer, EventsAsked } from "@/lib/domain/events/view";
import { getJson } from "./fetch";

const OFTEN_MS = 10_000;

/** What Overview and Fleet hint at. */
export const XID_DAY = { range: "24h", limit: 100, lines: 0 } as const satisfies EventsAsked;

/** Xid incidents of a window that ends now are asked again often; those of the past are settled. */
export function eventsQuery(question: EventsAsked) {
  return queryOptions({
    queryKey: ["events", question],
    queryFn: ({ signal }) => getJson<EventsAnswer>("/api/v1/events", question, signal),
    refetchInterval: question.from !== undefined && question.to !== undefined ? false : OFTEN_MS,
  });
}
