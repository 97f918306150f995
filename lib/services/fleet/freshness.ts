import { findConnection } from "@/lib/db/fleet/connection";
import { STALE_AFTER_MS } from "@/lib/domain/fleet/poll";
import type { Freshness } from "@/lib/domain/fleet/view";

/** How old what is shown of the fleet is. Stale only when good looks have really stopped, not at the first that fails. */
export async function readFreshness(now: Date): Promise<Freshness> {
  const connection = await findConnection();
  const lastOkAt = connection?.lastOkAt?.getTime() ?? null;
  const isStale = connection !== null && now.getTime() - (lastOkAt ?? connection.createdAt.getTime()) > STALE_AFTER_MS;
  const isFrozen = connection?.mutationsFrozenAt != null || connection?.mutateFrozenAt != null;
  return {
    now: now.getTime(),
    lastOkAt,
    staleSince: isStale ? (connection.staleSince?.getTime() ?? lastOkAt) : null,
    error: isStale || isFrozen ? (connection?.lastError ?? null) : null,
    isFrozen,
  };
}
