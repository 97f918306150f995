import { Decide } from "@/lib/domain/invoice/view";
import { decideVariances } from "@/lib/services/cost/invoices";
import { post } from "@/lib/web/route";

export const POST = post(Decide, decideVariances);
