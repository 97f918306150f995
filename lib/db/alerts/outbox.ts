import { randomUUID } from "node:crypto";
import { type Client, pool, prisma, transact } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { FireNotice } from "@/lib/domain/alerts/notify";
import type { ItemKind, Verdict } from "@/lib/domain/notify/flush";

/** How far the message of an alert's fire has come on a channel. */
export async function fireNotice(tx: Client, alertId: string, channelId: string): Promise<FireNotice> {
  const rows = await tx.outbox.findMany({ where: { alertId, channelId, kind: "fired" }, select: { state: true } });
  if (rows.some((row) => row.state === "delivered")) return "delivered";
  return rows.some((row) => row.state === "queued" || row.state === "sending") ? "queued" : "none";
}

export type OutboxItem = {
  key: string;
  channelId: string;
  /** Null: of no route that was made, or of none at all. */
  routeId: string | null;
  groupKey: string;
  alertId: string | null;
  kind: ItemKind;
  body: Record<string, unknown>;
  at: Date;
  /** When its group is to be flushed. */
  nextAt: Date;
};

/** Queues news in the commit that makes it true. The same news again is harmless; false: it was there already. */
export async function enqueue(tx: Client, { at, body, ...item }: OutboxItem): Promise<boolean> {
  const { count } = await tx.outbox.createMany({
    data: [{ ...item, body: body as Prisma.InputJsonObject, createdAt: at }],
    skipDuplicates: true,
  });
  return count > 0;
}

/** A fire that nobody was told yet, of an episode that is over (B37). */
export async function withdraw(tx: Client, alertId: string, channelId: string, at: Date): Promise<void> {
  await tx.outbox.updateMany({
    where: { alertId, channelId, state: "queued" },
    data: { state: "dropped", doneAt: at },
  });
}

/** When a group was last told of something, whether something that it was told of still stands, and its next flush. */
export async function groupState(
  tx: Client,
  channelId: string,
  groupKey: string,
): Promise<{ lastToldAt: number | null; isAlive: boolean; pendingAt: number | null }> {
  const [row] = await tx.$queryRaw<{ lastToldAt: Date | null; isAlive: boolean | null; pendingAt: Date | null }[]>`
    SELECT max(o.done_at) FILTER (WHERE o.state = 'delivered') AS "lastToldAt",
           bool_or(a.resolved_at IS NULL) FILTER (WHERE o.state = 'delivered' AND a.id IS NOT NULL) AS "isAlive",
           min(o.next_at) FILTER (WHERE o.state = 'queued' AND o.batch_id IS NULL) AS "pendingAt"
    FROM outbox o LEFT JOIN alert a ON a.id = o.alert_id
    WHERE o.channel_id = ${channelId}::uuid AND o.group_key = ${groupKey}`;
  return {
    lastToldAt: row?.lastToldAt?.getTime() ?? null,
    isAlive: row?.isAlive ?? false,
    pendingAt: row?.pendingAt?.getTime() ?? null,
  };
}

/** The same for news that is true by itself. */
export function enqueueAlone(item: OutboxItem): Promise<boolean> {
  return enqueue(prisma, item);
}

export async function isQueued(key: string): Promise<boolean> {
  return (await prisma.outbox.count({ where: { key } })) > 0;
}

export type QueuedItem = {
  id: string;
  kind: ItemKind;
  body: Record<string, unknown>;
  createdAt: Date;
  alertId: string | null;
  /** Facts of its alert as they stand; of no alert: false and null. */
  isOver: boolean;
  isTold: boolean;
  isAcknowledged: boolean;
  snoozedUntil: Date | null;
};

/** What is sent together, under one key that its repeats share (B40, B43). */
export type Batch = {
  id: string;
  channelId: string;
  groupKey: string;
  episode: string;
  attempts: number;
  items: QueuedItem[];
  /** Alerts of the group that were told to fire and still do, those of this batch included. */
  stillFiring: number;
  firstAt: Date;
};

const LEASE_SECONDS = 60;
const MOST_ITEMS = 500;

const DUE = `((q.state = 'queued' and q.next_at <= hopperdeck_now()) or (q.state = 'sending' and q.lease_until < clock_timestamp()))`;
const FREE = `not exists (select 1 from outbox p where p.channel_id = q.channel_id and p.state = 'sending' and p.lease_until >= clock_timestamp()
  and (p.group_key = q.group_key or p.alert_id = q.alert_id))`;

/** What came after a batch that is to be tried again waits for it. */
const NEXT = `(q.batch_id is not null or not exists (select 1 from outbox u where u.channel_id = q.channel_id and u.group_key = q.group_key
  and u.batch_id is not null and u.state = 'queued'))`;

/** Whether anything waits to be sent now: asked every few seconds, so that nothing else is read for nothing. */
export async function hasDue(): Promise<boolean> {
  const { rows } = await pool().query<{ due: boolean }>(`select exists (select 1 from outbox q where ${DUE}) as due`);
  return rows[0]?.due ?? false;
}

export type Claim = { batch: Batch } | "settled" | null;

