import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { METRICS, WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { percentile } from "@/lib/domain/telemetry/distribution";
import type { SampleRow, Sent } from "@/lib/domain/telemetry/store";
import { METRICS_PER_SAMPLE, SyntheticFleet } from "./fleet";
import { type Bars, CACHE, median, openGround, timed } from "./ground";
import { push, startPeers, stopPeers } from "./peers";
import { remoteWriteBody } from "./remote-write";

const GPUS = 1000;
const GPUS_PER_MACHINE = 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 10_000;
const TICKS_PER_BUCKET = 30;
/** So many that the derived rows, made once in thirty, are not measured while their code is still being compiled. */
const ROUNDS = 300;
const CONTROL_ROUNDS = 5;
const DAYS = 7;
/** The days before the last are loaded more thinly, so that the measurement ends; the raw SQL that is compared with gains by it. */
const THIN_STEP_MS = 120_000;

/** The store beside Prometheus, VictoriaMetrics and Prisma's createMany, then its size and its answers beside raw SQL. */
export async function benchStore(bars: Bars): Promise<void> {
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    const sources = await writeRoster(pool());
    await benchIngest(bars, pool(), sources);
    await benchQueries(bars, pool());
  } finally {
    await disconnect();
    await ground.close();
  }
}

/** Machines, senders and GPUs 1 to 1000. */
async function writeRoster(pool: pg.Pool): Promise<string[]> {
  const since = new Date(Date.now() - 30 * DAY_MS);
  await pool.query(
    `insert into connection (id, name, provider, base_url, key_last4, created_at) values (gen_random_uuid(), 'bench', 'lambda', 'http://127.0.0.1', 'none', $1)`,
    [since],
  );
  await pool.query(
    `insert into token (id, kind, name, prefix, secret_hash, created_at) values (gen_random_uuid(), 'ingest', 'bench', 'bench', sha256('bench'), $1)`,
    [since],
  );
  await pool.query(
    `insert into resource (id, kind, connection_id, external_id, first_seen_at)
     select gen_random_uuid(), 'instance', c.id, 'gpu-node-' || m, $1 from connection c, generate_series(0, $2) m`,
    [since, GPUS / GPUS_PER_MACHINE - 1],
  );
  await pool.query(
    `insert into resource_span (resource_id, valid_from, status, name, region, provider, type_name)
     select id, $1, 'active', external_id, 'us-east-3', 'lambda', null from resource`,
    [since],
  );
  await pool.query(
    `insert into resource_label (id, resource_id, valid_from, team, workload) select gen_random_uuid(), id, $1, 'research', 'training' from resource`,
    [since],
  );
  await pool.query(
    `insert into telemetry_source (id, kind, token_id, hostname, resource_id, first_seen_at, last_received_at)
     select gen_random_uuid(), 'remote_write', t.id, r.external_id, r.id, $1, $1 from resource r, token t`,
    [since],
  );
  await pool.query(
    `insert into gpu (uuid, resource_id, source_id, position, model, memory_mib, first_seen_at)
     select 'GPU-' || i, s.resource_id, s.id, i % 8, 'NVIDIA GH200 480GB', 97871, $1
     from generate_series(0, $2) i join telemetry_source s on s.hostname = 'gpu-node-' || (i / 8) order by i`,
    [since, GPUS - 1],
  );
  const { rows } = await pool.query<{ id: string }>(
    "select s.id from telemetry_source s order by (regexp_match(hostname, '[0-9]+$'))[1]::int",
  );
  return rows.map((row) => row.id);
}

function rowsOf(at: number, samples: readonly Record<WideMetric, number | null>[]): SampleRow[] {
  return samples.map((values, i) => ({
    gpuId: i + 1,
    at,
    values,
    throttleReasons: 0,
    eccUncorrected: 0,
    missing: null,
    quality: null,
  }));
}

function partsOf(sources: readonly string[], rows: readonly SampleRow[]): Sent[] {
  return sources.map((sourceId, i) => ({
    sourceId,
    rows: rows.slice(i * GPUS_PER_MACHINE, (i + 1) * GPUS_PER_MACHINE),
  }));
}

