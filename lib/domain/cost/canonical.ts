import type { Micros } from "./money";

/** A row of a month's ledger as its content hash sees it: everything that is money, nothing that a database numbers by itself. */
export type CanonicalRow = {
  key: string;
  period: string;
  day: string;
  charge: string;
  resourceId: string | null;
  chargeId: string | null;
  commitmentId: string | null;
  startsAt: Date;
  endsAt: Date;
  minutes: number;
  byteHours: string | null;
  priceMicros: Micros | null;
  micros: Micros | null;
  lowMicros: Micros | null;
  highMicros: Micros | null;
  listMicros: Micros | null;
  effectiveMicros: Micros | null;
  isFlagged: boolean;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  correctsKey: string | null;
  note: string | null;
};

const instant = (at: Date) => at.toISOString();
const amount = (micros: Micros | null) => micros?.toString() ?? null;

const COLUMNS: readonly (readonly [name: string, cell: (row: CanonicalRow) => string | null])[] = [
  ["key", (row) => row.key],
  ["period", (row) => row.period],
  ["day", (row) => row.day],
  ["charge", (row) => row.charge],
  ["resource_id", (row) => row.resourceId],
  ["charge_id", (row) => row.chargeId],
  ["commitment_id", (row) => row.commitmentId],
  ["starts_at", (row) => instant(row.startsAt)],
  ["ends_at", (row) => instant(row.endsAt)],
  ["minutes", (row) => row.minutes.toString()],
  ["byte_hours", (row) => row.byteHours],
  ["price_micros", (row) => amount(row.priceMicros)],
  ["micros", (row) => amount(row.micros)],
  ["low_micros", (row) => amount(row.lowMicros)],
  ["high_micros", (row) => amount(row.highMicros)],
  ["list_micros", (row) => amount(row.listMicros)],
  ["effective_micros", (row) => amount(row.effectiveMicros)],
  ["is_flagged", (row) => String(row.isFlagged)],
  ["team", (row) => row.team],
  ["project", (row) => row.project],
  ["environment", (row) => row.environment],
  ["cost_center", (row) => row.costCenter],
  ["corrects_key", (row) => row.correctsKey],
  ["note", (row) => row.note],
];

/**
 * The canonical CSV: UTF-8, comma, every line ends in a line feed, amounts in whole micro-dollars, instants in UTC, rows in order of
 * key. A field is quoted where it holds a comma, a quote or a line end; nothing known is an empty field. The SHA-256 of these bytes,
 * head included, is the content hash of the month: `sha256sum` of the file says the same.
 */
export const CANONICAL_HEAD = `${COLUMNS.map(([name]) => name).join(",")}\n`;

export function canonicalLine(row: CanonicalRow): string {
  return `${COLUMNS.map(([, cell]) => field(cell(row))).join(",")}\n`;
}

/** Not the CSV for people: text that begins like a formula stays as it is, or the bytes would not be the ledger's. */
function field(text: string | null): string {
  if (text === null) return "";
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** JSON with its names in order: the same content, the same bytes, wherever it was kept. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => canonicalJson(one)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`);
  return `{${parts.join(",")}}`;
}
