import { z } from "zod";
import type { HostFacts } from "@/lib/domain/telemetry/report";

export const MachineQuestion = z.object({ instanceId: z.uuid() });
export type MachineQuestion = z.output<typeof MachineQuestion>;

/** What the agent of a machine says of it, beside its GPUs. */
export type MachineAnswer = {
  now: number;
  /** Null where no agent has ever reported. */
  agent: {
    version: string | null;
    /** The one that machines install from here. */
    newest: string;
    isOlder: boolean;
    /** A line for the machine that brings it up to date. */
    updateLine: string;
    lastReceivedAt: number;
    kernel: string | null;
    architecture: string | null;
  } | null;
  /** How far the machine's clock is behind ours, by its last report; negative when it is ahead. */
  clockSkewMs: number | null;
  /** A fact that is absent was never told. */
  facts: HostFacts;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a fact counts as current: some rounds of its probe. */
export const FACT_STALE_MS: Readonly<Record<keyof HostFacts, number>> = {
  processList: 5 * MINUTE,
  clockOffsetMs: 10 * MINUTE,
  clockSource: 10 * MINUTE,
  kernelLog: 20 * MINUTE,
  mounts: 20 * MINUTE,
  cudaBusy: 20 * MINUTE,
  driverVersion: 3 * HOUR,
  cudaVersion: 3 * HOUR,
  torchVersion: 3 * HOUR,
  cudaProbe: 3 * HOUR,
};

/** Whether a version such as 1.10.2 comes before another; what is no version comes before all. */
export function isOlderVersion(version: string | null, than: string): boolean {
  const [left, right] = [partsOf(version ?? ""), partsOf(than)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function partsOf(version: string): number[] {
  const digits = /^\d{1,6}(?:\.\d{1,6}){0,3}/.exec(version)?.[0] ?? "0";
  return digits.split(".").map(Number);
}
