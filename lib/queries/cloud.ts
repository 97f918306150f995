import { queryOptions } from "@tanstack/react-query";
import type { CloudAnswer, FirewallAnswer } from "@/lib/domain/cloud/view";
import { getJson } from "./fetch";
import { SETTINGS_KEY } from "./settings";

export function cloudQuery() {
  return queryOptions({
    queryKey: [...SETTINGS_KEY, "cloud"],
    queryFn: ({ signal }) => getJson<CloudAnswer>("/api/v1/cloud", {}, signal),
    refetchInterval: 30_000,
  });
}

/** Asks Lambda itself, so only when somebody wants to see it. */
export function firewallQuery() {
  return queryOptions({
    queryKey: ["firewall"],
    queryFn: ({ signal }) => getJson<FirewallAnswer>("/api/v1/cloud/firewall", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
