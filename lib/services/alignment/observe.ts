import { listHosts, listRecords, type MachineRecord } from "@/lib/db/alignment/observed";
import { type LatestRow, listLatest } from "@/lib/db/telemetry/read";
import type { Observed, ObservedCard, ObservedMachine, Said } from "@/lib/domain/alignment/observed";
import { FACT_STALE_MS } from "@/lib/domain/fleet/machine";
import { groupBy } from "@/lib/domain/group";
import { readHost } from "@/lib/domain/telemetry/host";
import type { Probe } from "@/lib/domain/telemetry/report";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";

/** The fleet as the provider lists it and as its own cards and agents report it. `pollAt` is that of the last good listing. */
export async function observe(now: Date, pollAt: number): Promise<Observed> {
  const [records, latest, hosts] = await Promise.all([listRecords(), listLatest(null), listHosts()]);
  const cards = groupBy(latest, (gpu) => gpu.resourceId ?? "");
  return {
    at: pollAt,
    machines: records.map((record) => {
      const host = hosts.get(record.id) ?? null;
      return machineOf(record, reporting(cards.get(record.id) ?? [], now.getTime()), host, now.getTime());
    }),
  };
}

/** The cards that report now: of two in one place the one that was heard last, or a card that was exchanged would count twice. */
function reporting(rows: readonly LatestRow[], now: number): ObservedCard[] {
  const byPlace = new Map<number, ObservedCard>();
  for (const { gpuId, uuid, mig, position, model, memoryMib, driverVersion, at, intervalMs } of rows) {
    if (at === null || mig !== "" || now - at.getTime() > silentAfterMs(intervalMs)) continue;
    const card: ObservedCard = {
      id: gpuId,
      uuid,
      name: model,
      memoryMib,
      driver: driverVersion,
      at: at.getTime(),
    };
    const known = byPlace.get(position);
    if (!known || known.at < card.at) byPlace.set(position, card);
  }
  return [...byPlace].sort(([a], [b]) => a - b).map(([, card]) => card);
}

function machineOf(
  record: MachineRecord,
  cards: ObservedCard[],
  source: { host: unknown; at: Date } | null,
  now: number,
): ObservedMachine {
  const host = source ? readHost(source.host) : {};
  const isRecent = source !== null && now - source.at.getTime() <= FACT_STALE_MS.driverVersion;
  const { owner, team, project, environment, costCenter } = record;
  return {
    id: record.id,
    externalId: record.externalId,
    name: record.name ?? record.externalId.slice(0, 12),
    status: record.status,
    firstSeenAt: record.firstSeenAt.getTime(),
    typeName: record.typeName,
    region: record.region,
    workload: record.workload ?? "unknown",
    tags: record.tags,
    labels: {
      owner: owner ?? "",
      team: team ?? "",
      project: project ?? "",
      environment: environment ?? "",
      cost_center: costCenter ?? "",
    },
    priceMicros: record.priceMicros === null ? null : BigInt(record.priceMicros),
    image:
      record.image === null || record.launchedAt === null
        ? null
        : { value: record.image, at: record.launchedAt.getTime() },
    record:
      record.typeGpus === null
        ? null
        : {
            gpuModel: record.gpuModel,
            gpus: record.typeGpus,
            gpuMemoryGb: record.gpuMemoryGb,
            architecture: record.architecture,
          },
    cards,
    architecture: host.machine && isRecent && source ? { value: host.machine, at: source.at.getTime() } : null,
    cuda: said(host.cudaVersion, FACT_STALE_MS.cudaVersion, now),
    pytorch: said(host.torchVersion, FACT_STALE_MS.torchVersion, now),
    driver: said(host.driverVersion, FACT_STALE_MS.driverVersion, now),
  };
}

function said(probe: Probe<string> | undefined, staleMs: number, now: number): Said<string> | null {
  if (!probe || !("found" in probe) || now - probe.at > staleMs) return null;
  return { value: probe.found, at: probe.at };
}
