import { randomUUID } from "node:crypto";
import {
  type Begun,
  beginEpisodes,
  type Carried,
  carryEpisodes,
  dropPending,
  saveEpisode,
} from "@/lib/db/alerts/episode-writes";
import {
  type AlertTarget,
  endFlapping,
  listChanges,
  listOpen,
  listReraisable,
  type OpenAlert,
  reraise,
} from "@/lib/db/alerts/episodes";
import { type Kept, keepJudgements } from "@/lib/db/alerts/judgements";
import { type AlertRule, claimSlot, ensureRules, listRules, recordFailedSlot, saveHealth } from "@/lib/db/alerts/rules";
import type { Client } from "@/lib/db/client";
import { transact } from "@/lib/db/client";
import { readSetting } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import { DEFAULT_PACK } from "@/lib/domain/alerts/default-pack";
import { closeEpisode } from "@/lib/domain/alerts/episode";
import { evaluate, isQuiet, type Judgement, missedSlots } from "@/lib/domain/alerts/evaluate";
import { flapHistory } from "@/lib/domain/alerts/flapping";
import { columnsOf } from "@/lib/domain/alerts/gpu-values";
import { nextHealth } from "@/lib/domain/alerts/rule-health";
import { PRODUCT_SEMANTICS, slotAt } from "@/lib/domain/alerts/semantics";
import type { AlertCondition } from "@/lib/domain/alerts/types";
import { groupBy } from "@/lib/domain/group";
import { Evidence } from "./evidence";
import { tell, tellLater } from "./news";
import { type Judged, judgedTargets } from "./readings";

const FLAP_MEMORY_MS = 45 * 60_000;

/** Writes the default rules into a new installation. */
export async function installDefaultRules(ctx: Ctx): Promise<void> {
  await ensureRules(DEFAULT_PACK, ctx.now);
}

/** Judges every rule whose slot has come. One rule's failure is its own and changes no state (B15). */
export async function evaluateAlerts(ctx: Ctx): Promise<void> {
  const { zone } = await readSetting("accounting");
  const due = (await listRules())
    .filter((rule) => rule.enabled)
    .map((rule) => ({ rule, slot: slotAt(ctx.now.getTime(), rule.intervalMs) }))
    .filter(({ rule, slot }) => !rule.health || rule.health.lastSlot.getTime() < slot);
  for (const [slot, own] of groupBy(due, (one) => one.slot)) {
    // What the slot shows is let go with it: of a large fleet two would not fit beside each other.
    const rules = own.map(({ rule }) => rule);
    const evidence = new Evidence(slot, zone, rules);
    for (const rule of rules) await judgeRule(ctx, rule, slot, evidence);
  }
  await transact(async (tx) => {
    for (const alert of await listReraisable(tx, ctx.now)) {
      const seq = await reraise(tx, alert.id, ctx.now);
      if (seq !== null) await tellLater(tx, alert.id, seq, "reraised", ctx.now);
    }
  });
}

async function judgeRule(ctx: Ctx, rule: AlertRule, slot: number, evidence: Evidence): Promise<void> {
  const began = performance.now();
  try {
    // Read before the transaction: it is short, and holds no connection while others are asked for.
    const judged = await judgedTargets(rule, evidence);
    const machines = await evidence.machines();
    await transact(async (tx) => {
      const claim = await claimSlot(tx, rule, new Date(slot));
      if (!claim) return;
      const missed = await judgeTargets(tx, ctx, rule, slot, claim.previousSlot?.getTime() ?? null, judged, machines);
      const hasData = judged.length === 0 || judged.some(({ reading }) => reading.value !== null);
      const { missedSlots, errorSlots, noDataSlots } = claim.health;
      const { health } = nextHealth({ missedSlots, errorSlots, noDataSlots }, hasData ? "judged" : "no_data", missed);
      await saveHealth(tx, rule.id, {
        ...health,
        missedInARow: missed,
        targets: judged.length,
        durationMs: Math.round(performance.now() - began),
        lastError: null,
      });
    });
  } catch (error) {
    await recordFailedSlot(rule, new Date(slot), String(error));
  }
}

/** Whether its evaluations can be worked out again from samples; else what each of them saw is kept. */
export function hasSamples({ kind, metric }: Pick<AlertRule, "kind" | "metric">): boolean {
  return kind === "gpu_metric" && columnsOf(metric).length > 0;
}

/** What of a rule is judged, whether it is stored or only written. */
type Demand = Omit<AlertCondition, "silenceToleranceMs" | "criticalThreshold"> &
  Pick<AlertRule, "kind" | "lookbackMs" | "params">;

export function conditionOf(rule: Demand): AlertCondition {
  const { comparison, threshold, clearThreshold, forMs, keepFiringMs, intervalMs, noData, lookbackMs } = rule;
  const { critical } = rule.params;
  return {
    comparison,
    threshold,
    clearThreshold,
    forMs,
    keepFiringMs,
    intervalMs,
    noData,
    silenceToleranceMs: rule.kind === "gpu_metric" ? (lookbackMs ?? 0) : 0,
    criticalThreshold: typeof critical === "number" ? critical : null,
  };
}