async function benchIngest(bars: Bars, pool: pg.Pool, sources: readonly string[]): Promise<void> {
  const { writeSamples } = await import("@/lib/db/telemetry/write");
  const { rollUpMarked } = await import("@/lib/db/telemetry/rollup");
  const { ensurePartitions } = await import("@/lib/db/telemetry/partitions");
  const control = await openControl(pool);
  const peers = await startPeers(CACHE);
  const from = Math.floor((Date.now() - 2 * HOUR_MS) / 300_000) * 300_000;
  await ensurePartitions(new Date(from - DAY_MS), new Date(from + DAY_MS));
  const fleet = new SyntheticFleet(GPUS);
  const times = new Map<string, number[]>();
  const keep = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms]);
  let derivedMs = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const at = from + round * STEP_MS;
      const samples = fleet.tick();
      const body = remoteWriteBody(at, samples);
      const parts = partsOf(sources, rowsOf(at, samples));
      keep("Hopperdeck", await timed(() => writeSamples(parts, new Date(at))));
      for (const peer of peers) keep(peer.name, await timed(() => push(peer, body)));
      if (round < CONTROL_ROUNDS) keep("createMany", await timed(() => control(at, samples)));
      if (round % TICKS_PER_BUCKET === TICKS_PER_BUCKET - 1) derivedMs += await timed(() => rollUpMarked());
    }
  } finally {
    stopPeers(peers);
  }
  const perTick = derivedMs / ROUNDS;
  console.log(
    `\nIngest: ${GPUS} GPUs × ${METRICS_PER_SAMPLE} metrics a request, ${ROUNDS} rounds in turn, medians (derived rows: ${perTick.toFixed(1)} ms a request, in its figure)`,
  );
  const costs = new Map([...times].map(([name, list]) => [name, median(list) + (name === "Hopperdeck" ? perTick : 0)]));
  const own = costs.get("Hopperdeck") ?? Number.NaN;
  for (const [name, ms] of costs) {
    const perSecond = (GPUS * METRICS_PER_SAMPLE) / (ms / 1000);
    console.log(
      `     ${name.padEnd(18)} ${ms.toFixed(1).padStart(8)} ms ${(perSecond / 1e6).toFixed(2).padStart(7)} M metric samples/s`,
    );
  }
  for (const [name, bar] of [
    ["Prometheus", 3],
    ["VictoriaMetrics", 1],
    ["createMany", 20],
  ] as const) {
    const other = costs.get(name);
    if (other === undefined) console.log(`     ${name} is not to be had here: not compared`);
    else bars.atLeast(`ingest per metric sample, against ${name}`, other / own, bar);
  }
  await pool.query("truncate gpu_sample, metric_dist, metric_dist_hour, telemetry_mark, source_latest");
}

/** The control: a table like gpu_sample as a Prisma model, generated for this run. */
async function openControl(
  pool: pg.Pool,
): Promise<(at: number, samples: readonly Record<WideMetric, number | null>[]) => Promise<unknown>> {
  await pool.query("create table control_sample (like gpu_sample, primary key (gpu_id, at))");
  execFileSync("npx", ["prisma", "generate", "--schema", "bench/control.prisma"], {
    stdio: "ignore",
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true" },
  });
  const { PrismaClient } = (await import(pathToFileURL(path.join(CACHE, "control/client.ts")).href)) as {
    PrismaClient: new (options: object) => { sample: { createMany(args: { data: object[] }): Promise<unknown> } };
  };
  const { PrismaPg } = await import("@prisma/adapter-pg");
  const client = new PrismaClient({ adapter: new PrismaPg(pool) });
  return (at, samples) =>
    client.sample.createMany({
      data: samples.map((values, i) => ({
        gpuId: i + 1,
        at: new Date(at),
        ...values,
        throttleReasons: 0,
        eccUncorrected: 0,
      })),
    });
}

