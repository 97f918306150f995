import { parse } from "csv-parse/sync";
import { z } from "zod";
import { groupBy } from "@/lib/domain/group";
import { fromLocalInput } from "@/lib/domain/local-input";
import { usd } from "@/lib/domain/settings";
import { cleanName } from "@/lib/domain/text";
import type { OwnerWords } from "./allocation";
import { parseDecimal } from "./decimal";
import { EVERY_REGION, type PriceTier, type PriceUnit } from "./price-book";
import { dayRange } from "./zone";

const MICROS_PER_USD = 1_000_000n;
const MOST_USD = 100_000_000n * MICROS_PER_USD;
const MOST_PER_UNIT = 1_000_000n * MICROS_PER_USD;

const word = (most = 120) => z.string().transform((text) => cleanName(text, most));
const given = (what: string) => word().refine((text) => text !== "", `Give ${what}`);
const amount = (most: bigint, what: string) =>
  usd(most).transform((micros, issues) => {
    if (micros !== null) return micros;
    issues.addIssue({ code: "custom", message: `Give ${what}` });
    return z.NEVER;
  });
const region = word().transform((text) => (text === "" ? EVERY_REGION : text));
const UNITS = ["instance_hour", "gib_month"] as const satisfies readonly PriceUnit[];
const TIERS = ["on_demand", "negotiated"] as const satisfies readonly PriceTier[];

/** A price by hand: from any instant on, in the accounting zone where no other is said. */
export const NewPrice = z.object({
  sku: given("an instance type, or filesystem for storage"),
  region: region.default(EVERY_REGION),
  unit: z.enum(UNITS),
  tier: z.enum(TIERS),
  price: amount(MOST_PER_UNIT, "a price"),
  from: z.string().trim().min(1, "Give the instant from which it holds"),
  to: z.string().trim().default(""),
  note: word(300).default(""),
});
export type NewPrice = z.output<typeof NewPrice>;

export const PriceFile = z.object({
  text: z.string().min(1, "Choose a file, or paste its lines").max(200_000, "The file is larger than 200 kB: split it"),
});
export type PriceFile = z.output<typeof PriceFile>;

const ownerWords = {
  team: word(60).default(""),
  project: word(60).default(""),
  environment: word(60).default(""),
  costCenter: word(60).default(""),
};

export const CHARGE_KINDS = ["credit", "tax", "adjustment"] as const;

/** What no meter sees. A credit lowers the bill, a tax raises it, an adjustment says which. */
export const NewCharge = z
  .object({
    kind: z.enum(CHARGE_KINDS, { error: "Choose what it is" }),
    direction: z.enum(["adds", "lowers"]).default("adds"),
    amount: amount(MOST_USD, "an amount"),
    fromDay: z.iso.date("Give the first day"),
    toDay: z.iso.date("Give the last day"),
    description: given("what it is for"),
    ...ownerWords,
  })
  .refine(({ fromDay, toDay }) => fromDay <= toDay, { path: ["toDay"], error: "is before the first day" })
  .refine(({ fromDay, toDay }) => Date.parse(toDay) - Date.parse(fromDay) < 366 * 86_400_000, {
    path: ["toDay"],
    error: "is more than a year after the first day",
  })
  .transform(({ kind, direction, amount: micros, team, project, environment, costCenter, ...rest }) => ({
    ...rest,
    kind,
    micros: kind === "credit" || (kind === "adjustment" && direction === "lowers") ? -micros : micros,
    owner: { team, project, environment, costCenter } satisfies OwnerWords,
  }));
export type NewCharge = z.output<typeof NewCharge>;

/** Capacity paid for a term, whether it is used or not. Days are whole accounting days, the last one included. */
export const NewCommitment = z
  .object({
    name: given("a name"),
    sku: given("an instance type"),
    region: word().default(""),
    count: z.coerce.number({ error: "Give a number" }).int("Give a whole number").min(1, "At least 1").max(10_000),
    fromDay: z.iso.date("Give the first day"),
    toDay: z.iso.date("Give the last day"),
    upfront: usd(MOST_USD).transform((micros) => micros ?? 0n),
    weekly: usd(MOST_USD).transform((micros) => micros ?? 0n),
    rate: usd(MOST_PER_UNIT).transform((micros) => micros ?? 0n),
    note: word(300).default(""),
    ...ownerWords,
  })
  .refine(({ fromDay, toDay }) => fromDay <= toDay, { path: ["toDay"], error: "is before the first day" })
  .refine(({ upfront, weekly, rate }) => upfront + weekly + rate > 0n, {
    path: ["upfront"],
    error: "Give what is paid: upfront, per week, or per hour",
  })
  .transform(({ team, project, environment, costCenter, ...rest }) => ({
    ...rest,
    owner: { team, project, environment, costCenter } satisfies OwnerWords,
  }));
export type NewCommitment = z.output<typeof NewCommitment>;

export const ChargeId = z.object({ chargeId: z.uuid() });
export const CommitmentId = z.object({ commitmentId: z.uuid() });

/** An instant as people and files write it: a day, a wall time of the accounting zone, or with an offset. Null: unreadable. */
export function instantOf(text: string, zone: string): number | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    try {
      return dayRange(text, zone).from;
    } catch {
      return null;
    }
  }
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  return fromLocalInput(text, zone);
}

