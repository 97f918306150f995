import { settleCosts } from "@/lib/db/alerts/costs";
import type { Ctx } from "@/lib/domain/access";

/** What alerts that ended of late have cost, once the ledger has come to their end. */
export async function settleAlertCosts(ctx: Ctx): Promise<void> {
  await settleCosts(ctx.now);
}
