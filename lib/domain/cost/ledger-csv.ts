import { usdCell } from "@/lib/domain/cells";
import type { TableColumn } from "@/lib/domain/table";
import type { Micros } from "./money";

/** A row of the ledger with the words and the price that it was written with. */
export type LedgerDetail = {
  key: string;
  day: string;
  charge: string;
  /** Null: a charge that no machine and no file system makes. */
  resourceId: string | null;
  externalId: string | null;
  name: string;
  typeName: string | null;
  region: string | null;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
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

/** What is not metered has no price per anything. */
const PRICE_PER: Readonly<Record<string, string>> = { usage: "hour", storage: "GiB-month of 720 hours" };

/** The ledger as a table: the amounts add up exactly. */
export const LEDGER_COLUMNS: readonly TableColumn<LedgerDetail>[] = [
  { name: "day", cell: (row) => row.day },
  { name: "charge", cell: (row) => row.charge },
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "provider_id", cell: (row) => row.externalId },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "team", cell: (row) => row.team },
  { name: "project", cell: (row) => row.project },
  { name: "environment", cell: (row) => row.environment },
  { name: "cost_center", cell: (row) => row.costCenter },
  { name: "from_utc", cell: (row) => row.startsAt.toISOString() },
  { name: "to_utc", cell: (row) => row.endsAt.toISOString() },
  { name: "minutes", cell: (row) => (row.charge === "usage" ? row.minutes : null) },
  { name: "byte_hours", cell: (row) => (row.byteHours === null ? null : { number: row.byteHours }) },
  { name: "price_usd", cell: (row) => usdCell(row.priceMicros) },
  { name: "price_per", cell: (row) => PRICE_PER[row.charge] ?? null },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "at_least_usd", cell: (row) => usdCell(row.lowMicros) },
  { name: "at_most_usd", cell: (row) => usdCell(row.highMicros) },
  { name: "amount_is_known", cell: (row) => row.micros !== null },
  { name: "needs_review", cell: (row) => row.isFlagged },
  { name: "key", cell: (row) => row.key },
];
