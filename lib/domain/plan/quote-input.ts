import { parse } from "csv-parse/sync";
import { z } from "zod";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { usd } from "@/lib/domain/settings";
import { cleanName } from "@/lib/domain/text";
import { providerKey, QUOTE_STATUSES, QUOTE_TIERS, QUOTE_UNITS, type Quote, skuKey } from "./quotes";

const MICROS_PER_USD = 1_000_000n;
const MOST_USD = 100_000n * MICROS_PER_USD;

const word = (most: number) => z.string().transform((text) => cleanName(text, most));
const given = (what: string, most = 120) => word(most).refine((text) => text !== "", `Give ${what}`);
const optionalNumber = (most: number) =>
  z
    .string()
    .trim()
    .default("")
    .transform((text, issues): number | null => {
      if (text === "") return null;
      const value = Number(text);
      if (Number.isFinite(value) && value > 0 && value <= most) return value;
      issues.addIssue({ code: "custom", message: "is not a number such as 80" });
      return z.NEVER;
    });

/** A price that a person read somewhere. */
export const NewQuote = z.object({
  provider: given("the provider", 60).transform(providerKey),
  typeName: given("the instance type or offer"),
  gpu: given("the GPU, such as A100 SXM4", 60),
  gpus: z.coerce.number({ error: "Give a number" }).int("Give a whole number").min(1, "At least 1").max(1_024),
  gpuMemoryGb: optionalNumber(1_000),
  vcpus: optionalNumber(10_000),
  memoryGib: optionalNumber(100_000),
  region: word(60).default(""),
  tier: z.enum(QUOTE_TIERS, { error: "Choose what kind of price it is" }),
  unit: z.enum(QUOTE_UNITS, { error: "Choose what it is the price of" }),
  price: usd(MOST_USD).transform((micros, issues) => {
    if (micros !== null && micros > 0n) return micros;
    issues.addIssue({ code: "custom", message: "Give a price" });
    return z.NEVER;
  }),
  asOf: z.iso.date("Give the day on which you read it"),
  source: given("where you read it", 200),
  status: z.enum(QUOTE_STATUSES).default("claimed"),
  note: word(300).default(""),
});
export type NewQuote = z.output<typeof NewQuote>;

/** What a person found out about a price. A rejection says why. */
export const QuoteVerdict = z
  .object({
    quoteId: z.string().min(1).max(80),
    status: z.enum(QUOTE_STATUSES),
    note: word(300).default(""),
  })
  .refine(({ status, note }) => status !== "rejected" || note !== "", {
    path: ["note"],
    error: "Say why it is rejected",
  });
export type QuoteVerdict = z.output<typeof QuoteVerdict>;

export const QuoteId = z.object({ quoteId: z.uuid() });
export type QuoteId = z.output<typeof QuoteId>;

export const QuoteFile = z.object({
  text: z.string().min(1, "Choose a file, or paste its lines").max(500_000, "The file is larger than 500 kB: split it"),
});
export type QuoteFile = z.output<typeof QuoteFile>;

export type NewQuoteLine = Omit<Quote, "id" | "origin" | "asOf"> & { asOf: string; line: number };
export type LineError = { line: number; message: string };

const PRICE_COLUMNS = {
  ondemand_usd_h: null,
  spot_usd_h: "spot",
  reserved_1y_usd_h: "reserved_1y",
  reserved_3y_usd_h: "reserved_3y",
} as const;
const NEEDED = ["provider", "instance_type", "gpu", "gpu_count", "as_of", "source"];
const COLUMNS = [
  ...NEEDED,
  "gpu_mem_gb",
  "vcpus",
  "mem_gib",
  "region",
  "price_unit",
  "tier",
  "status",
  "note",
  ...Object.keys(PRICE_COLUMNS),
];
const MOST_LINES = 2_000;

/** How lists write the kinds of offers. */
const TIERS: Readonly<Record<string, Quote["tier"]>> = {
  "": "on_demand",
  "on-demand": "on_demand",
  "median over offers": "median",
  prototyping: "marketplace",
  ...Object.fromEntries(QUOTE_TIERS.map((tier) => [tier, tier])),
};

const EVERYWHERE = /^(any|all|global)( \(\d+\))?$/i;

/**
 * Reads a list of prices: a line may have a price on demand, on spot and reserved. Every error is told with its line; what is
 * read is only good without any. `day` is today: no price is of tomorrow.
 */
