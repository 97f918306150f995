import { RemoveInvoice } from "@/lib/domain/invoice/view";
import { removeInvoice } from "@/lib/services/cost/invoices";
import { post } from "@/lib/web/route";

export const POST = post(RemoveInvoice, removeInvoice);
