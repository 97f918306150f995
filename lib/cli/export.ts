import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { FocusQuestion } from "@/lib/domain/focus/view";
import { formatCount } from "@/lib/domain/format";
import { exportFocus, readFocusMetadata } from "@/lib/services/cost/focus";
import { withDatabase } from "./connect";
import { writeOut } from "./file-input";
import { typedPath } from "./typed-path";
import { readArguments, UsageError, understand } from "./usage";

/** `export focus --month YYYY-MM`: to the standard output, or into a file with what belongs beside it. */
export async function exportFile(given: string[]): Promise<number> {
  const { words, options } = readArguments(given);
  if (words.length !== 1 || words[0] !== "focus") throw new UsageError("export wants: focus.");
  if (options.month === undefined) throw new UsageError("export focus wants --month, like 2026-10.");
  const question: FocusQuestion = {
    month: understand(FocusQuestion.shape.month, options.month),
    version: understand(FocusQuestion.shape.version, options.version ?? "1.2"),
  };
  return withDatabase(async (ctx) => {
    const { out } = options;
    const { lines } = await exportFocus(ctx, question);
    if (out === undefined) {
      for await (const part of lines) await writeOut(part);
      return 0;
    }
    await writeFileWhole(typedPath(out), lines);
    const metadata = await readFocusMetadata(ctx, question);
    const beside = `${out.replace(/\.csv$/i, "")}.metadata.json`;
    await writeFile(typedPath(beside), `${JSON.stringify(metadata, null, 2)}\n`);
    const { rows, totals, unknownPrices } = metadata;
    console.log(`${formatCount(rows, "row")}, $${totals.BilledCost} billed, in ${out}; ${beside} says what they are.`);
    if (unknownPrices.rows > 0)
      console.log(`${formatCount(unknownPrices.rows, "row")} of the ledger have no known price and are in no file.`);
    return 0;
  });
}

/** A file that is broken off does not take the place of a whole one. */
async function writeFileWhole(path: string, parts: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  const stream = createWriteStream(part);
  try {
    await once(stream, "open");
    for await (const text of parts) if (!stream.write(text)) await once(stream, "drain");
    stream.end();
    await once(stream, "close");
    await rename(part, path);
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw error;
  }
}
