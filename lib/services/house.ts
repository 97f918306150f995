import type { Ctx } from "@/lib/domain/access";
import { installDefaultRules } from "./alerts/evaluate";
import { lambdaConnection } from "./fleet/lambda";
import { prune } from "./telemetry/prune";

/** What must be there before anything runs: partitions for samples, the connection, the default rules. */
export async function prepareHouse(ctx: Ctx): Promise<void> {
  await prune(ctx);
  await lambdaConnection(ctx.now);
  await installDefaultRules(ctx);
}
