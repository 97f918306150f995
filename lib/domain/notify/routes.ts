import { type AlertLabels, type Matcher, matches } from "@/lib/domain/silences/matchers";

export const MOST_ROUTES = 200;

/** After a time, or after so much was burned, and only while nobody has acknowledged. */
export type EscalationStep = { channelId: string } & ({ afterMs: number } | { afterMicros: bigint });

/** Which alerts go to which channel, and how they are put together. */
export type Route = {
  /** Of a row; of an implicit route, its channel's. */
  id: string;
  isImplicit: boolean;
  name: string;
  channelId: string;
  matchers: readonly Matcher[];
  groupBy: readonly string[];
  groupWaitMs: number;
  groupIntervalMs: number;
  repeatMs: number;
  escalation: readonly EscalationStep[];
  /** The routes after it are asked too. */
  goesOn: boolean;
};

/** Alertmanager's defaults (alerts 1.2, B30). */
export const ROUTE_DEFAULTS = { groupWaitMs: 30_000, groupIntervalMs: 5 * 60_000, repeatMs: 4 * 3_600_000 };

/** Where nobody has made a route, every channel hears everything that it wants to hear. */
export function implicitRoute(channel: { id: string; name: string }): Route {
  return {
    id: channel.id,
    isImplicit: true,
    name: channel.name,
    channelId: channel.id,
    matchers: [],
    groupBy: ["alertname"],
    ...ROUTE_DEFAULTS,
    escalation: [],
    goesOn: true,
  };
}

/** The routes that an alert takes: in order, up to the first that fits and does not go on. */
export function routesOf(routes: readonly Route[], labels: AlertLabels): Route[] {
  const taken: Route[] = [];
  for (const route of routes) {
    if (!matches(route.matchers, labels)) continue;
    taken.push(route);
    if (!route.goesOn) break;
  }
  return taken;
}

/** Alerts of one route with equal values of these labels are told together. */
export function groupKeyOf(route: Pick<Route, "id" | "groupBy">, labels: AlertLabels): string {
  const values = [...route.groupBy].sort().map((label) => [label, Object.hasOwn(labels, label) ? labels[label] : ""]);
  return `${route.id}:${JSON.stringify(values)}`;
}

/** The labels that a group's alerts have in common, for people. */
export function groupLabels(groupKey: string): Record<string, string> {
  const at = groupKey.indexOf(":");
  try {
    return Object.fromEntries(JSON.parse(groupKey.slice(at + 1)) as [string, string][]);
  } catch {
    return {};
  }
}

/**
 * When a group is flushed for something new: after the wait where nothing of it stands told, at once where the alert
 * is older than that; else not before the interval since the last message has passed.
 */
export function flushAt(
  route: Pick<Route, "groupWaitMs" | "groupIntervalMs">,
  group: { lastToldAt: number | null; isAlive: boolean },
  alertSince: number,
  now: number,
): number {
  if (group.isAlive && group.lastToldAt !== null) return Math.max(now, group.lastToldAt + route.groupIntervalMs);
  return Math.max(now, alertSince + route.groupWaitMs);
}

/** Which repetition is due; 0: none yet. Looked at on flushes alone, so it is rounded up to the group's interval. */
export function repetition(
  route: Pick<Route, "groupIntervalMs" | "repeatMs">,
  lastToldAt: number,
  toldTimes: number,
  now: number,
): number {
  const flushes = Math.ceil(route.repeatMs / Math.max(1, route.groupIntervalMs));
  return now - lastToldAt >= flushes * route.groupIntervalMs ? toldTimes : 0;
}

/** The steps of an escalation that are due, by their place. */
export function stepsDue(
  steps: readonly EscalationStep[],
  alert: { firedAt: number; spentMicros: bigint | null },
  now: number,
): number[] {
  return steps.flatMap((step, i) => {
    const isDue =
      "afterMs" in step
        ? now - alert.firedAt >= step.afterMs
        : alert.spentMicros !== null && alert.spentMicros >= step.afterMicros;
    return isDue ? [i] : [];
  });
}
