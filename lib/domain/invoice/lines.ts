import { sum } from "@/lib/domain/cost/money";
import { parseMoney, parseQuantity, type Unit, Unreadable, unitOf } from "./amount";
import { addDays, parseDay } from "./date";
import { FIELD_WORDS, FIELDS, type Field } from "./fields";
import type { Mapping } from "./mapping";
import type { Table } from "./table";
import type { InvoiceLine, LineKind } from "./types";

export type LineProblem = {
  /** Where it stands in the text, from 1. */
  at: number;
  field: Field | null;
  message: string;
};

export type ReadLines = {
  lines: (InvoiceLine & { at: number })[];
  problems: LineProblem[];
  /** Sums that the table itself draws: no lines. */
  skipped: { at: number; text: string; micros: bigint | null }[];
  sumMicros: bigint;
};

/** The texts of one line, by what they stand for. */
export type LineTexts = Partial<Record<Field, string>>;

const TOTAL = /^(?:sub-?|grand |invoice )?total\b|^(?:amount|balance) due\b|^(?:carried|brought) forward\b/i;

/** Lines of a table by a mapping. A line that cannot be read is named with what ails it; the others are read all the same. */
export function readLines(table: Table, mapping: Mapping): ReadLines {
  const places = FIELDS.flatMap((field) => {
    const head = mapping.columns[field];
    const column = head === undefined ? -1 : table.heads.indexOf(head);
    return column < 0 ? [] : [[field, column] as const];
  });
  const result: ReadLines = { lines: [], problems: [], skipped: [], sumMicros: 0n };
  if (!places.some(([field]) => field === "amount")) {
    result.problems.push({ at: 0, field: "amount", message: "Choose the column that holds the amounts." });
    return result;
  }
  for (const { at, cells } of table.rows) {
    const texts: LineTexts = Object.fromEntries(places.map(([field, column]) => [field, cells[column] ?? ""]));
    const total = cells.find((cell) => TOTAL.test(cell));
    if (total !== undefined && !texts.resource && !texts.quantity) {
      result.skipped.push({ at, text: total, micros: moneyOr(texts.amount ?? "", mapping) });
      continue;
    }
    if (places.every(([, column]) => !cells[column])) continue;
    const read = readLine(texts, mapping);
    result.problems.push(...read.problems.map((problem) => ({ at, ...problem })));
    if (read.line) result.lines.push({ line: result.lines.length + 1, at, ...read.line });
  }
  result.sumMicros = sum(result.lines.map(({ micros }) => micros));
  return result;
}

type Read = { line: Omit<InvoiceLine, "line"> | null; problems: Omit<LineProblem, "at">[] };

/** One line from its texts; also what somebody types goes through here. */
export function readLine(
  texts: LineTexts,
  { decimal, dateOrder, unit }: Pick<Mapping, "decimal" | "dateOrder" | "unit">,
): Read {
  const problems: Read["problems"] = [];
  const read = <T>(field: Field, parse: (text: string) => T): T | null => {
    const text = texts[field]?.trim() ?? "";
    if (text === "") return null;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push({ field, message: `${FIELD_WORDS[field]} ${error.message}` });
      return null;
    }
  };
  const word = (field: Field, most: number) => texts[field]?.trim().slice(0, most) || null;
  const amount = read("amount", (text) => parseMoney(text, decimal));
  if (amount === null && !problems.some(({ field }) => field === "amount"))
    problems.push({ field: "amount", message: "Amount is missing" });
  const counted = read("unit", (text): Unit => {
    const found = unitOf(text);
    if (found === null) throw new Unreadable(`is not known: “${text.slice(0, 30)}”`);
    return found;
  });
  const charge = kindOf(texts, amount ?? 0n, counted ?? unit);
  const isStorage = charge === "storage";
  const inUnit = counted ?? (isStorage && !unit.startsWith("gib") ? "gib_hours" : unit);
  const isMetered = isStorage || charge === "usage";
  const quantity = isMetered ? read("quantity", (text) => parseQuantity(text, inUnit, decimal)) : null;
  const rate = isMetered ? read("rate", (text) => parseRate(text, decimal)) : null;
  const from = read("from", (text) => parseDay(text, dateOrder));
  const to = read("to", (text) => parseDay(text, dateOrder));
  const fromDay = from?.day ?? to?.day ?? null;
  // Half-open in files that write instants: what ends at midnight ends on the day before.
  const toDay = to === null ? fromDay : to.isMidnight && from && to.day > from.day ? addDays(to.day, -1) : to.day;
  if (fromDay !== null && toDay !== null && fromDay > toDay)
    problems.push({ field: "to", message: "To lies before From" });
  if (amount === null || problems.length > 0) return { line: null, problems };
  const description = word("description", 500) ?? word("resource", 200) ?? word("sku", 200) ?? charge;
  return {
    line: {
      charge,
      description,
      resource: word("resource", 200),
      sku: word("sku", 100),
      region: word("region", 100),
      fromDay,
      toDay,
      quantityMicros: quantity,
      rateMicros: rate,
      micros: amount,
    },
    problems,
  };
}

function parseRate(text: string, decimal: Mapping["decimal"]): bigint {
  // "$2.29/h", "2.29 per hour"
  return parseMoney(text.replace(/\s*(?:\/|per\b).*$/i, ""), decimal);
}

function moneyOr(text: string, { decimal }: Mapping): bigint | null {
  try {
    return parseMoney(text, decimal);
  } catch {
    return null;
  }
}

const KINDS: readonly (readonly [LineKind, RegExp])[] = [
  ["tax", /\b(?:(?:sales|use)? ?tax(?:es)?|vat|gst|hst)\b/i],
  ["credit", /\b(?:credits?|refunds?|promo(?:tion(?:al)?)?|discounts?|coupon)\b/i],
  ["commitment", /\b(?:reserv(?:ed|ation)s?|commit(?:ment|ted)|upfront|prepaid)\b/i],
  ["rounding", /\brounding\b/i],
  ["adjustment", /\b(?:adjustments?|corrections?)\b/i],
  ["storage", /\b(?:storage|file ?systems?|persistent|gi?b[- ](?:hours?|months?))\b/i],
];

/** What a line charges for, by its own column, or by its words. */
function kindOf(texts: LineTexts, amount: bigint, unit: Unit): LineKind {
  const own = texts.charge?.trim() ?? "";
  const byOwn = KINDS.find(([, pattern]) => pattern.test(own))?.[0];
  if (byOwn) return byOwn;
  if (/\b(?:usage|compute|instance|on-?demand|gpu)\b/i.test(own)) return "usage";
  const words = `${texts.description ?? ""} ${texts.sku ?? ""}`;
  const byWords = KINDS.find(([, pattern]) => pattern.test(words))?.[0];
  if (byWords) return byWords;
  if (texts.quantity && unit.startsWith("gib")) return "storage";
  return amount < 0n && !texts.resource && !texts.sku ? "credit" : "usage";
}
