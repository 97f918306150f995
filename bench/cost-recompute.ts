import type pg from "pg";
import { systemCtx } from "@/lib/domain/access";
import { type Bars, median, openGround, timed } from "./ground";

const MACHINES = 1000;
/** Of these every second still runs. */
const DAYS = 730;
const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-21T12:00:00Z");
const FROM = NOW - DAYS * DAY_MS;
const ROUNDS = 5;
const RECOMPUTE_MS = 10_000;
const RUN_MS = 1_000;

/** The meter over what was observed of 1,000 machines in two years: all of it, a month anew, and the run of every 30 s. */
export async function benchCostRecompute(bars: Bars): Promise<void> {
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    await seedObservations(pool());
    await measure(bars, pool());
  } finally {
    await disconnect();
    await ground.close();
  }
}

async function measure(bars: Bars, pool: pg.Pool): Promise<void> {
  const { meterCosts, recomputeCosts } = await import("@/lib/services/cost/meter");
  const { ledgerHash } = await import("@/lib/db/cost/ledger");
  const ctx = (at: number) => systemCtx("bench", new Date(at));
  const first = await timed(() => meterCosts(ctx(NOW)));
  const before = await ledgerHash();
  console.log(
    `\nMetering ${MACHINES} machines over ${DAYS} days: ${before.rows} rows in ${(first / 1000).toFixed(1)} s the first time`,
  );
  const month = await timed(() => recomputeCosts(ctx(NOW), "2026-10-01"));
  bars.atMost("last month and this one worked out anew", month, RECOMPUTE_MS, "ms");
  bars.holds("worked out anew, the ledger is the same to the byte", (await ledgerHash()).hash === before.hash);

  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const at = NOW + round * 30_000;
    await pool.query("update connection set last_ok_at = $1, last_poll_at = $1", [new Date(at)]);
    times.push(await timed(() => meterCosts(ctx(at))));
  }
  bars.atMost(`a run of the meter, ${MACHINES / 2} machines billing`, median(times), RUN_MS, "ms");
  bars.holds("polls that see nothing new add no rows", (await ledgerHash()).rows === before.rows);
  console.log(`     process: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
}

/** Machines that came over two years, half of which went again, each renamed once; prices of five types that changed every half year. */
async function seedObservations(pool: pg.Pool): Promise<void> {
  const at = (ms: number) => new Date(ms);
  await pool.query(
    `insert into connection (id, name, provider, base_url, key_last4, created_at, last_ok_at, last_poll_at) values (gen_random_uuid(), 'bench', 'lambda', 'http://127.0.0.1', 'none', $1, $2, $2)`,
    [at(FROM), at(NOW)],
  );
  await pool.query(
    `insert into instance_type (provider, name, description, gpus, vcpus, memory_gib, storage_gib, first_seen_at, last_seen_at)
     select 'lambda', 'gpu_type_' || t, '', 1, 64, 432, 4096, $1, $1 from generate_series(0, 4) t`,
    [at(FROM)],
  );
  await pool.query(
    `insert into price (provider, sku, region, unit, micros, valid_from, valid_to, recorded_at, source)
     select 'lambda', 'gpu_type_' || t, '*', 'instance_hour', 1000000 + 250000 * t + 70000 * p, $1::timestamptz + p * interval '183 days',
       case when p < 3 then $1::timestamptz + (p + 1) * interval '183 days' end, $1, 'api' from generate_series(0, 4) t, generate_series(0, 3) p`,
    [at(FROM)],
  );
  await pool.query(
    `insert into resource (id, kind, connection_id, external_id, first_seen_at, gone_at, gone_reason)
     select gen_random_uuid(), 'instance', c.id, lpad(m::text, 32, '0'), x.began, case when m % 2 = 1 then x.ended end, case when m % 2 = 1 then 'vanished'::gone_reason end
     from connection c, generate_series(0, $2 - 1) m,
       lateral (select $1::timestamptz + m * ($3::float8 * 0.5 / $2) * interval '1 day' as began, $1::timestamptz + (m * ($3::float8 * 0.5 / $2) + 200) * interval '1 day' as ended) x`,
    [at(FROM), MACHINES, DAYS],
  );
  await pool.query(
    `insert into resource_span (resource_id, valid_from, prev_poll_at, last_seen_at, valid_to, status, name, region, provider, type_name)
     select r.id, s.start, s.start - interval '15 s', case when s.stop is not null then s.stop - interval '15 s' end, s.stop, 'active', s.name, 'us-east-3', 'lambda', 'gpu_type_' || (right(r.external_id, 1)::int % 5)
     from resource r, lateral (values (r.first_seen_at, r.first_seen_at + interval '90 days', 'first name'), (r.first_seen_at + interval '90 days', r.gone_at, 'second name')) as s(start, stop, name)`,
  );
  await pool.query(
    `insert into resource_label (id, resource_id, valid_from, team, project, workload) select gen_random_uuid(), id, first_seen_at, 'team ' || (right(external_id, 2)::int % 10), '', 'training' from resource`,
  );
  await pool.query("analyze");
}
