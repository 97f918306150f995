import { z } from "zod";
import { filterText, filterValues, SPEND_DIMENSIONS, type SpendDimension, type SpendFilter } from "./dimensions";
import type { PartSlot } from "./view";
import { dayOf, dayRange, monthOf, monthRange } from "./zone";

export const PER = ["hour", "day", "week", "month"] as const;
export type Per = (typeof PER)[number];

/** As invoiced; with prepayments where they are used; at list price. */
export const COST_TYPES = ["billed", "effective", "list"] as const;
export type CostType = (typeof COST_TYPES)[number];

/** Bars that can still be told apart. */
const MOST_HOUR_DAYS = 8;
const MOST_DAY_BARS = 190;
const MOST_DAYS = 3_660;

const filter = z.string().max(2_000).optional();
const filters = {
  team: filter,
  project: filter,
  environment: filter,
  costCentre: filter,
  owner: filter,
  type: filter,
  region: filter,
  instance: filter,
  charge: filter,
  workload: filter,
  workspace: filter,
} satisfies Record<SpendDimension, typeof filter>;

/** Which rows: a month as it counts (with corrections of earlier ones), or accounting days; neither: the month that runs. */
const which = {
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11")
    .optional(),
  days: z.coerce.number().int().min(1).max(MOST_DAYS).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  ...filters,
  cost: z.enum(COST_TYPES).catch("billed").default("billed"),
};

export const ExploreQuestion = z.object({
  ...which,
  per: z.enum(PER).catch("day").default("day"),
  by: z.enum(SPEND_DIMENSIONS).catch("team").default("team"),
});
export type ExploreQuestion = z.output<typeof ExploreQuestion>;

export const ROWS_PAGE = 100;

export const RowsQuestion = z.object({
  ...which,
  /** The parts of rows that lie in the hour that begins then, epoch milliseconds. */
  hour: z.coerce.number().int().optional(),
  /** Corrections alone: rows that count in this month for days of earlier ones. */
  corrections: z.enum(["only"]).optional(),
  /** Rows of unknown price or size alone. */
  unknown: z.enum(["only"]).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
});
export type RowsQuestion = z.output<typeof RowsQuestion>;

/** What `which` says in an address. */
export type Which = { [K in keyof typeof which]?: ExploreQuestion[K] | undefined };

export function filterOf(question: Which): SpendFilter {
  const given = SPEND_DIMENSIONS.flatMap((dimension) => {
    const text = question[dimension];
    return text === undefined ? [] : [[dimension, filterValues(text)] as const];
  });
  return Object.fromEntries(given);
}

export type Window = {
  /** `month`: all that counts in it, corrections of earlier days too. */
  kind: "month" | "days";
  /** Only rows that count in it; null: whichever month they count in. */
  month: string | null;
  fromDay: string;
  /** The last day of which something may be known. */
  toDay: string;
  /** The last one that is drawn: the end of a month that runs. */
  lastDay: string;
  from: number;
  /** The end of the window, or now where it is still running. */
  to: number;
  isRunning: boolean;
};

/**
 * The days that a question means at an instant, the last at most today. A month with days: of what counts in it, those days alone;
 * with a last day alone: everything up to it, corrections too. Null: they have not begun, or end before they begin.
 */
export function windowOf(question: Which, now: number, zone: string): Window | null {
  const today = dayOf(now, zone);
  const hasDays = question.from !== undefined || question.to !== undefined || question.days !== undefined;
  if (question.month === undefined && hasDays) {
    const toDay = earlier(question.to ?? today, today);
    const fromDay = question.from ?? shifted(toDay, 1 - (question.days ?? 30));
    return spanned({ kind: "days", month: null, fromDay, toDay, lastDay: toDay }, today, now, zone);
  }
  const month = question.month ?? monthOf(now, zone);
  const range = monthRange(month, zone);
  const first = dayOf(range.from, zone);
  const lastDay = earlier(dayOf(range.to - 1, zone), question.to ?? "9999-12-31");
  const toDay = earlier(lastDay, today);
  if (question.from === undefined) {
    return spanned({ kind: "month", month, fromDay: first, toDay, lastDay }, today, now, zone);
  }
  const fromDay = earlier(first, question.from) === first ? question.from : first;
  return spanned({ kind: "days", month, fromDay, toDay, lastDay: toDay }, today, now, zone);
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function spanned(
  days: Pick<Window, "kind" | "month" | "fromDay" | "toDay" | "lastDay">,
  today: string,
  now: number,
  zone: string,
): Window | null {
  if (days.fromDay > days.toDay) return null;
  const isRunning = days.toDay >= today;
  return {
    ...days,
    from: dayRange(days.fromDay, zone).from,
    to: isRunning ? now : dayRange(days.toDay, zone).to,
    isRunning,
  };
}

const DAY_MS = 86_400_000;

/** The name of the day so many days later: days are names here, of 24 hours each. */
export function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days [from, to] are, both ends in. */
export function dayCount(fromDay: string, toDay: string): number {
  return Math.round((Date.parse(`${toDay}T00:00:00Z`) - Date.parse(`${fromDay}T00:00:00Z`)) / DAY_MS) + 1;
}

/** The steps that so many days can be drawn in. */
export function possiblePer(days: number): Per[] {
  return PER.filter((per) =>
    per === "hour"
      ? days <= MOST_HOUR_DAYS
      : per === "day"
        ? days <= MOST_DAY_BARS
        : per === "week"
          ? days > 7
          : days > 27,
  );
}

/** The step that was asked for, or the finest one that can be drawn instead. */
export function perFor(wanted: Per, days: number): Per {
  const possible = possiblePer(days);
  return possible.includes(wanted) ? wanted : (possible.find((per) => per !== "hour") ?? "day");
}

export type Bucket = { key: string; from: number; to: number; fromDay: string; toDay: string };

/** The bars of a window, in order; weeks begin on Monday, and the first and last may be cut. Hours of a day of 23 or 25 are as many. */
export function bucketsOf(fromDay: string, lastDay: string, per: Per, zone: string): Bucket[] {
  const days = Array.from({ length: dayCount(fromDay, lastDay) }, (_, index) => shifted(fromDay, index));
  if (per === "hour") return days.flatMap((day) => hoursOf(day, zone));
  const buckets: Bucket[] = [];
  for (const day of days) {
    const key = per === "day" ? day : per === "week" ? mondayOf(day) : `${day.slice(0, 7)}-01`;
    const { from, to } = dayRange(day, zone);
    const last = buckets.at(-1);
    if (last?.key === key) {
      last.to = to;
      last.toDay = day;
    } else buckets.push({ key, from, to, fromDay: day, toDay: day });
  }
  return buckets;
}

const HOUR_MS = 3_600_000;

export function hoursOf(day: string, zone: string): Bucket[] {
  const { from, to } = dayRange(day, zone);
  return Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, index) => {
    const start = from + index * HOUR_MS;
    return { key: String(start), from: start, to: Math.min(to, start + HOUR_MS), fromDay: day, toDay: day };
  });
}

