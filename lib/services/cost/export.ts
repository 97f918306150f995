import { streamLedger } from "@/lib/db/cost/rows";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { LEDGER_CSV_HEAD, ledgerCsvLine } from "@/lib/domain/cost/ledger-csv";
import type { LedgerQuestion } from "@/lib/domain/cost/view";
import { AppError } from "@/lib/errors";
import { ledgerScope } from "./read";

/** Each holds a database connection for as long as its reader takes. */
const MOST_AT_ONCE = 3;
let running = 0;

/** The ledger as a file whose amounts add up to what the pages say: all rows of a month, a day or a resource, as of one instant. */
export async function exportLedger(
  ctx: Ctx,
  question: LedgerQuestion,
): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  if (running >= MOST_AT_ONCE)
    throw new AppError(
      "too-many",
      "Other exports are being written. Try again in a minute; nothing was lost.",
      {},
      60_000,
    );
  const { zone } = await readSetting("accounting");
  const scope = ledgerScope(ctx, question, zone);
  const what = [question.day ?? scope.from.slice(0, 7), question.resourceId?.slice(-6)].filter(Boolean).join("-");
  return { name: `hopperdeck-ledger-${what}.csv`, lines: linesOf(scope, zone) };
}

async function* linesOf(scope: ReturnType<typeof ledgerScope>, zone: string): AsyncGenerator<string> {
  running++;
  try {
    yield LEDGER_CSV_HEAD;
    for await (const rows of streamLedger(scope)) yield rows.map((row) => ledgerCsvLine(row, zone)).join("");
  } finally {
    running--;
  }
}
