import { createHash } from "node:crypto";
import { groupBy } from "@/lib/domain/group";
import { type GaugeState, gaugeChanges, isSameCount } from "@/lib/domain/xid/gauge";
import { type Client, prisma, transact } from "./client";
import type { Prisma } from "./generated/client";
import type { Tx } from "./mutate";

/** Where an event belongs: the machine, or, while nobody has placed it, its sender. */
export type EventSource = { id: string; resourceId: string | null };

/** What is kept of an event beside its columns. */
export type EventDetail = {
  seenBy?: "kernel" | "gauge" | "count";
  atIs?: "assumed_utc" | "received";
  isSinceBefore?: true;
  busId?: string | null;
  mig?: string;
  pid?: number | null;
  processName?: string | null;
  /** Of a count: until when it was shown. */
  until?: number;
  /** Of a note or a deploy: who wrote it. */
  by?: string;
  /** Of a deploy: where more of it stands. */
  url?: string;
};

export type KernelEvent = {
  at: number;
  code: number;
  gpuId: number | null;
  text: string;
  detail: EventDetail;
  words: string;
};
export type GaugeReading = GaugeState & { gpuId: number; text: string };

/** Stores lines of the kernel's log, each once: a repetition, by this sender or another one of the machine, is harmless. */
export async function insertKernelEvents(source: EventSource, events: readonly KernelEvent[], receivedAt: Date) {
  const owner = source.resourceId ?? source.id;
  const rows = events.map(({ words, ...event }) => {
    const when = event.detail.atIs === "received" ? nearly(event.at, event.text) : String(event.at);
    const tail = hash(`${when} ${event.code} ${event.detail.busId} ${event.detail.mig} ${words}`);
    return { ...event, key: `xid:${owner}:${tail}`, earlierKey: `xid:${source.id}:${tail}` };
  });
  // What this sender told before it was placed has its own name in the key.
  const known = await prisma.event.findMany({
    where: { key: { in: rows.map(({ earlierKey }) => earlierKey) } },
    select: { key: true },
  });
  const isKnown = new Set(known.map(({ key }) => key));
  await insertEvents(
    prisma,
    source,
    rows.filter(({ key, earlierKey }) => key === earlierKey || !isKnown.has(earlierKey)),
    receivedAt,
  );
}

/** What these gauges showed last; a gauge that nobody has looked at is absent. */
export async function gaugeStates(gpuIds: readonly number[]): Promise<Map<number, GaugeState>> {
  return readGauges(await prisma.gpu.findMany({ where: { id: { in: [...gpuIds] } }, select: GAUGE }));
}

/** Moves the gauges to what they show, with an event for each change: one, however many senders tell it at once. */
export async function moveGauges(
  source: EventSource,
  readings: readonly GaugeReading[],
  receivedAt: Date,
): Promise<void> {
  const gpuIds = [...new Set(readings.map(({ gpuId }) => gpuId))].sort((a, b) => a - b);
  await transact(async (tx) => {
    await lockGpus(tx, gpuIds);
    const states = readGauges(await tx.gpu.findMany({ where: { id: { in: gpuIds } }, select: GAUGE }));
    for (const [gpuId, own] of groupBy(readings, (reading) => reading.gpuId)) {
      const before = states.get(gpuId) ?? null;
      const { changes, after } = gaugeChanges(before, own);
      if (after === null || after === before) continue;
      await tx.gpu.update({ where: { id: gpuId }, data: { xidGauge: after.code, xidGaugeAt: new Date(after.at) } });
      const events = changes.map(({ at, code, isSinceBefore }) => ({
        key: `xid:gauge:${gpuId}:${at}:${code}`,
        at,
        code,
        gpuId,
        text: own.find((reading) => reading.at === at && reading.code === code)?.text ?? "",
        detail: { seenBy: "gauge", ...(isSinceBefore && { isSinceBefore }) } satisfies EventDetail,
      }));
      await insertEvents(tx, source, events, receivedAt);
    }
  });
}

