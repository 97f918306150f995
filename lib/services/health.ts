import { now as readClock } from "@/lib/db/clock";
import { findConnection } from "@/lib/db/fleet/connection";
import { askDatabase, billedTelemetry, lastBeat } from "@/lib/db/health";
import { STALE_AFTER_MS } from "@/lib/domain/fleet/poll";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";

export type HealthCheck = {
  name: "database" | "worker" | "inventory" | "telemetry";
  isOk: boolean;
  ageMs: number | null;
  detail: string;
};
export type Health = { isOk: boolean; checks: HealthCheck[] };

const BEAT_LATE_MS = 60_000;

/** Whether everything serves. Tells ages and states, nothing of the fleet: strangers may ask. */
export async function readHealth(): Promise<Health> {
  try {
    const now = (await readClock()).getTime();
    await askDatabase();
    const checks = [
      { name: "database" as const, isOk: true, ageMs: 0, detail: "answers" },
      await worker(now),
      await inventory(now),
      await telemetry(now),
    ];
    return { isOk: checks.every((check) => check.isOk), checks };
  } catch {
    return { isOk: false, checks: [{ name: "database", isOk: false, ageMs: null, detail: "does not answer" }] };
  }
}

async function worker(now: number): Promise<HealthCheck> {
  const at = await lastBeat();
  const ageMs = at ? Math.max(0, now - at.getTime()) : null;
  const isOk = ageMs !== null && ageMs <= BEAT_LATE_MS;
  return { name: "worker", isOk, ageMs, detail: isOk ? "beats" : "has not begun anything for a minute" };
}

async function inventory(now: number): Promise<HealthCheck> {
  const connection = await findConnection();
  const ageMs = connection?.lastOkAt ? Math.max(0, now - connection.lastOkAt.getTime()) : null;
  const isOk = ageMs !== null && ageMs <= STALE_AFTER_MS;
  return { name: "inventory", isOk, ageMs, detail: isOk ? "fresh" : "no good answer from Lambda" };
}

async function telemetry(now: number): Promise<HealthCheck> {
  const { machines, newestAt } = await billedTelemetry();
  const ageMs = newestAt ? Math.max(0, now - newestAt.getTime()) : null;
  if (machines === 0) return { name: "telemetry", isOk: true, ageMs, detail: "no machine is billed" };
  const isOk = ageMs !== null && ageMs <= silentAfterMs(10_000);
  return { name: "telemetry", isOk, ageMs, detail: isOk ? "arrives" : "nothing arrives from machines that bill" };
}
