import type pg from "pg";
import { systemCtx } from "@/lib/domain/access";
import { type Bars, median, openGround, timed } from "./ground";

const MACHINES = 1000;
const MONTHS = 24;
const FIRST = "2024-12-01";
const LAST = "2026-11";
const NOW = new Date("2026-11-30T21:00:00Z");
const ROUNDS = 15;
const PAGE_MS = 300;

/** The month page of 1,000 machines that ran for two years: every read it makes, all at once as the page makes them. */
export async function benchCostPage(bars: Bars): Promise<void> {
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    const took = await timed(() => seedLedger(pool()));
    const { rows } = await pool().query<{ rows: number; days: number }>(
      "select (select count(*) from ledger_row)::int as rows, (select count(*) from cost_day)::int as days",
    );
    console.log(
      `\nCost pages over ${rows[0]?.rows} ledger rows and ${rows[0]?.days} sums of days (written in ${(took / 1000).toFixed(0)} s), median of ${ROUNDS}`,
    );
    await measure(bars);
  } finally {
    await disconnect();
    await ground.close();
  }
}

async function measure(bars: Bars): Promise<void> {
  const { readCost } = await import("@/lib/services/cost/month");
  const { readExplore, readSpendRows } = await import("@/lib/services/cost/explore");
  const { readWhy } = await import("@/lib/services/cost/why");
  const { ExploreQuestion, RowsQuestion } = await import("@/lib/domain/cost/explore");
  const ctx = systemCtx("bench", NOW);
  const month = { month: "2026-10", by: "team" as const };
  const explore = (question: Record<string, unknown>) => () => readExplore(ctx, ExploreQuestion.parse(question));
  const reads: [name: string, read: () => Promise<unknown>, bar: number | null][] = [
    ["a month's figures", () => readCost(ctx, month), null],
    ["why it is not the one before", () => readWhy(ctx, { ...month, mix: "sku" }), null],
    [
      "month page, finished month",
      () => Promise.all([readCost(ctx, month), readWhy(ctx, { ...month, mix: "sku" })]),
      PAGE_MS,
    ],
    [
      "spend page, month that runs",
      () => Promise.all([readCost(ctx, { by: "team" }), explore({})(), readWhy(ctx, { mix: "sku" })]),
      PAGE_MS,
    ],
    ["two years by month and team", explore({ from: FIRST, to: `${LAST}-30`, per: "month" }), PAGE_MS],
    ["a month by instance", explore({ by: "instance" }), null],
    ["a week by hour and team", explore({ days: 7, per: "hour" }), null],
    ["rows of a month", () => readSpendRows(ctx, RowsQuestion.parse({})), null],
  ];
  for (const [name, read, bar] of reads) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS + 2; round++) {
      const ms = await timed(read);
      // The first rounds warm caches that a running product has warm.
      if (round >= 2) times.push(ms);
    }
    if (bar === null) console.log(`     ${name.padEnd(34)} ${median(times).toFixed(0).padStart(5)} ms`);
    else bars.atMost(name, median(times), bar, "ms");
  }
}

/** Machines of ten types and ten teams, one row a day each, a price change a year in; written month by month as a meter would. */
export async function seedLedger(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into connection (id, name, provider, base_url, key_last4, created_at) values (gen_random_uuid(), 'bench', 'lambda', 'http://127.0.0.1', 'none', $1)`,
    [FIRST],
  );
  await pool.query(
    `insert into instance_type (provider, name, description, gpus, vcpus, memory_gib, storage_gib, first_seen_at, last_seen_at)
     select 'lambda', 'gpu_type_' || t, '', 1 << (t % 4), 64, 432, 4096, $1, $1 from generate_series(0, 9) t`,
    [FIRST],
  );
  await pool.query(
    `insert into price (provider, sku, region, unit, micros, valid_from, valid_to, recorded_at, source)
     select 'lambda', 'gpu_type_' || t, 'us-east-3', 'instance_hour', (1490000 + 400000 * t) * (1 + half), $1::timestamptz + half * interval '1 year',
       case when half = 0 then $1::timestamptz + interval '1 year' end, $1, 'api' from generate_series(0, 9) t, generate_series(0, 1) half`,
    [FIRST],
  );
  await pool.query(
    `insert into cost_owner (team, project, environment) select 'team ' || t, 'project ' || p, 'production' from generate_series(0, 9) t, generate_series(0, 1) p`,
  );
  await pool.query(
    `insert into resource (id, kind, connection_id, external_id, first_seen_at) select gen_random_uuid(), 'instance', c.id, 'node-' || m, $1 from connection c, generate_series(0, $2) m`,
    [FIRST, MACHINES - 1],
  );
  await pool.query(
    `insert into resource_span (resource_id, valid_from, status, name, region, provider, type_name)
     select id, $1, 'active', external_id, 'us-east-3', 'lambda', 'gpu_type_' || substr(external_id, length(external_id)) from resource`,
    [FIRST],
  );
  for (let month = 0; month < MONTHS; month++)
    await pool.query(
      `insert into ledger_row (key, period, day, charge, resource_id, span_id, price_id, owner_id, starts_at, ends_at, minutes, micros, low_micros, high_micros)
       select gen_random_uuid(), m.at, d.at, 'usage', s.resource_id, s.id, p.id, o.id, d.at, d.at + interval '1 day', 1440, p.micros * 24, p.micros * 24, p.micros * 24
       from (select ($1::date + $2 * interval '1 month')::date as at) m
       join lateral generate_series(m.at::timestamptz, m.at + interval '1 month' - interval '1 day', interval '1 day') d (at) on true
       cross join (select *, row_number() over (order by id) as n from resource_span) s
       join (select *, row_number() over (order by id) as n from cost_owner where team <> '') o on o.n = s.n % 20 + 1
       join price p on p.sku = s.type_name and p.valid_from <= d.at and (p.valid_to is null or p.valid_to > d.at)`,
      [FIRST, month],
    );
  await pool.query(
    `insert into usage_day (resource_id, day, billed_minutes, reported_minutes, busy_minutes, idle_empty_minutes, idle_held_minutes, idle_empty_micros, idle_held_micros)
     select resource_id, day, 1440, 1440, 1200, 0, case when extract(day from day)::int % 3 = 0 then 240 else 0 end, 0, case when extract(day from day)::int % 3 = 0 then micros / 6 else 0 end from ledger_row`,
  );
  await pool.query("analyze");
}