/** Takes in readings of DCGM's count that are not zero: an event when it begins to show a code, none while it goes on. */
export async function recordCounts(
  source: EventSource,
  readings: readonly GaugeReading[],
  receivedAt: Date,
): Promise<void> {
  const gpuIds = [...new Set(readings.map(({ gpuId }) => gpuId))].sort((a, b) => a - b);
  await transact(async (tx) => {
    await lockGpus(tx, gpuIds);
    for (const { gpuId, code, at, text } of [...readings].sort((a, b) => a.at - b.at)) {
      const newest = await tx.event.findFirst({
        where: { gpuId, code, kind: "xid", key: { startsWith: `xid:count:${gpuId}:` }, at: { lte: new Date(at) } },
        orderBy: { at: "desc" },
      });
      const detail = newest ? readDetail(newest.detail) : {};
      const known = newest && { from: newest.at.getTime(), to: detail.until ?? newest.at.getTime() };
      if (newest && known && isSameCount(known, at)) {
        if (at > known.to)
          await tx.event.update({ where: { id: newest.id }, data: { detail: { ...detail, until: at } } });
        continue;
      }
      const event = {
        key: `xid:count:${gpuId}:${code}:${at}`,
        at,
        code,
        gpuId,
        text,
        detail: { seenBy: "count" as const },
      };
      await insertEvents(tx, source, [event], receivedAt);
    }
  });
}

/** Events that a sender told before anybody knew its machine, handed to it. */
export async function assignEvents(tx: Client, sourceId: string, resourceId: string): Promise<void> {
  await tx.event.updateMany({ where: { sourceId, resourceId: null }, data: { resourceId } });
}

/** Notes are a person's words, and stay; so do deploys, which are few. */
export async function forgetXids(before: Date): Promise<void> {
  await prisma.event.deleteMany({ where: { kind: "xid", at: { lt: before } } });
}

export async function insertNote(
  tx: Tx,
  note: { id: string; resourceId: string; at: number; text: string; by: string },
  now: Date,
): Promise<void> {
  const { id, resourceId, at, text, by } = note;
  await tx.event.create({
    data: { key: `note:${id}`, kind: "note", at: new Date(at), receivedAt: now, resourceId, text, detail: { by } },
  });
}

export type DeployRow = {
  id: string;
  at: number;
  name: string;
  by: string;
  url: string | null;
  /** None: of all machines. */
  resourceIds: readonly string[];
};

/** Writes a deploy on the axis of each of its machines. False: it was there already, and stays as it was. */
export async function insertDeploy(tx: Tx, deploy: DeployRow, receivedAt: Date): Promise<boolean> {
  const { id, at, name, by, url, resourceIds } = deploy;
  const places = resourceIds.length === 0 ? [null] : resourceIds;
  const { count } = await tx.event.createMany({
    data: places.map((resourceId) => ({
      key: deployKey(id, resourceId),
      kind: "deploy" as const,
      at: new Date(at),
      receivedAt,
      resourceId,
      text: name,
      detail: { by, ...(url !== null && { url }) },
    })),
    skipDuplicates: true,
  });
  return count > 0;
}

/** Whether a deploy of that id was marked before. */
export async function isDeployMarked(id: string): Promise<boolean> {
  return (await prisma.event.count({ where: { kind: "deploy", key: { startsWith: deployKey(id, null) } } })) > 0;
}

/** The id may hold anything, so it stands as its hash, which is followed by the machine. */
function deployKey(id: string, resourceId: string | null): string {
  return `deploy:${hash(id)}:${resourceId ?? ""}`;
}

