import type { z } from "zod";
import { listChannels } from "@/lib/db/alerts/channels";
import { listAlertsOfRule, listOpenStandings } from "@/lib/db/alerts/episodes";
import { type FiringSpan, listFiringSpans } from "@/lib/db/alerts/history";
import { findBacktest, findRuleWithHealth, type JudgedRule, listRuleActs, listRules } from "@/lib/db/alerts/rules";
import { listBudgets } from "@/lib/db/cost/budgets";
import { type InstanceFacts, listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { readMachineMeans } from "@/lib/db/telemetry/read";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { evaluatorHealth, isLate, type RuleJudged } from "@/lib/domain/alerts/evaluator";
import { inboxPart } from "@/lib/domain/alerts/inbox";
import { UNFED_KINDS } from "@/lib/domain/alerts/rule-metrics";
import type {
  RuleAnswer,
  RuleFormAnswer,
  RuleId,
  RulePreview,
  RulePreviewQuestion,
  RuleRow,
  RulesAnswer,
} from "@/lib/domain/alerts/rule-view";
import { metricOf, selects } from "@/lib/domain/alerts/rules";
import { firingByHour, HOURS_SHOWN } from "@/lib/domain/alerts/timeline";
import { dayOf } from "@/lib/domain/cost/zone";
import { isMetric } from "@/lib/domain/telemetry/catalogue";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { AppError } from "@/lib/errors";
import { standing } from "./standing";

/** How a rule has been judged of late. A slot of the epoch says that it never was. */
export function judgedOf({ enabled, intervalMs, createdAt, health }: JudgedRule): RuleJudged {
  const lastSlot = health?.lastSlot.getTime() ?? 0;
  return {
    enabled,
    intervalMs,
    createdAt: createdAt.getTime(),
    judgedAt: lastSlot === 0 ? null : lastSlot,
    lastError: health?.lastError ?? null,
  };
}

type Open = Awaited<ReturnType<typeof listOpenStandings>>;

function ruleRow(rule: JudgedRule, open: Open, fired: readonly FiringSpan[], now: number): RuleRow {
  const { packKey, health, createdAt: _, updatedAt, ...rest } = rule;
  const judged = judgedOf(rule);
  const own = open.filter(({ ruleId }) => ruleId === rule.id).map((alert) => inboxPart(standing(alert), now));
  const count = (part: (typeof own)[number]) => own.filter((one) => one === part).length;
  return {
    ...rest,
    isDefault: packKey !== null,
    isUnfed: UNFED_KINDS.has(rule.kind),
    updatedAt: updatedAt.getTime(),
    judgedAt: judged.judgedAt,
    isLate: rule.enabled && isLate(judged, now),
    targets: health?.targets ?? 0,
    missedSlots: health?.missedSlots ?? 0,
    noDataSlots: health?.noDataSlots ?? 0,
    lastError: health?.lastError ?? null,
    open: {
      firing: count("firing"),
      acknowledged: count("acknowledged"),
      unknown: count("unknown"),
      pending: count("pending"),
    },
    firedByHour: firingByHour(
      fired.filter(({ ruleId }) => ruleId === rule.id),
      now,
    ),
  };
}

const STRIP_MS = HOURS_SHOWN * 3_600_000;

/** Every rule with what it does now. */
export async function readRules(ctx: Ctx): Promise<RulesAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [rules, open, fired] = await Promise.all([
    listRules(),
    listOpenStandings(),
    listFiringSpans(new Date(now - STRIP_MS)),
  ]);
  return {
    now,
    evaluator: evaluatorHealth(rules.map(judgedOf), now),
    rules: rules.map((rule) => ruleRow(rule, open, fired, now)),
  };
}

