import { readFile } from "@/lib/db/cost/invoices";
import { authorize, type Ctx } from "@/lib/domain/access";
import { type InvoiceTableQuestion, invoicesTable, invoiceTable } from "@/lib/domain/invoice/tables";
import type { InvoiceQuestion, InvoicesQuestion } from "@/lib/domain/invoice/view";
import { AppError } from "@/lib/errors";
import { exporting } from "@/lib/services/table";
import { readInvoice, readInvoices } from "./invoices";

const EVERY_LINE = 1_000_000;

/** The file of an invoice, byte for byte as it was sent. */
export async function readInvoiceFile(
  ctx: Ctx,
  { invoiceId }: InvoiceQuestion,
): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  authorize(ctx, "invoice:read");
  const file = await readFile(invoiceId);
  if (!file) throw new AppError("not-found", "No file is kept of this invoice: it was typed, or there is none.");
  return file;
}

export const exportInvoices = exporting(
  (ctx, question: InvoicesQuestion) => readInvoices(ctx, question),
  invoicesTable,
);
export const exportInvoice = exporting(
  (ctx, question: InvoiceTableQuestion) => readInvoice(ctx, question, EVERY_LINE),
  invoiceTable,
);
