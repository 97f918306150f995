import { NewQuote } from "@/lib/domain/plan/quote-input";
import { QuotesQuestion } from "@/lib/domain/plan/quote-view";
import { addQuote, readQuotes } from "@/lib/services/plan/quotes";
import { exportQuotes } from "@/lib/services/plan/tables";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(QuotesQuestion, readQuotes), QuotesQuestion, exportQuotes);
export const POST = post(NewQuote, addQuote);
