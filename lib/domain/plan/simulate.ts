import { type Micros, roundHalfAway, sum } from "@/lib/domain/cost/money";
import type { Workload } from "@/lib/domain/fleet/workloads";
import type { HourUse } from "./profile";
import type { QuoteState } from "./quotes";

/** Ways to pay less, in the order in which they are counted when several are chosen: what is turned off cannot be moved. */
export const MEASURES = ["idle", "schedule", "early", "move", "rightsize", "reserve"] as const;
export type Measure = (typeof MEASURES)[number];

/** A price that the same work could have. */
export type OtherPrice = {
  provider: string;
  typeName: string;
  /** Of the whole machine for an hour. */
  micros: Micros;
  asOf: string | null;
  source: string;
  state: QuoteState;
  /** What changes with it. */
  remark: string;
};

/** What one machine did in the period, by the ledger and by telemetry; missing telemetry is in nothing but `all.billed`. */
export type MachineUse = {
  resourceId: string;
  name: string;
  typeName: string | null;
  region: string;
  workload: Workload;
  /** It bills now. */
  isLive: boolean;
  gpus: number;
  /** What the ledger says of the days that were measured hour by hour. */
  micros: Micros;
  all: HourUse;
  /** The part of it that the schedule would have turned off. */
  off: HourUse;
  stops: number;
  resumes: number;
  peakMib: number | null;
  memoryMib: number | null;
  /** Mean effective utilisation while it was busy. */
  busyPct: number | null;
  /** Of an hour now; null: unknown. */
  priceMicros: Micros | null;
  /** Training runs of the period that counted two epochs or more, and what they cost. */
  training: { micros: Micros; runs: number; epochs: number } | null;
  /** The cheapest like offer of somebody else, where it is cheaper. */
  elsewhere: OtherPrice | null;
  /** A cheaper type that would hold what it held and do what it did. */
  smaller: OtherPrice | null;
};

export type Assumptions = {
  /** Which workloads the schedule turns off. */
  who: readonly Workload[];
  /** Machines whose memory is held without work are stopped too. */
  isHeldToo: boolean;
  /** Of ten equal epochs, how many are run at most. */
  keepOfTen: number;
  /** What a commitment takes off the price; null: nobody has said. */
  discountPct: number | null;
  windowMs: number;
};

const HOUR_MS = 3_600_000n;

function share(micros: Micros, part: number, whole: number): Micros {
  return whole <= 0 ? 0n : roundHalfAway(micros * BigInt(part), BigInt(whole));
}

/** Minutes that an idle stop would have saved. */
export function stopMinutes({ stopEmpty, stopHeld }: HourUse, isHeldToo: boolean): number {
  return stopEmpty + (isHeldToo ? stopHeld : 0);
}

export function isScheduled({ workload }: Pick<MachineUse, "workload">, { who }: Pick<Assumptions, "who">): boolean {
  return who.includes(workload);
}

/** What a price does to a cost: nothing where it is not lower. */
function cheaper(micros: Micros, from: Micros | null, to: Micros | null): Micros {
  if (from === null || to === null || from <= 0n || to >= from) return 0n;
  return roundHalfAway(micros * (from - to), from);
}

/** What a commitment for the whole window costs. */
export function committedMicros(priceMicros: Micros, { discountPct, windowMs }: Assumptions): Micros | null {
  if (discountPct === null) return null;
  const tenths = BigInt(Math.round((100 - discountPct) * 10));
  return roundHalfAway(priceMicros * tenths * BigInt(Math.round(windowMs)), 1_000n * HOUR_MS);
}

function reserved(micros: Micros, machine: MachineUse, how: Assumptions): Micros {
  if (machine.priceMicros === null) return 0n;
  const committed = committedMicros(machine.priceMicros, how);
  return committed === null || committed >= micros ? 0n : micros - committed;
}

/** What each measure alone would have saved in the period, in micro-dollars. Never less than nothing, never more than the machine cost. */
export function savedAlone(machine: MachineUse, how: Assumptions): Record<Measure, Micros> {
  const { micros, all, off } = machine;
  return {
    idle: share(micros, stopMinutes(all, how.isHeldToo), all.billed),
    schedule: isScheduled(machine, how) ? share(micros, off.billed, all.billed) : 0n,
    early: earlySaving(machine, how),
    move: cheaper(micros, machine.priceMicros, machine.elsewhere?.micros ?? null),
    rightsize: cheaper(micros, machine.priceMicros, machine.smaller?.micros ?? null),
    reserve: reserved(micros, machine, how),
  };
}

function earlySaving({ training, micros }: MachineUse, { keepOfTen }: Assumptions): Micros {
  if (training === null) return 0n;
  const cost = training.micros < micros ? training.micros : micros;
  return roundHalfAway(cost * BigInt(10 - keepOfTen), 10n);
}