/**
 * Takes what is due of one group: an unfinished batch again, or what has come since as a new one. `judge` says of each item
 * whether it is sent, waits on or is dropped. One batch of a group, and one of an alert, is in flight on a channel at a time
 * (B37), whoever asks at once. Null: nothing is due; "settled": nothing of what was due is to be sent. Leases run on
 * Postgres's real clock.
 */
export async function claimBatch(
  holder: string,
  judge: (items: readonly QueuedItem[], now: Date) => Map<string, Verdict>,
): Promise<Claim> {
  return transact(async (tx) => {
    const [due] = await tx.$queryRawUnsafe<{ channelId: string; groupKey: string }[]>(
      `select q.channel_id as "channelId", q.group_key as "groupKey" from outbox q where ${DUE} and ${FREE} and ${NEXT} order by q.next_at limit 1`,
    );
    if (!due) return null;
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('outbox:' || ${due.channelId}, 0))`;
    const rows = await tx.$queryRawUnsafe<
      (QueuedItem & { batchId: string | null; episode: string | null; attempts: number; isDue: boolean; now: Date })[]
    >(
      `select q.id, q.kind, q.body, q.created_at as "createdAt", q.alert_id as "alertId", q.batch_id as "batchId", q.episode, q.attempts,
              ${DUE} as "isDue", hopperdeck_now() as now, a.resolved_at is not null as "isOver",
              a.acknowledged_at is not null as "isAcknowledged", a.snoozed_until as "snoozedUntil",
              exists (select 1 from outbox t where t.alert_id = q.alert_id and t.channel_id = q.channel_id and t.state = 'delivered'
                      and t.kind in ('fired', 'reraised', 'repeat', 'flapping', 'escalated', 'passed_on')) as "isTold"
       from outbox q left join alert a on a.id = q.alert_id
       where q.channel_id = $1::uuid and q.group_key = $2 and q.state in ('queued', 'sending') and ${FREE}
       order by q.created_at, q.id limit ${MOST_ITEMS} for update of q`,
      due.channelId,
      due.groupKey,
    );
    const unfinished = rows.find(({ batchId }) => batchId !== null)?.batchId ?? null;
    const open = rows.filter((row) => row.batchId === unfinished && row.isDue);
    const [first] = open;
    // Somebody else was quicker, or what was begun is to be tried again later: what came after it waits.
    if (!first) return "settled";
    const verdicts = judge(open, first.now);
    const sent = [];
    for (const item of open) {
      const verdict = verdicts.get(item.id) ?? { what: "send" };
      if (verdict.what === "send") sent.push(item);
      else if (verdict.what === "drop")
        await tx.outbox.update({
          where: { id: item.id },
          data: { state: "dropped", doneAt: first.now, leaseUntil: null },
        });
      else
        await tx.outbox.update({
          where: { id: item.id },
          data: { state: "queued", nextAt: new Date(verdict.until), batchId: null, leaseUntil: null },
        });
    }
    if (sent.length === 0) return "settled";
    const id = unfinished ?? randomUUID();
    const life = await groupLife(tx, due.channelId, due.groupKey);
    const episode = sent.find((item) => item.episode !== null)?.episode ?? life.episode ?? id;
    const attempts = Math.max(...sent.map((item) => item.attempts)) + 1;
    await tx.$executeRawUnsafe(
      `update outbox set state = 'sending', holder = $1::uuid, attempts = $2, batch_id = $3::uuid, episode = $4::uuid,
              lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) where id = any ($5::uuid[])`,
      holder,
      attempts,
      id,
      episode,
      sent.map((item) => item.id),
    );
    const ended = new Set(sent.filter((item) => item.isOver).map(({ alertId }) => alertId));
    const firing = new Set([...life.firing, ...sent.filter((item) => !item.isOver).map(({ alertId }) => alertId)]);
    const stillFiring = [...firing].filter((alertId) => alertId !== null && !ended.has(alertId)).length;
    return {
      batch: { id, ...due, episode, attempts, items: sent, stillFiring, firstAt: first.createdAt },
    };
  });
}

/** What of a group was told to fire and still does, and the life that began with it. */
async function groupLife(
  tx: Client,
  channelId: string,
  groupKey: string,
): Promise<{ firing: string[]; episode: string | null }> {
  const rows = await tx.$queryRaw<{ alertId: string; episode: string | null; isOver: boolean; isEndTold: boolean }[]>`
    SELECT DISTINCT o.alert_id AS "alertId", o.episode, a.resolved_at IS NOT NULL AS "isOver",
           EXISTS (SELECT 1 FROM outbox e WHERE e.alert_id = o.alert_id AND e.channel_id = o.channel_id AND e.kind = 'resolved' AND e.state = 'delivered') AS "isEndTold"
    FROM outbox o JOIN alert a ON a.id = o.alert_id
    WHERE o.channel_id = ${channelId}::uuid AND o.group_key = ${groupKey} AND o.state = 'delivered' AND o.kind <> 'resolved'
      AND (a.resolved_at IS NULL OR a.resolved_at > hopperdeck_now() - interval '2 days')`;
  const standing = rows.filter((row) => !row.isOver || !row.isEndTold);
  return {
    firing: rows.filter((row) => !row.isOver).map(({ alertId }) => alertId),
    episode: standing.find(({ episode }) => episode !== null)?.episode ?? null,
  };
}

export type Attempted = {
  state: "delivered" | "queued" | "dead";
  nextAt?: Date;
  statusCode: number | null;
  externalId?: string | null;
  error: string | null;
  startedAt: Date;
  finishedAt: Date;
};

/** Writes an attempt down. A sender whose lease ran out writes nothing: somebody else has the batch. */
export async function finishBatch(batch: Batch, holder: string, attempt: Attempted): Promise<boolean> {
  return transact(async (tx) => {
    const ids = batch.items.map(({ id }) => id);
    const { state, statusCode, startedAt, finishedAt } = attempt;
    const { count } = await tx.outbox.updateMany({
      where: { id: { in: ids }, state: "sending", holder, attempts: batch.attempts },
      data: {
        state,
        leaseUntil: null,
        ...(attempt.nextAt && { nextAt: attempt.nextAt }),
        ...(state !== "queued" && { doneAt: finishedAt }),
      },
    });
    const [first] = ids;
    if (count === 0 || first === undefined) return false;
    const { id } = await tx.delivery.create({
      data: {
        channelId: batch.channelId,
        outboxId: first,
        groupKey: batch.groupKey,
        rows: ids.length,
        startedAt,
        finishedAt,
        statusCode,
        externalId: attempt.externalId?.slice(0, 200) ?? null,
        error: attempt.error?.slice(0, 500) ?? null,
      },
      select: { id: true },
    });
    await tx.outbox.updateMany({ where: { id: { in: ids } }, data: { deliveryId: id } });
    return true;
  });
}

export type DeadItem = {
  id: string;
  kind: string;
  alertId: string | null;
  channelId: string;
  channel: string;
  headline: string;
  at: Date;
  error: string | null;
};

/** What could not be delivered and that nobody has sent again, the newest first. */
export async function listDead(limit = 100): Promise<DeadItem[]> {
  const { rows } = await pool().query<DeadItem>(
    `select o.id, o.kind, o.alert_id as "alertId", o.channel_id as "channelId", c.name as channel,
            coalesce(r.name || ', ' || a.target_name, o.kind) as headline, o.done_at as at, d.error
     from outbox o join channel c on c.id = o.channel_id left join alert a on a.id = o.alert_id left join alert_rule r on r.id = a.rule_id
     left join delivery d on d.id = o.delivery_id
     where o.state = 'dead' and c.deleted_at is null order by o.done_at desc limit $1`,
    [limit],
  );
  return rows;
}

export async function countDead(): Promise<number> {
  return prisma.outbox.count({ where: { state: "dead", channel: { deletedAt: null } } });
}

/** Puts what could not be delivered back into its queue; false: it is not dead any more. */
export async function redrive(tx: Client, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.outbox.updateMany({
    where: { id, state: "dead" },
    data: { state: "queued", nextAt: at, createdAt: at, attempts: 0, batchId: null, doneAt: null, holder: null },
  });
  return count > 0;
}

/** Takes a dead item off the list: somebody has seen to it otherwise. */
export async function dismissDead(tx: Client, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.outbox.updateMany({
    where: { id, state: "dead" },
    data: { state: "dropped", doneAt: at },
  });
  return count > 0;
}

/** Open episodes that fired, with what each channel was told of them: for repeats, escalations and repairs. */
export type ToldAlert = { alertId: string; channelId: string; kinds: string[]; lastToldAt: Date | null; times: number };

export async function listTold(alertIds: readonly string[]): Promise<ToldAlert[]> {
  const { rows } = await pool().query<ToldAlert>(
    `select alert_id as "alertId", channel_id as "channelId", array_agg(distinct kind) as kinds,
            max(done_at) filter (where state = 'delivered' and kind <> 'acknowledged') as "lastToldAt",
            count(*) filter (where state = 'delivered' and kind in ('fired', 'repeat'))::int as times
     from outbox where alert_id = any ($1::uuid[]) and state <> 'dead' group by 1, 2`,
    [alertIds],
  );
  return rows;
}

/** Ended episodes of the last day whose end some channel that knows of them was never told (B44). */
export async function listUntoldEnds(
  since: Date,
): Promise<{ alertId: string; channelId: string; transitions: number }[]> {
  const { rows } = await pool().query<{ alertId: string; channelId: string; transitions: number }>(
    `select distinct a.id as "alertId", o.channel_id as "channelId", a.transitions
     from alert a join outbox o on o.alert_id = a.id and o.kind = 'fired' and o.state = 'delivered'
     join channel c on c.id = o.channel_id and c.enabled and c.deleted_at is null and c.send_resolved
     where a.resolved_at > $1 and a.flapping_until is null
       and not exists (select 1 from outbox e where e.alert_id = a.id and e.channel_id = o.channel_id and e.kind = 'resolved')`,
    [since],
  );
  return rows;
}
