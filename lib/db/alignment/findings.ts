import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { Severity } from "@/lib/domain/alerts/types";
import type { Check, Evidence, Fact } from "@/lib/domain/alignment/check";
import type { FindingState, Standing } from "@/lib/domain/alignment/standing";

/** What of a check is kept beside its columns. */
type Told = {
  target: string;
  declared: string | null;
  observed: string | null;
  why: string;
  settle: string;
  fingerprint: string;
  seenAt: number;
  sources: Evidence[];
};

export type StoredFinding = {
  id: string;
  key: string;
  fact: Fact;
  severity: Severity;
  state: FindingState;
  version: number;
  group: string | null;
  resourceId: string | null;
  gpuId: number | null;
  firstPollAt: number;
  lastPollAt: number;
  agreedPolls: number;
  settledAt: number | null;
  told: Told;
  monthMicros: bigint | null;
  memoryGb: number | null;
  acceptedBy: string | null;
  acceptedReason: string | null;
  acceptedUntil: number | null;
  assignee: { id: string; name: string } | null;
};

const NAMES = {
  acceptedBy: { select: { name: true } },
  assignee: { select: { id: true, name: true } },
} as const;
type Row = Prisma.FindingGetPayload<{ include: typeof NAMES }>;

function stored(row: Row): StoredFinding {
  return {
    id: row.id,
    key: row.key,
    // Words that only the drift engine writes.
    fact: row.kind as Fact,
    severity: row.severity,
    state: row.state,
    version: row.declarationVersion,
    group: row.groupName,
    resourceId: row.resourceId,
    gpuId: row.gpuId,
    firstPollAt: row.firstPollAt.getTime(),
    lastPollAt: row.lastPollAt.getTime(),
    agreedPolls: row.agreedPolls,
    settledAt: row.settledAt?.getTime() ?? null,
    told: row.evidence as unknown as Told,
    monthMicros: row.monthMicros,
    memoryGb: row.memoryGb,
    acceptedBy: row.acceptedBy?.name ?? null,
    acceptedReason: row.acceptedReason,
    acceptedUntil: row.acceptedUntil?.getTime() ?? null,
    assignee: row.assignee,
  };
}

/** Everything that is not settled; of one machine, or of all. */
export async function listStanding(resourceId?: string): Promise<StoredFinding[]> {
  const rows = await prisma.finding.findMany({
    where: { settledAt: null, ...(resourceId !== undefined && { resourceId }) },
    include: NAMES,
    orderBy: { firstPollAt: "asc" },
  });
  return rows.map(stored);
}

/** The same as the drift engine remembers it, without what it says. */
export async function listStandings(tx: Client): Promise<(Standing & { id: string })[]> {
  const rows = await tx.$queryRaw<
    (Omit<Standing, "firstPollAt" | "lastPollAt" | "acceptedUntil"> & {
      id: string;
      firstPollAt: Date;
      lastPollAt: Date;
      acceptedUntil: Date | null;
    })[]
  >`SELECT id, key, state::text AS state, evidence ->> 'fingerprint' AS fingerprint, agreed_polls AS "agreedPolls",
      first_poll_at AS "firstPollAt", last_poll_at AS "lastPollAt", (evidence ->> 'seenAt')::float8 AS "seenAt", accepted_until AS "acceptedUntil"
    FROM finding WHERE settled_at IS NULL`;
  return rows.map(({ firstPollAt, lastPollAt, acceptedUntil, ...row }) => ({
    ...row,
    firstPollAt: firstPollAt.getTime(),
    lastPollAt: lastPollAt.getTime(),
    acceptedUntil: acceptedUntil?.getTime() ?? null,
  }));
}

/** Keys of what was accepted. */
export async function listAcceptedKeys(): Promise<string[]> {
  const { rows } = await pool().query<{ key: string }>(
    "select key from finding where settled_at is null and state = 'accepted'",
  );
  return rows.map(({ key }) => key);
}

