import { type CsvCell, csvLine } from "@/lib/domain/csv";
import { decimalText } from "./decimal";
import type { Micros } from "./money";

/** A row of the ledger with the words and the price that it was written with. */
export type LedgerDetail = {
  key: string;
  day: string;
  charge: string;
  resourceId: string;
  externalId: string;
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  project: string;
  environment: string;
  startsAt: Date;
  endsAt: Date;
  minutes: number;
  byteHours: string | null;
  priceMicros: Micros | null;
  micros: Micros | null;
  lowMicros: Micros | null;
  highMicros: Micros | null;
  isFlagged: boolean;
};

type Column = { name: string; cell: (row: LedgerDetail, zone: string) => CsvCell };

const USD = 1_000_000n;

/** Dollars with all six decimals: the file adds up exactly. */
function usd(micros: Micros | null): CsvCell {
  return micros === null ? null : { number: decimalText(micros, USD, 6) };
}

const COLUMNS: readonly Column[] = [
  { name: "day", cell: (row) => row.day },
  { name: "accounting_zone", cell: (_, zone) => zone },
  { name: "charge", cell: (row) => row.charge },
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "provider_id", cell: (row) => row.externalId },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "team", cell: (row) => row.team },
  { name: "project", cell: (row) => row.project },
  { name: "environment", cell: (row) => row.environment },
  { name: "from_utc", cell: (row) => row.startsAt.toISOString() },
  { name: "to_utc", cell: (row) => row.endsAt.toISOString() },
  { name: "minutes", cell: (row) => (row.charge === "usage" ? row.minutes : null) },
  { name: "byte_hours", cell: (row) => (row.byteHours === null ? null : { number: row.byteHours }) },
  { name: "price_usd", cell: (row) => usd(row.priceMicros) },
  { name: "price_per", cell: (row) => (row.charge === "usage" ? "hour" : "GiB-month of 720 hours") },
  { name: "amount_usd", cell: (row) => usd(row.micros) },
  { name: "at_least_usd", cell: (row) => usd(row.lowMicros) },
  { name: "at_most_usd", cell: (row) => usd(row.highMicros) },
  { name: "amount_is_known", cell: (row) => row.micros !== null },
  { name: "needs_review", cell: (row) => row.isFlagged },
  { name: "key", cell: (row) => row.key },
];

export const LEDGER_CSV_HEAD = csvLine(COLUMNS.map(({ name }) => name));

export function ledgerCsvLine(row: LedgerDetail, zone: string): string {
  return csvLine(COLUMNS.map(({ cell }) => cell(row, zone)));
}
