import type { CompareQuestion } from "@/lib/domain/plan/compare-view";
import type { MixQuestion } from "@/lib/domain/plan/mix-view";
import type { QuotesQuestion } from "@/lib/domain/plan/quote-view";
import { compareTable, mixTable, quotesTable, scenariosTable } from "@/lib/domain/plan/tables";
import { exporting } from "@/lib/services/table";
import { readCompare } from "./compare";
import { readMix } from "./mix";
import { readQuotes } from "./quotes";
import { readScenarios } from "./scenarios";

// What the pages show, as files: each reads what its page reads.
export const exportQuotes = exporting((ctx, question: QuotesQuestion) => readQuotes(ctx, question), quotesTable);
export const exportCompare = exporting((ctx, question: CompareQuestion) => readCompare(ctx, question), compareTable);
export const exportScenarios = exporting((ctx, _: Record<string, never>) => readScenarios(ctx), scenariosTable);
export const exportMix = exporting((ctx, question: MixQuestion) => readMix(ctx, question), mixTable);