async function judgeTargets(
  tx: Client,
  ctx: Ctx,
  rule: AlertRule,
  slot: number,
  previousSlot: number | null,
  judged: Judged[],
  machines: ReadonlyMap<string, unknown>,
): Promise<number> {
  const open = await listOpen(tx, rule);
  const memory = await listChanges(tx, rule.id, new Date(slot - FLAP_MEMORY_MS));
  const condition = conditionOf(rule);
  const missed = missedSlots(slot, previousSlot, condition.intervalMs);
  const kept: Kept[] | null = hasSamples(rule) ? null : [];
  const begun: Begun[] = [];
  const carried: Carried[] = [];
  const shown = new Set(judged.map(({ target }) => target.key));
  const unseen = [...open.values()]
    .filter(({ target }) => !shown.has(target.key))
    .map(({ target }) => unjudged(target));
  for (const one of unseen.length === 0 ? judged : [...judged, ...unseen]) {
    const { target, reading, semantics, isGone } = one;
    const before = open.get(target.key) ?? null;
    if (!before && !memory.has(target.key)) {
      // Nearly all of a large fleet: nothing is made for them.
      if (isQuiet({ condition, semantics, reading, slot, isGone })) continue;
    }
    if (before && !shown.has(target.key) && isLeftOut(target, machines)) {
      await leave(tx, ctx, rule, before, slot);
      continue;
    }
    const past = memory.get(target.key);
    const history = flapHistory(past?.changes ?? [], past?.flappingUntil ?? null, slot);
    const state = before?.state ?? null;
    const result = evaluate({
      condition,
      ruleVersion: rule.version,
      semantics,
      state,
      history,
      reading,
      slot,
      previousSlot,
      isGone,
      endsAfterMs: one.endsAfterMs ?? null,
    });
    if (result.refused) continue;
    if (!before && !result.state && !result.episodeEnds) {
      if (result.hasCalmed && past) await calm(tx, ctx, past.alertId);
      continue;
    }
    let alertId: string | null = before?.id ?? randomUUID();
    const quiet = untold(alertId, result);
    if (quiet && before) carried.push(quiet);
    else if (quiet && quiet.state.firedAt === null) begun.push({ ...quiet, target });
    else alertId = await write(tx, ctx, rule, one, before, result);
    if (alertId !== null)
      kept?.push({ alertId, slot, value: reading.value, state: result.state?.status ?? ("resolved" as const) });
  }
  await beginEpisodes(tx, rule, begun);
  await carryEpisodes(tx, carried);
  if (kept) await keepJudgements(tx, kept, condition.intervalMs);
  return missed;
}

/** Flapping is over and nothing is open: what was held is told now (B29). */
async function calm(tx: Client, ctx: Ctx, alertId: string): Promise<void> {
  const seq = await endFlapping(tx, alertId);
  await tellLater(tx, alertId, seq, "resolved", ctx.now);
}

type Change = Pick<Judgement, "state" | "episodeEnds" | "transitions" | "history" | "hasCalmed">;

/** What an episode has become by a slot that adds nothing to its history and is news for nobody; else null. */
function untold(id: string, { state, episodeEnds, transitions, history, hasCalmed }: Change): Carried | null {
  const isUntold = !episodeEnds && !hasCalmed && transitions.every(({ kind }) => kind === "pending");
  return isUntold && state ? { id, state, flappingUntil: history.flappingUntil } : null;
}

/** Returns the episode; null: nothing is left of it. */
async function write(
  tx: Client,
  ctx: Ctx,
  rule: AlertRule,
  { target, machine }: Judged,
  before: OpenAlert | null,
  result: Change,
): Promise<string | null> {
  const end = result.episodeEnds;
  if (end?.reason === "never_fired") {
    if (before) await dropPending(tx, before.id);
    return null;
  }
  const state = result.state ?? end?.last;
  if (!state) return null;
  const { transitions, hasCalmed } = result;
  const { flappingUntil } = result.history;
  const saved = await saveEpisode(tx, {
    rule,
    target,
    open: before,
    state,
    end: end && { reason: end.reason, at: end.at },
    transitions,
    flappingUntil,
  });
  await tell(tx, {
    rule,
    target,
    machine,
    state,
    end,
    ...saved,
    transitions,
    isFlapping: flappingUntil !== null,
    hasCalmed,
    now: ctx.now,
  });
  return saved.alertId;
}

/** Nothing is known of the target at this slot: missing data resolve nothing (B13). */
function unjudged(target: AlertTarget): Judged {
  return {
    target,
    reading: { value: null, at: null, reason: "no_sample" },
    semantics: PRODUCT_SEMANTICS(0),
    isGone: false,
    machine: null,
    // What has no machine is not there any more when nobody speaks of it: a run that ended, a budget that was removed.
    ...((target.resourceId === null || isPassing(target)) && { endsAfterMs: 0 }),
  };
}

function isPassing({ key }: AlertTarget): boolean {
  return key.startsWith("run:") || key.startsWith("series:");
}

/** The machine is there and was judged for others: the rule's selector, or the machine's labels, have changed. */
function isLeftOut(target: AlertTarget, machines: ReadonlyMap<string, unknown>): boolean {
  return target.resourceId !== null && machines.has(target.resourceId) && !isPassing(target);
}

async function leave(tx: Client, ctx: Ctx, rule: AlertRule, before: OpenAlert, slot: number): Promise<void> {
  const { state, transitions, ends } = closeEpisode(before.state, "not_covered", slot, "the rule no longer covers it");
  const history = { changes: [], flappingUntil: before.flappingUntil };
  await write(tx, ctx, rule, unjudged(before.target), before, {
    state,
    episodeEnds: ends,
    transitions,
    history,
    hasCalmed: false,
  });
}
