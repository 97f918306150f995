import { queryOptions } from "@tanstack/react-query";
import type { HeartbeatAnswer } from "@/lib/domain/notify/heartbeat";
import type { DeliveryLogAnswer, DeliveryLogQuestion } from "@/lib/domain/notify/log-view";
import type { RoutesAnswer, UndeliveredAnswer } from "@/lib/domain/notify/route-input";
import { getJson } from "./fetch";

export const NOTIFY = "notify";

export function routesQuery() {
  return queryOptions({
    queryKey: [NOTIFY, "routes"],
    queryFn: ({ signal }) => getJson<RoutesAnswer>("/api/v1/routes", {}, signal),
    refetchInterval: 15_000,
  });
}

export function undeliveredQuery() {
  return queryOptions({
    queryKey: [NOTIFY, "undelivered"],
    queryFn: ({ signal }) => getJson<UndeliveredAnswer>("/api/v1/messages/undelivered", {}, signal),
    refetchInterval: 10_000,
  });
}

export function deliveryLogQuery(
  question: { [K in keyof DeliveryLogQuestion]?: DeliveryLogQuestion[K] | undefined } = {},
) {
  return queryOptions({
    queryKey: [NOTIFY, "log", question],
    queryFn: ({ signal }) => getJson<DeliveryLogAnswer>("/api/v1/messages", question, signal),
    refetchInterval: 10_000,
  });
}

/** For the frame of every page. */
export function undeliveredCountQuery() {
  return queryOptions({
    queryKey: [NOTIFY, "undelivered", "count"],
    queryFn: ({ signal }) =>
      getJson<{ now: number; undelivered: number }>("/api/v1/messages/undelivered/count", {}, signal),
    refetchInterval: 15_000,
  });
}

export function heartbeatQuery() {
  return queryOptions({
    queryKey: [NOTIFY, "heartbeat"],
    queryFn: ({ signal }) => getJson<HeartbeatAnswer>("/api/v1/heartbeat", {}, signal),
    refetchInterval: 30_000,
  });
}
