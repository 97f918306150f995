import { type Client, transact } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type {
  Known,
  Missing,
  Observation,
  GoneReason as ObservedReason,
  Seen,
  Status,
} from "@/lib/domain/fleet/observe";
import type { Labels } from "@/lib/domain/fleet/workloads";
import { ensureType } from "./types";

export type ResourceKind = "instance" | "filesystem";
export type StoredGoneReason = "terminated_here" | "terminated_outside" | "preempted" | "vanished";

type SpanRow = {
  status: Status;
  name: string | null;
  region: string;
  typeName: string | null;
  priceMicros: bigint | null;
  ip: string | null;
  privateIp: string | null;
  hostname: string | null;
  tags: unknown;
  bytesUsed: bigint | null;
  isAttached: boolean | null;
  attrs: unknown;
};

export function toSeen(externalId: string, span: SpanRow): Seen {
  const { status, name, region, typeName, priceMicros, ip, privateIp, hostname, bytesUsed, isAttached } = span;
  return {
    externalId,
    status,
    name,
    region,
    typeName,
    priceMicros,
    ip,
    privateIp,
    hostname,
    tags: span.tags as Record<string, string>,
    bytesUsed,
    isAttached,
    attrs: span.attrs as Record<string, unknown>,
  };
}

/** What is known of a kind: all that is not gone, and what went lately (a machine may still be listed as terminated). */
async function listKnown(tx: Client, connectionId: string, kind: ResourceKind, goneAfter: Date): Promise<Known[]> {
  const rows = await tx.resource.findMany({
    where: { connectionId, kind, OR: [{ goneAt: null }, { goneAt: { gt: goneAfter } }] },
    include: { spans: { orderBy: { validFrom: "desc" }, take: 1 } },
  });
  return rows.flatMap((row) => {
    const [span] = row.spans;
    if (!span) return [];
    const missing: Missing | null =
      row.missingSince && row.missingSeenAt
        ? {
            since: row.missingSince.getTime(),
            countedAt: row.missingSeenAt.getTime(),
            polls: row.missingPolls,
            isSuspect: row.missingSuspect,
          }
        : null;
    return [
      {
        id: row.id,
        externalId: row.externalId,
        seen: toSeen(row.externalId, span),
        missing,
        isGone: row.goneAt !== null,
      },
    ];
  });
}

export type GoodPoll = {
  connectionId: string;
  provider: string;
  kind: ResourceKind;
  at: Date;
  durationMs: number;
  listing: Seen[];
};

export type Applied = Observation & { isFirst: boolean; ids: Map<string, string> };

const RECENTLY_GONE_MS = 24 * 3_600_000;

/**
 * Writes a good listing down in one transaction: the poll, spans of what changed, absences. `decide` is the judgement.
 * Returns null when a newer poll was written first.
 */
