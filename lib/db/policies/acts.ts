import { type Client, pool, prisma, transact } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { PolicyDo, Verdict } from "@/lib/domain/policies/decide";
import type { PolicyDecision } from "@/lib/domain/policies/kinds";
import type { PolicyAct } from "@/lib/domain/policies/snapshot";
import type { OutlookRow } from "@/lib/domain/policies/view";
import { lockPolicy } from "./policies";

/** Kept beside a decision: what it was about, and how far its saving counts. */
export type ActEvidence = {
  name: string;
  act: PolicyDo;
  dueAt: number;
  actAt?: number | null;
  priceMicros: string | null;
  /** Until when the machine would have been away at most. */
  savesUntil?: number | null;
  /** Where the saving stopped counting, and why. */
  closedAt?: number;
  closedWhy?: string;
  /** Which launch it is. */
  launch?: Verdict["launch"];
  by?: string;
};

export type StoredAct = PolicyAct & {
  policyId: string;
  intentId: string | null;
  micros: bigint | null;
  evidence: ActEvidence;
};

type Row = Awaited<ReturnType<Client["policyAction"]["findMany"]>>[number];

function toAct(row: Row): StoredAct {
  // The column holds what this module wrote into it.
  const evidence = row.evidence as unknown as ActEvidence;
  return {
    policyId: row.policyId,
    target: row.target,
    slot: row.slot.getTime(),
    decision: row.decision,
    resourceId: row.resourceId,
    intentId: row.intentId,
    decidedAt: row.decidedAt.getTime(),
    actAt: evidence.actAt ?? null,
    reason: row.reason,
    micros: row.micros,
    evidence,
  };
}

export async function listActs(where: {
  policyId?: string;
  since?: Date;
  decisions?: PolicyDecision[];
  resourceId?: string;
  take?: number;
}): Promise<StoredAct[]> {
  const { policyId, since, decisions, resourceId, take = 5_000 } = where;
  const rows = await prisma.policyAction.findMany({
    where: {
      ...(policyId && { policyId }),
      ...(resourceId && { resourceId }),
      ...(decisions && { decision: { in: decisions } }),
      ...(since && { OR: [{ slot: { gte: since } }, { decidedAt: { gte: since } }, { decision: "planned" }] }),
    },
    orderBy: [{ decidedAt: "desc" }, { target: "asc" }],
    take,
  });
  return rows.map(toAct);
}

const evidenceOf = (verdict: Verdict, more: Partial<ActEvidence>): Prisma.InputJsonObject => ({
  name: verdict.name,
  act: verdict.act,
  dueAt: verdict.dueAt,
  priceMicros: verdict.priceMicros?.toString() ?? null,
  savesUntil: verdict.savesUntil,
  ...(verdict.launch && { launch: verdict.launch }),
  ...more,
});

type Written = { decision: "planned" | "would_act" | "skipped"; reason: string; actAt?: number };

/** Writes what was decided of a target and slot. What was acted on, cancelled or let go stays so: false. */
export async function writeDecision(policyId: string, verdict: Verdict, written: Written, now: Date): Promise<boolean> {
  const { decision, reason, actAt } = written;
  const key = { policyId, target: verdict.target, slot: new Date(verdict.slot) };
  const data = {
    decision,
    reason,
    evidence: evidenceOf(verdict, actAt === undefined ? {} : { actAt }),
    decidedAt: now,
  };
  const { count: changed } = await prisma.policyAction.updateMany({ where: { ...key, decision: "planned" }, data });
  if (changed > 0) return true;
  const { count } = await prisma.policyAction.createMany({
    data: [{ ...key, ...data, resourceId: verdict.resourceId }],
    skipDuplicates: true,
  });
  return count > 0;
}

export type Reserved =
  | { kind: "reserved" }
  /** Somebody else has it, or the policy changed meanwhile. */
  | { kind: "taken" }
  | { kind: "limited"; why: "max_per_hour" | "cool_down" };

/**
 * Takes a target and slot for acting: of two workers one gets it, and the limits count what both did, since the policy's row is
 * locked while they are counted. The request itself follows after the commit; until it is known, the act has no intent.
 */
export async function reserveAct(
  policy: { id: string; version: number },
  verdict: Verdict,
  now: Date,
): Promise<Reserved> {
  return transact(async (tx): Promise<Reserved> => {
    const locked = await lockPolicy(tx, policy.id);
    if (locked?.mode !== "armed" || locked.version !== policy.version) return { kind: "taken" };
    const key = { policyId: policy.id, target: verdict.target, slot: new Date(verdict.slot) };
    const known = await tx.policyAction.findUnique({ where: { policyId_target_slot: key } });
    if (known && known.decision !== "planned") return { kind: "taken" };
    const acted = { policyId: policy.id, decision: "acted" as const };
    const lately = await tx.policyAction.count({
      where: { ...acted, decidedAt: { gt: new Date(now.getTime() - 3_600_000) } },
    });
    if (lately >= locked.maxPerHour) return { kind: "limited", why: "max_per_hour" };
    const cooling = await tx.policyAction.count({
      where: { ...acted, target: verdict.target, decidedAt: { gt: new Date(now.getTime() - locked.cooldownMs) } },
    });
    if (cooling > 0) return { kind: "limited", why: "cool_down" };
    const data = {
      decision: "acted" as const,
      reason: verdict.why,
      evidence: evidenceOf(verdict, { actAt: now.getTime() }),
      decidedAt: now,
    };
    if (known) await tx.policyAction.update({ where: { policyId_target_slot: key }, data });
    else await tx.policyAction.create({ data: { ...key, ...data, resourceId: verdict.resourceId } });
    return { kind: "reserved" };
  });
}

