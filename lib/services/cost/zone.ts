import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { monthOf } from "@/lib/domain/cost/zone";

/** The accounting month that runs now. */
export async function readAccountingMonth(ctx: Ctx): Promise<string> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  return monthOf(ctx.now.getTime(), zone);
}