export type FileLine = {
  line: number;
  sku: string;
  region: string;
  unit: PriceUnit;
  tier: PriceTier;
  micros: bigint;
  from: number;
  to: number | null;
  note: string;
};

export type FileError = { line: number; message: string };

const COLUMNS = ["sku", "region", "unit", "tier", "price_usd", "from", "to", "note"];
const MOST_LINES = 500;

/**
 * Reads a price list: columns sku, price_usd and from, and where wanted region, unit, tier, to and note, in any order. Without an
 * end, a line holds until the next of the same thing. Every error is told with its line; what is read is only good without any.
 */
export function readPriceFile(text: string, zone: string): { lines: FileLine[]; errors: FileError[] } {
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(text, {
      bom: true,
      columns: (head: string[]) => head.map((name) => name.trim().toLowerCase()),
      delimiter: [",", ";", "\t"],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    const { lines = 1, message } = error as { lines?: number; message: string };
    return { lines: [], errors: [{ line: lines, message: message.split("\n")[0] ?? "is not readable" }] };
  }
  const [first] = records;
  if (!first) return { lines: [], errors: [{ line: 1, message: "There is no line below the head." }] };
  const names = Object.keys(first.record);
  const missing = ["sku", "price_usd", "from"].filter((name) => !names.includes(name));
  const strange = names.filter((name) => !COLUMNS.includes(name));
  if (missing.length > 0 || strange.length > 0) {
    const words = [
      missing.length > 0 && `The head lacks ${missing.join(", ")}.`,
      strange.length > 0 && `There is no column ${strange.join(", ")}.`,
      `Columns are ${COLUMNS.join(", ")}.`,
    ];
    return { lines: [], errors: [{ line: 1, message: words.filter(Boolean).join(" ") }] };
  }
  if (records.length > MOST_LINES)
    return {
      lines: [],
      errors: [{ line: MOST_LINES + 2, message: `There are more than ${MOST_LINES} lines: split the file.` }],
    };
  const lines: FileLine[] = [];
  const errors: FileError[] = [];
  for (const { record, info } of records) {
    const read = readLine(record, info.lines, zone);
    if ("message" in read) errors.push(read);
    else lines.push(read);
  }
  return { lines: closed(lines, errors), errors: errors.sort((a, b) => a.line - b.line) };
}

function readLine(record: Record<string, string>, line: number, zone: string): FileLine | FileError {
  const wrong = (message: string): FileError => ({ line, message });
  const cell = (name: string) => record[name] ?? "";
  const sku = cleanName(cell("sku"), 120);
  if (sku === "") return wrong("The sku is empty.");
  const unit = cell("unit") || (sku === "filesystem" ? "gib_month" : "instance_hour");
  if (unit !== "instance_hour" && unit !== "gib_month")
    return wrong(`The unit ${unit} is neither instance_hour nor gib_month.`);
  const tier = cell("tier") || "on_demand";
  if (tier !== "on_demand" && tier !== "negotiated")
    return wrong(`The tier ${tier} is neither on_demand nor negotiated.`);
  const micros = microsOf(cell("price_usd"));
  if (micros === null) return wrong(`${cell("price_usd") || "Nothing"} is not a price in dollars such as 2.29.`);
  const from = instantOf(cell("from"), zone);
  if (from === null)
    return wrong(`${cell("from") || "Nothing"} is not an instant such as 2026-11-01 or 2026-11-01T08:00Z.`);
  const to = cell("to") === "" ? null : instantOf(cell("to"), zone);
  if (to === null && cell("to") !== "") return wrong(`${cell("to")} is not an instant such as 2026-12-01.`);
  if (to !== null && to <= from) return wrong("It ends before it begins.");
  const own = cleanName(cell("region"), 120) || EVERY_REGION;
  return { line, sku, region: own, unit, tier, micros, from, to, note: cleanName(cell("note"), 300) };
}

function microsOf(text: string): bigint | null {
  try {
    const { numerator, denominator } = parseDecimal(text.replace(/^\$/, ""));
    const micros = (numerator * MICROS_PER_USD) / denominator;
    const isWhole = (numerator * MICROS_PER_USD) % denominator === 0n;
    return isWhole && micros >= 0n && micros <= MOST_PER_UNIT ? micros : null;
  } catch {
    return null;
  }
}

/** Ends each line without an end where the next of the same thing begins; lines that overlap are errors. */
function closed(lines: readonly FileLine[], errors: FileError[]): FileLine[] {
  const key = ({ sku, region, unit, tier }: FileLine) => [sku, region, unit, tier].join("|");
  return [...groupBy(lines, key).values()].flatMap((same) => {
    const sorted = [...same].sort((a, b) => a.from - b.from || a.line - b.line);
    return sorted.map((one, i) => {
      const next = sorted[i + 1];
      if (next && (next.from === one.from || (one.to !== null && one.to > next.from)))
        errors.push({ line: next.line, message: `It overlaps line ${one.line}, which prices the same thing.` });
      return { ...one, to: one.to ?? next?.from ?? null };
    });
  });
}
