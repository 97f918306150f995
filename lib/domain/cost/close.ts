import { z } from "zod";
import { formatCount, formatNumber, formatUsd } from "@/lib/domain/format";
import { formatDay, formatDuration } from "@/lib/domain/format-time";
import { needsReview } from "./money";
import { dayOf } from "./zone";

export const MonthQuestion = z.object({
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11"),
});
export type MonthQuestion = z.output<typeof MonthQuestion>;

const note = z
  .string()
  .trim()
  .min(3, "Say in a few words why this is all right.")
  .max(500, "is longer than 500 characters");

/** What a person signs: a point as it stood when it was read. Where the fact has changed since, the signature does not hold. */
export const SignPoint = MonthQuestion.extend({ point: z.string().min(1).max(40), fact: z.string().max(500), note });
export type SignPoint = z.output<typeof SignPoint>;

export const SignReview = MonthQuestion.extend({
  /** Resource and the bounds as they were seen. */
  items: z
    .array(z.object({ resourceId: z.uuid(), fact: z.string().max(200) }))
    .min(1)
    .max(5_000),
  note,
});
export type SignReview = z.output<typeof SignReview>;

const Signature = z.object({ by: z.string(), at: z.number(), note: z.string(), fact: z.string() });
export type Signature = z.output<typeof Signature>;

const STATES = ["done", "signed", "open", "blocked"] as const;
const Point = z.object({
  id: z.string(),
  title: z.string(),
  fact: z.string(),
  state: z.enum(STATES),
  /** Whether a person may settle it with a note. */
  isSignable: z.boolean(),
  signature: Signature.nullable(),
});
export type Point = z.output<typeof Point>;

/** What is kept with a month: who settled what, and, once it is closed, how every point stood. */
export const Checklist = z.object({
  signed: z.record(z.string(), Signature).default({}),
  reviewed: z.record(z.string(), Signature).default({}),
  points: z.array(Point).default([]),
  closedBy: z.string().nullable().default(null),
});
export type Checklist = z.output<typeof Checklist>;

export type Gap = { from: number; to: number };

export type ReviewItem = {
  resourceId: string;
  name: string;
  typeName: string | null;
  team: string;
  micros: string;
  lowMicros: string;
  highMicros: string;
  /** Why the edges lie where they lie. */
  evidence: { from: string; to: string } | null;
  /** What is signed: a change of these bounds asks anew. */
  fact: string;
  signature: Signature | null;
};

export type InvoiceFacts = {
  received: number;
  /** Differences that nobody has spoken of, and what they come to: what is unexplained, to the cent. */
  open: number;
  residualMicros: bigint;
  disputed: number;
  disputedMicros: bigint;
};

export type CloseFacts = {
  month: string;
  zone: string;
  now: number;
  /** The month, [from, to). */
  from: number;
  to: number;
  /** Months before it that have rows and are not closed. */
  earlierOpen: readonly string[];
  /** When the meter last ran to its end without fault, and what ails it now. */
  metered: { at: number | null; error: string | null };
  /** Lives that ended so lately that the provider's log may still date them. */
  unsettled: number;
  rows: number;
  totalMicros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  gaps: readonly Gap[];
  unknown: { rows: number; resources: number };
  uncategorisedMicros: bigint;
  review: readonly ReviewItem[];
  invoices: InvoiceFacts;
  /** What the ledger holds of days that no invoice covers. */
  accrual: { micros: bigint; days: number };
};

/** Up to so much of a month may be nobody's without anybody having to say why. */
const UNCATEGORISED_LIMIT_PCT = 2;

type Finding = { fact: string; state: "done" | "open" | "blocked"; isSignable?: boolean };

/** Every point of the list with its fact; a signature settles an open one as long as the fact is the one that was signed. */
export function checklistOf(facts: CloseFacts, signed: Checklist["signed"]): Point[] {
  const findings: [id: string, title: string, finding: Finding][] = [
    ["ended", "The month is over", ended(facts)],
    ["order", "Every month before it is closed", order(facts)],
    ["metered", "Every day is worked out to the month’s end", metered(facts)],
    ["settled", "The ends of lives are settled", settled(facts)],
    ["gaps", "Lambda was looked at without a gap", gaps(facts)],
    ["unknown", "Every row has a price", unknown(facts)],
    ["uncategorised", "Somebody pays for it", uncategorised(facts)],
    ["review", "Doubtful lives are signed off", reviewed(facts)],
    ["invoices", "Invoices agree with the ledger", invoices(facts)],
    ["accrual", "Every day is invoiced", accrual(facts)],
  ];
  return findings.map(([id, title, { fact, state, isSignable = false }]) => {
    const signature = signed[id];
    const holds = isSignable && state === "open" && signature?.fact === fact;
    return { id, title, fact, state: holds ? "signed" : state, isSignable, signature: holds ? signature : null };
  });
}

/** What stands in the way of closing; empty: nothing does. */
export function obstacles(points: readonly Point[]): Point[] {
  return points.filter(({ state }) => state === "blocked" || state === "open");
}

function ended({ to, now, zone }: CloseFacts): Finding {
  const day = formatDay(to, zone, true);
  return now >= to
    ? { state: "done", fact: `Over since ${day} in ${zone}` }
    : {
        state: "blocked",
        fact: `It ends on ${formatDay(to - 1, zone, true)} in ${zone}; it can be closed from ${day}`,
      };
}

