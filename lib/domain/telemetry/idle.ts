import type { WideMetric } from "./catalogue";

const MINUTE = 60_000;

/** Idle: at most this busy … (decisions, Idle) */
export const IDLE_MAX_PCT = 5;
/** … for at least this many minutes on end. */
export const IDLE_MIN_MINUTES = 30;
/** Less memory than this is what the driver and an idle context hold. */
export const EMPTY_BELOW_MIB = 1024;

const ACTIVITY = ["smActivePct", "tensorActivePct", "dramActivePct"] as const satisfies readonly WideMetric[];

export type EffectiveUtilization = { pct: number; by: WideMetric };

/**
 * How busy a GPU really is, in per cent, and which metric says so: the highest of SM, tensor and DRAM activity where any of
 * them is reported, else GPU utilisation; null where none is.
 */
export function effectiveUtilization(
  values: Readonly<Partial<Record<WideMetric, number | null>>>,
): EffectiveUtilization | null {
  let highest: EffectiveUtilization | null = null;
  for (const by of ACTIVITY) {
    const pct = values[by] ?? null;
    if (pct !== null && (highest === null || pct > highest.pct)) highest = { pct, by };
  }
  const utilization = values.utilizationPct ?? null;
  return highest ?? (utilization === null ? null : { pct: utilization, by: "utilizationPct" });
}

/** One minute of one GPU. `effectivePct` is the highest of the minute, so that a burst is not averaged away. */
export type Minute = {
  /** Start, epoch milliseconds. */
  at: number;
  effectivePct: number | null;
  memoryUsedMib: number | null;
  /** Null: the sender does not list processes. */
  hasProcess: boolean | null;
};

export type MinuteClass = "busy" | "idle_empty" | "idle_held" | "missing";

/**
 * Says of each minute what it was, in the order given (ascending). A minute is idle when it belongs to a run of at least 30
 * minutes at 5 % or less; a minute that is missing, or that the list skips, is never idle and ends the run. Give 29 minutes
 * on either side of the minutes of interest. Idle is `idle_empty` only when it is known that no process runs and less than
 * 1 GiB is held.
 */
export function classifyMinutes(minutes: readonly Minute[]): MinuteClass[] {
  const classes = minutes.map(({ effectivePct }): MinuteClass => (effectivePct === null ? "missing" : "busy"));
  let start = 0;
  for (let end = 0; end <= minutes.length; end++) {
    if (isQuiet(minutes[end]) && (end === start || follows(minutes[end - 1], minutes[end]))) continue;
    if (end - start >= IDLE_MIN_MINUTES) markIdle(classes, minutes, start, end);
    start = isQuiet(minutes[end]) ? end : end + 1;
  }
  return classes;
}

function markIdle(classes: MinuteClass[], minutes: readonly Minute[], start: number, end: number): void {
  for (const [i, { memoryUsedMib, hasProcess }] of minutes.slice(start, end).entries()) {
    const isEmpty = hasProcess === false && memoryUsedMib !== null && memoryUsedMib < EMPTY_BELOW_MIB;
    classes[start + i] = isEmpty ? "idle_empty" : "idle_held";
  }
}

function isQuiet(minute: Minute | undefined): boolean {
  return minute !== undefined && minute.effectivePct !== null && minute.effectivePct <= IDLE_MAX_PCT;
}

function follows(before: Minute | undefined, after: Minute | undefined): boolean {
  return before !== undefined && after !== undefined && after.at - before.at === MINUTE;
}
