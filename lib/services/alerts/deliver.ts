import { randomUUID } from "node:crypto";
import { listChannels } from "@/lib/db/alerts/channels";
import { type Batch, claimBatch, enqueueAlone, finishBatch, hasDue, type QueuedItem } from "@/lib/db/alerts/outbox";
import { listFiring, listSilences } from "@/lib/db/alerts/silences";
import { now } from "@/lib/db/clock";
import type { Ctx } from "@/lib/domain/access";
import { afterAttempt } from "@/lib/domain/alerts/retry";
import { type Verdict, verdictOf } from "@/lib/domain/notify/flush";
import { type Firing, inhibitedBy } from "@/lib/domain/notify/inhibition";
import { ROUTE_DEFAULTS } from "@/lib/domain/notify/routes";
import { labelsOf, type Silence, silencedBy } from "@/lib/domain/silences/silence";
import { attempt, type Outcome } from "@/lib/services/notify/attempt";

const AT_ONCE = 200;

/** Sends what is due. Each message at least once, with a key by which the receiver can drop repeats. */
export async function sendNotifications(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  if (!(await hasDue())) return;
  const holder = randomUUID();
  // Once for all of it: a silence that is placed in this second may miss the first message.
  const world = await readWorld(ctx.now);
  for (let turns = 0; turns < AT_ONCE && !signal?.aborted; turns++) {
    const claim = await claimBatch(holder, (items, at) => judge(items, world, at.getTime()));
    if (claim === null) return;
    if (claim !== "settled") await deliver(claim.batch, holder);
  }
}

type World = {
  silences: readonly Silence[];
  firing: ReadonlyMap<string, Firing>;
  /** By instance: what explains another alert is on the same one. */
  neighbours: ReadonlyMap<string, Firing[]>;
};

const instanceOf = ({ labels }: Firing) => labels.instance_id ?? "";

async function readWorld(at: Date): Promise<World> {
  const [silences, firing] = await Promise.all([listSilences(at), listFiring()]);
  const alerts = firing.map((episode) => ({ alertId: episode.alertId, labels: labelsOf(episode) }));
  const neighbours = new Map<string, Firing[]>();
  for (const alert of alerts) {
    const others = neighbours.get(instanceOf(alert));
    if (others) others.push(alert);
    else neighbours.set(instanceOf(alert), [alert]);
  }
  return { silences, firing: new Map(alerts.map((alert) => [alert.alertId, alert])), neighbours };
}

function judge(items: readonly QueuedItem[], world: World, at: number): Map<string, Verdict> {
  return new Map(
    items.map((item) => {
      const alert = item.alertId === null ? null : standingOf(item, world, at);
      return [item.id, verdictOf(item.kind, alert, at, ROUTE_DEFAULTS.groupIntervalMs)];
    }),
  );
}

function standingOf(item: QueuedItem, { silences, firing, neighbours }: World, at: number) {
  const self = item.alertId === null ? undefined : firing.get(item.alertId);
  const silence = self ? silencedBy(silences, self.labels, at) : null;
  const snoozedUntil =
    item.snoozedUntil !== null && item.snoozedUntil.getTime() > at ? item.snoozedUntil.getTime() : null;
  const silencedUntil = silence ? Math.min(silence.endsAt, silence.endedAt ?? silence.endsAt) : null;
  return {
    isOver: item.isOver,
    isTold: item.isTold,
    isAcknowledged: item.isAcknowledged,
    silencedUntil: silencedUntil === null ? snoozedUntil : Math.max(silencedUntil, snoozedUntil ?? 0),
    isInhibited: self ? inhibitedBy(self, neighbours.get(instanceOf(self)) ?? []) !== null : false,
  };
}

async function deliver(batch: Batch, holder: string): Promise<void> {
  const startedAt = await now();
  const outcome = await attempt(batch);
  const finishedAt = await now();
  const next = afterAttempt({
    firstAt: batch.firstAt.getTime(),
    now: finishedAt.getTime(),
    attempts: batch.attempts,
    statusCode: outcome.statusCode,
    retryAfterMs: outcome.retryAfterMs,
    random: Math.random(),
  });
  const { statusCode, externalId = null } = outcome;
  const done = { startedAt, finishedAt, statusCode, externalId };
  if (outcome.isFinal || next.kind === "dead") {
    const error = outcome.error ?? (next.kind === "dead" ? next.reason : null);
    if (await finishBatch(batch, holder, { ...done, state: "dead", error }))
      await tellUndelivered(batch, error, finishedAt);
  } else if (next.kind === "retry") {
    const error = outcome.error ?? `HTTP ${statusCode}`;
    await finishBatch(batch, holder, { ...done, state: "queued", nextAt: new Date(next.at), error });
  } else await finishBatch(batch, holder, { ...done, state: "delivered", error: null });
}

/** Every other channel hears of what one did not get (B42). What tells of that is not told of again. */
async function tellUndelivered(batch: Batch, error: Outcome["error"], at: Date): Promise<void> {
  if (batch.items.some(({ kind }) => kind === "undelivered" || kind === "test")) return;
  const channels = await listChannels();
  const failed = channels.find(({ id }) => id === batch.channelId);
  for (const channel of channels) {
    if (channel.id === batch.channelId || !channel.enabled) continue;
    const key = `dead:${batch.id}:${channel.id}`;
    const body = { channel: failed?.name ?? "a removed channel", count: batch.items.length, error };
    const item = {
      key,
      groupKey: key,
      channelId: channel.id,
      routeId: null,
      alertId: null,
      kind: "undelivered" as const,
    };
    await enqueueAlone({ ...item, body, at, nextAt: at });
  }
}
