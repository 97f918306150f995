import { store } from "@/lib/db/telemetry/store";
import type { Ctx } from "@/lib/domain/access";
import { SEAL_AFTER_MS } from "@/lib/domain/telemetry/sample";

/** Brings distributions, and hours that were sealed before a late sample came, up to the samples, in bounded pieces. */
export async function rollUp(_ctx: Ctx, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await store.derive())) {
    // Until nothing is left of what was marked before.
  }
}

/** Seals the hours that ended long enough ago, the oldest first. */
export async function seal({ now }: Ctx, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - SEAL_AFTER_MS);
  while (!signal?.aborted && (await store.sealNext(before)) !== null) {
    // Until none is left.
  }
}
