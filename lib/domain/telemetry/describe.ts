import { meaningOf } from "@/lib/domain/xid/verdict";
import { isMetric, METRICS, type Metric, memoryUsedPct, UNITS } from "./catalogue";
import { modelOf } from "./models";
import type { Report } from "./report";
import { type GpuReading, MISSING_LABELS } from "./sample";
import { throttleReasons } from "./throttle";

/** A report as a person, or a program of theirs, reads it: nothing left out, and every number with its unit. */
export function describeReport({ format, ...report }: Report & { format: string }) {
  return {
    format,
    agent: report.agent,
    gpus: describeGpus(report),
    processes: report.processes.map(({ at, byUuid }) => ({
      at: instant(at),
      gpus: [...byUuid].map(([uuid, processes]) => ({
        uuid,
        processes: processes.map(({ pid, name, usedMib, user }) => ({
          pid,
          name,
          used: measured(usedMib, "MiB"),
          user,
        })),
      })),
    })),
    events: report.sightings.map(({ at, atIs, code, place, seenBy, text, pid, processName }) => ({
      at: instant(at),
      atIs: atIs ?? "written",
      xid: code,
      meaning: meaningOf(code),
      gpu: place,
      seenBy,
      text,
      pid,
      processName,
    })),
    facts: report.facts,
    errors: report.errors.map((error) => ({ ...error, at: instant(error.at) })),
    problems: [...report.problems, ...report.batches.flatMap(({ problems }) => problems)],
    labelled: report.labelled.map((value) => ({ ...value, at: instant(value.at) })),
  };
}

/** Whether a text said anything of a machine, be it that nothing is wrong. */
export function isUnderstood({ format, ...report }: Report & { format: string }): boolean {
  return (
    format === "kernel log" ||
    format === "message of nvidia-smi" ||
    report.agent !== null ||
    report.facts !== null ||
    report.batches.some(({ readings }) => readings.length > 0) ||
    [report.processes, report.errors, report.sightings, report.labelled].some((list) => list.length > 0)
  );
}

/** One entry per card, with its newest reading; `earlier` are those before it, oldest first. */
function describeGpus({ batches }: Report) {
  const byCard = new Map<string, GpuReading[]>();
  for (const reading of batches.flatMap(({ readings }) => readings)) {
    const key = `${reading.uuid} ${reading.mig}`;
    const list = byCard.get(key);
    if (list) list.push(reading);
    else byCard.set(key, [reading]);
  }
  return [...byCard.values()].flatMap((readings) => {
    const inOrder = readings.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
    const newest = inOrder.pop();
    return newest ? [{ ...identity(newest), ...describeReading(newest), earlier: inOrder.map(describeReading) }] : [];
  });
}

function identity(gpu: GpuReading) {
  return {
    uuid: gpu.uuid,
    mig: gpu.mig,
    index: gpu.index,
    busId: gpu.busId,
    name: gpu.name,
    model: modelOf(gpu.name ?? "")?.name ?? null,
    driver: gpu.driverVersion,
    memoryTotalMib: gpu.memoryTotalMib,
    powerLimitW: gpu.powerLimitW,
    slowdownTemperatureC: gpu.slowdownTemperatureC,
    migMode: gpu.migMode,
    remappedRows: gpu.remappedRows,
  };
}

function describeReading(gpu: GpuReading) {
  const numbers: Partial<Record<Metric, number | null>> = {
    ...gpu.values,
    memoryUsedPct: memoryUsedPct(gpu.values.memoryUsedMib, gpu.memoryTotalMib),
    eccUncorrected: gpu.eccUncorrected,
  };
  const values: Record<string, { value: number; unit: string }> = {};
  for (const [metric, value] of Object.entries(numbers)) {
    if (value === null || value === undefined || !isMetric(metric)) continue;
    values[metric] = { value, unit: UNITS[METRICS[metric].unit].short };
  }
  const missing = Object.entries(gpu.missing).map(([metric, reason]) => [
    metric,
    { reason, meaning: MISSING_LABELS[reason] },
  ]);
  return {
    at: gpu.at === null ? null : instant(gpu.at),
    pstate: gpu.pstate,
    values,
    throttleReasons:
      gpu.throttleReasons === null
        ? null
        : throttleReasons(gpu.throttleReasons).map(({ key, label, isProblem }) => ({ key, label, isProblem })),
    missing: Object.fromEntries(missing),
  };
}

function measured(value: number | null, unit: string) {
  return value === null ? null : { value, unit };
}

function instant(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}