async function benchQueries(bars: Bars, pool: pg.Pool): Promise<void> {
  const { bulkSamples, finishBulk } = await import("@/lib/db/telemetry/write");
  const { ensurePartitions } = await import("@/lib/db/telemetry/partitions");
  const { rollUpRange } = await import("@/lib/db/telemetry/rollup");
  const { sealNextHour } = await import("@/lib/db/telemetry/seal");
  const { listLatest, readBuckets, readFleetDistribution, readSeries } = await import("@/lib/db/telemetry/read");
  const to = Math.floor((Date.now() - HOUR_MS) / DAY_MS) * DAY_MS;
  const from = to - DAYS * DAY_MS;
  await pool.query("delete from telemetry_hour");
  await ensurePartitions(new Date(from), new Date(to + DAY_MS));
  const fleet = new SyntheticFleet(GPUS, 7);
  function* ticks() {
    for (let at = from; at < to; at += at < to - DAY_MS ? THIN_STEP_MS : STEP_MS) yield rowsOf(at, fleet.tick());
  }
  const loadMs = await timed(async () => {
    await bulkSamples(batched(ticks(), 20));
    await finishBulk(new Date(to));
  });
  await pool.query("vacuum analyze gpu_sample");
  const derivedMs = await timed(() => rollUpRange(new Date(from), new Date(to)));
  const sealMs: number[] = [];
  for (;;) {
    const began = performance.now();
    if ((await sealNextHour(new Date(to))) === null) break;
    sealMs.push(performance.now() - began);
  }
  await pool.query("vacuum analyze gpu_chunk");
  await pool.query("vacuum analyze gpu_hour");
  const { rows: total } = await pool.query<{ n: string }>("select count(*)::text as n from gpu_sample");
  console.log(
    `\nStored: ${GPUS} GPUs × ${DAYS} days, ${total[0]?.n} samples (the last day every 10 s, the others every two minutes): loaded in ${(loadMs / 1000).toFixed(0)} s, distributions in ${(derivedMs / 1000).toFixed(0)} s, an hour at 10 s sealed in ${(median(sealMs.slice(-20)) / 1000).toFixed(1)} s`,
  );
  await sizes(bars, pool, to);

  const day = { stepMs: 300_000, from: to - DAY_MS, to };
  const gpuDay = { stepMs: 180_000, from: to - DAY_MS, to };
  const week = { stepMs: HOUR_MS, from, to };
  const spec = METRICS.utilizationPct.distribution;
  if (!spec) throw new Error("utilisation has no bins");
  const results: Record<string, number[]> = {};
  const measure = async (name: string, work: () => Promise<unknown>, times: number) => {
    for (let i = 0; i < times; i++) results[name] = [...(results[name] ?? []), await timed(work)];
  };
  const raw = (sql: string, values: unknown[]) => pool.query(sql, values);
  const rawGpu = () =>
    raw(
      `select date_bin('180 s', at, 'epoch') as b, avg(utilization_pct), min(utilization_pct), max(utilization_pct) from gpu_sample
       where gpu_id = $1 and at >= $2 and at < $3 group by 1 order by 1`,
      [500, new Date(gpuDay.from), new Date(gpuDay.to)],
    );
  const rawFleet = (range: { from: number; to: number }, step: string) =>
    raw(
      `select date_bin($3::interval, at, 'epoch') as at, count(utilization_pct)::int as n, avg(utilization_pct)::float8 as mean,
              percentile_disc(0.95) within group (order by utilization_pct)::float8 as p95
       from gpu_sample where at >= $1 and at < $2 group by 1 order by 1`,
      [new Date(range.from), new Date(range.to), step],
    );
  for (let round = 0; round < 9; round++) {
    await measure("raw: one GPU, 24 h", rawGpu, 1);
    await measure("one GPU, 24 h", () => readSeries([500], "utilizationPct", gpuDay), 1);
    await measure("fleet, 24 h", () => readFleetDistribution("utilizationPct", day), 1);
    await measure("fleet, 7 days", () => readFleetDistribution("utilizationPct", week), 1);
    await measure(
      "30 days of one GPU",
      () => readSeries([500], "utilizationPct", { ...week, from: to - 30 * DAY_MS }),
      1,
    );
    await measure(
      "30 days of the fleet",
      () => readFleetDistribution("powerW", { ...week, from: to - 30 * DAY_MS }),
      1,
    );
    await measure("latest of all", () => listLatest(null), 1);
  }
  await measure("raw: fleet, 24 h", () => rawFleet(day, "5 minutes"), 2);
  await measure("raw: fleet, 7 days", () => rawFleet(week, "1 hour"), 1);
  await measure("group of 8 GPUs, 24 h, exact", () => readBuckets([1, 2, 3, 4, 5, 6, 7, 8], "utilizationPct", day), 5);
  const ms = (name: string) => median(results[name] ?? []);
  console.log("\nAnswers, medians");
  for (const name of Object.keys(results)) console.log(`     ${name.padEnd(36)} ${ms(name).toFixed(1).padStart(9)} ms`);
  bars.atMost("24 h of one GPU, against raw SQL on hot rows", ms("one GPU, 24 h") / ms("raw: one GPU, 24 h"), 0.4, "×");
  bars.atLeast("fleet mean and p95 over 24 h, faster than raw SQL", ms("raw: fleet, 24 h") / ms("fleet, 24 h"), 20);
  bars.atLeast(
    "fleet mean and p95 over 7 days, faster than raw SQL",
    ms("raw: fleet, 7 days") / ms("fleet, 7 days"),
    50,
  );
  bars.atMost("30 days of one GPU", ms("30 days of one GPU"), 100, "ms");
  bars.atMost("30 days of the fleet", ms("30 days of the fleet"), 100, "ms");
  bars.atMost("latest of 1,000 GPUs", ms("latest of all"), 20, "ms");
  for (const [name, range, step] of [
    ["24 h", day, "5 minutes"],
    ["7 days", week, "1 hour"],
  ] as const) {
    const truth = (await rawFleet(range, step)).rows as { at: Date; n: number; mean: number; p95: number }[];
    const own = await readFleetDistribution("utilizationPct", range);
    const isEqual = truth.every(({ at, n, mean, p95 }) => {
      const dist = own[Math.round((at.getTime() - range.from) / range.stepMs)];
      return (
        dist?.n === n &&
        Math.abs(dist.sum / dist.n - mean) <= 1e-9 * Math.abs(mean) &&
        percentile(dist.bins, spec, 95) === p95
      );
    });
    bars.holds(
      `fleet over ${name} equals raw SQL: counts, means within 1e-9, p95`,
      isEqual && truth.length === own.length,
    );
  }
}

