import type pg from "pg";
import {
  DISTRIBUTED_METRICS,
  METRICS,
  type Metric,
  memoryUsedPct,
  type WideMetric,
} from "@/lib/domain/telemetry/catalogue";
import {
  type Distribution,
  decodeBins,
  encodeBins,
  mergeDistributions,
  Tally,
} from "@/lib/domain/telemetry/distribution";
import { FLEET_SCOPE } from "@/lib/domain/telemetry/scope";
import { columnOf } from "./columns";
import { copyOut } from "./copy";
import { type GpuColumns, HOUR_MS, hourOf, instant } from "./hours";
import { fleetMembers, membershipsIn } from "./members";

export const BUCKET_MS = 300_000;

/** The columns of which distributions are made, in the order of the metrics. */
export const DISTRIBUTED_COLUMNS: readonly WideMetric[] = DISTRIBUTED_METRICS.map((metric) =>
  metric === "memoryUsedPct" ? "memoryUsedMib" : (metric as WideMetric),
);

const SPECS = DISTRIBUTED_METRICS.map((metric) => {
  const spec = METRICS[metric].distribution;
  if (!spec) throw new Error(`${metric} has no distribution`);
  return spec;
});

const MEMORY_PLACE = DISTRIBUTED_METRICS.indexOf("memoryUsedPct");

const BINS_OF = new Map(SPECS.map((spec) => [spec.id, spec.count]));

type Row = { scope: string; metric: number; at: number; dist: Distribution };

/** Makes the fleet's distributions of these five minutes anew, and those of their hours. */
export async function distributeFleet(client: pg.PoolClient, buckets: readonly number[]): Promise<void> {
  const members = await fleetMembers(client);
  const written: Row[] = [];
  for (const { from, to } of spansOf(buckets)) {
    const tallies = new Map<number, Tally[]>();
    const reader = await copyOut(
      client,
      `copy (select gpu_id, at, ${DISTRIBUTED_COLUMNS.map(columnOf).join(", ")} from gpu_sample
        where at >= ${instant(from)} and at < ${instant(to)}) to stdout (format binary)`,
    );
    let bucket = Number.NaN;
    let own: Tally[] = [];
    while (reader.row()) {
      const memoryMib = members.get(reader.int4());
      const at = reader.timestamp();
      // Rows come in the order of time, nearly always.
      if (!(at >= bucket && at < bucket + BUCKET_MS)) {
        bucket = Math.floor(at / BUCKET_MS) * BUCKET_MS;
        own = tallies.get(bucket) ?? SPECS.map((spec) => new Tally(spec));
        tallies.set(bucket, own);
      }
      for (let i = 0; i < own.length; i++) {
        const read = reader.float4();
        if (memoryMib === undefined || Number.isNaN(read)) continue;
        const value = i === MEMORY_PLACE ? memoryUsedPct(read, memoryMib) : read;
        if (value !== null) own[i]?.add(value);
      }
    }
    for (const [at, own] of tallies) written.push(...rowsOf(FLEET_SCOPE, at, own));
  }
  await upsert(client, "metric_dist", written);
  await totalHours(client, [...new Set(buckets.map(hourOf))]);
}

/** Neighbouring buckets together, an hour at most. */
function spansOf(buckets: readonly number[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const bucket of [...buckets].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && last.to === bucket && bucket - last.from < HOUR_MS) last.to = bucket + BUCKET_MS;
    else spans.push({ from: bucket, to: bucket + BUCKET_MS });
  }
  return spans;
}

/** The distributions of an hour over the groups that GPUs belong to, in the making. */
export class GroupTallies {
  private readonly tallies = new Map<string, Tally[]>();

  private constructor(
    private readonly memory: ReadonlyMap<number, number | null>,
    private readonly memberships: Awaited<ReturnType<typeof membershipsIn>>,
  ) {}

  static async ofHour(client: pg.PoolClient, hour: number): Promise<GroupTallies> {
    return new GroupTallies(await fleetMembers(client), await membershipsIn(client, hour, hour + HOUR_MS));
  }

