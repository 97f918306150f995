import { setImmediate as nextTurn } from "node:timers/promises";
import { findPastAlert, listPastAlerts, listPastGpus, type PastGpu, readHistory } from "@/lib/db/alerts/history";
import { readSetting } from "@/lib/db/settings";
import { ColumnRoom } from "@/lib/db/telemetry/hours";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type BacktestAnswer,
  type BacktestQuestion,
  type BacktestTarget,
  backtestFigures,
  closestIn,
  concerns,
  EnvelopeOf,
  firingSpells,
  type Incident,
  incidentResult,
  noisiestOf,
  type Spell,
  targetResult,
} from "@/lib/domain/alerts/backtest";
import { runHistory } from "@/lib/domain/alerts/backtest-run";
import { columnsOf, NO_FACTS } from "@/lib/domain/alerts/gpu-values";
import { historyTrack } from "@/lib/domain/alerts/history";
import type { NewAlertRule } from "@/lib/domain/alerts/rule-input";
import { numberParam } from "@/lib/domain/alerts/rule-metrics";
import { metricOf, selects } from "@/lib/domain/alerts/rules";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import { shortModelName } from "@/lib/domain/telemetry/models";
import { AppError } from "@/lib/errors";
import { conditionOf } from "./evaluate";
import { overOf } from "./readings";
import { changeRule, createRule, type Tested } from "./rules";

const DAY_MS = 24 * 3_600_000;
/** So many samples are held at once, and twice as many are on their way. */
const BATCH_SAMPLES = 250_000;
const AHEAD = 2;
/** Rules over windows ask the evaluator at nearly every slot; what takes longer than this is refused. */
const MOST_MS = 30_000;
const POINTS = 480;
const MOST_INCIDENTS = 40;
const KEPT_DAYS = 30;
const NOTHING = historyTrack("", 0, NO_FACTS, new Float64Array(0), {});

/** What a rule would have made of the history that is kept, by the evaluator that judges live. */
export async function backtestRule(ctx: Ctx, question: BacktestQuestion): Promise<BacktestAnswer> {
  authorize(ctx, "rule:write");
  const now = ctx.now.getTime();
  const since = now - question.days * DAY_MS;
  const [incidents, incident] = await Promise.all([
    listPastAlerts(new Date(since), MOST_INCIDENTS),
    incidentOf(question, now),
  ]);
  const known = incidents.map(({ id, ruleName, targetName, firedAt }) => ({
    id,
    ruleName,
    targetName,
    firedAt: firedAt.getTime(),
  }));
  const why = whyNot(question);
  if (why !== null) return { now, incidents: known, result: null, why };
  return { now, incidents: known, result: await overHistory(question, since, now, incident), why: null };
}

/** Why a rule cannot be held against history; null: it can. */
export function whyNot({ kind, metric }: Pick<NewAlertRule, "kind" | "metric">): string | null {
  const label = metricOf(kind, metric)?.label ?? metric;
  if (kind !== "gpu_metric")
    return `${label} is judged from what is true at the moment, and its past is not kept sample by sample; rules on what GPUs measure can be tested.`;
  return columnsOf(metric).length === 0 ? `${label} is what the card last said of itself; its past is not kept.` : null;
}

async function incidentOf({ alertId, incident }: BacktestQuestion, now: number): Promise<Incident | null> {
  if (alertId !== undefined) {
    const alert = await findPastAlert(alertId);
    if (!alert)
      throw new AppError("invalid", "There is no such alert about a machine. Choose another.", {
        alertId: "is not an alert about a machine",
      });
    return {
      name: `${alert.ruleName}, ${alert.targetName}`,
      gpuKey: alert.gpuId === null ? null : `gpu:${alert.gpuId}`,
      resourceId: alert.resourceId,
      from: alert.activeAt.getTime(),
      to: alert.resolvedAt?.getTime() ?? now,
      toldAt: alert.firedAt.getTime(),
    };
  }
  return incident ? { ...incident, name: "The chosen window", gpuKey: null, toldAt: incident.from } : null;
}

