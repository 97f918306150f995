import { z } from "zod";
import { usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import { VARIANCE_CLASSES, VARIANCE_STATES } from "./types";
import {
  type InvoiceAnswer,
  InvoiceQuestion,
  type InvoiceRow,
  type InvoicesAnswer,
  type LineView,
  type VarianceView,
} from "./view";
import { CLASS_WORDS, STATE_WORDS } from "./words";

const INVOICES: readonly TableColumn<InvoiceRow>[] = [
  { name: "invoice", cell: (row) => row.number },
  { name: "issued_on", cell: (row) => row.issuedOn },
  { name: "from_day", cell: (row) => row.fromDay },
  { name: "to_day", cell: (row) => row.toDay },
  { name: "lines", cell: (row) => row.lines },
  { name: "invoiced_usd", cell: (row) => usdCell(row.totalMicros) },
  { name: "ledger_usd", cell: (row) => usdCell(row.ledgerMicros) },
  { name: "difference_usd", cell: (row) => usdCell(row.differenceMicros) },
  { name: "open_differences", cell: (row) => row.open },
  { name: "unexplained_usd", cell: (row) => usdCell(row.openMicros) },
  { name: "disputed_usd", cell: (row) => usdCell(row.disputedMicros) },
  { name: "file", cell: (row) => row.fileName },
];

/** Invoices of a month, as a file. */
export function invoicesTable({ month, invoices }: InvoicesAnswer): WholeTable {
  return {
    ...cellsOf(INVOICES, invoices),
    name: `invoices-${month}`,
    title: "Invoices",
    about: [["Month", month]],
  };
}

const millionths = (text: string | null) => usdCell(text);

const VARIANCES: readonly TableColumn<VarianceView>[] = [
  { name: "class", cell: (row) => CLASS_WORDS[row.class] },
  { name: "about", cell: (row) => row.evidence.label },
  { name: "lines", cell: (row) => row.evidence.lines.join(" ") },
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "invoiced_usd", cell: (row) => usdCell(row.billedMicros) },
  { name: "ledger_usd", cell: (row) => usdCell(row.ledgerMicros) },
  { name: "difference_usd", cell: (row) => usdCell(row.differenceMicros) },
  { name: "unit", cell: (row) => (row.evidence.unit === "gib_hour" ? "GiB-hours" : row.evidence.unit && "minutes") },
  { name: "invoiced_quantity", cell: (row) => millionths(row.evidence.billedQuantity) },
  { name: "ledger_quantity", cell: (row) => millionths(row.evidence.ledgerQuantity) },
  { name: "invoiced_rate_usd", cell: (row) => usdCell(row.evidence.billedRate) },
  { name: "ledger_rate_usd", cell: (row) => usdCell(row.evidence.ledgerRate) },
  { name: "at_least_usd", cell: (row) => usdCell(row.evidence.lowMicros) },
  { name: "at_most_usd", cell: (row) => usdCell(row.evidence.highMicros) },
  { name: "within_bounds", cell: (row) => row.evidence.isWithinBounds },
  { name: "why", cell: (row) => row.evidence.remark },
  { name: "state", cell: (row) => STATE_WORDS[row.state] },
  { name: "note", cell: (row) => row.note || null },
  { name: "decided_by", cell: (row) => row.by },
  { name: "decided_at_utc", cell: (row) => (row.at === null ? null : new Date(row.at).toISOString()) },
];

/** Of an invoice: its differences, or its lines. */
export const InvoiceTableQuestion = InvoiceQuestion.extend({
  table: z.enum(["differences", "lines"]).default("differences"),
  /** Only differences of a class or in a state. */
  class: z.enum(VARIANCE_CLASSES).optional(),
  state: z.enum(VARIANCE_STATES).optional(),
});
export type InvoiceTableQuestion = z.output<typeof InvoiceTableQuestion>;

const LINES: readonly TableColumn<LineView>[] = [
  { name: "line", cell: (row) => row.line },
  { name: "charge", cell: (row) => row.charge },
  { name: "description", cell: (row) => row.description },
  { name: "resource", cell: (row) => row.resource },
  { name: "sku", cell: (row) => row.sku },
  { name: "region", cell: (row) => row.region },
  { name: "from_day", cell: (row) => row.fromDay },
  { name: "to_day", cell: (row) => row.toDay },
  { name: "quantity", cell: (row) => millionths(row.quantityMicros) },
  {
    name: "unit",
    cell: (row) => (row.quantityMicros === null ? null : row.charge === "storage" ? "GiB-hours" : "minutes"),
  },
  { name: "rate_usd", cell: (row) => usdCell(row.rateMicros) },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
];

/** What is different of an invoice, or what it says, as a file. */
export function invoiceTable(
  { invoice, variances, lines }: InvoiceAnswer,
  { table, class: found, state }: InvoiceTableQuestion,
): WholeTable {
  const name = `invoice-${invoice.number.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "differences"}`;
  const about = [["Invoice", invoice.number] as const, ["Days", `${invoice.fromDay} to ${invoice.toDay}`] as const];
  if (table === "lines")
    return { ...cellsOf(LINES, lines), name: `${name}-lines`, title: "Lines of an invoice", about };
  const shown = variances.filter(
    (one) => (found === undefined || one.class === found) && (state === undefined || one.state === state),
  );
  const only = [found && CLASS_WORDS[found], state && STATE_WORDS[state]].filter(Boolean).join(", ");
  return {
    ...cellsOf(VARIANCES, shown),
    name,
    title: "Differences between an invoice and the ledger",
    about: only === "" ? about : [...about, ["Only", only]],
  };
}
