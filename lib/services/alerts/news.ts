import type { AlertTarget } from "@/lib/db/alerts/episodes";
import { findAlert } from "@/lib/db/alerts/episodes";
import { type Channel, enqueue, fireNotice, listChannels, withdraw } from "@/lib/db/alerts/outbox";
import type { Machine } from "@/lib/db/alerts/readings";
import type { AlertRule } from "@/lib/db/alerts/rules";
import type { Client } from "@/lib/db/client";
import type { News } from "@/lib/domain/alerts/message";
import { isWanted, type NewsKind, newsAfterCalm, newsOf } from "@/lib/domain/alerts/notify";
import { metricOf } from "@/lib/domain/alerts/rules";
import type { AlertState, EpisodeEnd, Transition } from "@/lib/domain/alerts/types";
import { burnedMicros } from "@/lib/domain/cost/burn";
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

/** Queues what people must hear of a slot's outcome, once per channel, in the commit that makes it true. */
export async function tell(tx: Client, told: Told): Promise<void> {
  const channels = (await listChannels(tx)).filter((channel) => channel.enabled);
  for (const channel of channels) {
    for (const { kind } of told.transitions) {
      const fire = await fireNotice(tx, told.alertId, channel.id);
      const { tell: news, withdrawsFire } = newsOf(kind, fire, told.isFlapping);
      if (withdrawsFire) await withdraw(tx, told.alertId, channel.id, told.now);
      if (news) await queue(tx, channel, told, news, String(told.seqOf.get(kind) ?? kind));
    }
    if (told.hasCalmed) {
      const fire = await fireNotice(tx, told.alertId, channel.id);
      const news = newsAfterCalm(told.end === null, told.state.firedAt !== null, fire);
      if (news) await queue(tx, channel, told, news, `calm-${told.state.lastSlot}`);
    }
  }
}

async function queue(tx: Client, channel: Channel, told: Told, kind: NewsKind, what: string): Promise<void> {
  if (!isWanted(channel, kind, told.rule.severity)) return;
  await enqueue(tx, {
    key: `${told.alertId}:${what}:${channel.id}`,
    channelId: channel.id,
    alertId: told.alertId,
    kind,
    body: stored(newsOfEpisode(told, kind)),
    at: told.now,
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
  for (const channel of await listChannels(tx)) {
    if (!channel.enabled) continue;
    const { tell: news, withdrawsFire } = newsOf(kind, await fireNotice(tx, alertId, channel.id), false);
    if (withdrawsFire) await withdraw(tx, alertId, channel.id, now);
    if (!news || !isWanted(channel, news, alert.severity)) continue;
    const body = stored(newsOfRow(alert, news, now));
    await enqueue(tx, {
      key: `${alertId}:${seq}:${channel.id}`,
      channelId: channel.id,
      alertId,
      kind: news,
      body,
      at: now,
    });
  }
}

function newsOfRow(alert: NonNullable<Awaited<ReturnType<typeof findAlert>>>, kind: NewsKind, now: Date): News {
  const at = (date: Date | null) => date?.getTime() ?? null;
  const price = alert.resource?.spans[0]?.priceMicros ?? null;
  return {
    ...ruleFacts({ ...alert.rule, selector: {} }),
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

function newsOfEpisode({ rule, target, machine, state, end, alertId, now }: Told, kind: NewsKind): News {
  const until = end?.at ?? now.getTime();
  const isGone = end?.reason === "instance_gone";
  return {
    ...ruleFacts(rule),
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

function ruleFacts(rule: AlertRule) {
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
