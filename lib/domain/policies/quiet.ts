import { classifyMinutes, type Minute, type MinuteClass } from "@/lib/domain/telemetry/idle";

const MINUTE_MS = 60_000;
/** A minute's samples may be so late; a run whose last minute is older has ended. */
const FRESH_MS = 3 * MINUTE_MS;
const BUSY_MINUTES = 10;

export type QuietRun = { since: number; seenMs: number };
export type Quiet = { peakPct: number | null; idle: QuietRun | null; empty: QuietRun | null };

const NOTHING: Quiet = { peakPct: null, idle: null, empty: null };

/**
 * What the minutes of a machine's GPUs, each in order from `edge` on, say of it now. A run counts only as far back as every
 * minute of every GPU lies before us; where it reaches the edge it may be older, and then `knownSince` says by how much.
 */
export function quietOf(
  gpus: readonly (readonly Minute[])[],
  { now, edge, knownSince }: { now: number; edge: number; knownSince: number | null },
): Quiet {
  if (gpus.length === 0) return NOTHING;
  const runs = gpus.map((minutes) => runsOf(minutes, now));
  const joined = (starts: readonly (number | null)[]): QuietRun | null => {
    const from = starts.reduce<number | null>(
      (latest, start) => (latest === null || start === null ? null : Math.max(latest, start)),
      0,
    );
    if (from === null) return null;
    const isOlder = from <= edge + MINUTE_MS && knownSince !== null && knownSince < from;
    return { since: isOlder ? knownSince : from, seenMs: now - from };
  };
  return {
    peakPct: peakOf(gpus, now),
    idle: joined(runs.map(({ idle }) => idle)),
    empty: joined(runs.map(({ empty }) => empty)),
  };
}

/** Since when one GPU has been idle, and empty, without a break until now; null: it is not. */
function runsOf(minutes: readonly Minute[], now: number): { idle: number | null; empty: number | null } {
  const last = minutes.at(-1);
  if (!last || now - last.at > FRESH_MS || last.at > now) return { idle: null, empty: null };
  const classes = classifyMinutes(minutes);
  const back = (belongs: (use: MinuteClass | undefined) => boolean): number | null => {
    let start: number | null = null;
    for (let i = minutes.length - 1; i >= 0; i--) {
      const at = minutes[i]?.at ?? 0;
      if (!belongs(classes[i]) || (start !== null && start - at !== MINUTE_MS)) break;
      start = at;
    }
    return start;
  };
  return {
    idle: back((use) => use === "idle_empty" || use === "idle_held"),
    empty: back((use) => use === "idle_empty"),
  };
}

/** The highest of the last ten minutes; null where one of them is missing, but for the newest that may be on their way. */
export function peakOf(gpus: readonly (readonly Minute[])[], now: number): number | null {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const first = minute - BUSY_MINUTES * MINUTE_MS;
  let peak: number | null = null;
  for (const minutes of gpus) {
    const known = new Map(minutes.map(({ at, effectivePct }) => [at, effectivePct]));
    for (let at = first; at <= minute; at += MINUTE_MS) {
      const pct = known.get(at) ?? null;
      if (pct !== null) peak = Math.max(peak ?? 0, pct);
      else if (minute - at >= FRESH_MS) return null;
    }
  }
  return peak;
}
