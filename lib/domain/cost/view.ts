import { z } from "zod";
import { DIMENSIONS } from "./dimensions";
import type { LedgerDetail } from "./ledger-csv";

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11");

export const CostQuestion = z.object({ month: month.optional(), by: z.enum(DIMENSIONS).catch("team").default("team") });
export type CostQuestion = z.output<typeof CostQuestion>;

export const LedgerQuestion = z.object({
  month: month.optional(),
  day: z.iso.date().optional(),
  resourceId: z.uuid().optional(),
});
export type LedgerQuestion = z.output<typeof LedgerQuestion>;

type Amounts = "priceMicros" | "micros" | "lowMicros" | "highMicros";

export type LedgerAnswer = {
  now: number;
  zone: string;
  /** First and last accounting day. */
  from: string;
  to: string;
  /** There are more rows than are answered at once; the file has all of them. */
  isCut: boolean;
  rows: (Omit<LedgerDetail, "startsAt" | "endsAt" | Amounts> & { startsAt: number; endsAt: number } & Record<
      Amounts,
      string | null
    >)[];
};

/** One of the colours that a chart has for categories; 8 is for what is left over. */
export type PartSlot = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export type CostAnswer = {
  now: number;
  month: string;
  zone: string;
  isCurrent: boolean;
  status: "open" | "closing" | "closed";
  /** The window that the figures cover, [from, to): up to now, or to the end of the month. */
  from: number;
  to: number;
  /** First and last accounting day of it. */
  fromDay: string;
  toDay: string;
  /** Since when anything is known of this account's cost; null: nobody has looked yet. */
  knownFrom: number | null;
  /** When the ledger was last brought up to date, and why it could not be; the age of every figure here. */
  ledger: { at: number | null; error: string | null; isEmpty: boolean };
  total: { micros: string; lowMicros: string; highMicros: string; unknownRows: number };
  /** The same whole days of two months; null: there is none to compare, or nothing is known of the month before. */
  compared: Comparison | null;
  forecast: Forecasted | null;
  budget: { micros: string; usedPct: number; reachedAt: number | null } | null;
  rate: { microsPerHour: string; unknownPrices: number; storageMicrosPerHour: string | null } | null;
  idle: { emptyMicros: string; heldMicros: string };
  /** Of the machines whose number of GPUs is known; null: of none. */
  gpus: { minutes: number; micros: string } | null;
  instances: { count: number; minutes: number; micros: string };
  storage: { count: number; micros: string };
  /** Commitments, credits, tax: what neither a machine nor a file system makes. */
  otherMicros: string;
  /** Rows that count in this month for days of earlier ones: in the total, on no day. */
  corrections: { micros: string; rows: number } | null;
  by: (typeof DIMENSIONS)[number];
  /** What a day is stacked of, the most expensive first; the amounts of a day are in this order. */
  parts: { key: string | null; label: string; slot: PartSlot }[];
  days: {
    day: string;
    from: number;
    to: number;
    /** Null: not known, neither as a price nor as nothing. Empty: nobody had looked yet, or it is still to come. */
    micros: (string | null)[];
    unknownRows: number;
    /** What the whole day is expected to cost: today and the days to come. */
    expected: { micros: string; lowMicros: string; highMicros: string } | null;
  }[];
  /** By the same dimension; empty where it is the instance: then `resources` says it. */
  groups: {
    key: string;
    slot: PartSlot;
    micros: string;
    unknownRows: number;
    idleMicros: string;
    minutes: number;
    resources: number;
    /** In the compared days of this month and of the one before. */
    comparedMicros: string;
    beforeMicros: string;
  }[];
  resources: CostRow[];
  /** Those that are not listed one by one. */
  rest: { count: number; micros: string; idleMicros: string; unknownRows: number } | null;
  /** The months beside this one of which something may be known; null: none. */
  monthBefore: string | null;
  monthAfter: string | null;
  months: { month: string; micros: string; unknownRows: number; isCurrent: boolean }[];
  priceChanges: { sku: string; beforeMicros: string; micros: string; at: number }[];
};

export type Comparison = {
  /** Whole days of this month, and of the month before. */
  fromDay: string;
  toDay: string;
  micros: string;
  before: { fromDay: string; toDay: string; micros: string; unknownRows: number; isPartlyKnown: boolean };
  /** Spend of the month before up to the end of each of its days; null: nobody had looked yet. */
  beforeCumulative: (string | null)[];
};

export type Forecasted = {
  micros: string;
  lowMicros: string;
  highMicros: string;
  /** Finished days that the band rests on. */
  bandDays: number;
};

export type CostRow = {
  id: string;
  kind: "instance" | "filesystem";
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  isGone: boolean;
  /** Launched elsewhere: in the provider's console, or with another tool. */
  isOutside: boolean;
  minutes: number;
  /** What a file system held on average; null: not known, or a machine. */
  bytes: string | null;
  /** Prices that held, in order of time. */
  ratesMicros: string[];
  micros: string;
  lowMicros: string;
  highMicros: string;
  unknownRows: number;
  idleMicros: string;
  /** Why nobody can be sure of it; null where that is clear, or small. */
  doubt: { from: string; to: string } | null;
};

export type Outlook = {
  month: string;
  monthToDateMicros: string;
  unknownRows: number;
  forecast: Forecasted;
  /** What is expected of today and of each day after it, whole days; they end at the forecast. */
  expected: { day: string; micros: string; lowMicros: string; highMicros: string }[];
  budget: CostAnswer["budget"];
  rateMicrosPerHour: string;
  /** Machines that bill at a price nobody knows: missing from the rate and the forecast. */
  unknownPrices: number;
  storageMicrosPerHour: string | null;
  /** Spend up to the end of each day of the month so far. */
  cumulative: { day: string; micros: string }[];
  days: number;
};
