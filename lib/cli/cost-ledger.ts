import { MonthQuestion } from "@/lib/domain/cost/close";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { recompute } from "@/lib/services/cost/recompute";
import { withDatabase } from "./connect";
import { readArguments, UsageError, understand } from "./usage";

/** `cost recompute [--month YYYY-MM]`: works out the ledger of this month, or of everything since the one named, from what was observed. */
export async function costRecompute(given: string[]): Promise<number> {
  const { words, options } = readArguments(given);
  const strange = Object.keys(options).find((name) => name !== "month");
  if (words.length > 0 || strange !== undefined)
    throw new UsageError("cost recompute takes nothing but --month YYYY-MM.");
  const asked = options.month === undefined ? null : understand(MonthQuestion.shape.month, options.month);
  return withDatabase(async (ctx) => {
    const { month, resources, before, after } = await recompute(ctx, { month: asked });
    const sum = (of: typeof after) => `${formatCount(of.rows, "row")}, ${formatUsd(of.micros)}`;
    const isSame = before.hash === after.hash;
    console.log(`${formatCount(resources, "resource")} since ${month}: ${sum(after)}.`);
    console.log(isSame ? "Nothing was different." : `It was ${sum(before)}.`);
    console.log(after.hash);
    return 0;
  });
}
