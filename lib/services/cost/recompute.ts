import { ledgerHash } from "@/lib/db/cost/ledger";
import { recordAudit } from "@/lib/db/mutate";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";
import { recomputeCosts } from "./meter";

export type Recomputed = {
  month: string;
  resources: number;
  before: Awaited<ReturnType<typeof ledgerHash>>;
  after: Awaited<ReturnType<typeof ledgerHash>>;
};

/**
 * Works out every row from the beginning of a month on (null: of this one) from what was observed. Closed months stay; what differs
 * goes into the open one.
 */
export async function recompute(ctx: Ctx, asked: { month: string | null }): Promise<Recomputed> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  const month = asked.month ?? monthOf(ctx.now.getTime(), zone);
  const range = monthRange(month, zone);
  if (range.from > ctx.now.getTime())
    throw new AppError("invalid", `${month} has not begun. Nothing was changed.`, { month: "has not begun" });
  const before = await ledgerHash();
  const { resources } = await recomputeCosts(ctx, dayOf(range.from, zone));
  const after = await ledgerHash();
  await recordAudit(ctx, {
    action: "ledger.recomputed",
    subjectKind: "period",
    subjectId: month,
    subject: month,
    before: { rows: before.rows, micros: before.micros },
    after: { rows: after.rows, micros: after.micros, resources },
  });
  return { month, resources, before, after };
}
