import { InvoiceTableQuestion } from "@/lib/domain/invoice/tables";
import {
  Decide,
  type InvoiceAnswer,
  InvoiceQuestion,
  type InvoicesAnswer,
  InvoicesQuestion,
  NewInvoice,
  RemoveInvoice,
} from "@/lib/domain/invoice/view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes of the provider's invoices. */
export const INVOICE_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/cost/invoices",
    "Invoices with a day in the month against the ledger, and days that none covers; `?format=csv|xlsx` as a file.",
    {
      question: { InvoicesQuestion },
      answer: shape<InvoicesAnswer>({
        now: "number",
        month: "string",
        zone: "string",
        invoices: "array",
        accrued: "array",
        totals: "object",
      }),
      right: "invoice:read",
    },
  ),
  act(
    "/api/v1/cost/invoices",
    "Enters an invoice: a table as text (`csv`) or typed lines, and matches it.",
    "invoice:write",
    { NewInvoice },
  ),
  read(
    "/api/v1/cost/invoices/{invoiceId}",
    "An invoice: lines, differences with evidence, decisions; `?format=csv|xlsx` gives a `table` as a file.",
    {
      question: { InvoiceTableQuestion },
      answer: shape<InvoiceAnswer>({
        now: "number",
        zone: "string",
        invoice: "object",
        matched: "object",
        ledgerRows: "number",
        unknownRows: "number",
        comparedMicros: "string",
        toleranceMicros: "string",
        isWithinTolerance: "boolean",
        variances: "array",
        lines: "array",
        isCut: "boolean",
      }),
      right: "invoice:read",
    },
  ),
  act(
    "/api/v1/cost/invoices/{invoiceId}/decide",
    "Accepts, disputes or explains differences of an invoice, or opens them again.",
    "invoice:write",
    { Decide },
  ),
  act("/api/v1/cost/invoices/{invoiceId}/remove", "Takes an invoice away with its charges.", "invoice:write", {
    RemoveInvoice,
  }),
  read("/api/v1/cost/invoices/{invoiceId}/file", "The invoice’s file as it was sent.", {
    question: { InvoiceQuestion },
    answer: { type: "application/octet-stream", about: "The bytes as they came." },
    right: "invoice:read",
  }),
];
