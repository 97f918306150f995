import { QuoteVerdict } from "@/lib/domain/plan/quote-input";
import { judgeQuote } from "@/lib/services/plan/quotes";
import { post } from "@/lib/web/route";

export const POST = post(QuoteVerdict, judgeQuote);
