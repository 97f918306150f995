import { z } from "zod";
import type { HistoryVerdict } from "./backtest-run";
import { isUpward } from "./condition";
import type { HistoryTrack } from "./history";
import { asWritten } from "./recent";
import type { Episode } from "./replay";
import { NewAlertRule } from "./rule-input";
import type { Comparison } from "./types";

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
export const MOST_DAYS = 90;

/** A rule as it would be saved, the days to look back, and an incident to hold it against: an alert, or a window of a machine. */
export const BacktestQuestion = z.intersection(
  NewAlertRule,
  z.object({
    days: z.coerce
      .number()
      .int()
      .min(1, "Use at least a day")
      .max(MOST_DAYS, `Use at most ${MOST_DAYS} days`)
      .default(30),
    alertId: z.uuid().optional(),
    incident: z
      .object({ resourceId: z.uuid(), from: z.number().int(), to: z.number().int() })
      .refine(({ from, to }) => from < to, "It ends before it begins")
      .optional(),
  }),
);
export type BacktestQuestion = z.output<typeof BacktestQuestion>;

/** [from, to), epoch milliseconds. */
export type Spell = [from: number, to: number];

export type BacktestTarget = {
  key: string;
  name: string;
  resourceId: string;
  /** Episodes that fired. */
  fired: number;
  firingMs: number;
  longestMs: number;
  /** What the target cost while it fired, at its last known price; null: no price is known. */
  micros: string | null;
  /** Times it came close: pending, and over before its time. */
  neverFired: number;
  /** How long nothing was known of it: nothing fires and nothing resolves then. */
  unknownMs: number;
  pending: Spell[];
  firing: Spell[];
  unknown: Spell[];
};

export type BacktestIncident = {
  name: string;
  from: number;
  to: number;
  isCaught: boolean;
  /** How much earlier than the incident was told it would have fired; negative: later. Null: missed. */
  leadMs: number | null;
  /** The value furthest towards the threshold while it lasted; null: nothing is known of it. */
  closest: number | null;
};

/** Highest and lowest of all targets in equal steps: the history on which the threshold is drawn. */
export type Envelope = { from: number; stepMs: number; high: (number | null)[]; low: (number | null)[] };

export type BacktestFigures = {
  from: number;
  to: number;
  fired: number;
  firedTargets: number;
  targets: number;
  firingMs: number;
  longestMs: number;
  micros: string;
  unpriced: number;
  perWeek: number;
};

export type BacktestAnswer = {
  now: number;
  /** Alerts of the window that a rule may be held against, the newest first. */
  incidents: { id: string; ruleName: string; targetName: string; firedAt: number }[];
  /** Null: this rule cannot be tested on history; `why` says so. */
  result:
    | (BacktestFigures & {
        asked: { from: number; days: number };
        /** Older history is only kept by the hour, which is not judged. */
        isCut: boolean;
        samples: number;
        tookMs: number;
        envelope: Envelope;
        /** The noisiest first; those that never fired are counted in `quiet`. */
        noisiest: BacktestTarget[];
        hidden: number;
        quiet: number;
        unknownMs: number;
        incident: BacktestIncident | null;
      })
    | null;
  why: string | null;
};

/** What is kept with a rule's version. */
export type KeptBacktest = BacktestFigures & {
  at: number;
  version: number;
  noisiest: { name: string; fired: number; firingMs: number }[];
};

/** More spells than these are joined where they lie close together. */
const MOST_SPELLS = 300;
const MOST_TARGETS = 40;

type Judged = {
  target: { key: string; name: string; resourceId: string; microsPerHour: bigint | null };
  verdict: HistoryVerdict;
  track: Pick<HistoryTrack, "instants" | "length">;
  lookbackMs: number;
  from: number;
  to: number;
  goneAt: number | null;
};

/** What a rule would have made of one target. */
export function targetResult({ target, verdict, track, lookbackMs, from, to, goneAt }: Judged): BacktestTarget {
  const end = Math.min(to, goneAt ?? to);
  const firing = firingSpells(verdict, end);
  const stepMs = (to - from) / MOST_SPELLS;
  const shown = (spells: readonly Spell[]) => joinedSpells(spells, spells.length > MOST_SPELLS ? stepMs : 0);
  const pending = verdict.episodes.flatMap((episode): Spell[] => {
    const began = episode.transitions[0]?.slot ?? from;
    const until = firedAt(episode) ?? endOf(episode, end);
    return until > began ? [[began, until]] : [];
  });
  const unknown = silences(track, lookbackMs, from, end);
  const firingMs = total(firing);
  return {
    key: target.key,
    name: target.name,
    resourceId: target.resourceId,
    fired: firing.length,
    firingMs,
    longestMs: firing.reduce((most, [a, b]) => Math.max(most, b - a), 0),
    micros: target.microsPerHour === null ? null : String((target.microsPerHour * BigInt(firingMs)) / BigInt(HOUR_MS)),
    neverFired: verdict.neverFired,
    unknownMs: total(unknown),
    pending: shown(pending),
    firing: shown(firing),
    unknown: shown(unknown),
  };
}

/** From each fire to its end, or to the end of what was looked at. */
export function firingSpells({ episodes }: HistoryVerdict, end: number): Spell[] {
  return episodes.flatMap((episode): Spell[] => {
    const at = firedAt(episode);
    return at === null ? [] : [[at, endOf(episode, end)]];
  });
}

/** Spells that overlap, or lie closer together than `withinMs`, as one. */
export function joinedSpells(spells: readonly Spell[], withinMs: number): Spell[] {
  const found: Spell[] = [];
  for (const [from, to] of [...spells].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && from - last[1] < withinMs) found[found.length - 1] = [last[0], Math.max(last[1], to)];
    else found.push([from, to]);
  }
  return found;
}