/** Deploys of a machine and those of all machines, newest first; of no machine: every one. */
export async function listDeploys(
  resourceId: string | null,
  from: number,
  to: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await prisma.event.findMany({
    where: {
      kind: "deploy",
      at: { gte: new Date(from), lte: new Date(to) },
      ...(resourceId !== null && { OR: [{ resourceId }, { resourceId: null }] }),
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit,
  });
  return rows.map((row) => ({ ...row, detail: readDetail(row.detail) }));
}

export type StoredEvent = {
  id: bigint;
  at: Date;
  receivedAt: Date;
  resourceId: string | null;
  sourceId: string | null;
  gpuId: number | null;
  code: number | null;
  text: string | null;
  detail: EventDetail;
};

type Asked = {
  kind: "xid" | "note";
  from: number;
  to: number;
  limit: number;
  resourceIds?: readonly string[];
  gpuId?: number;
  codes?: readonly number[];
};

/** Events of a window, newest first. */
export async function listEvents({ kind, from, to, limit, resourceIds, gpuId, codes }: Asked): Promise<StoredEvent[]> {
  const rows = await prisma.event.findMany({
    where: {
      kind,
      at: { gte: new Date(from), lte: new Date(to) },
      ...(resourceIds && { resourceId: { in: [...resourceIds] } }),
      ...(gpuId !== undefined && { gpuId }),
      ...(codes && { code: { in: [...codes] } }),
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit,
  });
  return rows.map((row) => ({ ...row, detail: readDetail(row.detail) }));
}

/** The names of the machines and cards that events speak of. */
export async function eventPlaces(
  resourceIds: readonly string[],
  sourceIds: readonly string[],
  gpuIds: readonly number[],
) {
  const [spans, sources, gpus] = await Promise.all([
    prisma.resourceSpan.findMany({
      where: { resourceId: { in: [...resourceIds] } },
      orderBy: { validFrom: "asc" },
      select: { resourceId: true, name: true, resource: { select: { externalId: true } } },
    }),
    prisma.telemetrySource.findMany({ where: { id: { in: [...sourceIds] } }, select: { id: true, hostname: true } }),
    prisma.gpu.findMany({
      where: { id: { in: [...gpuIds] } },
      select: { id: true, position: true, mig: true, model: true, uuid: true, resourceId: true },
    }),
  ]);
  return {
    instances: new Map(spans.map(({ resourceId, name, resource }) => [resourceId, name || resource.externalId])),
    hosts: new Map(sources.map(({ id, hostname }) => [id, hostname])),
    gpus: new Map(gpus.map((gpu) => [gpu.id, gpu])),
  };
}

const NEAR_MS = 600_000;

/** A line without an instant is known by the digits before its words (the time since boot); one without any, by about when it came. */
function nearly(at: number, text: string): string {
  return /^\D*NVRM:/.test(text) ? `about ${Math.floor(at / NEAR_MS)}` : "";
}

const GAUGE = { id: true, xidGauge: true, xidGaugeAt: true } as const;

function readGauges(rows: { id: number; xidGauge: number | null; xidGaugeAt: Date | null }[]): Map<number, GaugeState> {
  return new Map(
    rows.flatMap(({ id, xidGauge, xidGaugeAt }) =>
      xidGauge === null || xidGaugeAt === null ? [] : [[id, { code: xidGauge, at: xidGaugeAt.getTime() }]],
    ),
  );
}

async function lockGpus(tx: Client, gpuIds: readonly number[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM gpu WHERE id = ANY(${gpuIds}::int[]) ORDER BY id FOR UPDATE`;
}

type Row = { key: string; at: number; code: number; gpuId: number | null; text: string; detail: EventDetail };

async function insertEvents(tx: Client, source: EventSource, rows: readonly Row[], receivedAt: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.event.createMany({
    // In one order everywhere, so that two senders of the same lines never wait for each other in a ring.
    data: [...rows]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, at, code, gpuId, text, detail }) => ({
        key,
        kind: "xid" as const,
        at: new Date(at),
        receivedAt,
        resourceId: source.resourceId,
        sourceId: source.id,
        gpuId,
        code,
        text,
        detail: detail satisfies Prisma.InputJsonObject,
      })),
    skipDuplicates: true,
  });
}

/** The column holds what this file wrote. */
function readDetail(value: unknown): EventDetail {
  return typeof value === "object" && value !== null ? value : {};
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
