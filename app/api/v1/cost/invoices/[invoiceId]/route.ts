import { InvoiceTableQuestion } from "@/lib/domain/invoice/tables";
import { InvoiceQuestion } from "@/lib/domain/invoice/view";
import { exportInvoice } from "@/lib/services/cost/invoice-file";
import { readInvoice } from "@/lib/services/cost/invoices";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(InvoiceQuestion, readInvoice), InvoiceTableQuestion, exportInvoice);
