import { z } from "zod";
import { cleanName } from "@/lib/domain/text";

const exact = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, `Give ${what} as a number such as 12.5`);
const positive = (what: string) => exact(what).refine((text) => Number(text) > 0, `Give ${what} above 0`);
const words = (most: number) =>
  z
    .string()
    .max(most * 2)
    .transform((text) => cleanName(text, most));

/** A price with its day and its source, or it is only what somebody typed. */
const Price = z.object({
  usd: exact("a price"),
  source: words(200).default(""),
  asOf: z.iso.date().or(z.literal("")).default(""),
});
export type Price = z.output<typeof Price>;

export const EVERY = ["day", "week", "month"] as const;

const CostLine = z.object({
  name: words(60).refine((text) => text !== "", "Give the line a name"),
  count: exact("how many"),
  price: Price,
  /** Hours in each day, week or month. */
  hours: exact("hours"),
  every: z.enum(EVERY),
  /** Days of the month on which it runs; of no use for weeks and months. */
  days: exact("days").default("0"),
});
export type CostLine = z.output<typeof CostLine>;

export const WEEKS = ["4", "52/12"] as const;

const Costs = z.object({
  kind: z.literal("costs"),
  /** How many weeks a month has. */
  weeks: z.enum(WEEKS),
  lines: z.array(CostLine).min(1, "Give at least one line").max(20, "At most 20 lines"),
  notes: z.array(words(300)).max(10).default([]),
});

const Move = z.object({
  kind: z.literal("move"),
  monthlyUsd: positive("what is spent in a month"),
  from: Price.extend({ usd: positive("a price"), gpus: positive("how many GPUs the machine has") }),
  to: Price,
  speedup: positive("how much more a GPU does there"),
  setupHours: exact("hours of set-up that fall away").default("0"),
  setupUsdPerHour: exact("what such an hour costs").default("0"),
  /** What the move costs once; empty: nobody has said. */
  migrationUsd: exact("what the move costs").or(z.literal("")).default(""),
  notes: z.array(words(300)).max(10).default([]),
});

const Training = z.object({
  kind: z.literal("training"),
  totalUsd: positive("what it costs"),
  otherUsd: exact("what the other offer costs"),
  gpus: positive("how many GPUs"),
  days: positive("how many days"),
  notes: z.array(words(300)).max(10).default([]),
});

export const ScenarioBody = z.discriminatedUnion("kind", [Costs, Move, Training]);
export type ScenarioBody = z.output<typeof ScenarioBody>;