export type FoundTogether = {
  state: Exclude<FindingState, "settled">;
  fact: Fact;
  severity: Severity;
  group: string | null;
  key: string;
  told: Told;
  ids: string[];
  resourceIds: (string | null)[];
  targets: string[];
  monthMicros: string | null;
  memoryGb: number | null;
  firstPollAt: Date;
  agreedPolls: number;
  acceptedBy: string | null;
  acceptedReason: string | null;
  acceptedUntil: Date | null;
  assigneeId: string | null;
  assignee: string | null;
};

/** What stands, with machines of which the same is found as one row; the worst first. Names of at most `most` of them. */
export async function listTogether(most: number): Promise<FoundTogether[]> {
  const { rows } = await pool().query<Omit<FoundTogether, "told">>(
    `select f.state::text as state, f.kind as fact, max(f.severity)::text as severity, f.group_name as "group",
            min(f.key) as key, array_agg(f.id order by f.key) as ids, (array_agg(f.resource_id order by f.key))[1:$1] as "resourceIds",
            (array_agg(f.evidence ->> 'target' order by f.key))[1:$1] as targets, sum(f.month_micros)::text as "monthMicros",
            sum(f.memory_gb) as "memoryGb", min(f.first_poll_at) as "firstPollAt", min(f.agreed_polls) as "agreedPolls",
            max(a.name) as "acceptedBy", f.accepted_reason as "acceptedReason", f.accepted_until as "acceptedUntil",
            f.assignee_id as "assigneeId", max(p.name) as assignee
     from finding f left join app_user a on a.id = f.accepted_by_id left join app_user p on p.id = f.assignee_id
     where f.settled_at is null
     group by f.state, f.kind, f.group_name, f.evidence ->> 'declared', f.evidence ->> 'observed', f.accepted_reason, f.accepted_until, f.assignee_id
     order by max(f.severity) desc, f.kind, f.group_name, f.state`,
    [most],
  );
  const { rows: said } = await pool().query<{ id: string; told: Told }>(
    "select id, evidence as told from finding where id = any ($1::uuid[])",
    [rows.flatMap(({ ids }) => ids.slice(0, 1))],
  );
  const toldOf = new Map(said.map(({ id, told }) => [id, told]));
  return rows.flatMap((row) => {
    const told = toldOf.get(row.ids[0] ?? "");
    // Settled between the two questions.
    return told ? [{ ...row, told }] : [];
  });
}

/** What was settled of late, the newest first. */
export async function listSettled(since: Date, most: number): Promise<StoredFinding[]> {
  const rows = await prisma.finding.findMany({
    where: { settledAt: { gte: since } },
    include: NAMES,
    orderBy: { settledAt: "desc" },
    take: most,
  });
  return rows.map(stored);
}

export async function findFinding(id: string, client: Client = prisma): Promise<StoredFinding | null> {
  const row = await client.finding.findUnique({ where: { id }, include: NAMES });
  return row && stored(row);
}

