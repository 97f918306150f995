import { type Channel, listChannels } from "@/lib/db/alerts/channels";
import type { AlertTarget } from "@/lib/db/alerts/episodes";
import { findAlert } from "@/lib/db/alerts/episodes";
import { enqueue, fireNotice, groupState, withdraw } from "@/lib/db/alerts/outbox";
import type { Machine } from "@/lib/db/alerts/readings";
import { listRoutes, type StoredRoute } from "@/lib/db/alerts/routes";
import type { AlertRule } from "@/lib/db/alerts/rules";
import { findFired } from "@/lib/db/alerts/silences";
import type { Client } from "@/lib/db/client";
import type { News } from "@/lib/domain/alerts/message";
import { isWanted, type NewsKind, newsAfterCalm, newsOf, TOLD_KINDS } from "@/lib/domain/alerts/notify";
import { metricOf } from "@/lib/domain/alerts/rules";
import type { AlertState, EpisodeEnd, Severity, Transition } from "@/lib/domain/alerts/types";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { flushAt, groupKeyOf, implicitRoute, type Route, routesOf } from "@/lib/domain/notify/routes";
import type { AlertLabels } from "@/lib/domain/silences/matchers";
import { labelsOf } from "@/lib/domain/silences/silence";
import { env } from "@/lib/env";

export type Told = {
  rule: AlertRule;
  target: AlertTarget;
  machine: Machine | null;
  state: AlertState;
  end: EpisodeEnd | null;
  alertId: string;
  seqOf: Map<string, number>;
  transitions: readonly Transition[];
  isFlapping: boolean;
  hasCalmed: boolean;
  now: Date;
};

/** Queues what people must hear of a slot's outcome, once per route, in the commit that makes it true. */
export async function tell(tx: Client, told: Told): Promise<void> {
  const changes = told.transitions.filter(({ kind }) => TOLD_KINDS.has(kind));
  if (changes.length === 0 && !told.hasCalmed) return;
  const ways = await waysOf(tx, told.alertId);
  for (const way of ways) {
    const { channel } = way;
    for (const { kind } of changes) {
      // A fire that is critical from its first slot says so itself.
      if (kind === "escalated" && changes.some((one) => one.kind === "fired")) continue;
      const fire = await fireNotice(tx, told.alertId, channel.id);
      const { tell: news, withdrawsFire } = newsOf(kind, fire, told.isFlapping);
      if (withdrawsFire) await withdraw(tx, told.alertId, channel.id, told.now);
      if (news)
        await queue(tx, way, told.alertId, String(told.seqOf.get(kind) ?? kind), newsOfEpisode(told, news), told.now);
    }
    if (told.hasCalmed) {
      const fire = await fireNotice(tx, told.alertId, channel.id);
      const news = newsAfterCalm(told.end === null, told.state.firedAt !== null, fire);
      if (news) await queue(tx, way, told.alertId, `calm-${told.state.lastSlot}`, newsOfEpisode(told, news), told.now);
    }
  }
}

/** A rule with two levels: the second one makes its alert critical. */
function severityOf({ state, rule }: Told): Severity {
  return state.isEscalated ? "critical" : rule.severity;
}

/** One way from an alert to people: a route, its channel and the group in which it is told there. */
export type Way<R = Route> = { route: R; channel: Channel; groupKey: string };

/** Every way that an alert takes; where nobody has made a route, one to each channel. Null alerts take none. */
export async function waysOf(tx: Client, alertId: string): Promise<Way[]> {
  const [channels, stored, episode] = await Promise.all([listChannels(tx), listRoutes(tx), findFired(tx, alertId)]);
  if (!episode) return [];
  return waysBy(stored, channels, labelsOf(episode));
}

/** The same for labels, with routes and channels at hand. A channel is told of an alert by one route. */
export function waysBy(stored: readonly StoredRoute[], channels: readonly Channel[], labels: AlertLabels): Way[] {
  const routes = stored.length === 0 ? channels.map(implicitRoute) : stored.filter(({ enabled }) => enabled);
  const ways = new Map<string, Way>();
  for (const route of routesOf(routes, labels)) {
    const channel = channels.find(({ id, enabled }) => id === route.channelId && enabled);
    if (channel && !ways.has(channel.id)) ways.set(channel.id, { route, channel, groupKey: groupKeyOf(route, labels) });
  }
  return [...ways.values()];
}

/** What got worse, or lies untaken, does not wait for its group. */
const IMMEDIATE: readonly NewsKind[] = ["escalated", "passed_on"];

/** Queues one piece of news on one way, for when its group is flushed. False: it was queued already, or is not wanted there. */
type Flushed = Pick<Route, "id" | "isImplicit" | "groupWaitMs" | "groupIntervalMs">;