export function readQuoteFile(text: string, day: string): { lines: NewQuoteLine[]; errors: LineError[] } {
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(text.replace(/^\ufeff/, ""), {
      columns: (head: string[]) => head.map((name) => name.trim().toLowerCase()),
      delimiter: [",", ";", "\t"],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message.split("\n")[0] : undefined;
    const line = error instanceof Error && "lines" in error && typeof error.lines === "number" ? error.lines : 1;
    return { lines: [], errors: [{ line, message: message ?? "is not readable" }] };
  }
  const [first] = records;
  if (!first) return { lines: [], errors: [{ line: 1, message: "There is no line below the head." }] };
  const names = Object.keys(first.record);
  const problem = headProblem(names);
  if (problem) return { lines: [], errors: [{ line: 1, message: problem }] };
  if (records.length > MOST_LINES)
    return {
      lines: [],
      errors: [{ line: MOST_LINES + 2, message: `There are more than ${MOST_LINES} lines: split the file.` }],
    };
  const lines: NewQuoteLine[] = [];
  const errors: LineError[] = [];
  const seen = new Map<string, NewQuoteLine>();
  for (const { record, info } of records) {
    const read = readLine(record, info.lines, day);
    if ("message" in read) {
      errors.push(read);
      continue;
    }
    for (const quote of read.quotes) {
      const key = quoteKey(quote);
      const twin = seen.get(key);
      if (!twin) {
        seen.set(key, quote);
        lines.push(quote);
      } else if (twin.micros !== quote.micros) {
        errors.push({ line: quote.line, message: `It prices the same thing as line ${twin.line}, otherwise.` });
      }
    }
  }
  return { lines, errors };
}

/** One thing, on one day, by one source. */
export function quoteKey(quote: Omit<Quote, "id" | "origin">): string {
  return `${skuKey({ ...quote, id: "", origin: "entered" })}|${quote.region}|${quote.asOf}|${quote.source}`;
}

function headProblem(names: readonly string[]): string | null {
  const missing = NEEDED.filter((name) => !names.includes(name));
  const strange = names.filter((name) => !COLUMNS.includes(name));
  const isPriceless = !Object.keys(PRICE_COLUMNS).some((name) => names.includes(name));
  if (missing.length === 0 && strange.length === 0 && !isPriceless) return null;
  return [
    missing.length > 0 && `The head lacks ${missing.join(", ")}.`,
    isPriceless && `It has no column of prices: ${Object.keys(PRICE_COLUMNS).join(", ")}.`,
    strange.length > 0 && `There is no column ${strange.join(", ")}.`,
    `Columns are ${COLUMNS.join(", ")}.`,
  ]
    .filter((words) => words !== false)
    .join(" ");
}

function readLine(record: Record<string, string>, line: number, day: string): { quotes: NewQuoteLine[] } | LineError {
  const wrong = (message: string): LineError => ({ line, message });
  const cell = (name: string) => record[name] ?? "";
  for (const name of ["provider", "instance_type", "gpu", "source"]) {
    if (cleanName(cell(name)) === "") return wrong(`The ${name} is empty.`);
  }
  const asOf = cell("as_of");
  if (!z.iso.date().safeParse(asOf).success)
    return wrong(`${asOf || "Nothing"} is not a day such as 2026-11-01: a price without its day is no price.`);
  if (asOf > day) return wrong(`${asOf} is yet to come.`);
  const gpus = Number(cell("gpu_count"));
  if (!Number.isInteger(gpus) || gpus < 1 || gpus > 1_024)
    return wrong(`${cell("gpu_count")} is not a number of GPUs.`);
  const sizes = { gpuMemoryGb: 1_000, vcpus: 10_000, memoryGib: 100_000 };
  const columns = { gpuMemoryGb: "gpu_mem_gb", vcpus: "vcpus", memoryGib: "mem_gib" } as const;
  const size = (name: keyof typeof columns): number | null | undefined => {
    const text = cell(columns[name]);
    const value = Number(text);
    if (text === "") return null;
    return Number.isFinite(value) && value > 0 && value <= sizes[name] ? value : undefined;
  };
  const [gpuMemoryGb, vcpus, memoryGib] = [size("gpuMemoryGb"), size("vcpus"), size("memoryGib")];
  if (gpuMemoryGb === undefined) return wrong(`${cell("gpu_mem_gb")} is not a size of memory in GB.`);
  if (vcpus === undefined || memoryGib === undefined) return wrong("The vcpus or mem_gib are no numbers.");
  const unit = unitOf(cell("price_unit"));
  if (unit === null) return wrong(`The unit ${cell("price_unit")} is none of instance, gpu, gpu component.`);
  const tier = TIERS[cell("tier").toLowerCase()];
  if (tier === undefined)
    return wrong(`The tier ${cell("tier")} is none of ${Object.keys(TIERS).filter(Boolean).join(", ")}.`);
  const status = QUOTE_STATUSES.find((one) => one === (cell("status") || "claimed"));
  if (status === undefined) return wrong(`The status ${cell("status")} is none of ${QUOTE_STATUSES.join(", ")}.`);
  const region = cleanName(cell("region"), 60);
  const quotes: NewQuoteLine[] = [];
  for (const [column, own] of Object.entries(PRICE_COLUMNS)) {
    if (cell(column) === "") continue;
    const micros = microsOf(cell(column));
    if (micros === null) return wrong(`${cell(column)} in ${column} is not a price in dollars such as 2.29.`);
    quotes.push({
      line,
      provider: providerKey(cleanName(cell("provider"), 60)),
      typeName: cleanName(cell("instance_type"), 120),
      region: EVERYWHERE.test(region) ? "" : region,
      tier: own ?? tier,
      unit,
      gpu: cleanName(cell("gpu"), 60),
      gpus,
      gpuMemoryGb,
      vcpus,
      memoryGib,
      micros,
      status,
      source: cleanName(cell("source"), 200),
      asOf,
      note: cleanName(cell("note"), 300),
    });
  }
  return quotes.length === 0 ? wrong("It has no price.") : { quotes };
}

function unitOf(text: string): Quote["unit"] | null {
  if (text === "" || text === "instance") return "instance";
  if (text === "gpu") return "gpu";
  return /^gpu[ _]component/.test(text) ? "gpu_component" : null;
}

/** To the micro-dollar; what lists print with more digits is rounded once. */
function microsOf(text: string): bigint | null {
  try {
    const { numerator, denominator } = parseDecimal(text.replace(/^\$/, ""));
    const micros = (2n * numerator * MICROS_PER_USD + denominator) / (2n * denominator);
    return micros > 0n && micros <= MOST_USD ? micros : null;
  } catch {
    return null;
  }
}

/** What an imported file would write, line by line. */
export type QuotePreview = {
  lines: {
    line: number;
    provider: string;
    typeName: string;
    tier: Quote["tier"];
    unit: Quote["unit"];
    asOf: string;
    micros: string;
    change: "new" | "changed" | "same";
    /** What stands there now, where it is another price. */
    beforeMicros: string | null;
  }[];
  errors: LineError[];
};
