import { z } from "zod";
import { parseDuration } from "./duration";

/*
 * Files of Prometheus are read with every scalar as the text that was written: `values: 0x10` repeats a value sixteen times and is
 * not sixteen. What is left empty is the empty text.
 */

export const text = z.string({ error: "must be a text" });

export const duration = text
  .transform((given) => parseDuration(given))
  .refine((ms): ms is number => ms !== null, "is no duration");

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === "" || value === "~" || value === "null";

/** A key that may be left out or empty. */
export function maybe<T extends z.ZodType>(schema: T, otherwise: z.input<T>) {
  return z.preprocess((value) => (isNothing(value) ? otherwise : value), schema);
}

export const texts = maybe(z.record(z.string(), maybe(text, "")), {});
