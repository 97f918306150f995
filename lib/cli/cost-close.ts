import { MonthQuestion, obstacles, type Point } from "@/lib/domain/cost/close";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { AppError } from "@/lib/errors";
import { closeMonth, readClose, verifyMonth } from "@/lib/services/cost/close";
import { withDatabase } from "./connect";
import { readArguments, UsageError, understand } from "./usage";

const MARKS: Record<Point["state"], string> = { done: "ok", signed: "signed", open: "OPEN", blocked: "NO" };

/** `cost close YYYY-MM [--yes]`: the checklist, and with --yes the close. 0: closed, 1: it stays open. */
export async function costClose(given: string[]): Promise<number> {
  const { words, options } = readArguments(given, ["yes"]);
  const [word, ...rest] = words;
  if (word === undefined || rest.length > 0) throw new UsageError("cost close wants a month like 2026-10.");
  const month = understand(MonthQuestion.shape.month, word);
  return withDatabase(async (ctx) => {
    const before = await readClose(ctx, { month });
    for (const { state, title, fact, signature } of before.points) {
      console.log(`${MARKS[state].padEnd(7)} ${title}: ${fact}`);
      if (signature) console.log(`        settled by ${signature.by}: ${signature.note}`);
    }
    for (const { name, micros, lowMicros, highMicros, signature } of before.review.slice(0, 20))
      console.log(
        `        ${signature ? "signed" : "OPEN  "} ${name} ${formatUsd(micros)} (${formatUsd(lowMicros)} to ${formatUsd(highMicros)})`,
      );
    if (before.status === "closed") {
      const { found, kept } = await verifyMonth(ctx, { month });
      if (found !== kept) {
        console.error(`${month} is closed, and its rows are not those that were closed: their hash is ${found} now.`);
        return 1;
      }
      console.log(`${month} is closed, and its rows have the hash that they were closed with.\n${kept}`);
      return 0;
    }
    const sum = `${formatCount(before.rows, "row")}, ${formatUsd(before.totalMicros)}`;
    if (options.yes === undefined) {
      const left = obstacles(before.points).length;
      console.log(
        left > 0
          ? `${month}: ${sum}. ${formatCount(left, "point")} in the way; settle them at /cost/${month}.`
          : `${month}: ${sum}. Nothing is in the way; close it with: hopperdeck cost close ${month} --yes`,
      );
      return 1;
    }
    try {
      const closed = await closeMonth(ctx, { month });
      const rows = `${formatCount(closed.rows, "row")}, ${formatUsd(closed.totalMicros)}`;
      console.log(`${month} ${closed.wasClosed ? "was closed already" : "is closed"}: ${rows}.\n${closed.contentHash}`);
      return 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      console.error(error.message);
      return 1;
    }
  });
}