const keyOf = ({ policyId, target, slot }: Pick<StoredAct, "policyId" | "target" | "slot">) => ({
  policyId,
  target,
  slot: new Date(slot),
});

/** Ties an act to the request that was made of it. */
export async function tieIntent(act: Pick<StoredAct, "policyId" | "target" | "slot">, intentId: string): Promise<void> {
  await prisma.policyAction.updateMany({ where: { ...keyOf(act), intentId: null }, data: { intentId } });
}

/** No request came of it: it waits again, and may be tried at a later look. */
export async function giveBack(
  act: Pick<StoredAct, "policyId" | "target" | "slot" | "evidence">,
  reason: string,
  now: Date,
): Promise<void> {
  await prisma.policyAction.updateMany({
    where: { ...keyOf(act), decision: "acted", intentId: null },
    data: {
      decision: "planned",
      reason,
      decidedAt: now,
      evidence: { ...act.evidence, actAt: now.getTime() } as Prisma.InputJsonObject,
    },
  });
}

/** Takes an announcement back; false: it was acted on, or taken back, already. */
export async function cancelPlanned(
  act: Pick<StoredAct, "policyId" | "target" | "slot">,
  reason: string,
  now: Date,
  client: Client = prisma,
): Promise<boolean> {
  const { count } = await client.policyAction.updateMany({
    where: { ...keyOf(act), decision: "planned" },
    data: { decision: "cancelled", reason, decidedAt: now },
  });
  return count > 0;
}

/** What is said beforehand of a policy that changed, is paused or removed is taken back with it. */
export async function cancelAllPlanned(client: Client, policyId: string, reason: string, now: Date): Promise<number> {
  const { count } = await client.policyAction.updateMany({
    where: { policyId, decision: "planned" },
    data: { decision: "cancelled", reason, decidedAt: now },
  });
  return count;
}

/** How much a decision that was not carried out would have saved by now. */
export async function saveTally(
  act: StoredAct,
  micros: bigint,
  closed: { at: number; why: string } | null,
): Promise<void> {
  await prisma.policyAction.updateMany({
    where: { ...keyOf(act), decision: "would_act" },
    data: {
      micros,
      ...(closed && {
        evidence: { ...act.evidence, closedAt: closed.at, closedWhy: closed.why } as Prisma.InputJsonObject,
      }),
    },
  });
}

export type Look = { lookedAt: number; outlook: OutlookRow[] };

export async function listLooks(): Promise<Map<string, Look>> {
  const rows = await prisma.policyLook.findMany();
  return new Map(
    rows.map((row) => [
      row.policyId,
      // The column holds what `saveLook` wrote into it.
      { lookedAt: row.lookedAt.getTime(), outlook: row.outlook as unknown as OutlookRow[] },
    ]),
  );
}

export async function saveLook(policyId: string, lookedAt: Date, outlook: readonly OutlookRow[]): Promise<void> {
  const data = { lookedAt, outlook: outlook as unknown as Prisma.InputJsonArray };
  await prisma.policyLook.upsert({ where: { policyId }, create: { policyId, ...data }, update: data });
}

export type LeaseRow = { isGone: boolean; leaseUntil: Date | null; name: string };

export async function findLease(client: Client, resourceId: string): Promise<LeaseRow | null> {
  const row = await client.resource.findFirst({
    where: { id: resourceId, kind: "instance" },
    select: {
      goneAt: true,
      leaseUntil: true,
      externalId: true,
      spans: { orderBy: { validFrom: "desc" }, take: 1, select: { name: true } },
    },
  });
  return row && { isGone: row.goneAt !== null, leaseUntil: row.leaseUntil, name: row.spans[0]?.name ?? row.externalId };
}

export async function setLease(client: Client, resourceId: string, until: Date | null): Promise<void> {
  await client.resource.update({ where: { id: resourceId }, data: { leaseUntil: until } });
}

/** Whether what was ordered is what reports, of machines that somebody checked. */
export async function listVerified(resourceIds: readonly string[]): Promise<Map<string, unknown>> {
  const { rows } = await pool().query<{ id: string; verification: unknown }>(
    "select id, verification from resource where id = any ($1::uuid[]) and verification is not null",
    [resourceIds],
  );
  return new Map(rows.map(({ id, verification }) => [id, verification]));
}

export type CutRun = { resourceId: string; from: number; to: number | null };

/** Runs that went on at some time of [from, to), by machine. */
export async function runsOf(resourceIds: readonly string[], from: Date, to: Date): Promise<CutRun[]> {
  const { rows } = await pool().query<{ resourceId: string; from: Date; to: Date | null }>(
    `select resource_id as "resourceId", started_at as "from", ended_at as "to" from run
     where resource_id = any ($1::uuid[]) and started_at < $3 and (ended_at is null or ended_at > $2)`,
    [resourceIds, from, to],
  );
  return rows.map((row) => ({ resourceId: row.resourceId, from: row.from.getTime(), to: row.to?.getTime() ?? null }));
}
