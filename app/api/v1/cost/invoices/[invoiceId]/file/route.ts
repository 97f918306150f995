import { InvoiceQuestion } from "@/lib/domain/invoice/view";
import { readInvoiceFile } from "@/lib/services/cost/invoice-file";
import { kept } from "@/lib/web/download";

export const GET = kept(InvoiceQuestion, readInvoiceFile);
