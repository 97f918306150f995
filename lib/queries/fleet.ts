import { queryOptions } from "@tanstack/react-query";
import type { MachineAnswer } from "@/lib/domain/fleet/machine";
import type {
  FleetAnswer,
  FleetStatus,
  InstanceAnswer,
  InstancePageQuestion,
  Sparklines,
} from "@/lib/domain/fleet/view";
import { getJson } from "./fetch";

const OFTEN_MS = 5_000;
const SELDOM_MS = 30_000;

export function fleetQuery() {
  return queryOptions({
    queryKey: ["fleet", "rows"],
    queryFn: ({ signal }) => getJson<FleetAnswer>("/api/v1/fleet", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function sparklinesQuery() {
  return queryOptions({
    queryKey: ["fleet", "sparklines"],
    queryFn: ({ signal }) => getJson<Sparklines>("/api/v1/fleet/sparklines", {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function fleetStatusQuery() {
  return queryOptions({
    queryKey: ["fleet", "status"],
    queryFn: ({ signal }) => getJson<FleetStatus>("/api/v1/fleet/status", {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function instanceQuery({ instanceId, ...window }: InstancePageQuestion) {
  return queryOptions({
    queryKey: ["fleet", "instance", instanceId, window],
    queryFn: ({ signal }) => getJson<InstanceAnswer>(`/api/v1/fleet/${instanceId}`, window, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function machineQuery(instanceId: string) {
  return queryOptions({
    queryKey: ["fleet", "machine", instanceId],
    queryFn: ({ signal }) => getJson<MachineAnswer>(`/api/v1/fleet/${instanceId}/machine`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}
