import { z } from "zod";
import { DECIMAL_MARKS, type DecimalMark, parseMoney, UNITS, type Unit, unitOf } from "./amount";
import { DATE_ORDERS, guessOrder } from "./date";
import { FIELDS, type Field } from "./fields";
import type { Table } from "./table";

/** Which column is what, and how numbers and dates are written; remembered per account. */
export const Mapping = z.object({
  /** Heads, by what they stand for. */
  columns: z.partialRecord(z.enum(FIELDS), z.string().max(200)),
  decimal: z.enum(DECIMAL_MARKS).default("point"),
  /** Null: nobody has chosen; needed only where a date could be two days. */
  dateOrder: z.enum(DATE_ORDERS).nullable().default(null),
  unit: z.enum(UNITS).default("hours"),
});
export type Mapping = z.output<typeof Mapping>;

// The first that fits wins: a head is asked for what it is most surely.
const HEADS: readonly (readonly [Field, RegExp])[] = [
  [
    "amount",
    /^(?:line )?(?:amount|cost|charges?|total(?: (?:cost|amount|price))?|price total|extended|subtotal|net(?: amount)?)(?: ?[([]?(?:usd|us\$|\$)[)\]]?)?$/,
  ],
  [
    "rate",
    /^(?:rate|unit (?:price|cost|amount)|price(?: per (?:hour|unit|gib.month))?|hourly (?:rate|price)|price\/h(?:our|r)?)(?: ?[([]?(?:usd|us\$|\$)(?:\/h(?:our|r)?)?[)\]]?)?$/,
  ],
  [
    "from",
    /^(?:from|start(?:s|ed)?|begins?|(?:(?:charge|usage|service|billing) )?(?:period )?start(?: ?(?:date|day|time|at))?|date|day|period from|(?:usage|service) date)$/,
  ],
  [
    "to",
    /^(?:to|until|through|end(?:s|ed)?|(?:(?:charge|usage|service|billing) )?(?:period )?end(?: ?(?:date|day|time|at))?|period to)$/,
  ],
  [
    "quantity",
    /^(?:quantity|qty|usage(?: (?:quantity|amount))?|units|minutes|hours|(?:gpu|instance)[ -]?hours|billed (?:hours|minutes)|gi?b[ -](?:hours|months)|duration)(?: ?[([][^)\]]*[)\]])?$/,
  ],
  ["unit", /^(?:unit|uom|(?:pricing|usage|quantity) unit|unit of measure)$/],
  ["charge", /^(?:type|kind|category|charge (?:type|category|kind)|line (?:item )?type)$/],
  [
    "resource",
    /^(?:resource(?: ?(?:id|name))?|instance(?: ?(?:id|name))?|id|name|host(?:name)?|machine|server|file ?system(?: ?(?:id|name))?)$/,
  ],
  ["sku", /^(?:sku(?: ?id)?|instance[ _]?type|product|plan|machine type)$/],
  ["region", /^(?:region|location|zone|data ?center)$/],
  ["description", /^(?:description|item|details?|memo|line ?item|service|notes?)$/],
];

const plainHead = (head: string) =>
  head
    .toLowerCase()
    .replace(/[_\s]+/g, " ")
    .trim();

/** What a head stands for by its own word. */
export function fieldOf(head: string): Field | null {
  const plain = plainHead(head);
  return HEADS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

/** Whether a line of a table is the one with the heads: an amount and something beside it. */
export function isHeadLine(cells: readonly string[]): boolean {
  const fields = new Set(cells.map(fieldOf));
  return fields.has("amount") && fields.size > 2;
}

/** The columns by their heads; what was remembered holds where its head is still there. */
export function guessMapping(table: Table, remembered: Mapping | null): Mapping {
  const columns: Mapping["columns"] = {};
  const used = new Set<string>();
  const assign = (field: Field, head: string | undefined) => {
    if (head === undefined || used.has(head) || columns[field] !== undefined) return;
    columns[field] = head;
    used.add(head);
  };
  const byName = new Map(table.heads.map((head) => [plainHead(head), head]));
  for (const field of FIELDS) assign(field, byName.get(plainHead(remembered?.columns[field] ?? "")));
  // An id tells a machine better than its name does.
  assign(
    "resource",
    table.heads.find((head) => /^(?:resource|instance) id$/.test(plainHead(head))),
  );
  for (const head of table.heads) {
    const field = fieldOf(head);
    if (field) assign(field, head);
  }
  if (columns.sku === undefined) assign("sku", columnLike(table, /^(?:gpu|cpu)_\d+x_\w+$/, used));
  if (columns.resource === undefined) assign("resource", columnLike(table, /^[0-9a-f]{32}$|^[0-9a-f-]{36}$/, used));
  const cells = (field: Field) => cellsOf(table, columns[field]);
  const holds = remembered !== null && remembered.columns.amount === columns.amount;
  return {
    columns,
    decimal: guessMark(cells("amount")) ?? (holds ? remembered.decimal : "point"),
    dateOrder: guessOrder([...cells("from"), ...cells("to")]) ?? (holds ? remembered.dateOrder : null),
    unit: guessUnit(columns.quantity) ?? (holds ? remembered.unit : "hours"),
  };
}

function cellsOf(table: Table, head: string | undefined): string[] {
  const column = head === undefined ? -1 : table.heads.indexOf(head);
  if (column < 0) return [];
  return table.rows.slice(0, 500).flatMap(({ cells }) => cells[column] || []);
}

function columnLike(table: Table, pattern: RegExp, used: ReadonlySet<string>): string | undefined {
  return table.heads.find((head) => {
    if (used.has(head)) return false;
    const cells = cellsOf(table, head);
    return cells.length > 0 && cells.filter((cell) => pattern.test(cell)).length * 2 > cells.length;
  });
}

/** The mark with which every amount can be read; null: with both or with none. */
function guessMark(cells: readonly string[]): DecimalMark | null {
  const reads = (mark: DecimalMark) =>
    cells.length > 0 &&
    cells.every((cell) => {
      try {
        return parseMoney(cell, mark) !== null;
      } catch {
        return false;
      }
    });
  const [isPoint, isComma] = [reads("point"), reads("comma")];
  return isPoint === isComma ? null : isPoint ? "point" : "comma";
}

/** A head may say it: "Hours", "Usage (minutes)". */
function guessUnit(head: string | undefined): Unit | null {
  if (head === undefined) return null;
  const inside = /[([]([^)\]]+)[)\]]/.exec(head)?.[1];
  return unitOf(inside ?? head.replace(/^billed /i, ""));
}
