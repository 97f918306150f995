import { authorize, type Ctx } from "@/lib/domain/access";
import { reportText } from "@/lib/domain/alignment/report";
import { findingsTable } from "@/lib/domain/alignment/table";
import { exporting } from "@/lib/services/table";
import { readAlignment, readFindings } from "./read";

/** The whole page as a dated Markdown document. */
export async function exportReport(ctx: Ctx): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  authorize(ctx, "export");
  const text = reportText(await readAlignment(ctx));
  return { name: `hopperdeck-alignment-${ctx.now.toISOString().slice(0, 10)}.md`, lines: whole(text) };
}

export const exportFindings = exporting(readFindings, findingsTable);

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
