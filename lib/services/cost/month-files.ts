import { type CloseTableQuestion, closeTable, type WhyTableQuestion, whyTable } from "@/lib/domain/cost/month-tables";
import { exporting } from "@/lib/services/table";
import { readClose } from "./close";
import { readWhy } from "./why";

export const exportWhy = exporting((ctx, question: WhyTableQuestion) => readWhy(ctx, question), whyTable);
export const exportClose = exporting((ctx, question: CloseTableQuestion) => readClose(ctx, question), closeTable);
