import { type Client, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { PackRule } from "@/lib/domain/alerts/default-pack";
import type { RuleKind, Selector } from "@/lib/domain/alerts/rules";
import type { Comparison, NoData, Severity } from "@/lib/domain/alerts/types";

export type AlertRule = {
  id: string;
  name: string;
  kind: RuleKind;
  packKey: string | null;
  severity: Severity;
  enabled: boolean;
  selector: Selector;
  metric: string;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  reason: string;
  action: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

type Row = Omit<AlertRule, "selector"> & { selector: unknown; deletedAt: Date | null };

// The JSON column holds what this module wrote into it.
const toRule = ({ deletedAt: _, ...row }: Row): AlertRule => ({ ...row, selector: row.selector as Selector });

/** A rule with how it has been judged; null: no worker has looked at it yet. */
export type JudgedRule = AlertRule & { health: RuleHealthRow | null };

export async function listRules(): Promise<JudgedRule[]> {
  const rows = await prisma.alertRule.findMany({
    where: { deletedAt: null },
    include: { eval: true },
    orderBy: [{ severity: "desc" }, { name: "asc" }],
  });
  return rows.map(({ eval: health, ...row }) => ({ ...toRule(row), health }));
}

export async function findRule(id: string): Promise<AlertRule | null> {
  const row = await prisma.alertRule.findFirst({ where: { id, deletedAt: null } });
  return row && toRule(row);
}

export async function findRuleWithHealth(id: string): Promise<JudgedRule | null> {
  const found = await prisma.alertRule.findFirst({ where: { id, deletedAt: null }, include: { eval: true } });
  if (!found) return null;
  const { eval: health, ...row } = found;
  return { ...toRule(row), health };
}

export type RuleInput = Omit<AlertRule, "id" | "version" | "createdAt" | "updatedAt" | "packKey"> & {
  packKey?: string | null;
};

export async function insertRule(tx: Tx, { selector, ...rule }: RuleInput, at: Date): Promise<AlertRule> {
  return toRule(
    await tx.alertRule.create({
      data: { ...rule, selector: selector as Prisma.InputJsonObject, createdAt: at, updatedAt: at },
    }),
  );
}

export async function updateRule(
  tx: Tx,
  id: string,
  { selector, ...rule }: Partial<RuleInput>,
  at: Date,
): Promise<AlertRule> {
  const data = { ...rule, ...(selector && { selector: selector as Prisma.InputJsonObject }), updatedAt: at };
  await tx.alertRule.update({ where: { id }, data });
  // The version is raised by trigger, so it is read back.
  return toRule(await tx.alertRule.findUniqueOrThrow({ where: { id } }));
}

export async function deleteRule(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.alertRule.update({ where: { id }, data: { deletedAt: at, enabled: false, updatedAt: at } });
}

/** Writes the rules that a new installation starts with; those that exist, also as deleted, are left alone. */
export async function ensureRules(pack: readonly PackRule[], at: Date): Promise<number> {
  const { count } = await prisma.alertRule.createMany({
    data: pack.map(({ selector, ...rule }) => ({
      ...rule,
      selector: selector as Prisma.InputJsonObject,
      createdAt: at,
      updatedAt: at,
    })),
    skipDuplicates: true,
  });
  return count;
}

export type RuleHealthRow = {
  lastSlot: Date;
  targets: number;
  durationMs: number;
  missedSlots: number;
  errorSlots: number;
  noDataSlots: number;
  lastError: string | null;
};

/** The slot of a rule, taken by one worker only (B27). Null: somebody judged it, or the clock has gone back (B46). */
export async function claimSlot(
  tx: Client,
  rule: AlertRule,
  slot: Date,
): Promise<{ previousSlot: Date | null; health: RuleHealthRow } | null> {
  await ensureEval(tx, rule);
  const [row] = await tx.$queryRaw<(RuleHealthRow & { previousSlot: Date })[]>`
    UPDATE rule_eval e SET last_slot = ${slot}, rule_version = ${rule.version}
    FROM (SELECT rule_id, last_slot FROM rule_eval WHERE rule_id = ${rule.id}::uuid FOR UPDATE) old
    WHERE e.rule_id = old.rule_id AND e.last_slot < ${slot} AND e.rule_version <= ${rule.version}
    RETURNING old.last_slot AS "previousSlot", e.last_slot AS "lastSlot", e.targets, e.duration_ms AS "durationMs", e.missed_slots AS "missedSlots",
      e.error_slots AS "errorSlots", e.no_data_slots AS "noDataSlots", e.last_error AS "lastError"`;
  if (!row) return null;
  const { previousSlot, ...health } = row;
  return { previousSlot: previousSlot.getTime() === 0 ? null : previousSlot, health };
}

async function ensureEval(tx: Client, rule: AlertRule): Promise<void> {
  await tx.ruleEval.createMany({
    data: [{ ruleId: rule.id, lastSlot: new Date(0), ruleVersion: rule.version }],
    skipDuplicates: true,
  });
}

export async function saveHealth(tx: Client, ruleId: string, health: Omit<RuleHealthRow, "lastSlot">): Promise<void> {
  await tx.ruleEval.update({ where: { ruleId }, data: health });
}

/** A slot that could not be judged: counted once, and the slot stays open for another try (B15). */
export async function recordFailedSlot(rule: AlertRule, slot: Date, error: string): Promise<void> {
  await ensureEval(prisma, rule);
  await prisma.$executeRaw`
    UPDATE rule_eval SET last_error = ${error.slice(0, 500)}, failed_slot = ${slot}, error_slots = error_slots + 1
    WHERE rule_id = ${rule.id}::uuid AND (failed_slot IS NULL OR failed_slot < ${slot})`;
}

/** Who did what to a rule, newest first. */
export async function listRuleActs(
  ruleId: string,
  limit = 10,
): Promise<{ at: Date; actor: string; action: string; fields: string[] }[]> {
  const rows = await prisma.auditEvent.findMany({
    where: { subjectKind: "rule", subjectId: ruleId },
    orderBy: { seq: "desc" },
    take: limit,
    select: { at: true, actor: true, action: true, changes: true },
  });
  return rows.map(({ changes, ...row }) => ({ ...row, fields: Object.keys(Object(changes)) }));
}
