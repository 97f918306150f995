import { z } from "zod";
import { STATUSES } from "@/lib/domain/fleet/observe";
import { type Decimal, parseDecimal } from "./decimal";
import { MICROS_PER_CENT } from "./money";
import { isZone } from "./zone";

/** From what is given to every figure that may be expected. What is expected names what nothing given does: whom a cost goes to. */
export type Calculators = Record<string, (given: unknown, expected: Expected) => Record<string, unknown>>;

export type Expected = Readonly<Record<string, unknown>>;

/** Throws a ZodError where the given inputs are not those of the kind. */
export function calculator<T extends z.ZodType>(
  schema: T,
  calculate: (given: z.output<T>, expected: Expected) => Record<string, unknown>,
): Calculators[string] {
  return (given, expected) => calculate(schema.parse(given), expected);
}

/** ISO 8601 with an offset; ":60" is the next second (R10). */
export const instant = z.string().transform((value, ctx) => {
  const leap = /^(.*:\d\d):60(\.\d+)?(Z|[+-].*)$/.exec(value);
  const at = Date.parse(leap ? `${leap[1]}:59${leap[3]}` : value);
  if (!Number.isNaN(at) && /(Z|[+-]\d\d:?\d\d)$/.test(value)) return leap ? at + 1_000 : at;
  ctx.addIssue({ code: "custom", message: "is not an instant" });
  return z.NEVER;
});

const integer = z.union([z.int(), z.string().regex(/^-?\d{1,30}$/, "is not an integer")]).transform(BigInt);

export const cents = integer.transform((value) => value * MICROS_PER_CENT);

export const micros = integer;

export const rounding = z.enum(["ceil", "floor", "nearest"]).default("ceil");

export const zone = z.string().refine(isZone, "is not a time zone").default("UTC");

export const count = z.number().int().nonnegative();

/** A number or its text, kept exact. */
export const decimal = z.union([z.number(), z.string()]).transform((value, ctx): Decimal => {
  try {
    return parseDecimal(String(value));
  } catch {
    ctx.addIssue({ code: "custom", message: "is not a decimal number" });
    return z.NEVER;
  }
});

export const status = z.enum(STATUSES).catch("unknown");

export const looks = z
  .array(z.tuple([instant, status]))
  .transform((list) => list.map(([at, word]) => ({ at, status: word })));

const edges = { from: instant.nullable(), to: instant.nullable() };

export const priceIntervals = z
  .array(z.object({ ...edges, price_cents_per_hour: cents.nullable() }))
  .transform((list) =>
    list.flatMap(({ price_cents_per_hour: price, ...span }, priceId) =>
      price === null ? [] : [{ ...span, priceId, micros: price }],
    ),
  );

export const tagIntervals = z.array(z.object({ ...edges, tag: z.string().nullable() })).default([]);

/** Weights of any exact decimals, brought to one denominator. */
export const weights = z.record(z.string(), decimal).transform((record) => {
  const entries = Object.entries(record);
  const common = entries.reduce((product, [, { denominator }]) => product * denominator, 1n);
  return Object.fromEntries(
    entries.map(([key, { numerator, denominator }]) => [key, (numerator * common) / denominator]),
  );
});

/** a ÷ b as integers over one denominator. */
export function ratio(a: Decimal, b: Decimal): { part: bigint; whole: bigint } {
  return { part: a.numerator * b.denominator, whole: b.numerator * a.denominator };
}
