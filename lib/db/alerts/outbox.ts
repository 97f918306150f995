import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { FireNotice } from "@/lib/domain/alerts/notify";
import type { Severity } from "@/lib/domain/alerts/types";

export type ChannelKind = "webhook" | "slack";
export type Channel = {
  id: string;
  kind: ChannelKind;
  name: string;
  host: string;
  minSeverity: Severity;
  sendResolved: boolean;
  enabled: boolean;
  secretId: string;
};

export function listChannels(tx: Client = prisma): Promise<Channel[]> {
  return tx.channel.findMany({
    where: { deletedAt: null },
    select: {
      id: true,
      kind: true,
      name: true,
      host: true,
      minSeverity: true,
      sendResolved: true,
      enabled: true,
      secretId: true,
    },
    orderBy: { name: "asc" },
  });
}

export async function insertChannel(tx: Tx, channel: Omit<Channel, "id" | "enabled">, at: Date): Promise<Channel> {
  return tx.channel.create({ data: { ...channel, updatedAt: at } });
}

export async function updateChannel(
  tx: Tx,
  id: string,
  change: Partial<Pick<Channel, "enabled" | "minSeverity" | "sendResolved">>,
  at: Date,
): Promise<Channel> {
  return tx.channel.update({ where: { id }, data: { ...change, updatedAt: at } });
}

export async function deleteChannel(tx: Tx, id: string, at: Date): Promise<Channel> {
  const { name } = await tx.channel.findUniqueOrThrow({ where: { id }, select: { name: true } });
  // The name becomes free again; the row stays for its deliveries.
  return tx.channel.update({
    where: { id },
    data: { deletedAt: at, enabled: false, updatedAt: at, name: `${name} (removed ${at.toISOString()})` },
  });
}

/** How far the message of an alert's fire has come on a channel. */
export async function fireNotice(tx: Client, alertId: string, channelId: string): Promise<FireNotice> {
  const rows = await tx.outbox.findMany({ where: { alertId, channelId, kind: "fired" }, select: { state: true } });
  if (rows.some((row) => row.state === "delivered")) return "delivered";
  return rows.some((row) => row.state === "queued" || row.state === "sending") ? "queued" : "none";
}

export type OutboxItem = {
  key: string;
  channelId: string;
  alertId: string | null;
  kind: string;
  body: Record<string, unknown>;
  at: Date;
};

/** Queues news in the commit that makes it true. The same news again is harmless. */
export async function enqueue(tx: Client, { at, body, ...item }: OutboxItem): Promise<void> {
  await tx.outbox.createMany({
    data: [{ ...item, body: body as Prisma.InputJsonObject, nextAt: at, createdAt: at }],
    skipDuplicates: true,
  });
}

/** A fire that nobody was told yet, of an episode that is over (B37). */
export async function withdraw(tx: Client, alertId: string, channelId: string, at: Date): Promise<void> {
  await tx.outbox.updateMany({
    where: { alertId, channelId, state: "queued" },
    data: { state: "dropped", doneAt: at },
  });
}

export type Claimed = {
  id: string;
  key: string;
  kind: string;
  body: Record<string, unknown>;
  attempts: number;
  createdAt: Date;
  channelId: string;
  channelKind: ChannelKind;
  secretId: string;
  alertId: string | null;
  isOver: boolean;
};

const LEASE_SECONDS = 60;

/**
 * Takes one due item for sending. Per alert and channel one is in flight, the oldest first (B37); an item whose sender died
 * is taken again, and repeats its key (B43). Leases run on Postgres's real clock.
 */
export async function claimDue(holder: string): Promise<Claimed | null> {
  const { rows } = await pool().query<Claimed>(
    `update outbox o set state = 'sending', holder = $1, attempts = o.attempts + 1, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     from channel c where c.id = o.channel_id and o.id = (
       select q.id from outbox q join channel k on k.id = q.channel_id
       where ((q.state = 'queued' and q.next_at <= hopperdeck_now()) or (q.state = 'sending' and q.lease_until < clock_timestamp()))
         and not exists (select 1 from outbox p where p.alert_id = q.alert_id and p.channel_id = q.channel_id and p.id <> q.id
                         and (p.state = 'sending' or (p.state = 'queued' and p.created_at < q.created_at)))
       order by q.next_at limit 1 for update of q skip locked)
     returning o.id, o.key, o.kind, o.body, o.attempts, o.created_at as "createdAt", o.channel_id as "channelId", c.kind as "channelKind", c.secret_id as "secretId",
       o.alert_id as "alertId", exists (select 1 from alert a where a.id = o.alert_id and a.resolved_at is not null) as "isOver"`,
    [holder],
  );
  return rows[0] ?? null;
}

export type Attempted = {
  state: "delivered" | "queued" | "dead" | "dropped";
  nextAt?: Date;
  statusCode: number | null;
  error: string | null;
  startedAt: Date;
  finishedAt: Date;
};

/** Writes an attempt down. A sender whose lease ran out writes nothing: somebody else has the item. */
export async function finishAttempt(item: Claimed, holder: string, attempt: Attempted): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const { count } = await tx.outbox.updateMany({
      where: { id: item.id, state: "sending", holder, attempts: item.attempts },
      data: {
        state: attempt.state,
        leaseUntil: null,
        ...(attempt.nextAt && { nextAt: attempt.nextAt }),
        ...(attempt.state !== "queued" && { doneAt: attempt.finishedAt }),
      },
    });
    if (count === 0) return false;
    if (attempt.state !== "dropped") {
      const { statusCode, startedAt, finishedAt } = attempt;
      await tx.delivery.create({
        data: {
          channelId: item.channelId,
          outboxId: item.id,
          startedAt,
          finishedAt,
          statusCode,
          error: attempt.error?.slice(0, 500) ?? null,
        },
      });
    }
    return true;
  });
}

/** The last attempt on each channel, for Settings. */
export async function lastDeliveries(): Promise<
  Map<string, { at: Date; statusCode: number | null; error: string | null; tookMs: number | null }>
> {
  const { rows } = await pool().query<{
    channelId: string;
    at: Date;
    statusCode: number | null;
    error: string | null;
    tookMs: number | null;
  }>(
    `select d.channel_id as "channelId", d.started_at as at, d.status_code as "statusCode", d.error,
            (extract(epoch from d.finished_at - d.started_at) * 1000)::float8 as "tookMs"
     from channel c cross join lateral (select * from delivery where channel_id = c.id order by started_at desc limit 1) d`,
  );
  return new Map(rows.map(({ channelId, ...last }) => [channelId, last]));
}
