import type { InstanceFacts } from "@/lib/db/fleet/read";
import { listIntents } from "@/lib/db/intents";
import { type LatestRow, listLatest } from "@/lib/db/telemetry/read";
import { providerActor } from "@/lib/domain/fleet/provider-actor";
import type { InstanceRow, TelemetryState } from "@/lib/domain/fleet/view";
import { groupBy } from "@/lib/domain/group";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";

/** Puts together what a person sees of each machine. */
export async function instanceRows(facts: InstanceFacts[], now: Date): Promise<InstanceRow[]> {
  const ids = facts.map((one) => one.id);
  const [latest, open] = await Promise.all([listLatest(ids), listIntents({ open: true })]);
  const intents = new Map(
    open.flatMap((intent) => (intent.targetId && intent.kind !== "launch" ? [[intent.targetId, intent] as const] : [])),
  );
  const byMachine = groupBy(latest, (gpu) => gpu.resourceId);
  return facts.map((one) => {
    const gpus = byMachine.get(one.id) ?? [];
    const intent = intents.get(one.id);
    const telemetry = telemetryOf(one, gpus, now.getTime());
    return {
      id: one.id,
      externalId: one.externalId,
      name: one.name ?? one.externalId.slice(0, 12),
      hasName: one.name !== null,
      status: one.status,
      rawStatus: typeof one.attrs.rawStatus === "string" ? one.attrs.rawStatus : null,
      isBilled: isBilled(one),
      isGone: one.goneAt !== null,
      typeName: one.typeName,
      gpuModel: one.gpuModel,
      gpus: Math.max(one.typeGpus ?? 0, gpus.length),
      region: one.region,
      ip: one.ip,
      labels: {
        owner: one.owner,
        team: one.team,
        project: one.project,
        environment: one.environment,
        costCenter: one.costCenter,
        workload: one.workload,
      },
      isOurs: one.launchIntentId !== null,
      launchedBy: one.launchedBy === null ? null : providerActor(one.launchedBy),
      firstSeenAt: one.firstSeenAt.getTime(),
      activeSince: one.activeSince?.getTime() ?? null,
      priceMicros: one.priceMicros?.toString() ?? null,
      todayMicros: one.todayUnknown > 0 && one.todayMicros === null ? null : (one.todayMicros ?? 0n).toString(),
      telemetry,
      ...summary(gpus),
      idle:
        one.idleSince && one.idleKind && isBilled(one) ? { kind: one.idleKind, since: one.idleSince.getTime() } : null,
      alert: one.alert,
      openIntent:
        intent && intent.kind !== "launch"
          ? { id: intent.id, kind: intent.kind, state: intent.state, acceptedAt: intent.acceptedAt?.getTime() ?? null }
          : null,
      purpose: one.purpose,
      leaseUntil: one.leaseUntil?.getTime() ?? null,
      protection: one.isProtected ? { reason: one.protectReason } : null,
    };
  });
}

/** Whether the meter runs: from active on until terminate was asked for; what we do not know bills. */
export function isBilled(one: Pick<InstanceFacts, "status" | "goneAt" | "activeSince">): boolean {
  if (one.goneAt !== null || one.activeSince === null) return false;
  return one.status === "active" || one.status === "unhealthy" || one.status === "unknown";
}

function telemetryOf(one: InstanceFacts, gpus: LatestRow[], now: number): InstanceRow["telemetry"] {
  const at = Math.max(0, ...gpus.map((gpu) => gpu.at?.getTime() ?? 0)) || null;
  const intervalMs = one.intervalMs ?? gpus[0]?.intervalMs ?? 10_000;
  const state = (): TelemetryState => {
    if (!isBilled(one)) return "not_expected";
    if (one.sourceError) return "failing";
    if (at === null) return "never";
    return now - at > silentAfterMs(intervalMs) ? "silent" : "reporting";
  };
  return { state: state(), at, intervalMs, error: one.sourceError };
}

function summary(gpus: LatestRow[]) {
  const mean = (values: (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const total = (values: (number | null)[]) =>
    values.some((value) => value === null) || values.length === 0
      ? null
      : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const most = (values: (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    utilizationPct: mean(gpus.map((gpu) => gpu.values.utilizationPct)),
    memoryUsedMib: total(gpus.map((gpu) => gpu.values.memoryUsedMib)),
    memoryTotalMib: total(gpus.map((gpu) => gpu.memoryMib)),
    temperatureC: most(gpus.map((gpu) => gpu.values.temperatureC)),
    powerW: total(gpus.map((gpu) => gpu.values.powerW)),
  };
}