async function sizes(bars: Bars, pool: pg.Pool, to: number): Promise<void> {
  const { rows } = await pool.query<{ bytes: string; n: string; dist: string; hourly: string; hours: string }>(
    `select (select sum(pg_total_relation_size(c.oid)) from pg_inherits i join pg_class c on c.oid = i.inhrelid
             where i.inhparent = 'gpu_chunk'::regclass and c.relname = 'gpu_chunk_p' || to_char($1::timestamptz at time zone 'UTC', 'YYYYMMDD'))::text as bytes,
            (select count(*) from gpu_sample where at >= $1)::text as n,
            (select sum(pg_total_relation_size(c.oid)) from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'metric_dist_hour'::regclass)::text as dist,
            (select sum(pg_total_relation_size(c.oid)) from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'gpu_hour'::regclass)::text as hourly,
            (select count(*) from gpu_hour)::text as hours`,
    [new Date(to - DAY_MS)],
  );
  const [row] = rows;
  const number = (text: string | undefined) => Number(text ?? 0);
  const perSample = number(row?.bytes) / (number(row?.n) * WIDE_METRICS.length);
  bars.atMost("sealed, bytes a metric sample (10 s, indexes and all)", perSample, 2, "B");
  const gpuHours = number(row?.hours);
  const yearly = (number(row?.hourly) / gpuHours) * 8760 * GPUS + (number(row?.dist) / (DAYS * 24)) * 8760;
  bars.atMost("a year of rollups of 1,000 GPUs", yearly / 1e9, 3, "GB");
}

function* batched(ticks: Iterable<SampleRow[]>, size: number): Generator<SampleRow[]> {
  let batch: SampleRow[] = [];
  let n = 0;
  for (const tick of ticks) {
    batch = batch.concat(tick);
    if (++n % size === 0) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