/**
 * What a set of measures would have saved together, each hour counted once: first the minutes that are turned off, then a share
 * of the training that is left, then the one price (elsewhere, smaller or committed) that takes most off what is left.
 */
export function savedTogether(
  machine: MachineUse,
  chosen: ReadonlySet<Measure>,
  how: Assumptions,
): Record<Measure, Micros> {
  const { micros, all, off } = machine;
  const saved: Record<Measure, Micros> = { idle: 0n, schedule: 0n, early: 0n, move: 0n, rightsize: 0n, reserve: 0n };
  const isOff = chosen.has("schedule") && isScheduled(machine, how);
  const idle = chosen.has("idle") ? stopMinutes(all, how.isHeldToo) : 0;
  const idleOff = chosen.has("idle") ? stopMinutes(off, how.isHeldToo) : 0;
  saved.idle = share(micros, idle, all.billed);
  if (isOff) saved.schedule = share(micros, idle + off.billed - idleOff, all.billed) - saved.idle;
  let rest = micros - saved.idle - saved.schedule;
  if (chosen.has("early") && micros > 0n) {
    saved.early = roundHalfAway(earlySaving(machine, how) * rest, micros);
    rest -= saved.early;
  }
  const prices: Partial<Record<Measure, Micros>> = {
    move: cheaper(rest, machine.priceMicros, machine.elsewhere?.micros ?? null),
    rightsize: cheaper(rest, machine.priceMicros, machine.smaller?.micros ?? null),
    reserve: reserved(rest, machine, how),
  };
  let best: Measure | null = null;
  for (const measure of ["move", "rightsize", "reserve"] as const) {
    if (chosen.has(measure) && (prices[measure] ?? 0n) > (best === null ? 0n : (prices[best] ?? 0n))) best = measure;
  }
  if (best !== null) saved[best] = prices[best] ?? 0n;
  return saved;
}

export type MeasureSum = { machines: number; aloneMicros: Micros; setMicros: Micros };

export type SavedRow = { machine: MachineUse; alone: Record<Measure, Micros>; together: Record<Measure, Micros> };

export type SavingsSum = {
  rows: SavedRow[];
  each: Record<Measure, MeasureSum>;
  /** Of the chosen set, each hour counted once. */
  totalMicros: Micros;
  /** What the chosen ones count twice when they are added up. */
  overlapMicros: Micros;
  machines: number;
};

/** All machines together. */
export function sumSavings(
  machines: readonly MachineUse[],
  chosen: ReadonlySet<Measure>,
  how: Assumptions,
): SavingsSum {
  const rows = machines.map((machine) => ({
    machine,
    alone: savedAlone(machine, how),
    together: savedTogether(machine, chosen, how),
  }));
  const of = (measure: Measure): MeasureSum => ({
    machines: rows.filter(({ alone }) => alone[measure] > 0n).length,
    aloneMicros: sum(rows.map(({ alone }) => alone[measure])),
    setMicros: sum(rows.map(({ together }) => together[measure])),
  });
  const each = {
    idle: of("idle"),
    schedule: of("schedule"),
    early: of("early"),
    move: of("move"),
    rightsize: of("rightsize"),
    reserve: of("reserve"),
  };
  const totalMicros = sum(MEASURES.map((measure) => each[measure].setMicros));
  return {
    rows,
    each,
    totalMicros,
    overlapMicros: sum([...chosen].map((measure) => each[measure].aloneMicros)) - totalMicros,
    machines: rows.filter(({ together }) => MEASURES.some((measure) => together[measure] > 0n)).length,
  };
}

/** At most so many of so many equal epochs: what is saved at least, and where it may stop earlier, at most. In per cent. */
export function earlyStopPct(epochs: number, atMost: number, atLeast: number): { leastPct: number; mostPct: number } {
  const saved = (run: number) => (100 * (epochs - Math.min(run, epochs))) / epochs;
  return { leastPct: saved(atMost), mostPct: saved(atLeast) };
}

/** What is saved by machines that run so many hours of a month instead of all. */
export function scheduleSavedPct(hoursOn: number, hoursOfMonth: number): number {
  return (100 * (hoursOfMonth - hoursOn)) / hoursOfMonth;
}

/** How sure a saving is: 3 = nearly every paid minute was heard, 0 = nothing was. */
export function evidenceOf(heard: number, billed: number): 0 | 1 | 2 | 3 {
  if (billed <= 0 || heard <= 0) return 0;
  const share = heard / billed;
  return share >= 0.95 ? 3 : share >= 0.7 ? 2 : 1;
}