/** One rule, what it found of late, and who changed it. */
export async function readRule(ctx: Ctx, { ruleId }: z.output<typeof RuleId>): Promise<RuleAnswer> {
  authorize(ctx, "fleet:read");
  const rule = await findRuleWithHealth(ruleId);
  if (!rule) throw new AppError("not-found", "There is no such rule.");
  const now = ctx.now.getTime();
  const [open, fired, recent, acts, backtest] = await Promise.all([
    listOpenStandings(),
    listFiringSpans(new Date(now - STRIP_MS), ruleId),
    listAlertsOfRule(ruleId),
    can(ctx.actor, "audit:read") ? listRuleActs(ruleId) : null,
    findBacktest(ruleId),
  ]);
  return {
    now,
    backtest,
    rule: ruleRow(rule, open, fired, now),
    recent: recent.map((alert) => ({
      id: alert.id,
      targetName: alert.targetName,
      firedAt: (alert.firedAt ?? alert.activeAt).getTime(),
      resolvedAt: alert.resolvedAt?.getTime() ?? null,
      reason: alert.resolveReason,
    })),
    changes: acts?.map(({ at, actor, action, fields }) => ({ at: at.getTime(), by: actor, action, fields })) ?? null,
  };
}

/** What the form offers: the words that selectors can match now, and who hears of which severity. */
export async function readRuleForm(ctx: Ctx): Promise<RuleFormAnswer> {
  authorize(ctx, "fleet:read");
  const [machines, channels, budgets] = await Promise.all([presentMachines(ctx), listChannels(), listBudgets()]);
  const words = (pick: (machine: InstanceFacts) => string | null) =>
    [...new Set(machines.map(pick).filter((word): word is string => word !== null && word !== ""))].sort();
  return {
    now: ctx.now.getTime(),
    known: {
      team: words(({ team }) => team),
      type: words(({ typeName }) => typeName),
      instance: words(({ name }) => name),
      region: words(({ region }) => region),
      budget: budgets.map(({ id, name }) => ({ id, name })),
    },
    channels: channels.map(({ name, kind, minSeverity, enabled }) => ({ name, kind, minSeverity, enabled })),
  };
}

const PREVIEW_MS = 24 * 3_600_000;
const PREVIEW_POINTS = 300;
const MOST_LINES = 6;

/** What a rule would watch now, and what was measured there over the last day. */
export async function readRulePreview(ctx: Ctx, question: RulePreviewQuestion): Promise<RulePreview> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const { kind, metric, ...selector } = question;
  const target = metricOf(kind, metric)?.target;
  if (target === undefined)
    throw new AppError("invalid", "This kind of rule cannot look at that.", { metric: "choose another" });
  if (target === "fleet" || target === "connection") return { now, matching: [], series: null };
  const machines = (await presentMachines(ctx)).filter((machine) =>
    selects(selector, {
      workload: machine.workload,
      team: machine.team,
      type: machine.typeName,
      instance: nameOf(machine),
      region: machine.region,
    }),
  );
  const matching = machines.map((machine) => ({ id: machine.id, name: nameOf(machine) }));
  if (target !== "gpu" || !isMetric(metric)) return { now, matching, series: null };
  const range = resolveRange(now - PREVIEW_MS, now, PREVIEW_POINTS);
  const shown = matching.slice(0, MOST_LINES);
  const means = await readMachineMeans(
    shown.map(({ id }) => id),
    metric,
    range,
  );
  const at = Array.from({ length: (range.to - range.from) / range.stepMs }, (_, i) => range.from + i * range.stepMs);
  return {
    now,
    matching,
    series: {
      ...range,
      at,
      lines: shown.map((one) => ({ ...one, mean: means.get(one.id) ?? at.map(() => null) })),
      hidden: matching.length - shown.length,
    },
  };
}

async function presentMachines(ctx: Ctx): Promise<InstanceFacts[]> {
  const { zone } = await readSetting("accounting");
  const machines = await listInstances(dayOf(ctx.now.getTime(), zone), { goneSince: ctx.now });
  return machines.filter((machine) => machine.goneAt === null);
}

/** As rules and alerts call a machine. */
function nameOf({ name, externalId }: InstanceFacts): string {
  return name ?? externalId;
}