  /** `columns` as `DISTRIBUTED_COLUMNS`. */
  add(gpuId: number, { at, columns }: GpuColumns): void {
    const memoryMib = this.memory.get(gpuId) ?? null;
    for (const piece of this.memberships.get(gpuId) ?? []) {
      const own = piece.scopes.map((scope) => this.of(scope));
      for (let k = 0; k < at.length; k++) {
        if ((at[k] ?? 0) < piece.from || (at[k] ?? 0) >= piece.to) continue;
        for (const [i, metric] of DISTRIBUTED_METRICS.entries()) {
          const value = metricValue(metric, columns[i]?.[k] ?? Number.NaN, memoryMib);
          if (value !== null) for (const tallies of own) tallies[i]?.add(value);
        }
      }
    }
  }

  /** Replaces what is stored of the hour. */
  async store(client: pg.PoolClient, hour: number): Promise<void> {
    await client.query("delete from metric_dist_hour where at = $1 and scope <> $2", [new Date(hour), FLEET_SCOPE]);
    await upsert(
      client,
      "metric_dist_hour",
      [...this.tallies].flatMap(([scope, tallies]) => rowsOf(scope, hour, tallies)),
    );
  }

  private of(scope: string): Tally[] {
    const tallies = this.tallies.get(scope) ?? SPECS.map((spec) => new Tally(spec));
    this.tallies.set(scope, tallies);
    return tallies;
  }
}

function metricValue(metric: Metric, read: number, memoryMib: number | null): number | null {
  if (Number.isNaN(read)) return null;
  return metric === "memoryUsedPct" ? memoryUsedPct(read, memoryMib) : read;
}

function rowsOf(scope: string, at: number, tallies: readonly Tally[]): Row[] {
  return tallies.flatMap((tally, i) => {
    const dist = tally.distribution();
    return dist ? [{ scope, metric: SPECS[i]?.id ?? 0, at, dist }] : [];
  });
}

/** The fleet's hours are their twelve five-minute rows added up. */
async function totalHours(client: pg.PoolClient, hours: readonly number[]): Promise<void> {
  const { rows } = await client.query<{
    hour: Date;
    metric: number;
    n: number;
    sum: number;
    min: number;
    max: number;
    bins: Buffer;
  }>(
    `select date_trunc('hour', d.at, 'UTC') as hour, d.metric, d.n, d.sum, d.min, d.max, d.bins
     from unnest($2::timestamptz[]) as h (hour) join metric_dist d on d.at >= h.hour and d.at < h.hour + interval '1 hour' where d.scope = $1`,
    [FLEET_SCOPE, hours.map((hour) => new Date(hour))],
  );
  const totals = new Map<string, Row>();
  for (const { hour, metric, bins, ...row } of rows) {
    const key = `${metric} ${hour.getTime()}`;
    const dist = mergeDistributions(totals.get(key)?.dist ?? null, {
      ...row,
      bins: decodeBins(bins, BINS_OF.get(metric) ?? 0),
    });
    if (dist) totals.set(key, { scope: FLEET_SCOPE, metric, at: hour.getTime(), dist });
  }
  await upsert(client, "metric_dist_hour", [...totals.values()]);
}

async function upsert(
  client: pg.PoolClient,
  table: "metric_dist" | "metric_dist_hour",
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into ${table} (scope, metric, at, n, sum, min, max, bins)
     select * from unnest($1::text[], $2::smallint[], $3::timestamptz[], $4::int[], $5::float8[], $6::real[], $7::real[], $8::bytea[])
     on conflict (scope, metric, at) do update set n = excluded.n, sum = excluded.sum, min = excluded.min, max = excluded.max, bins = excluded.bins`,
    [
      rows.map((r) => r.scope),
      rows.map((r) => r.metric),
      rows.map((r) => new Date(r.at)),
      rows.map((r) => r.dist.n),
      rows.map((r) => r.dist.sum),
      rows.map((r) => r.dist.min),
      rows.map((r) => r.dist.max),
      rows.map((r) => Buffer.from(encodeBins(r.dist.bins))),
    ],
  );
}
