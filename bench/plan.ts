import type pg from "pg";
import { systemCtx } from "@/lib/domain/access";
import { seedLedger } from "./cost-page";
import { type Bars, median, openGround, timed } from "./ground";

const MACHINES = 1_000;
const RUNS = 600;
const NOW = new Date("2026-11-30T21:00:00Z");
/** Two months: a month is looked at, and another lies beside it. */
const FIRST_PROFILE = "2026-10-01";
const LAST_PROFILE = "2026-11-30";
const ROUNDS = 15;
const PAGE_MS = 300;

/** Every page of /plan over 1,000 machines with two years of ledger and a profile of each hour, beside a question that reads nothing. */
export async function benchPlan(bars: Bars): Promise<void> {
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    const took = await timed(async () => {
      await seedLedger(pool());
      await seedUse(pool());
    });
    console.log(
      `\nPlan pages over ${MACHINES} machines (written in ${(took / 1000).toFixed(0)} s), median of ${ROUNDS}, and against a question that reads nothing`,
    );
    await measure(bars, pool());
  } finally {
    await disconnect();
    await ground.close();
  }
}

async function measure(bars: Bars, pool: pg.Pool): Promise<void> {
  const { readCompare } = await import("@/lib/services/plan/compare");
  const { readQuotes } = await import("@/lib/services/plan/quotes");
  const { readSpot } = await import("@/lib/services/plan/spot");
  const { readSavings } = await import("@/lib/services/plan/savings");
  const { readSizing } = await import("@/lib/services/plan/sizing");
  const { readScenarios } = await import("@/lib/services/plan/scenarios");
  const { readWorkloads } = await import("@/lib/services/plan/workloads");
  const { readMix } = await import("@/lib/services/plan/mix");
  const { CompareQuestion } = await import("@/lib/domain/plan/compare-view");
  const { SpotQuestion } = await import("@/lib/domain/plan/spot-view");
  const { SavingsQuestion } = await import("@/lib/domain/plan/savings-view");
  const { SizingQuestion } = await import("@/lib/domain/plan/sizing");
  const ctx = systemCtx("bench", NOW);
  const compare = (question: object) => () => readCompare(ctx, CompareQuestion.parse(question));
  const savings = (question: object) => () => readSavings(ctx, SavingsQuestion.parse(question));
  const everything = { set: "idle,schedule,early,move,rightsize,reserve", discount: "20", who: "dev,training" };
  const { measures, machines } = await savings(everything)();
  bars.holds(
    "savings: every measure has machines, and the largest are listed",
    measures.every((one) => one.machines > 0) && machines.length > 0,
  );
  const reads: [name: string, read: () => Promise<unknown>, isPage?: false][] = [
    ["Compare, a job", compare({})],
    ["Compare, a month’s fleet", compare({ what: "fleet" })],
    ["Prices", () => readQuotes(ctx, {})],
    ["Spot", () => readSpot(ctx, SpotQuestion.parse({}))],
    ["Savings, 30 days", savings({})],
    ["Savings, 30 days, everything chosen", savings(everything)],
    // Twice as much as the page asks when it is opened.
    ["Savings, 60 days", savings({ days: "60" }), false],
    ["Sizing", () => readSizing(ctx, SizingQuestion.parse({}))],
    ["Scenarios", () => readScenarios(ctx)],
    ["Workloads and catalogue", () => readWorkloads(ctx)],
    ["Mix", () => readMix(ctx, {})],
  ];
  for (const [name, read, isPage = true] of reads) {
    const times: number[] = [];
    const nothing: number[] = [];
    for (let round = 0; round < ROUNDS + 2; round++) {
      const ms = await timed(read);
      const still = await timed(() => pool.query("select 1"));
      // The first rounds warm caches that a running product has warm.
      if (round < 2) continue;
      times.push(ms);
      nothing.push(still);
    }
    const said = `${name} (${(median(times) / median(nothing)).toFixed(0)} ×)`;
    if (isPage) bars.atMost(said, median(times), PAGE_MS, "ms");
    else console.log(`     ${said.padEnd(62)} ${median(times).toFixed(1).padStart(11)} ms`);
  }
}

