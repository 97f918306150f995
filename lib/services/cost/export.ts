import { streamLedger } from "@/lib/db/cost/rows";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { LEDGER_COLUMNS, type LedgerDetail } from "@/lib/domain/cost/ledger-csv";
import type { LedgerQuestion } from "@/lib/domain/cost/view";
import type { CsvCell } from "@/lib/domain/csv";
import type { TableFile } from "@/lib/domain/table";
import { startStream } from "@/lib/services/turns";
import { ledgerScope } from "./read";

/** The ledger as a file whose amounts add up to what the pages say: all rows of a month, a day or a resource, as of one instant. */
export async function exportLedger(ctx: Ctx, question: LedgerQuestion): Promise<TableFile> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  const { zone } = await readSetting("accounting");
  const scope = ledgerScope(ctx, question, zone);
  const what = [question.day ?? scope.from.slice(0, 7), question.resourceId?.slice(-6)].filter(Boolean).join("-");
  let revision = "";
  const rows = await startStream(
    cellsOf(
      streamLedger(scope, (told) => {
        revision = told;
      }),
    ),
  );
  return {
    name: `hopperdeck-ledger-${what}`,
    title: "Rows of the ledger",
    about: [
      ["Days", scope.from === scope.to ? scope.from : `${scope.from} to ${scope.to}`],
      ...(question.resourceId ? ([["Resource", question.resourceId]] as const) : []),
    ],
    columns: LEDGER_COLUMNS.map(({ name }) => name),
    zone,
    asOf: ctx.now.getTime(),
    revision,
    rows,
  };
}

async function* cellsOf(batches: AsyncGenerator<LedgerDetail[]>): AsyncGenerator<CsvCell[][]> {
  for await (const rows of batches) yield rows.map((row) => LEDGER_COLUMNS.map(({ cell }) => cell(row)));
}
