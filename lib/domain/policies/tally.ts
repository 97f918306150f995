import { burnedMicros } from "@/lib/domain/cost/burn";
import type { Micros } from "@/lib/domain/cost/money";
import type { PolicyMachine } from "./snapshot";

export type OpenSaving = { from: number; until: number | null; priceMicros: Micros | null };

export type Saving = { micros: Micros; closed: { at: number; why: string } | null };

const BUSY_PCT = 5;

/**
 * What a machine that was left running has cost since it would have been ended. It counts until the machine is gone, works
 * again, or would have been wanted again: from then on the policy would have saved nothing.
 */
export function savingOf(
  { from, until, priceMicros }: OpenSaving,
  machine: Pick<PolicyMachine, "isBilled" | "peakPct" | "telemetry"> | null,
  now: number,
): Saving {
  const to = until === null ? now : Math.min(now, until);
  const micros = burnedMicros(priceMicros, from, Math.max(from, to)) ?? 0n;
  if (machine === null || !machine.isBilled) return { micros, closed: { at: to, why: "gone" } };
  if (machine.peakPct !== null && machine.peakPct > BUSY_PCT) return { micros, closed: { at: to, why: "works again" } };
  if (until !== null && now >= until) return { micros, closed: { at: until, why: "wanted again" } };
  return { micros, closed: null };
}
