import { QuoteFile } from "@/lib/domain/plan/quote-input";
import { importQuotes } from "@/lib/services/plan/quotes";
import { post } from "@/lib/web/route";

export const POST = post(QuoteFile, importQuotes);
