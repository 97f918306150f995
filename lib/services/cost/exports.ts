import { sumMonth } from "@/lib/db/cost/close-facts";
import { findPeriod } from "@/lib/db/cost/periods";
import { listMonths } from "@/lib/db/cost/read";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { ExportsAnswer, ExportsQuestion } from "@/lib/domain/cost/exports-view";
import { monthOf } from "@/lib/domain/cost/zone";

/** What the files of a month will say, and which months there are. */
export async function readExports(ctx: Ctx, question: ExportsQuestion): Promise<ExportsAnswer> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const running = monthOf(now, zone);
  const month = question.month ?? running;
  const [period, sums, months] = await Promise.all([findPeriod(month), sumMonth(month), listMonths()]);
  const known = new Set([running, month, ...months.map((one) => one.month)]);
  return {
    now,
    zone,
    month,
    status: period.status,
    isRunning: month >= running,
    rows: sums.rows,
    micros: sums.micros.toString(),
    unknownRows: sums.unknownRows,
    unknownResources: sums.unknownResources,
    contentHash: period.contentHash,
    months: [...known].sort().reverse(),
  };
}
