import { type AlertRule, listRules } from "@/lib/db/alerts/rules";
import { insertPastEpisodes, listPastMachines, markJudged, type PastEpisode, type PastMachine } from "@/lib/db/demo";
import { listSpans } from "@/lib/db/fleet/read";
import { type GpuHistory, listGpuHistories } from "@/lib/db/telemetry/history";
import { gpuValueOf, NO_FACTS } from "@/lib/domain/alerts/gpu-values";
import { replay } from "@/lib/domain/alerts/replay";
import { numberParam } from "@/lib/domain/alerts/rule-metrics";
import { overdueMs, selects } from "@/lib/domain/alerts/rules";
import { PRODUCT_SEMANTICS, slotAt } from "@/lib/domain/alerts/semantics";
import type { Sample } from "@/lib/domain/alerts/types";
import { conditionOf } from "@/lib/services/alerts/evaluate";

const BILLED = new Set(["active", "unhealthy", "unknown"]);
const COARSE_MS = 60_000;
const FINE_MS = 10_000;

/** What the rules would have said of the demo's past, by the live evaluator's own judgement. */
export async function replayAlerts(from: number, to: number): Promise<void> {
  const rules = (await listRules()).filter((rule) => rule.enabled);
  const machines = await listPastMachines();
  for (const machine of machines) {
    const gpus = await listGpuHistories(machine.id);
    const spans = await listSpans(machine.id);
    const life = { from: spans[0]?.validFrom.getTime() ?? to, to: machine.goneAt?.getTime() ?? to };
    const activeAt = spans.find((span) => span.status === "active")?.validFrom.getTime() ?? null;
    const episodes: PastEpisode[] = [];
    for (const rule of rules) {
      if (!selects(rule.selector, asTarget(machine))) continue;
      if (rule.kind === "gpu_metric") {
        for (const gpu of gpus) episodes.push(...gpuEpisodes(rule, machine, gpu, gpus.length, life));
      } else if (rule.metric === "overdueMs" && activeAt !== null) {
        const heard = mergedInstants(gpus);
        // Silence has a price only while the machine is billed.
        const bills = (at: number) =>
          spans.some(
            (span) =>
              BILLED.has(span.status) && span.validFrom.getTime() <= at && at < (span.validTo?.getTime() ?? life.to),
          );
        const samples = slots(rule, activeAt, life.to).map(
          (at): Sample => ({
            at,
            value: bills(at)
              ? overdueMs(at - lastBefore(heard, at, activeAt), FINE_MS) - stepAllowance(at, to)
              : -FINE_MS,
          }),
        );
        episodes.push(
          ...episodesOf(
            rule,
            { key: `instance:${machine.id}`, name: machine.name, resourceId: machine.id, gpuId: null },
            samples,
            machine,
            life,
          ),
        );
      } else if (rule.metric === "unhealthy" || rule.metric === "bootingMs") {
        const word = rule.metric === "unhealthy" ? "unhealthy" : "booting";
        const own = spans
          .filter((span) => span.status === word)
          .map((span) => ({ from: span.validFrom.getTime(), to: span.validTo?.getTime() ?? life.to }));
        if (own.length === 0) continue;
        const value = (at: number) => {
          const span = own.find((one) => one.from <= at && at < one.to);
          return span ? (word === "unhealthy" ? 1 : at - span.from) : 0;
        };
        const samples = slots(rule, life.from, life.to).map((at): Sample => ({ at, value: value(at) }));
        episodes.push(
          ...episodesOf(
            rule,
            { key: `instance:${machine.id}`, name: machine.name, resourceId: machine.id, gpuId: null },
            samples,
            machine,
            life,
          ),
        );
      }
    }
    await insertPastEpisodes(episodes);
  }
  for (const rule of rules)
    await markJudged(rule.id, rule.version, new Date(slotAt(Math.max(from, to - rule.intervalMs), rule.intervalMs)));
}

function gpuEpisodes(
  rule: AlertRule,
  machine: PastMachine,
  gpu: GpuHistory,
  siblings: number,
  life: { from: number; to: number },
): PastEpisode[] {
  const valueIn = gpuValueOf(rule.metric, numberParam(rule, "fallbackC"));
  const samples = gpu.samples.map(
    ({ at, values }): Sample => ({
      at,
      value: valueIn(
        (column) => (column === "throttleReasons" || column === "eccUncorrected" ? null : (values[column] ?? null)),
        { ...NO_FACTS, memoryMib: gpu.memoryMib },
      ),
    }),
  );
  const name = siblings > 1 ? `${machine.name}, GPU ${gpu.position}` : machine.name;
  return episodesOf(
    rule,
    { key: `gpu:${gpu.id}`, name, resourceId: machine.id, gpuId: gpu.id },
    samples,
    machine,
    life,
  );
}

function episodesOf(
  rule: AlertRule,
  target: PastEpisode["target"],
  samples: Sample[],
  machine: PastMachine,
  life: { from: number; to: number },
): PastEpisode[] {
  const [first] = samples;
  if (!first) return [];
  // The older past was sampled every minute, so silence is judged by that.
  const { episodes } = replay({
    condition: conditionOf(rule),
    semantics: PRODUCT_SEMANTICS(COARSE_MS),
    samples,
    from: first.at,
    to: life.to + 2 * rule.intervalMs,
    goneAt: machine.goneAt?.getTime() ?? null,
    ruleVersion: rule.version,
  });
  return episodes.flatMap(({ state, ends, transitions }) => {
    const last = state ?? ends?.last;
    if (!last || (ends && ends.reason === "never_fired")) return [];
    const told = last.firedAt === null ? [] : transitions;
    return [
      {
        ruleId: rule.id,
        severity: rule.severity,
        target,
        state: last,
        end: ends && ends.reason !== "never_fired" ? { reason: ends.reason, at: ends.at } : null,
        transitions: told,
      },
    ];
  });
}

function slots(rule: AlertRule, from: number, to: number): number[] {
  const first = Math.ceil(from / rule.intervalMs) * rule.intervalMs;
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / rule.intervalMs)) },
    (_, i) => first + i * rule.intervalMs,
  );
}

/** Where the past is kept by the minute, a minute without a sample is no silence. */
function stepAllowance(at: number, to: number): number {
  return to - at > 48 * 3_600_000 ? COARSE_MS : 0;
}

function mergedInstants(gpus: GpuHistory[]): number[] {
  return [...new Set(gpus.flatMap((gpu) => gpu.samples.map((sample) => sample.at)))].sort((a, b) => a - b);
}

function lastBefore(instants: number[], at: number, otherwise: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instants[middle] ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(otherwise, instants[low - 1] ?? otherwise);
}

function asTarget(machine: PastMachine) {
  return {
    workload: machine.workload,
    team: machine.team,
    type: machine.typeName,
    instance: machine.name,
    region: machine.region,
  };
}