function order({ earlierOpen }: CloseFacts): Finding {
  return earlierOpen.length === 0
    ? { state: "done", fact: "No earlier month is open" }
    : { state: "blocked", fact: `Close ${earlierOpen.join(", ")} first` };
}

function metered({ metered: { at, error }, to, zone }: CloseFacts): Finding {
  if (error !== null) return { state: "blocked", fact: `The meter fails: ${error.slice(0, 160)}` };
  if (at === null || at < to) return { state: "blocked", fact: "The meter has not run since the month ended" };
  return { state: "done", fact: `Up to ${formatDay(to - 1, zone)}, and looked at again since` };
}

function settled({ unsettled }: CloseFacts): Finding {
  if (unsettled === 0) return { state: "done", fact: "Nothing of this month waits for Lambda’s log" };
  return {
    state: "open",
    isSignable: true,
    fact: `${formatCount(unsettled, "life", "lives")} ended less than three days ago: Lambda’s log may still move the end`,
  };
}

function gaps({ gaps: found, to, from }: CloseFacts): Finding {
  if (found.length === 0) return { state: "done", fact: "Never more than ten minutes between two good looks" };
  const totalMs = found.reduce((sum, gap) => sum + (Math.min(gap.to, to) - Math.max(gap.from, from)), 0);
  return {
    state: "open",
    isSignable: true,
    fact: `${formatCount(found.length, "gap")}, ${formatDuration(totalMs)} in all, in which nobody looked`,
  };
}

function unknown({ unknown: { rows, resources } }: CloseFacts): Finding {
  if (rows === 0) return { state: "done", fact: "No amount is unknown" };
  return {
    state: "open",
    isSignable: true,
    fact: `${formatCount(rows, "row")} of ${formatCount(resources, "resource")} without a known price or size: counted, in no amount`,
  };
}

function uncategorised({ uncategorisedMicros: micros, totalMicros }: CloseFacts): Finding {
  const pct = totalMicros > 0n ? Number((micros * 10_000n) / totalMicros) / 100 : micros === 0n ? 0 : 100;
  const fact = `${formatUsd(micros)} (${formatNumber(pct, 1)} %) is nobody’s; limit ${UNCATEGORISED_LIMIT_PCT} %`;
  return pct <= UNCATEGORISED_LIMIT_PCT ? { state: "done", fact } : { state: "open", isSignable: true, fact };
}

function reviewed({ review }: CloseFacts): Finding {
  if (review.length === 0) return { state: "done", fact: "Every edge is known to within a dollar" };
  const left = review.filter(({ signature }) => signature === null).length;
  return left === 0
    ? { state: "done", fact: `${formatCount(review.length, "life", "lives")} looked at and signed off` }
    : { state: "open", fact: `${left} of ${formatCount(review.length, "life", "lives")} to look at` };
}

function invoices({ invoices: { received, open, residualMicros, disputed, disputedMicros } }: CloseFacts): Finding {
  if (received === 0) return { state: "done", fact: "No invoice has come for this month yet" };
  const came = formatCount(received, "invoice");
  if (open > 0) {
    const left = formatCount(open, "difference");
    return {
      state: "open",
      fact: `${came}, ${formatUsd(residualMicros)} unexplained in ${left} to accept, dispute or explain`,
    };
  }
  const rest = disputed === 0 ? "" : `; ${formatUsd(disputedMicros)} disputed with Lambda`;
  return { state: "done", fact: `${came}, nothing unexplained to the cent${rest}` };
}

function accrual({ accrual: { micros, days } }: CloseFacts): Finding {
  if (days === 0) return { state: "done", fact: "Nothing is left to accrue" };
  return {
    state: "open",
    isSignable: true,
    fact: `${formatUsd(micros)} on ${formatCount(days, "day")} is in no invoice yet: accrued`,
  };
}

/** C23: flagged, or more than a dollar wide. What is signed is the amount with its bounds. */
export function reviewFact(row: {
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
}): string {
  return [row.lowMicros, row.micros, row.highMicros, row.unknownRows].join(" ");
}

export function isDoubtful(row: { isFlagged: boolean; lowMicros: bigint; highMicros: bigint }): boolean {
  return row.isFlagged || needsReview(row.lowMicros, row.highMicros);
}

export type Correction = {
  key: string;
  /** The day it belongs to, in a month that is closed. */
  day: string;
  name: string;
  team: string;
  project: string;
  charge: string;
  minutes: number;
  micros: string | null;
  why: string | null;
};

export type CloseAnswer = {
  now: number;
  month: string;
  zone: string;
  status: "open" | "closing" | "closed";
  isOver: boolean;
  /** First day on which it can be closed. */
  closesFrom: string;
  rows: number;
  totalMicros: string;
  lowMicros: string;
  highMicros: string;
  points: Point[];
  gaps: Gap[];
  review: ReviewItem[];
  contentHash: string | null;
  closedAt: number | null;
  closedBy: string | null;
  statements: { scope: string; totalMicros: string; hash: string }[];
  /** Rows that count here and belong to days of closed months; all of them, summed, and the first of them. */
  corrections: { count: number; micros: string; rows: Correction[] };
  /** What was learnt of this month after it was closed, and where it counts. */
  correctedLater: { month: string; micros: string; rows: number }[];
};

export function closesFrom(to: number, zone: string): string {
  return dayOf(to, zone);
}

export type Closed = {
  month: string;
  contentHash: string;
  rows: number;
  totalMicros: string;
  closedAt: number;
  /** It had been closed before, by somebody else or at another time; nothing was written. */
  wasClosed: boolean;
};
