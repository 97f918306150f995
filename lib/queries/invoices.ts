import { queryOptions } from "@tanstack/react-query";
import type { InvoiceAnswer, InvoicesAnswer, InvoicesQuestion } from "@/lib/domain/invoice/view";
import { getJson } from "./fetch";

const MATCH_MS = 30_000;

export function invoicesQuery(question: InvoicesQuestion) {
  return queryOptions({
    queryKey: ["cost", "invoices", question],
    queryFn: ({ signal }) => getJson<InvoicesAnswer>("/api/v1/cost/invoices", question, signal),
    refetchInterval: MATCH_MS,
  });
}

export function invoiceQuery(invoiceId: string) {
  return queryOptions({
    queryKey: ["cost", "invoice", invoiceId],
    queryFn: ({ signal }) => getJson<InvoiceAnswer>(`/api/v1/cost/invoices/${invoiceId}`, {}, signal),
    refetchInterval: MATCH_MS,
  });
}
