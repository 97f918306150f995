"use server";

import { NewQuote, QuoteFile, QuoteId, QuoteVerdict } from "@/lib/domain/plan/quote-input";
import * as verbs from "@/lib/services/plan/quotes";
import { action } from "@/lib/web/action";

export const add = action(NewQuote, verbs.addQuote);
export const preview = action(QuoteFile, verbs.previewQuotes);
export const importFile = action(QuoteFile, verbs.importQuotes);
export const judge = action(QuoteVerdict, verbs.judgeQuote);
export const withdraw = action(QuoteId, verbs.withdrawQuote);
