import type { HourUse } from "@/lib/domain/plan/profile";
import type { Window } from "@/lib/domain/silences/windows";
import type { PaidMinutes } from "@/lib/domain/workload/cost";
import { minutesWithin } from "@/lib/domain/workload/cost";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A minute or two of an hour may come late. */
const LATE_MINUTES = 2;
/** An hour's profile counts idle minutes after the first half hour of their run. */
const KNOWN_AFTER = 30;

export type PastHour = { at: number; use: HourUse };
export type PastRun = { from: number; to: number | null };

export type PastMachine = {
  resourceId: string;
  name: string;
  gpus: number;
  /** Per hour, as of now. */
  priceMicros: bigint | null;
  /** In order; an hour that is missing was not paid for. */
  hours: readonly PastHour[];
  paid: readonly PaidMinutes[];
  runs: readonly PastRun[];
};

export type WhatIf = {
  billedMinutes: number;
  unheardMinutes: number;
  unpricedMinutes: number;
  costMicros: bigint;
  savedMicros: bigint;
  savedMinutes: number;
  /** Minutes of work in the time that would have been cut. */
  cutMinutes: number;
  cutRuns: number;
  ends: number;
  relaunches: number;
};

/** What the minutes of an hour cost by the ledger; null: no price of it is known. */
function rateOf(paid: readonly PaidMinutes[], at: number): { micros: bigint; minutes: bigint } | null {
  for (const row of paid) {
    if (row.micros === null || row.minutes === 0) continue;
    if (minutesWithin(row, at, at + HOUR_MS) > 0) return { micros: row.micros, minutes: BigInt(row.minutes) };
  }
  return null;
}

class Sum {
  private micros = new Map<string, { numerator: bigint; denominator: bigint }>();
  unpriced = 0;

  constructor(private readonly paid: readonly PaidMinutes[]) {}

  /** Minutes of an hour at their price. Minutes may be parts of minutes. */
  add(at: number, minutes: number): void {
    const rate = rateOf(this.paid, at);
    if (rate === null) {
      this.unpriced += minutes;
      return;
    }
    const key = rate.minutes.toString();
    const sum = this.micros.get(key) ?? { numerator: 0n, denominator: rate.minutes * 1_000n };
    sum.numerator += rate.micros * BigInt(Math.round(minutes * 1_000));
    this.micros.set(key, sum);
  }

  total(): bigint {
    let total = 0n;
    for (const { numerator, denominator } of this.micros.values())
      total += (numerator + denominator / 2n) / denominator;
    return total;
  }
}

/**
 * A machine under working hours: what it cost outside of them would have been saved, and what it computed then cut. To the part of
 * an hour; minutes of one hour are taken to lie evenly in it.
 */
export function underSchedule(
  machine: PastMachine,
  windows: readonly Window[],
  { endBusy, waitMs }: { endBusy: boolean; waitMs: number },
): WhatIf {
  const cost = new Sum(machine.paid);
  const saved = new Sum(machine.paid);
  const result = emptyWhatIf();
  let isAway = false;
  /** In the evening it worked on past what the policy waits for: it stays until the next one. */
  let keptUntil = 0;
  let lastEnd = 0;
  for (const { at, use } of machine.hours) {
    cost.add(at, use.billed);
    addSeen(result, use);
    const outside = outsideShare(windows, at);
    if (outside === 0) {
      if (isAway) result.relaunches += 1;
      isAway = false;
      continue;
    }
    const endAt = endBefore(windows, at);
    if (endAt !== lastEnd) {
      lastEnd = endAt;
      keptUntil = 0;
    }
    const isWaiting = !isAway && !endBusy && use.busy > 0;
    if (isWaiting && at + HOUR_MS > endAt + waitMs) keptUntil = nextStart(windows, at);
    if (isWaiting || at < keptUntil) continue;
    if (!isAway) {
      result.ends += 1;
      result.cutRuns += machine.runs.filter(
        (run) => run.from < Math.max(at, endAt) && (run.to === null || run.to > Math.max(at, endAt)),
      ).length;
    }
    isAway = true;
    saved.add(at, use.billed * outside);
    result.savedMinutes += use.billed * outside;
    result.cutMinutes += use.busy * outside;
  }
  return close(result, cost, saved);
}

/** Stretches in which a machine would have been away. */
export type Away = { from: number; to: number; minutes: number; resumed: boolean };

/**
 * When a machine would have been away under an idle policy: from the end of the wait until it works again. Hours know of a run only
 * what lies after its first half hour, which is enough for every wait of half an hour or more; within an hour its minutes are
 * taken to lie at the end, and where it works again at the beginning.
 */