/** What the machines are and did: cards, workloads, two months hour by hour, and training that counted its epochs. */
export async function seedUse(pool: pg.Pool): Promise<void> {
  const { ensurePartitions } = await import("@/lib/db/telemetry/partitions");
  await ensurePartitions(new Date(FIRST_PROFILE), NOW);
  const since = new Date(FIRST_PROFILE);
  const types = [
    ["gpu_type_0", "1x A10 (24 GB PCIe)", "A10", 1, 24, "NVIDIA A10", 23_028],
    ["gpu_type_1", "2x A100 (40 GB SXM4)", "A100", 2, 40, "NVIDIA A100-SXM4-40GB", 40_960],
    ["gpu_type_2", "4x A100 (40 GB SXM4)", "A100", 4, 40, "NVIDIA A100-SXM4-40GB", 40_960],
    ["gpu_type_3", "8x H100 (80 GB SXM5)", "H100", 8, 80, "NVIDIA H100 80GB HBM3", 81_559],
  ] as const;
  const gh200 = ["1x GH200 (96 GB)", "GH200", 1, 96, "NVIDIA GH200 480GB", 97_871] as const;
  for (let i = 0; i < 10; i++) {
    const name = `gpu_type_${i}`;
    const [, ...own] = types.find(([type]) => type === name) ?? [name, ...gh200];
    const [description, model, gpus, memoryGb, card, mib] = own;
    await pool.query(
      "update instance_type set description = $2, gpu_model = $3, gpus = $4, gpu_memory_gb = $5, last_seen_at = $6 where name = $1",
      [name, description, model, gpus, memoryGb, NOW],
    );
    await pool.query(
      `insert into gpu (uuid, resource_id, position, model, memory_mib, first_seen_at)
       select 'GPU-' || s.resource_id || '-' || p, s.resource_id, p, $2, $3, $4 from resource_span s, generate_series(0, $5::int - 1) p where s.type_name = $1`,
      [name, card, mib, since, gpus],
    );
  }
  await pool.query(
    `insert into price (provider, sku, region, unit, micros, valid_from, recorded_at, source)
     select provider, sku, '*', unit, micros, valid_from, recorded_at, source from price where valid_to is null`,
  );
  await pool.query(
    `insert into resource_label (id, resource_id, valid_from, team, workload)
     select gen_random_uuid(), id, $1, 'team', (array['dev', 'training', 'inference', 'training', 'batch'])[1 + row_number() over (order by id) % 5]::workload_kind from resource`,
    [since],
  );
  // Busy by day; at night its memory is held, or on every third machine nothing is.
  await pool.query(
    `insert into usage_profile (resource_id, day, hours, peak_mib, stops, resumes)
     select r.id, d::date, decode(repeat('3c3c003c00', case when r.n % 3 = 0 then 8 else 0 end) || repeat('3c3c00003c', case when r.n % 3 = 0 then 0 else 8 end)
       || repeat('3c3c3c0000', 16) || repeat('00', 5), 'hex'), 9000 + r.n, 1, 1
     from (select id, row_number() over (order by id) as n from resource) r, generate_series($1::date, $2::date, interval '1 day') d`,
    [FIRST_PROFILE, LAST_PROFILE],
  );
  await pool.query("update usage_day set utilised_minutes = busy_minutes * 0.3 where day >= $1::date", [FIRST_PROFILE]);
  await pool.query(
    "insert into token (id, kind, name, prefix, secret_hash, created_at) values (gen_random_uuid(), 'ingest', 'bench', 'bench', sha256('bench'), $1)",
    [since],
  );
  await pool.query(
    `with source as (
       insert into telemetry_source (id, kind, token_id, hostname, first_seen_at, last_received_at)
       select gen_random_uuid(), 'agent', id, 'bench', $1, $1 from token returning id
     ), made as (
       insert into run (id, external_id, name, workload, resource_id, gpu_ids, started_at, ended_at, created_at, updated_at)
       select gen_random_uuid(), 'run-' || n, 'run ' || n, 'training', id, '{}', $2::timestamptz + n % 20 * interval '1 day', $2::timestamptz + (n % 20 + 2) * interval '1 day', $2, $2
       from (select id, row_number() over (order by id) as n from resource) r where n <= $3 returning id, started_at, ended_at
     ), told as (
       insert into series (source_id, metric, labels, labels_hash, run_id, first_at, last_at, last_value)
       select s.id, m.metric, jsonb_build_object('run', r.id, 'model', 'llama'), sha256((m.metric || r.id)::bytea), r.id, r.started_at, r.ended_at, 10
       from made r, source s, (values ('epoch'), ('tokens_total')) m (metric) returning id, first_at, last_at
     )
     insert into series_hour (series_id, hour, n, sum, min, max, last, increase)
     select id, h, 60, 300, 0, 10, 10, 1000000 from told, generate_series(first_at, last_at, interval '1 hour') h`,
    [since, new Date("2026-11-03T00:00:00Z"), RUNS],
  );
  await pool.query("analyze");
}