async function overHistory(rule: BacktestQuestion, since: number, now: number, incident: Incident | null) {
  const began = performance.now();
  const { samplesDays } = await readSetting("retention");
  const keptFrom = now - samplesDays * DAY_MS;
  const all = (await listPastGpus(new Date(Math.max(since, keptFrom)), new Date(now))).filter((gpu) =>
    selects(rule.selector, selected(gpu)),
  );
  const from = Math.max(since, keptFrom);
  const condition = conditionOf(rule);
  const over = overOf(rule);
  const columns = columnsOf(rule.metric);
  const source = { metric: rule.metric, fallbackC: numberParam(rule, "fallbackC") };
  const envelope = new EnvelopeOf(from, now, POINTS);
  const targets: BacktestTarget[] = [];
  const concerned: { spells: Spell[]; closest: number | null }[] = [];
  let samples = 0;
  const rooms = Array.from({ length: AHEAD + 1 }, () => new ColumnRoom());
  const read = (batch: PastGpu[], i: number) => {
    const room = rooms[i % rooms.length] ?? new ColumnRoom();
    room.clear();
    const longest = batch.reduce((most, gpu) => Math.max(most, lookbackOf(gpu)), over.windowMs);
    return readHistory(batch, columns, source, from - longest, now, room);
  };
  for await (const [batch, tracks] of readAhead(batches(all, from, now), read)) {
    for (const gpu of batch) {
      const track = tracks.get(gpu.id) ?? NOTHING;
      // Nothing is known of it, and that is no alert here.
      if (track.length === 0 && rule.noData !== "alert") continue;
      const begin = Math.max(from, gpu.seenFrom);
      const { goneAt } = gpu;
      const verdict = runHistory({
        condition,
        semantics: PRODUCT_SEMANTICS(gpu.intervalMs),
        track,
        over,
        from: begin,
        to: now,
        goneAt,
      });
      const target = {
        key: `gpu:${gpu.id}`,
        name: gpu.gpusOfMachine <= 1 ? gpu.machine : `${gpu.machine}, GPU ${gpu.position}`,
        resourceId: gpu.resourceId,
        microsPerHour: gpu.priceMicros === null ? null : gpu.priceMicros / BigInt(Math.max(1, gpu.gpusOfMachine)),
      };
      const found = targetResult({
        target,
        verdict,
        track,
        lookbackMs: lookbackOf(gpu),
        from: begin,
        to: now,
        goneAt,
      });
      targets.push(found);
      envelope.add(track);
      samples += track.length;
      if (incident && concerns(incident, target))
        concerned.push({
          spells: firingSpells(verdict, Math.min(now, goneAt ?? now)),
          closest: closestIn(track, rule.comparison, incident.from, incident.to),
        });
      if (performance.now() - began > MOST_MS)
        throw new AppError(
          "unavailable",
          "This takes too long over so many days. Nothing was changed; choose fewer days or a shorter window.",
        );
      await nextTurn();
    }
  }
  return {
    ...backtestFigures(targets, from, now),
    asked: { from: since, days: rule.days },
    isCut: keptFrom > since,
    samples,
    tookMs: Math.round(performance.now() - began),
    envelope: envelope.done(),
    ...noisiestOf(targets),
    unknownMs: targets.reduce((sum, one) => sum + one.unknownMs, 0),
    incident: incident && incidentResult(incident, concerned, rule.comparison),
  };
}

/** Reads some things in their order, `AHEAD` of them while the one before is worked on. */
async function* readAhead<T, R>(
  things: readonly T[],
  read: (thing: T, i: number) => Promise<R>,
): AsyncGenerator<[T, R]> {
  const ahead: Promise<R>[] = [];
  for (const [i, thing] of things.entries()) {
    for (let next = i + ahead.length; next <= i + AHEAD && next < things.length; next++) {
      const found = read(things[next] as T, next);
      // Whoever stops early waits for no answer, and hears of no failure.
      found.catch(() => {});
      ahead.push(found);
    }
    yield [thing, (await ahead.shift()) as R];
  }
}

function selected(gpu: PastGpu) {
  return {
    workload: gpu.workload,
    team: gpu.team,
    project: gpu.project,
    environment: gpu.environment,
    type: gpu.typeName,
    instance: gpu.machine,
    region: gpu.region,
    tag: gpu.tags,
    model: shortModelName(gpu.model),
    gpu: gpu.uuid,
  };
}

function lookbackOf({ intervalMs }: PastGpu): number {
  return PRODUCT_SEMANTICS(intervalMs).lookbackMs;
}

function batches(gpus: readonly PastGpu[], from: number, to: number): PastGpu[][] {
  const found: PastGpu[][] = [];
  let room = 0;
  for (const gpu of gpus) {
    const begin = Math.max(from, gpu.seenFrom);
    const size = Math.max(0, Math.min(to, gpu.goneAt ?? to) - begin) / gpu.intervalMs;
    const last = found.at(-1);
    if (last && size <= room) {
      last.push(gpu);
      room -= size;
    } else {
      found.push([gpu]);
      room = BATCH_SAMPLES - size;
    }
  }
  return found;
}

/** Creates a rule with what history says of it. */
export async function createTestedRule(ctx: Ctx, rule: NewAlertRule): Promise<{ id: string }> {
  authorize(ctx, "rule:write");
  return createRule(ctx, rule, await tested(ctx, rule));
}

/** Changes a rule, and keeps what history says of the new version with it. */
export async function changeTestedRule(ctx: Ctx, rule: NewAlertRule & { ruleId: string }): Promise<{ id: string }> {
  authorize(ctx, "rule:write");
  return changeRule(ctx, rule, await tested(ctx, rule));
}

/** Null: it cannot be tested, or not in time; the rule is saved all the same. */
async function tested(ctx: Ctx, rule: NewAlertRule): Promise<Tested> {
  if (whyNot(rule) !== null) return null;
  const { result } = await backtestRule(ctx, { ...rule, days: KEPT_DAYS }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "unavailable") return { result: null };
    throw error;
  });
  if (!result) return null;
  const { from, to, fired, firedTargets, targets, firingMs, longestMs, micros, unpriced, perWeek } = result;
  return {
    at: ctx.now.getTime(),
    from,
    to,
    fired,
    firedTargets,
    targets,
    firingMs,
    longestMs,
    micros,
    unpriced,
    perWeek,
    noisiest: result.noisiest.slice(0, 5).map(({ name, fired, firingMs }) => ({ name, fired, firingMs })),
  };
}
