"use server";

import { Decide, RemoveInvoice } from "@/lib/domain/invoice/view";
import * as invoices from "@/lib/services/cost/invoices";
import { action } from "@/lib/web/action";

export const decideVariances = action(Decide, invoices.decideVariances);
export const removeInvoice = action(RemoveInvoice, invoices.removeInvoice);
