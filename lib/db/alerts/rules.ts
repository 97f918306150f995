import { type Client, prisma } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { KeptBacktest } from "@/lib/domain/alerts/backtest";
import type { PackRule } from "@/lib/domain/alerts/default-pack";
import type { RuleKind, Selector } from "@/lib/domain/alerts/rules";
import type { Aggregate, Comparison, NoData, RuleParams, Severity } from "@/lib/domain/alerts/types";

export type AlertRule = {
  id: string;
  name: string;
  kind: RuleKind;
  packKey: string | null;
  severity: Severity;
  enabled: boolean;
  selector: Selector;
  metric: string;
  aggregate: Aggregate;
  windowMs: number;
  /** How long silence is tolerated; null: as long as the sender's own interval allows. */
  lookbackMs: number | null;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  reason: string;
  action: string;
  runbook: string;
  params: RuleParams;
  labels: Record<string, string>;
  budgetId: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

type Json = "selector" | "params" | "labels";
type Row = Omit<AlertRule, Json> & Record<Json, unknown> & { backtest: unknown; deletedAt: Date | null };

// The JSON columns hold what this module wrote into them.
const toRule = ({ deletedAt: _, backtest: __, ...row }: Row): AlertRule => ({
  ...row,
  selector: row.selector as Selector,
  params: row.params as RuleParams,
  labels: row.labels as Record<string, string>,
});

/** What is written of the JSON columns; undefined leaves one as it is. */
const jsonOf = (rule: Partial<Pick<AlertRule, Json> & Tested>) => ({
  ...(rule.selector && { selector: rule.selector as Prisma.InputJsonObject }),
  ...(rule.params && { params: rule.params as Prisma.InputJsonObject }),
  ...(rule.labels && { labels: rule.labels as Prisma.InputJsonObject }),
  ...(rule.backtest !== undefined && { backtest: rule.backtest ?? Prisma.DbNull }),
});

/** What its history said of a version when it was saved. */
type Tested = { backtest?: KeptBacktest | null };

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

type Own = "id" | "version" | "createdAt" | "updatedAt" | "packKey";
type Sparing = "aggregate" | "windowMs" | "lookbackMs" | "runbook" | "params" | "labels" | "budgetId";

/** What a rule is written with; what newer columns do not say stands as the database has it by default. */
export type RuleInput = Omit<AlertRule, Own | Sparing> &
  Partial<Pick<AlertRule, Sparing>> & { packKey?: string | null } & Tested;

export async function insertRule(tx: Tx, rule: RuleInput, at: Date): Promise<AlertRule> {
  const { backtest: _, ...own } = rule;
  return toRule(await tx.alertRule.create({ data: { ...own, ...jsonOf(rule), createdAt: at, updatedAt: at } }));
}

export async function updateRule(tx: Tx, id: string, rule: Partial<RuleInput>, at: Date): Promise<AlertRule> {
  const { backtest: _, ...own } = rule;
  const data = { ...own, ...jsonOf(rule), updatedAt: at };
  await tx.alertRule.update({ where: { id }, data });
  // The version is raised by trigger, so it is read back.
  return toRule(await tx.alertRule.findUniqueOrThrow({ where: { id } }));
}

/** The backtest that was kept when the rule was last saved; null: none was. */
export async function findBacktest(id: string): Promise<KeptBacktest | null> {
  const row = await prisma.alertRule.findUnique({ where: { id }, select: { backtest: true } });
  return (row?.backtest ?? null) as KeptBacktest | null;
}

export async function deleteRule(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.alertRule.update({ where: { id }, data: { deletedAt: at, enabled: false, updatedAt: at } });
}

/** Writes the rules that a new installation starts with; those that exist, also as deleted, are left alone. */
export async function ensureRules(pack: readonly PackRule[], at: Date): Promise<number> {
  const { count } = await prisma.alertRule.createMany({
    data: pack.map((rule) => ({ ...rule, ...jsonOf(rule), createdAt: at, updatedAt: at })),
    skipDuplicates: true,
  });
  return count;
}

export type RuleHealthRow = {
  lastSlot: Date;
  targets: number;
  durationMs: number;
  missedSlots: number;
  missedInARow: number;
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
    RETURNING old.last_slot AS "previousSlot", e.last_slot AS "lastSlot", e.targets, e.duration_ms AS "durationMs", e.missed_slots AS "missedSlots", e.missed_in_a_row AS "missedInARow",
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
