import { z } from "zod";

export const DIMENSIONS = ["team", "project", "type", "region", "instance"] as const;

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11");

export const CostQuestion = z.object({ month: month.optional(), by: z.enum(DIMENSIONS).catch("team").default("team") });
export type CostQuestion = z.output<typeof CostQuestion>;

export const LedgerQuestion = z.object({
  month: month.optional(),
  day: z.iso.date().optional(),
  resourceId: z.uuid().optional(),
});
export type LedgerQuestion = z.output<typeof LedgerQuestion>;

export type CostAnswer = {
  now: number;
  month: string;
  zone: string;
  isCurrent: boolean;
  /** First and last accounting day that the figures cover. */
  fromDay: string;
  toDay: string;
  monthDays: number;
  total: { micros: string; lowMicros: string; highMicros: string; unknownRows: number; flaggedRows: number };
  /** The same number of days of the month before; null: nothing is known of it. */
  before: { micros: string; fromDay: string; toDay: string } | null;
  forecast: { micros: string; lowMicros: string; highMicros: string } | null;
  budget: { micros: string; usedPct: number; reachedAt: number | null } | null;
  rateMicrosPerHour: string | null;
  storageMicrosPerHour: string | null;
  idle: { emptyMicros: string; heldMicros: string };
  by: (typeof DIMENSIONS)[number];
  /** Keys in stacking order; "" is what nobody was named for. */
  keys: string[];
  days: { day: string; parts: Record<string, string>; totalMicros: string; unknownRows: number }[];
  resources: {
    id: string;
    kind: "instance" | "filesystem";
    name: string;
    typeName: string | null;
    region: string;
    team: string;
    isGone: boolean;
    minutes: number;
    micros: string;
    lowMicros: string;
    highMicros: string;
    unknownRows: number;
    idleMicros: string;
    isFlagged: boolean;
  }[];
  months: { month: string; micros: string }[];
  priceChanges: { sku: string; beforeMicros: string | null; micros: string; at: number }[];
};

export type Outlook = {
  month: string;
  monthToDateMicros: string;
  unknownRows: number;
  forecast: NonNullable<CostAnswer["forecast"]>;
  budget: CostAnswer["budget"];
  rateMicrosPerHour: string;
  storageMicrosPerHour: string | null;
  /** Spend up to the end of each day of the month so far. */
  cumulative: { day: string; micros: string }[];
  days: number;
};
