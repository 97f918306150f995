import { z } from "zod";
import type { WhyEffects, WhyStep } from "./why";

/** By what machines are told apart: what runs, or whose it is. */
export const WHY_DIMENSIONS = ["sku", "type", "region", "team", "project", "environment", "costCentre"] as const;
export type WhyDimension = (typeof WHY_DIMENSIONS)[number];

export const WhyQuestion = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11")
    .optional(),
  mix: z.enum(WHY_DIMENSIONS).catch("sku").default("sku"),
});
export type WhyQuestion = z.output<typeof WhyQuestion>;

export type WhySide = {
  month: string;
  fromDay: string;
  toDay: string;
  micros: string;
  gpuMinutes: string;
  unknownRows: number;
  /** How long the window is: of whole accounting days. */
  ms: number;
};

export type WhyLine = Record<keyof WhyEffects, string> & {
  key: string;
  /** Type and region where that is the key. */
  typeName: string | null;
  region: string | null;
  before: { micros: string; gpuMinutes: string };
  own: { micros: string; gpuMinutes: string };
};

export type WhyResource = { id: string; name: string; typeName: string | null; isNew: boolean; micros: string };

export type WhyAnswer = {
  now: number;
  zone: string;
  month: string;
  mix: WhyDimension;
  /** Its days are not over: the same whole days of both months are compared. */
  isCurrent: boolean;
  knownFrom: number | null;
  /** Null: there is nothing to compare yet. */
  own: WhySide | null;
  before: (WhySide & { isPartlyKnown: boolean }) | null;
  steps: { step: WhyStep; fromMicros: string; micros: string }[];
  /** The largest differences first. */
  lines: WhyLine[];
  /** Machines that cost something in one of the windows only: the most expensive. */
  resources: WhyResource[];
  /** How many there are in all. */
  newResources: number;
  goneResources: number;
};
