import { INTENT_KINDS, INTENT_STATES } from "@/lib/domain/intents/intent";
import { type CountMetric, METRICS, type Unit, WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";
import type { Family, Sample } from "./exposition";

export type InstanceFacts = {
  id: string;
  externalId: string;
  name: string;
  status: string;
  typeName: string | null;
  region: string;
  labels: { owner: string; team: string; project: string; environment: string; costCenter: string; workload: string };
  isBilled: boolean;
  /** Whether telemetry comes as it should; false also for a machine that never reported. */
  isReporting: boolean;
  priceMicros: string | null;
};

export type GpuFacts = {
  instanceId: string;
  uuid: string;
  mig: string;
  position: number;
  model: string;
  memoryMib: number | null;
  at: number | null;
  intervalMs: number;
  values: Record<WideMetric | CountMetric, number | null>;
};

export type HouseFacts = {
  version: string;
  mode: string;
  databaseBytes: number;
  checks: { name: string; isOk: boolean; ageMs: number | null }[];
  isStale: boolean;
  isFrozen: boolean;
  jobs: { name: string; startedAt: number | null; isFailing: boolean }[];
  intents: { kind: string; state: string; count: number }[];
  outbox: { state: string; count: number }[];
  alerts: { severity: string; status: string; count: number }[];
  dirtyBuckets: number;
  unassignedSenders: number;
};

export type MetricsFacts = { now: number; instances: InstanceFacts[]; gpus: GpuFacts[]; house: HouseFacts };

/** Everything that Prometheus may scrape. A GPU that is silent has no numbers: the last ones would be lies. */
export function metricFamilies(facts: MetricsFacts): Family[] {
  return [...houseFamilies(facts), ...instanceFamilies(facts), ...gpuFamilies(facts)];
}

// ── the product itself ──────────────────────────────────────────────────────

function houseFamilies({ now, house }: MetricsFacts): Family[] {
  return [
    gauge("hopperdeck_info", "The running version, and whether the fleet is real or a demo; always 1", [
      { labels: { version: house.version, mode: house.mode }, value: 1 },
    ]),
    gauge(
      "hopperdeck_health_ok",
      "1 where a part serves, as /api/health judges it",
      house.checks.map(({ name, isOk }) => ({ labels: { check: name }, value: one(isOk) })),
    ),
    gauge(
      "hopperdeck_health_age_seconds",
      "Age of the newest sign of life of a part",
      house.checks.flatMap(({ name, ageMs }) =>
        ageMs === null ? [] : [{ labels: { check: name }, value: ageMs / 1000 }],
      ),
    ),
    single("hopperdeck_inventory_stale", "1 while good answers from the cloud have stopped", one(house.isStale)),
    single(
      "hopperdeck_mutations_frozen",
      "1 while nothing is launched or terminated because the cloud refuses the key",
      one(house.isFrozen),
    ),
    gauge(
      "hopperdeck_worker_job_age_seconds",
      "Time since a job of the worker last began",
      house.jobs.flatMap(({ name, startedAt }) =>
        startedAt === null ? [] : [{ labels: { job_name: name }, value: Math.max(0, now - startedAt) / 1000 }],
      ),
    ),
    gauge(
      "hopperdeck_worker_job_failing",
      "1 where the last run of a job ended with an error",
      house.jobs.map(({ name, isFailing }) => ({ labels: { job_name: name }, value: one(isFailing) })),
    ),
    gauge(
      "hopperdeck_intents",
      "Launches, terminations and restarts by where they stand",
      INTENT_KINDS.flatMap((kind) =>
        INTENT_STATES.map((state) => ({
          labels: { kind, state },
          value: house.intents.find((row) => row.kind === kind && row.state === state)?.count ?? 0,
        })),
      ),
    ),
    gauge(
      "hopperdeck_notifications",
      "Messages to channels by state; queued and sending are the queue",
      house.outbox.map(({ state, count }) => ({ labels: { state }, value: count })),
    ),
    gauge(
      "hopperdeck_alerts_open",
      "Open alerts",
      house.alerts.map(({ severity, status, count }) => ({ labels: { severity, status }, value: count })),
    ),
    single(
      "hopperdeck_rollup_queue",
      "Five-minute buckets whose derived telemetry is behind the samples",
      house.dirtyBuckets,
    ),
    single(
      "hopperdeck_unassigned_senders",
      "Machines that send telemetry and belong to no instance",
      house.unassignedSenders,
    ),
    single("hopperdeck_database_bytes", "Size of the database", house.databaseBytes),
  ];
}

// ── instances ───────────────────────────────────────────────────────────────

function instanceFamilies({ instances }: MetricsFacts): Family[] {
  const each = (value: (instance: InstanceFacts) => number | null): Sample[] =>
    instances.flatMap((instance) => {
      const found = value(instance);
      return found === null ? [] : [{ labels: instanceLabels(instance), value: found }];
    });
  const billed = instances.filter((instance) => instance.isBilled);
  const perHour = billed.reduce((sum, { priceMicros }) => sum + BigInt(priceMicros ?? 0), 0n);
  return [
    gauge(
      "hopperdeck_instance_info",
      "What an instance is and whose; always 1",
      instances.map((instance) => ({
        labels: {
          ...instanceLabels(instance),
          provider_id: instance.externalId,
          type: instance.typeName ?? "",
          region: instance.region,
          status: instance.status,
          ...promLabels(instance.labels),
        },
        value: 1,
      })),
    ),
    gauge(
      "hopperdeck_instance_billed",
      "1 while the meter runs",
      each(({ isBilled }) => one(isBilled)),
    ),
    gauge(
      "hopperdeck_instance_silent",
      "1 while the meter runs and telemetry does not come",
      each(({ isBilled, isReporting }) => one(isBilled && !isReporting)),
    ),
    gauge(
      "hopperdeck_instance_usd_per_hour",
      "Price of a billed instance; absent where it is not known",
      each(({ isBilled, priceMicros }) => (isBilled && priceMicros !== null ? usd(BigInt(priceMicros)) : null)),
    ),
    single("hopperdeck_fleet_usd_per_hour", "Known prices of all billed instances together", usd(perHour)),
    single(
      "hopperdeck_fleet_unpriced_instances",
      "Billed instances without a known price, not in the sum",
      billed.filter(({ priceMicros }) => priceMicros === null).length,
    ),
  ];
}

function instanceLabels({ id, name }: InstanceFacts): Record<string, string> {
  // Not `instance`: that label is the scraped address in Prometheus.
  return { instance_id: id, instance_name: name };
}

// ── GPUs ────────────────────────────────────────────────────────────────────

const BASE_UNITS: Record<Unit, { was: RegExp; suffix: string; factor: number }> = {
  percent: { was: /_pct$/, suffix: "_ratio", factor: 0.01 },
  mebibytes: { was: /_mib$/, suffix: "_bytes", factor: 2 ** 20 },
  celsius: { was: /_c$/, suffix: "_celsius", factor: 1 },
  watts: { was: /_w$/, suffix: "_watts", factor: 1 },
  megahertz: { was: /_mhz$/, suffix: "_hertz", factor: 1e6 },
  count: { was: /$/, suffix: "", factor: 1 },
  bits: { was: /$/, suffix: "", factor: 1 },
};

const COUNT_METRICS: readonly CountMetric[] = ["throttleReasons", "eccUncorrected"];

function gpuFamilies({ now, instances, gpus }: MetricsFacts): Family[] {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const known = gpus.flatMap((gpu) => {
    const instance = byId.get(gpu.instanceId);
    if (!instance) return [];
    const { position, uuid, mig } = gpu;
    const labels = { ...instanceLabels(instance), gpu: String(position), gpu_uuid: uuid, ...(mig && { mig }) };
    const isFresh = gpu.at !== null && now - gpu.at <= silentAfterMs(gpu.intervalMs);
    return [{ ...gpu, labels, isFresh, isSilent: instance.isBilled && !isFresh }];
  });
  const fresh = known.filter((gpu) => gpu.isFresh);
  const of = (metric: WideMetric | CountMetric): Family => {
    const { name, factor } = gpuSeries(metric);
    return gauge(
      name,
      METRICS[metric].label,
      fresh.flatMap(({ labels, values }) => {
        const value = values[metric];
        return value === null ? [] : [{ labels, value: tidy(value * factor) }];
      }),
    );
  };
  return [
    gauge(
      "hopperdeck_gpu_info",
      "A GPU and its model; always 1",
      known.map(({ labels, model }) => ({ labels: { ...labels, model }, value: 1 })),
    ),
    gauge(
      "hopperdeck_gpu_silent",
      "1 while the meter runs and the GPU does not report; its other metrics are absent then",
      known.map(({ labels, isSilent }) => ({ labels, value: one(isSilent) })),
    ),
    gauge(
      "hopperdeck_gpu_sample_age_seconds",
      "Age of the newest sample",
      known.flatMap(({ labels, at }) => (at === null ? [] : [{ labels, value: Math.max(0, now - at) / 1000 }])),
    ),
    gauge(
      "hopperdeck_gpu_memory_total_bytes",
      "GPU memory as the card reports it",
      known.flatMap(({ labels, memoryMib }) => (memoryMib === null ? [] : [{ labels, value: memoryMib * 2 ** 20 }])),
    ),
    ...[...WIDE_METRICS, ...COUNT_METRICS].map(of),
  ];
}

/** The series in which a metric of GPUs is exposed, and what its values are multiplied by. */
export function gpuSeries(metric: WideMetric | CountMetric): { name: string; factor: number } {
  const { column, unit } = METRICS[metric];
  const { was, suffix, factor } = BASE_UNITS[unit];
  return { name: `hopperdeck_gpu_${column.replace(was, suffix)}`, factor };
}

function gauge(name: string, help: string, samples: Sample[]): Family {
  return { name, help, type: "gauge", samples };
}

function promLabels({ costCenter, ...labels }: InstanceFacts["labels"]) {
  return { ...labels, cost_center: costCenter };
}

function single(name: string, help: string, value: number): Family {
  return gauge(name, help, [{ labels: {}, value }]);
}

function one(is: boolean): number {
  return is ? 1 : 0;
}

function usd(micros: bigint): number {
  return Number(micros) / 1e6;
}

/** Multiplying by 0.01 leaves dust in the last digits. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
