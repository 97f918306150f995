import { findAlert } from "@/lib/db/alerts/episodes";
import { listJudgements } from "@/lib/db/alerts/judgements";
import { listGpus, listMachines } from "@/lib/db/alerts/readings";
import { readPast } from "@/lib/db/alerts/recent";
import { findRuleWithHealth, type JudgedRule } from "@/lib/db/alerts/rules";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type ExplainAnswer,
  type ExplainQuestion,
  explainSlots,
  SLOTS_SHOWN,
  samplesShown,
} from "@/lib/domain/alerts/explain";
import { columnsOf, factsOf } from "@/lib/domain/alerts/gpu-values";
import { explainKept, keptSlots } from "@/lib/domain/alerts/kept";
import { RecentTrack } from "@/lib/domain/alerts/recent";
import { metricOf, numberParam } from "@/lib/domain/alerts/rule-metrics";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import { modelOf } from "@/lib/domain/telemetry/models";
import { AppError } from "@/lib/errors";
import { conditionOf, hasSamples } from "./evaluate";
import { overOf } from "./readings";

const DAY_MS = 24 * 3_600_000;
/** A rule that is judged every ten seconds is worked out over two days at most. */
const MOST_SLOTS = 20_000;

/** The evaluations around an instant of an episode: worked out again from samples, or, of rules that look at none, as they were judged. */
export async function explainAlert(ctx: Ctx, { alertId, at }: ExplainQuestion): Promise<ExplainAnswer> {
  authorize(ctx, "fleet:read");
  const [alert, { samplesDays }] = await Promise.all([findAlert(alertId), readSetting("retention")]);
  if (!alert) throw new AppError("not-found", "There is no such alert.");
  const now = ctx.now.getTime();
  const rule = await findRuleWithHealth(alert.ruleId);
  const none = (remark: string): ExplainAnswer => ({
    now,
    slots: [],
    asked: null,
    samples: [],
    windowMs: alert.rule.windowMs,
    lookbackMs: 0,
    intervalMs: alert.rule.intervalMs,
    before: 0,
    after: 0,
    remark,
  });
  if (!rule) return none("The rule was deleted, so its evaluations cannot be worked out again.");
  const { gpu } = alert;
  if (!hasSamples(rule)) return explainedAsKept(alert, rule, at, none);
  if (!gpu) return none("The GPU is not known any more, so its samples cannot be found.");
  const columns = columnsOf(rule.metric);
  const condition = conditionOf(rule);
  const { intervalMs } = condition;
  const semantics = PRODUCT_SEMANTICS(await intervalOf(alert.resourceId, ctx.now));
  const over = overOf(rule);
  const end = Math.min(now, (alert.resolvedAt?.getTime() ?? now) + 10 * intervalMs);
  const begin = alert.activeAt.getTime() - 20 * intervalMs;
  const middle = at ?? alert.firedAt?.getTime() ?? alert.activeAt.getTime();
  const shownTo = Math.min(end, Math.max(begin + SLOTS_SHOWN * intervalMs, middle + (SLOTS_SHOWN / 2) * intervalMs));
  const shownFrom = Math.max(begin, shownTo - SLOTS_SHOWN * intervalMs);
  const reach = Math.max(over.windowMs, semantics.lookbackMs);
  // What an evaluation knows comes from those before it: from the beginning, unless that lies too far back.
  const from = Math.max(begin, shownTo - MOST_SLOTS * intervalMs);
  const past = await readPast([gpu.id], columns, from - reach, shownTo);
  const track = new RecentTrack(rule.metric, numberParam(rule, "fallbackC"));
  if (!track.turn(past, gpu.id, await factsOfGpu(gpu)))
    return none(
      shownTo < now - samplesDays * DAY_MS
        ? `Samples are kept for ${samplesDays} days, so those of this alert are gone. Its timeline stays.`
        : "No sample of this GPU is kept for that time.",
    );
  const slots = explainSlots({
    condition,
    ruleVersion: rule.version,
    semantics,
    over,
    samples: track,
    from,
    to: shownTo,
    shownFrom,
    shownTo,
    goneAt: alert.resource?.goneAt?.getTime() ?? null,
  });
  return {
    now,
    slots,
    asked: null,
    samples: samplesShown(track, semantics, shownFrom - reach, shownTo),
    windowMs: over.windowMs,
    lookbackMs: semantics.lookbackMs,
    intervalMs,
    before: Math.max(0, Math.round((shownFrom - begin) / intervalMs)),
    after: Math.max(0, Math.round((end - shownTo) / intervalMs)),
    remark: remarkOf(rule.version !== alert.ruleVersion, from > begin, begin - reach < now - samplesDays * DAY_MS),
  };
}

