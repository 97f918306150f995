import { InvoicesQuestion, NewInvoice } from "@/lib/domain/invoice/view";
import { exportInvoices } from "@/lib/services/cost/invoice-file";
import { addInvoice, readInvoices } from "@/lib/services/cost/invoices";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(InvoicesQuestion, readInvoices), InvoicesQuestion, exportInvoices);
export const POST = post(NewInvoice, addInvoice, 3 * 1024 * 1024);