function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return shifted(day, -((weekday + 6) % 7));
}

/** Whether how far a sum may be off is said beside it: wider than 0.1 % of it, or than a dollar (cost model 3). */
export function hasBound(micros: bigint, lowMicros: bigint, highMicros: bigint): boolean {
  const width = highMicros - lowMicros;
  const size = micros < 0n ? -micros : micros;
  return width > 1_000_000n || width * 1_000n > size;
}

export type SpendTotal = {
  micros: string;
  lowMicros: string;
  highMicros: string;
  rows: number;
  unknownRows: number;
  minutes: number;
};

export type SpendGroup = SpendTotal & {
  key: string;
  label: string;
  slot: PartSlot;
  /** Against the days that are compared; null: none are. */
  changeMicros: string | null;
  /** With its share of what lies in pots, and without what it has in them; null: nothing is shared by this split. */
  afterSharingMicros: string | null;
};

export type NamedFilter = { dimension: SpendDimension; values: { value: string; label: string }[] };

/** Two windows as long as one another, of whole days. */
export type SpendCompared = {
  fromDay: string;
  toDay: string;
  micros: string;
  before: { fromDay: string; toDay: string; micros: string; unknownRows: number; isPartlyKnown: boolean };
};

export type ExploreAnswer = {
  now: number;
  zone: string;
  window: Window;
  knownFrom: number | null;
  ledger: { at: number | null; error: string | null; isEmpty: boolean };
  per: Per;
  by: SpendDimension;
  cost: CostType;
  filter: NamedFilter[];
  total: SpendTotal;
  /** Rows that count in this month for days of earlier ones: in every sum here, on no bar. */
  corrections: { micros: string; rows: number } | null;
  compared: SpendCompared | null;
  /** What a bar is stacked of, the most expensive first; amounts are in this order. Null: what is left over. */
  parts: { key: string | null; label: string; slot: PartSlot }[];
  bars: (Bucket & {
    /** Empty: nobody had looked yet. Null: not known. */
    micros: (string | null)[];
    unknownRows: number;
  })[];
  /** All of them, the most expensive first. */
  groups: SpendGroup[];
};

export type SpendRow = {
  key: string;
  day: string;
  period: string;
  charge: string;
  resourceId: string | null;
  name: string;
  typeName: string | null;
  region: string | null;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  startsAt: number;
  endsAt: number;
  minutes: number;
  byteHours: string | null;
  priceMicros: string | null;
  /** Of the cost type that was asked for; of an hour, the part in it. Null: not known. */
  micros: string | null;
  lowMicros: string | null;
  highMicros: string | null;
  isFlagged: boolean;
  isCorrection: boolean;
  note: string | null;
};

export type RowsAnswer = {
  now: number;
  zone: string;
  window: Window;
  cost: CostType;
  filter: NamedFilter[];
  /** Of all rows, on every page. */
  total: SpendTotal;
  page: number;
  pages: number;
  rows: SpendRow[];
};

/** An address's words of a question: what is at its default is left out. */
type Asked = { [K in keyof RowsQuestion]?: RowsQuestion[K] | undefined } & {
  per?: Per;
  by?: SpendDimension;
  table?: string;
};

export function questionText(question: Asked): URLSearchParams {
  const query = new URLSearchParams();
  const defaults: Record<string, unknown> = { cost: "billed", per: "day", by: "team", page: 1 };
  for (const [name, value] of Object.entries(question))
    if (value !== undefined && value !== defaults[name]) query.set(name, String(value));
  return query;
}

export function withFilter<Q extends Which>(question: Q, dimension: SpendDimension, values: readonly string[]): Q {
  return { ...question, [dimension]: values.length === 0 ? undefined : filterText(values) };
}