export function idleSpans(
  hours: readonly PastHour[],
  { afterMinutes, withHeld }: { afterMinutes: number; withHeld: boolean },
): (Away & { parts: { at: number; minutes: number }[] })[] {
  const wait = afterMinutes - KNOWN_AFTER;
  const spans: (Away & { parts: { at: number; minutes: number }[] })[] = [];
  let open: (typeof spans)[number] | null = null;
  let stopped = 0;
  let before = 0;
  for (const { at, use } of hours) {
    // A gap in what was paid or heard ends a run: what is missing is not idle.
    if (at !== before + HOUR_MS || use.billed > use.heard + LATE_MINUTES) {
      stopped = 0;
      open = null;
    }
    before = at;
    const minutes = use.stopEmpty + (withHeld ? use.stopHeld : 0);
    const usable = Math.max(0, Math.min(minutes, stopped + minutes - wait));
    stopped += minutes;
    const isOver = use.busy > 0 || (!withHeld && use.stopHeld > 0);
    if (usable > 0) {
      if (open === null) {
        open = { from: at + HOUR_MS - usable * MINUTE_MS, to: at, minutes: 0, resumed: false, parts: [] };
        spans.push(open);
      }
      open.minutes += usable;
      open.to = isOver ? Math.max(open.from, at) + usable * MINUTE_MS : at + HOUR_MS;
      open.parts.push({ at, minutes: usable });
    }
    if (isOver) {
      if (open !== null) open.resumed = true;
      open = null;
      stopped = 0;
    } else if (minutes === 0) {
      stopped = 0;
      open = null;
    }
  }
  return spans;
}

/** A machine under an idle policy. */
export function underIdle(machine: PastMachine, params: { afterMinutes: number; withHeld: boolean }): WhatIf {
  const cost = new Sum(machine.paid);
  const saved = new Sum(machine.paid);
  const result = emptyWhatIf();
  for (const { at, use } of machine.hours) {
    cost.add(at, use.billed);
    addSeen(result, use);
  }
  for (const { parts, minutes, resumed } of idleSpans(machine.hours, params)) {
    result.ends += 1;
    if (resumed) result.relaunches += 1;
    result.savedMinutes += minutes;
    for (const part of parts) saved.add(part.at, part.minutes);
  }
  return close(result, cost, saved);
}

function addSeen(result: WhatIf, use: HourUse): void {
  result.billedMinutes += use.billed;
  result.unheardMinutes += Math.max(0, use.billed - use.heard);
}

function close(result: WhatIf, cost: Sum, saved: Sum): WhatIf {
  return {
    ...result,
    costMicros: cost.total(),
    savedMicros: saved.total(),
    unpricedMinutes: Math.round(cost.unpriced),
  };
}

export function emptyWhatIf(): WhatIf {
  return {
    billedMinutes: 0,
    unheardMinutes: 0,
    unpricedMinutes: 0,
    costMicros: 0n,
    savedMicros: 0n,
    savedMinutes: 0,
    cutMinutes: 0,
    cutRuns: 0,
    ends: 0,
    relaunches: 0,
  };
}

export function addWhatIf(a: WhatIf, b: WhatIf): WhatIf {
  return {
    billedMinutes: a.billedMinutes + b.billedMinutes,
    unheardMinutes: a.unheardMinutes + b.unheardMinutes,
    unpricedMinutes: a.unpricedMinutes + b.unpricedMinutes,
    costMicros: a.costMicros + b.costMicros,
    savedMicros: a.savedMicros + b.savedMicros,
    savedMinutes: a.savedMinutes + b.savedMinutes,
    cutMinutes: a.cutMinutes + b.cutMinutes,
    cutRuns: a.cutRuns + b.cutRuns,
    ends: a.ends + b.ends,
    relaunches: a.relaunches + b.relaunches,
  };
}

/** Which part of an hour no window covers. */
export function outsideShare(windows: readonly Window[], at: number): number {
  let inside = 0;
  for (const { from, to } of windows) inside += Math.max(0, Math.min(to, at + HOUR_MS) - Math.max(from, at));
  return Math.max(0, (HOUR_MS - inside) / HOUR_MS);
}

function endBefore(windows: readonly Window[], at: number): number {
  return windows.findLast(({ to }) => to < at + HOUR_MS)?.to ?? 0;
}

function nextStart(windows: readonly Window[], at: number): number {
  return windows.find(({ from }) => from > at)?.from ?? Number.POSITIVE_INFINITY;
}
