"use server";

import { PreviewQuestion, SentInvoice } from "@/lib/domain/invoice/view";
import * as lines from "@/lib/services/cost/invoice-lines";
import * as invoices from "@/lib/services/cost/invoices";
import { action } from "@/lib/web/action";

export const previewInvoice = action(PreviewQuestion, lines.previewInvoice);
export const sendInvoice = action(SentInvoice, invoices.sendInvoice);