export async function queue(
  tx: Client,
  way: Way<Flushed>,
  alertId: string,
  what: string,
  news: News,
  now: Date,
): Promise<boolean> {
  const { route, channel, groupKey } = way;
  if (!isWanted(channel, news.kind, news.severity)) return false;
  const group = await groupState(tx, channel.id, groupKey);
  const since = news.firedAt ?? now.getTime();
  // An end belongs to the life that it ends.
  const standing = { ...group, isAlive: group.isAlive || news.kind === "resolved" };
  const own = IMMEDIATE.includes(news.kind) ? now.getTime() : flushAt(route, standing, since, now.getTime());
  // What waits for its group already takes along what comes meanwhile.
  const nextAt = Math.min(own, group.pendingAt ?? own);
  return enqueue(tx, {
    key: `${alertId}:${what}:${route.id}`,
    channelId: channel.id,
    routeId: route.isImplicit ? null : route.id,
    groupKey: news.kind === "passed_on" ? `${groupKey}:passed-on` : groupKey,
    alertId,
    kind: news.kind,
    body: stored(news),
    at: now,
    nextAt: new Date(nextAt),
  });
}

/** News of an episode that came about outside a slot: an acknowledgement ran out, or a person paused the rule. */
export async function tellLater(
  tx: Client,
  alertId: string,
  seq: number,
  kind: "reraised" | "resolved",
  now: Date,
): Promise<void> {
  const alert = await findAlert(alertId, tx);
  if (!alert) return;
  for (const way of await waysOf(tx, alertId)) {
    const { tell: news, withdrawsFire } = newsOf(kind, await fireNotice(tx, alertId, way.channel.id), false);
    if (withdrawsFire) await withdraw(tx, alertId, way.channel.id, now);
    if (news) await queue(tx, way, alertId, String(seq), newsOfRow(alert, news, now), now);
  }
}

/** An episode as it stands, as news. */
export function newsOfRow(alert: NonNullable<Awaited<ReturnType<typeof findAlert>>>, kind: NewsKind, now: Date): News {
  const at = (date: Date | null) => date?.getTime() ?? null;
  const price = alert.resource?.spans[0]?.priceMicros ?? null;
  return {
    ...ruleFacts(alert.rule),
    severity: alert.severity,
    kind,
    at: now.getTime(),
    alertId: alert.id,
    targetName: alert.targetName,
    team: alert.resource?.labels[0]?.team ?? "",
    value: alert.lastValue,
    peakValue: alert.peakValue,
    activeAt: alert.activeAt.getTime(),
    firedAt: at(alert.firedAt),
    resolvedAt: at(alert.resolvedAt),
    resolveReason: alert.resolveReason,
    spentMicros: burnedMicros(price, at(alert.firedAt), at(alert.resolvedAt) ?? now.getTime()),
    microsPerHour: alert.resource?.goneAt ? 0n : price,
    url: alertUrl(alert.id),
  };
}

function newsOfEpisode(told: Told, kind: NewsKind): News {
  const { rule, target, machine, state, end, alertId, now } = told;
  const until = end?.at ?? now.getTime();
  const isGone = end?.reason === "instance_gone";
  return {
    ...ruleFacts(rule),
    severity: severityOf(told),
    kind,
    at: now.getTime(),
    alertId,
    targetName: target.name,
    team: machine?.team ?? "",
    value: state.lastValue,
    peakValue: state.peakValue,
    activeAt: state.activeAt,
    firedAt: state.firedAt,
    resolvedAt: end?.at ?? null,
    resolveReason: end && end.reason !== "never_fired" ? end.reason : null,
    spentMicros: machine ? burnedMicros(machine.priceMicros, state.firedAt, until) : null,
    microsPerHour: isGone ? 0n : (machine?.priceMicros ?? null),
    url: alertUrl(alertId),
  };
}

type RuleFacts = Pick<
  AlertRule,
  "name" | "kind" | "metric" | "comparison" | "threshold" | "forMs" | "severity" | "action"
>;

function ruleFacts(rule: RuleFacts) {
  const metric = metricOf(rule.kind, rule.metric);
  const { comparison, threshold, forMs, severity, action } = rule;
  return {
    ruleName: rule.name,
    severity,
    metricLabel: metric?.label ?? rule.metric,
    unit: metric?.unit ?? "",
    comparison,
    threshold,
    forMs,
    action,
  };
}

function alertUrl(alertId: string): string {
  return `${env.publicUrl}/alerts/${alertId}`;
}

/** JSON has no bigint: money travels as text. */
function stored(news: News): Record<string, unknown> {
  return {
    ...news,
    spentMicros: news.spentMicros?.toString() ?? null,
    microsPerHour: news.microsPerHour?.toString() ?? null,
  };
}

export function restored(body: Record<string, unknown>): News {
  const money = (value: unknown) => (typeof value === "string" ? BigInt(value) : null);
  // The body was written by `stored`.
  return {
    ...(body as unknown as News),
    spentMicros: money(body.spentMicros),
    microsPerHour: money(body.microsPerHour),
  };
}
