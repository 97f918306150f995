import type { StoredInvoice, StoredVariance, VarianceSums } from "@/lib/db/cost/invoices";
import { sum } from "@/lib/domain/cost/money";
import { addDays } from "@/lib/domain/invoice/date";
import { type InvoiceLine, VARIANCE_CLASSES } from "@/lib/domain/invoice/types";
import { differenceOf } from "@/lib/domain/invoice/variance";
import type { InvoiceRow, InvoicesAnswer, LineView, VarianceView } from "@/lib/domain/invoice/view";

export function lineView<T extends InvoiceLine>(line: T): Omit<T, keyof LineView> & LineView {
  return {
    ...line,
    quantityMicros: line.quantityMicros?.toString() ?? null,
    rateMicros: line.rateMicros?.toString() ?? null,
    micros: line.micros.toString(),
  };
}

/** An invoice with what is different of it, by what was said; its ledger is the total less the differences. */
export function invoiceRow(invoice: StoredInvoice, sums: readonly Omit<VarianceSums, "invoiceId">[]): InvoiceRow {
  const total = (of: readonly { micros: bigint }[]) => sum(of.map(({ micros }) => micros));
  const count = (of: readonly { count: number }[]) => of.reduce((all, one) => all + one.count, 0);
  const open = sums.filter(({ state }) => state === "open");
  const disputed = sums.filter(({ state }) => state === "disputed");
  const difference = total(sums);
  return {
    id: invoice.id,
    number: invoice.number,
    issuedOn: invoice.issuedOn,
    fromDay: invoice.fromDay,
    toDay: invoice.toDay,
    lines: invoice.lineCount,
    totalMicros: invoice.totalMicros.toString(),
    ledgerMicros: (invoice.totalMicros - difference).toString(),
    differenceMicros: difference.toString(),
    open: count(open),
    openMicros: total(open).toString(),
    disputed: count(disputed),
    disputedMicros: total(disputed).toString(),
    byClass: VARIANCE_CLASSES.flatMap((found) => {
      const own = sums.filter((one) => one.class === found);
      const still = own.filter(({ state }) => state === "open");
      return own.length === 0
        ? []
        : [{ class: found, count: count(own), micros: total(own).toString(), open: count(still) }];
    }),
    fileName: invoice.fileName,
    by: invoice.by,
    createdAt: invoice.createdAt.getTime(),
  };
}

export function varianceView(one: StoredVariance): VarianceView {
  return {
    key: one.key,
    class: one.class,
    state: one.state,
    line: one.line,
    resourceId: one.resourceId,
    billedMicros: one.billedMicros?.toString() ?? null,
    ledgerMicros: one.ledgerMicros?.toString() ?? null,
    differenceMicros: differenceOf(one).toString(),
    evidence: one.evidence,
    note: one.note,
    by: one.by,
    at: one.decidedAt?.getTime() ?? null,
  };
}

/** Days one after the other as spans, with what they come to. */
export function spansOf(days: readonly { day: string; micros: bigint }[]): InvoicesAnswer["accrued"] {
  const spans: { fromDay: string; toDay: string; micros: bigint }[] = [];
  for (const { day, micros } of days) {
    const last = spans.at(-1);
    if (last && addDays(last.toDay, 1) === day) {
      last.toDay = day;
      last.micros += micros;
    } else spans.push({ fromDay: day, toDay: day, micros });
  }
  return spans.map(({ micros, ...span }) => ({ ...span, micros: micros.toString() }));
}
