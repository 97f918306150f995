import { rollUpDirty } from "@/lib/db/telemetry/rollup";
import type { Ctx } from "@/lib/domain/access";

/** Brings hours and distributions up to the samples, in bounded pieces. */
export async function rollUp(_ctx: Ctx, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await rollUpDirty()) > 0) {
    // Until nothing is marked any more.
  }
}