export async function applyListing(
  poll: GoodPoll,
  decide: (known: Known[], listing: Seen[], at: number) => Observation,
  labelsOf: (tags: Record<string, string>) => Labels,
): Promise<Applied | null> {
  const { connectionId, provider, kind, at, durationMs, listing } = poll;
  return transact(async (tx) => {
    // The row lock makes pollers take turns; the condition sends the late one home.
    const [connection] = await tx.$queryRaw<{ lastOkAt: Date | null; filesystemsReadAt: Date | null }[]>`
      SELECT last_ok_at AS "lastOkAt", filesystems_read_at AS "filesystemsReadAt" FROM connection WHERE id = ${connectionId}::uuid FOR NO KEY UPDATE`;
    if (!connection) return null;
    if (kind === "instance") {
      const moved = await tx.$executeRaw`
        UPDATE connection SET last_poll_at = ${at}, last_ok_at = ${at}, stale_since = NULL, last_error = NULL, mutations_frozen_at = NULL
        WHERE id = ${connectionId}::uuid AND (last_poll_at IS NULL OR last_poll_at < ${at})`;
      if (moved === 0) return null;
    } else {
      await tx.connection.update({ where: { id: connectionId }, data: { filesystemsReadAt: at } });
    }
    const prevPollAt = kind === "instance" ? connection.lastOkAt : connection.filesystemsReadAt;
    const known = await listKnown(tx, connectionId, kind, new Date(at.getTime() - RECENTLY_GONE_MS));
    const observation = decide(known, listing, at.getTime());
    const ids = new Map(known.map((one) => [one.externalId, one.id]));

    for (const seen of observation.appeared) {
      // One that went too long ago to be among the known.
      await tx.resource.updateMany({
        where: { connectionId, kind, externalId: seen.externalId, goneAt: { not: null } },
        data: { returnedAt: at },
      });
      const resource = await tx.resource.upsert({
        where: { connectionId_kind_externalId: { connectionId, kind, externalId: seen.externalId } },
        create: { connectionId, kind, externalId: seen.externalId, firstSeenAt: at },
        update: {
          goneAt: null,
          goneReason: null,
          missingSince: null,
          missingSeenAt: null,
          missingPolls: 0,
          missingSuspect: false,
          meteredFinal: false,
        },
        select: { id: true },
      });
      ids.set(seen.externalId, resource.id);
      await openSpan(tx, resource.id, provider, seen, at, prevPollAt);
      const { owner, team, project, environment, costCenter, workload } = labelsOf(seen.tags);
      await tx.resourceLabel.createMany({
        data: [{ resourceId: resource.id, validFrom: at, owner, team, project, environment, costCenter, workload }],
        skipDuplicates: true,
      });
    }
    for (const { known: one } of observation.returned) {
      await tx.resource.update({
        where: { id: one.id },
        data: {
          ...(one.isGone && { returnedAt: at }),
          goneAt: null,
          goneReason: null,
          missingSince: null,
          missingSeenAt: null,
          missingPolls: 0,
          missingSuspect: false,
          meteredFinal: false,
        },
      });
      // A span that was closed when the resource went away is followed by a new one.
      const changed = observation.changed.some((change) => change.known.id === one.id);
      const open = await tx.resourceSpan.count({ where: { resourceId: one.id, validTo: null } });
      if (open === 0 && !changed) {
        const seen = listing.find((row) => row.externalId === one.externalId);
        if (seen) await openSpan(tx, one.id, provider, seen, at, prevPollAt);
      }
    }
    for (const { known: one, seen } of observation.changed) {
      await closeSpan(tx, one.id, at, prevPollAt);
      await openSpan(tx, one.id, provider, seen, at, prevPollAt);
    }
    for (const { known: one, missing } of observation.missing) {
      await tx.resource.update({
        where: { id: one.id },
        data: {
          missingSince: new Date(missing.since),
          missingSeenAt: new Date(missing.countedAt),
          missingPolls: missing.polls,
          missingSuspect: missing.isSuspect,
        },
      });
    }
    for (const { known: one, reason } of observation.gone) await markGone(tx, one, reason, at);

    if (kind === "instance") {
      await tx.poll.create({
        data: {
          connectionId,
          at,
          outcome: observation.isSuspect ? "suspect" : "ok",
          durationMs,
          resources: listing.length,
          changed: observation.appeared.length + observation.changed.length + observation.gone.length,
        },
      });
    }
    return { ...observation, isFirst: prevPollAt === null, ids };
  });
}

async function openSpan(
  tx: Client,
  resourceId: string,
  provider: string,
  seen: Seen,
  at: Date,
  prevPollAt: Date | null,
): Promise<void> {
  const { externalId: _, tags, attrs, ...said } = seen;
  if (said.typeName) await ensureType(tx, provider, said.typeName, at);
  await tx.resourceSpan.create({
    data: {
      resourceId,
      provider,
      validFrom: at,
      prevPollAt,
      ...said,
      tags: tags as Prisma.InputJsonObject,
      attrs: attrs as Prisma.InputJsonObject,
    },
  });
}

async function closeSpan(tx: Client, resourceId: string, at: Date, lastSeenAt: Date | null): Promise<void> {
  await tx.$executeRaw`
    UPDATE resource_span SET valid_to = ${at}, last_seen_at = greatest(valid_from, coalesce(${lastSeenAt}::timestamptz, valid_from))
    WHERE resource_id = ${resourceId}::uuid AND valid_to IS NULL AND valid_from < ${at}`;
}

/** A machine that is listed as ended keeps its open span; one that is absent ended between its last sighting and the first absence. */
async function markGone(tx: Client, known: Known, observed: ObservedReason, at: Date): Promise<void> {
  const isAbsent = observed === "vanished" || known.missing !== null;
  const ours = await tx.intent.count({ where: { targetId: known.id, kind: "terminate", sentAt: { not: null } } });
  // The provider's log may have been read before the listing lacked it.
  const { terminatedBy } = await tx.resource.findUniqueOrThrow({
    where: { id: known.id },
    select: { terminatedBy: true },
  });
  const reason: StoredGoneReason =
    observed === "preempted"
      ? "preempted"
      : ours > 0
        ? "terminated_here"
        : observed === "terminated" || terminatedBy !== null
          ? "terminated_outside"
          : "vanished";
  if (isAbsent) {
    const since = known.missing ? new Date(known.missing.since) : at;
    const before = await tx.poll.findFirst({
      where: { at: { lt: since }, outcome: { in: ["ok", "suspect"] } },
      orderBy: { at: "desc" },
      select: { at: true },
    });
    await closeSpan(tx, known.id, since, before?.at ?? null);
  }
  await tx.resource.update({
    where: { id: known.id },
    data: {
      goneAt: at,
      goneReason: reason,
      missingSince: null,
      missingSeenAt: null,
      missingPolls: 0,
      missingSuspect: false,
    },
  });
}