function firedAt({ transitions }: Episode): number | null {
  return transitions.find(({ kind }) => kind === "fired")?.slot ?? null;
}

function endOf({ ends }: Episode, end: number): number {
  return ends?.at ?? end;
}

/** Where no sample speaks for a slot. */
function silences({ instants, length }: Judged["track"], lookbackMs: number, from: number, to: number): Spell[] {
  const spells: Spell[] = [];
  let known = from;
  const silence = (until: number) => {
    if (until > known) spells.push([known, until]);
  };
  for (let i = 0; i < length; i++) {
    // Where the one after the next is within reach as well, nothing was silent between them.
    while (i + 2 < length && (instants[i + 2] ?? 0) <= known) i += 2;
    const at = instants[i] ?? 0;
    if (at >= to) break;
    if (at > known) silence(at);
    known = Math.max(known, at + lookbackMs);
  }
  silence(to);
  return spells;
}

function total(spells: readonly Spell[]): number {
  return spells.reduce((sum, [a, b]) => sum + (b - a), 0);
}

/** All targets together, the noisiest first. */
export function backtestFigures(targets: readonly BacktestTarget[], from: number, to: number): BacktestFigures {
  const fired = targets.reduce((sum, one) => sum + one.fired, 0);
  const noisy = targets.filter((one) => one.fired > 0);
  return {
    from,
    to,
    fired,
    firedTargets: noisy.length,
    targets: targets.length,
    firingMs: noisy.reduce((sum, one) => sum + one.firingMs, 0),
    longestMs: noisy.reduce((most, one) => Math.max(most, one.longestMs), 0),
    micros: String(noisy.reduce((sum, one) => sum + BigInt(one.micros ?? "0"), 0n)),
    unpriced: noisy.filter((one) => one.micros === null).length,
    perWeek: to > from ? (fired * 7 * DAY_MS) / (to - from) : 0,
  };
}

export function noisiestOf(targets: readonly BacktestTarget[]): {
  noisiest: BacktestTarget[];
  hidden: number;
  quiet: number;
} {
  const noisy = targets
    .filter((one) => one.fired > 0)
    .sort((a, b) => b.fired - a.fired || b.firingMs - a.firingMs || a.name.localeCompare(b.name));
  return {
    noisiest: noisy.slice(0, MOST_TARGETS),
    hidden: Math.max(0, noisy.length - MOST_TARGETS),
    quiet: targets.length - noisy.length,
  };
}

export type Incident = {
  name: string;
  /** One GPU, or all of a machine. */
  gpuKey: string | null;
  resourceId: string;
  from: number;
  to: number;
  /** When people were told of it; leads and delays count from here. */
  toldAt: number;
};

export function concerns(incident: Incident, target: { key: string; resourceId: string }): boolean {
  return incident.gpuKey === null ? incident.resourceId === target.resourceId : incident.gpuKey === target.key;
}

/** Whether the rule would have fired on the incident's targets while it lasted, and how much earlier or later. */
export function incidentResult(
  incident: Incident,
  verdicts: readonly { spells: readonly Spell[]; closest: number | null }[],
  comparison: Comparison,
): BacktestIncident {
  const caught = verdicts
    .flatMap(({ spells }) => spells)
    .filter(([from, to]) => from < incident.to && to > incident.from)
    .map(([from]) => from);
  const values = verdicts.flatMap(({ closest }) => (closest === null ? [] : [closest]));
  const closest = values.length === 0 ? null : isUpward(comparison) ? Math.max(...values) : Math.min(...values);
  const first = caught.length === 0 ? null : Math.min(...caught);
  return {
    name: incident.name,
    from: incident.from,
    to: incident.to,
    isCaught: first !== null,
    leadMs: first === null ? null : incident.toldAt - first,
    closest,
  };
}

/** The value of a window that is furthest towards the threshold. */
export function closestIn(track: HistoryTrack, comparison: Comparison, from: number, to: number): number | null {
  const isUp = isUpward(comparison);
  let best = -1;
  for (let i = 0; i < track.length; i++) {
    const at = track.instants[i] ?? 0;
    if (at < from || at >= to) continue;
    const [value, most] = [track.rough[i] ?? 0, track.rough[best] ?? 0];
    if (best < 0 || (isUp ? value > most : value < most)) best = i;
  }
  return best < 0 ? null : track.value(best);
}

/** Highest and lowest in equal steps, target after target. */
export class EnvelopeOf {
  private readonly high: Float64Array;
  private readonly low: Float64Array;
  private readonly stepMs: number;

  constructor(
    private readonly from: number,
    to: number,
    points: number,
  ) {
    this.stepMs = Math.max(1, Math.ceil((to - from) / points));
    this.high = new Float64Array(points).fill(Number.NEGATIVE_INFINITY);
    this.low = new Float64Array(points).fill(Number.POSITIVE_INFINITY);
  }

  add({ instants, rough, length }: HistoryTrack): void {
    const { high, low, from, stepMs } = this;
    let step = -1;
    let end = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < length; i++) {
      const at = instants[i] ?? 0;
      if (at >= end) {
        step = Math.floor((at - from) / stepMs);
        end = from + (step + 1) * stepMs;
      }
      const value = rough[i] ?? 0;
      if (value > (high[step] ?? Number.POSITIVE_INFINITY)) high[step] = value;
      if (value < (low[step] ?? Number.NEGATIVE_INFINITY)) low[step] = value;
    }
  }

  done(): Envelope {
    const shown = (values: Float64Array) =>
      Array.from(values, (value) => (Number.isFinite(value) ? asWritten(Math.fround(value)) : null));
    return { from: this.from, stepMs: this.stepMs, high: shown(this.high), low: shown(this.low) };
  }
}
