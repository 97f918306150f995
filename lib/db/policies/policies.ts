import { type Client, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import { Machines, type NewPolicy, PARAMS, type Policy } from "@/lib/domain/policies/policy";

type Row = Awaited<ReturnType<Client["policy"]["findMany"]>>[number];

export type StoredPolicy = Policy & { armedBy: string | null };

/** Params of an older shape that fit no more: the policy stands still until somebody saves it anew. */
function toPolicy(row: Row & { armedBy?: { name: string } | null }): StoredPolicy | null {
  const params = PARAMS[row.kind].safeParse(row.params);
  const selector = Machines.safeParse(row.selector);
  if (!params.success || !selector.success) return null;
  const rest = {
    id: row.id,
    name: row.name,
    mode: row.mode,
    shadowSince: row.shadowSince.getTime(),
    armedAt: row.armedAt?.getTime() ?? null,
    armedBy: row.armedBy?.name ?? null,
    selector: selector.data,
    zone: row.zone,
    cooldownMs: row.cooldownMs,
    maxPerHour: row.maxPerHour,
    version: row.version,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
  // The kind says which params these are; they were read by its schema a line above.
  return { ...rest, kind: row.kind, params: params.data } as StoredPolicy;
}

export async function listPolicies(): Promise<StoredPolicy[]> {
  const rows = await prisma.policy.findMany({
    where: { deletedAt: null },
    include: { armedBy: { select: { name: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.flatMap((row) => toPolicy(row) ?? []);
}

export async function findPolicy(id: string): Promise<StoredPolicy | null> {
  const row = await prisma.policy.findFirst({
    where: { id, deletedAt: null },
    include: { armedBy: { select: { name: true } } },
  });
  return row && toPolicy(row);
}

/** A policy that stands, locked against another who changes it or acts in its name at the same moment. */
export async function lockPolicy(tx: Client, id: string): Promise<Policy | null> {
  await tx.$queryRaw`SELECT id FROM policy WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = await tx.policy.findFirst({ where: { id, deletedAt: null } });
  return row && toPolicy(row);
}

const columns = ({ name, selector, params, zone, cooldownMinutes, maxPerHour }: NewPolicy) => ({
  name,
  selector: selector as Prisma.InputJsonObject,
  params: params as Prisma.InputJsonObject,
  zone,
  cooldownMs: cooldownMinutes * 60_000,
  maxPerHour,
});

export async function insertPolicy(
  tx: Client,
  policy: NewPolicy,
  by: { createdById: string | null; at: Date; shadowSince?: Date },
): Promise<{ id: string }> {
  const { createdById, at, shadowSince = at } = by;
  return tx.policy.create({
    data: { ...columns(policy), kind: policy.kind, shadowSince, createdById, createdAt: at, updatedAt: at },
    select: { id: true },
  });
}

export async function updatePolicy(
  tx: Tx,
  id: string,
  policy: NewPolicy,
  restart: { shadowSince: Date } | null,
  at: Date,
): Promise<void> {
  await tx.policy.update({
    where: { id },
    data: {
      ...columns(policy),
      ...(restart && { ...restart, mode: "shadow", armedAt: null, armedById: null }),
      updatedAt: at,
    },
  });
}

export async function setMode(
  tx: Tx,
  id: string,
  to:
    | { mode: "armed"; armedAt: Date; armedById: string | null }
    | { mode: "paused" }
    | { mode: "shadow"; shadowSince: Date },
  at: Date,
): Promise<void> {
  const disarmed = to.mode === "armed" ? {} : { armedAt: null, armedById: null };
  await tx.policy.update({ where: { id }, data: { ...disarmed, ...to, updatedAt: at } });
}

export async function removePolicy(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.policy.update({
    where: { id },
    data: { deletedAt: at, mode: "paused", armedAt: null, armedById: null, updatedAt: at },
  });
}

export type PolicyVersion = { version: number; at: Date; row: Record<string, unknown> };

/** What it said before, the newest first. */
export async function listVersions(id: string): Promise<PolicyVersion[]> {
  const rows = await prisma.rowVersion.findMany({
    where: { tableName: "policy", rowId: id },
    orderBy: { version: "desc" },
    take: 50,
  });
  return rows.map(({ version, validFrom, row }) => ({
    version,
    at: validFrom,
    row: row !== null && typeof row === "object" && !Array.isArray(row) ? row : {},
  }));
}

/** Who wrote which version, as the trail has it: by instant. */
export async function listPolicyActs(id: string): Promise<{ at: Date; actor: string; action: string }[]> {
  return prisma.auditEvent.findMany({
    where: { subjectKind: "policy", subjectId: id },
    orderBy: { seq: "desc" },
    take: 200,
    select: { at: true, actor: true, action: true },
  });
}
