import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";

export type Target = {
  id: string;
  name: string;
  url: string;
  everyMs: number;
  isEnabled: boolean;
  resourceId: string | null;
  secretId: string | null;
  mapping: unknown;
  fetchedAt: Date | null;
  firstSeenAt: Date;
  lastReceivedAt: Date;
  error: string | null;
  gpus: number;
};

export type TargetValues = {
  name: string;
  url: string;
  everyMs: number;
  isEnabled: boolean;
  resourceId: string | null;
  secretId: string | null;
  mapping: unknown[];
};

/** What stands in the place of the address of a target that was removed; its row stays for its GPUs and series. */
const REMOVED = "removed:";
const THERE = { kind: "scrape", NOT: { url: { startsWith: REMOVED } } } as const;

const SELECT = {
  id: true,
  hostname: true,
  url: true,
  intervalMs: true,
  isEnabled: true,
  resourceId: true,
  secretId: true,
  mapping: true,
  fetchedAt: true,
  firstSeenAt: true,
  lastReceivedAt: true,
  lastError: true,
  _count: { select: { gpus: true } },
} as const;

type Row = Prisma.TelemetrySourceGetPayload<{ select: typeof SELECT }>;

/** Pages that are fetched. */
export async function listTargets(client: Client = prisma): Promise<Target[]> {
  const rows = await client.telemetrySource.findMany({
    where: THERE,
    select: SELECT,
    orderBy: { hostname: "asc" },
  });
  return rows.map(targetOf);
}

export async function findTarget(client: Client, id: string): Promise<Target | null> {
  const row = await client.telemetrySource.findFirst({
    where: { id, ...THERE },
    select: SELECT,
  });
  return row && targetOf(row);
}

export async function insertTarget(tx: Tx, values: TargetValues, at: Date): Promise<{ id: string }> {
  return tx.telemetrySource.create({
    data: { kind: "scrape", ...columns(values), firstSeenAt: at, lastReceivedAt: at },
    select: { id: true },
  });
}

export async function updateTarget(tx: Tx, id: string, values: TargetValues): Promise<void> {
  await tx.telemetrySource.update({ where: { id }, data: { ...columns(values), lastError: null, fetchedAt: null } });
}

/** Ends the fetching and forgets address and credential. What was stored stays. */
export async function retireTarget(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.telemetrySource.update({
    where: { id },
    data: { url: `${REMOVED}${id}`, secretId: null, isEnabled: false, lastError: null, dismissedAt: at },
  });
}

/** Takes targets whose time has come, so that nobody else fetches them now; those that waited longest first. */
export async function takeDueTargets(now: Date, limit: number): Promise<Target[]> {
  const { rows } = await pool().query<{ id: string }>(
    `update telemetry_source t set fetched_at = $1
     where t.id in (
       select id from telemetry_source
       where kind = 'scrape' and is_enabled
         and (fetched_at is null or fetched_at > $1 or fetched_at + make_interval(secs => interval_ms / 1000.0 - 1) <= $1)
       order by fetched_at nulls first limit $2 for update skip locked)
     returning t.id`,
    [now, limit],
  );
  const due = await prisma.telemetrySource.findMany({
    where: { id: { in: rows.map((row) => row.id) } },
    select: SELECT,
  });
  return due.map(targetOf);
}

/** Notes why a page could not be taken; what it said before stands as it was. */
export async function noteFetchFailure(id: string, error: string): Promise<void> {
  await prisma.telemetrySource.updateMany({
    where: { id, ...THERE },
    data: { lastError: error.slice(0, 500) },
  });
}

function columns({ name, everyMs, mapping, ...rest }: TargetValues) {
  // Parsed by its schema before; Prisma asks for its own type of JSON.
  return { ...rest, hostname: name, intervalMs: everyMs, mapping: mapping as Prisma.InputJsonValue };
}

function targetOf({ hostname, url, intervalMs, lastError, _count, ...row }: Row): Target {
  return { ...row, name: hostname, url: url ?? "", everyMs: intervalMs, error: lastError, gpus: _count.gpus };
}