type Found = NonNullable<Awaited<ReturnType<typeof findAlert>>>;

async function explainedAsKept(
  alert: Found,
  rule: JudgedRule,
  at: number | undefined,
  none: (remark: string) => ExplainAnswer,
): Promise<ExplainAnswer> {
  const label = metricOf(rule.kind, rule.metric)?.label ?? rule.metric;
  const asked = `${label}: asked anew at each evaluation, and kept as it was found while the alert was open.`;
  const stretches = await listJudgements(alert.id);
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (!first || !last)
    return none(
      `${label} is asked anew at each evaluation, and what was found in this episode is not kept any more, or was not yet. The timeline holds each change with its value.`,
    );
  const { intervalMs } = rule;
  const middle = at ?? alert.firedAt?.getTime() ?? alert.activeAt.getTime();
  const shownTo = Math.min(
    last.to,
    Math.max(first.from + SLOTS_SHOWN * intervalMs, middle + (SLOTS_SHOWN / 2) * intervalMs),
  );
  const shownFrom = Math.max(first.from, shownTo - SLOTS_SHOWN * intervalMs);
  const episode = { activeAt: alert.activeAt.getTime(), firedAt: alert.firedAt?.getTime() ?? null };
  const history = alert.history.map(({ kind, slot, note }) => ({ kind, slot: slot?.getTime() ?? null, note }));
  return {
    ...none(""),
    slots: explainKept(keptSlots(stretches, intervalMs, shownFrom, shownTo), conditionOf(rule), episode, history),
    asked,
    before: Math.max(0, Math.round((shownFrom - first.from) / intervalMs)),
    after: Math.max(0, Math.round((last.to - shownTo) / intervalMs)),
    remark:
      rule.version === alert.ruleVersion
        ? null
        : "The rule was edited since: values and states are as they were, and are compared here with the rule as it is now.",
  };
}

function remarkOf(isEdited: boolean, isCut: boolean, isPruned: boolean): string | null {
  const remarks = [
    isEdited && "The rule was edited since: this is what it would say as it is now.",
    isCut &&
      "The episode is long: it is worked out from the middle, so its first evaluation shown may read as a new one.",
    isPruned && "Samples of its beginning are no longer kept.",
  ].filter((remark) => remark !== false);
  return remarks.length === 0 ? null : remarks.join(" ");
}

/** How often the machine's sender sends, by which silence is told from a pause. */
async function intervalOf(resourceId: string | null, now: Date): Promise<number> {
  const machine = (await listMachines(now)).find(({ id }) => id === resourceId);
  return machine?.intervalMs ?? 10_000;
}

type Gpu = NonNullable<Found["gpu"]>;

async function factsOfGpu(gpu: Gpu) {
  const known = (await listGpus()).find(({ id }) => id === gpu.id);
  const { memoryMib, powerLimitW, model } = gpu;
  return (
    known?.facts ??
    factsOf({
      memoryMib,
      powerLimitW,
      slowdownTemperatureC: modelOf(model)?.slowdownTemperatureC,
      remappedRows: null,
    })
  );
}