/** One drift engine at a time writes; others wait, and see what it wrote. */
export async function lockFindings(tx: Client): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('finding'))`;
}

type Written = { id: string | null; standing: Standing; check: Check };

const AT_ONCE = 500;

/** Writes findings that are new, or say something new: of a large fleet thousands, in a few statements. */
export async function writeFindings(tx: Client, version: number, written: readonly Written[]): Promise<void> {
  const made = written.filter(({ id }) => id === null);
  for (let i = 0; i < made.length; i += AT_ONCE) {
    await tx.finding.createMany({
      data: made
        .slice(i, i + AT_ONCE)
        .map(({ standing, check }) => ({ ...columnsOf(standing, check), declarationVersion: version })),
    });
  }
  const changed = written.flatMap(({ id, standing, check }) =>
    id === null ? [] : [{ ...columnsOf(standing, check), id, monthMicros: check.monthMicros?.toString() ?? null }],
  );
  for (let i = 0; i < changed.length; i += AT_ONCE) {
    const rows = JSON.stringify(changed.slice(i, i + AT_ONCE));
    await tx.$executeRaw`
      UPDATE finding f SET severity = x.severity::severity, state = x.state::finding_state, declaration_version = ${version},
        group_name = x."groupName", resource_id = x."resourceId", gpu_id = x."gpuId", first_poll_at = x."firstPollAt",
        agreed_polls = x."agreedPolls", last_poll_at = x."lastPollAt", evidence = x.evidence, month_micros = x."monthMicros",
        memory_gb = x."memoryGb", accepted_until = CASE WHEN x.state = 'accepted' THEN f.accepted_until END
      FROM jsonb_to_recordset(${rows}::jsonb) AS x(id uuid, severity text, state text, "groupName" text, "resourceId" uuid,
        "gpuId" int, "firstPollAt" timestamptz, "agreedPolls" int, "lastPollAt" timestamptz, evidence jsonb,
        "monthMicros" bigint, "memoryGb" float8)
      WHERE f.id = x.id`;
  }
}

function columnsOf(standing: Standing, check: Check): Omit<Prisma.FindingCreateManyInput, "declarationVersion"> {
  const told: Told = {
    target: check.machine ?? check.group ?? "The fleet",
    declared: check.declared,
    observed: check.observed,
    why: check.why,
    settle: check.settle,
    fingerprint: standing.fingerprint,
    seenAt: standing.seenAt,
    sources: check.evidence,
  };
  return {
    key: standing.key,
    kind: check.fact,
    severity: check.severity,
    state: standing.state,
    groupName: check.group,
    resourceId: check.machineId,
    gpuId: check.gpuId,
    firstPollAt: new Date(standing.firstPollAt),
    agreedPolls: standing.agreedPolls,
    lastPollAt: new Date(standing.lastPollAt),
    evidence: told as unknown as Prisma.InputJsonValue,
    monthMicros: check.monthMicros,
    memoryGb: check.memoryGb,
  };
}

/** The same was seen once more: of many at once, without what they say. */
export async function agreeFindings(tx: Client, ids: readonly string[], pollAt: number): Promise<void> {
  if (ids.length === 0) return;
  const at = new Date(pollAt);
  await tx.$executeRaw`
    UPDATE finding SET agreed_polls = agreed_polls + 1, last_poll_at = ${at},
      evidence = jsonb_set(evidence, '{seenAt}', to_jsonb(${pollAt}::bigint))
    WHERE id = ANY (${[...ids]}::uuid[])`;
}

export async function settleFindings(tx: Client, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.finding.updateMany({ where: { id: { in: [...ids] } }, data: { state: "settled", settledAt: at } });
}

export async function dropFindings(tx: Client, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.finding.deleteMany({ where: { id: { in: [...ids] } } });
}

/** False: it was settled meanwhile, or never was open. */
export async function acceptFinding(
  tx: Tx,
  id: string,
  { reason, until, byId }: { reason: string; until: Date; byId: string | null },
): Promise<boolean> {
  const { count } = await tx.finding.updateMany({
    where: { id, state: { in: ["open", "accepted"] }, settledAt: null },
    data: { state: "accepted", acceptedReason: reason, acceptedUntil: until, acceptedById: byId },
  });
  return count > 0;
}

export async function reopenFinding(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.finding.updateMany({
    where: { id, state: "accepted", settledAt: null },
    data: { state: "open", acceptedUntil: null },
  });
  return count > 0;
}

export async function assignFinding(tx: Tx, id: string, assigneeId: string | null): Promise<boolean> {
  const { count } = await tx.finding.updateMany({ where: { id, settledAt: null }, data: { assigneeId } });
  return count > 0;
}

export type OpenCount = { resourceId: string | null; group: string | null; severity: Severity; findings: number };

/** Open findings by machine, or by group where they are of no one machine; notes and what was accepted are left out. */
export async function countOpen(): Promise<OpenCount[]> {
  const { rows } = await pool().query<OpenCount>(
    `select resource_id as "resourceId", case when resource_id is null then group_name end as "group",
            max(severity)::text as severity, count(*)::int as findings
     from finding where settled_at is null and state = 'open' and severity <> 'info' group by 1, 2`,
  );
  return rows;
}

/** The same in one number, and whether anything was declared. */
export async function sumOpen(): Promise<{ findings: number; isDeclared: boolean }> {
  const { rows } = await pool().query<{ findings: number; isDeclared: boolean }>(
    `select (select count(*)::int from finding where settled_at is null and state = 'open' and severity <> 'info') as findings,
            exists (select 1 from declaration) as "isDeclared"`,
  );
  return rows[0] ?? { findings: 0, isDeclared: false };
}
