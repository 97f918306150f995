import type pg from "pg";
import { systemCtx } from "@/lib/domain/access";
import { BacktestQuestion } from "@/lib/domain/alerts/backtest";
import { runHistory } from "@/lib/domain/alerts/backtest-run";
import { NO_FACTS } from "@/lib/domain/alerts/gpu-values";
import { historyTrack } from "@/lib/domain/alerts/history";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import type { AlertCondition } from "@/lib/domain/alerts/types";
import type { SampleRow } from "@/lib/domain/telemetry/store";
import { SyntheticFleet } from "./fleet";
import { type Bars, median, openGround, timed } from "./ground";

const STEP_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
const GPUS = 100;
const ROUNDS = 3;

/** GPUs whose day is written sample by sample; the others and the other days are like them. */
const MODELS = 10;
const GPUS_PER_MACHINE = 8;

/** What a person waits for on the rule's form: the question, through the database, until the answer. */
export async function benchBacktestAsked(bars: Bars): Promise<void> {
  console.log(`\nBacktest through the database: ${GPUS} GPUs over ${DAYS} days of sealed samples`);
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await writeHistory(pool(), to);
    const { backtestRule } = await import("@/lib/services/alerts/backtest");
    for (const [what, rule] of Object.entries(DRAFTS)) {
      const question = BacktestQuestion.parse({ ...DRAFT, ...rule, days: DAYS });
      const took: number[] = [];
      let judged = 0;
      for (let round = 0; round <= ROUNDS; round++) {
        const ms = await timed(async () => {
          const { result } = await backtestRule(systemCtx("bench", new Date(to)), question);
          judged = result?.samples ?? 0;
        });
        // The first reads what nobody has asked for since the start.
        if (round > 0) took.push(ms);
      }
      if (judged !== (GPUS * DAYS * DAY_MS) / STEP_MS) throw new Error(`${judged} samples were judged`);
      bars.atMost(`a draft on ${what}, asked and answered`, median(took), 2_000, "ms");
    }
  } finally {
    await disconnect();
    await ground.close();
  }
}

const DRAFT = {
  name: "Draft",
  severity: "warning",
  kind: "gpu_metric",
  selector: {},
  forMinutes: 5,
  keepFiringMinutes: 0,
  intervalSeconds: 30,
  windowMinutes: 0,
  noData: "unknown",
};
const DRAFTS = {
  temperature: { metric: "temperatureC", comparison: "above", threshold: 63 },
  "VRAM in per cent": { metric: "memoryUsedPct", comparison: "above", threshold: 85 },
  "effective utilisation": { metric: "effectiveUtilizationPct", comparison: "at_most", threshold: 5 },
};

/** A month of sealed hours: one day of a few GPUs through the product's own seal, and copies of it. */
export async function writeHistory(pool: pg.Pool, to: number): Promise<void> {
  const { bulkSamples } = await import("@/lib/db/telemetry/write");
  const { ensurePartitions } = await import("@/lib/db/telemetry/partitions");
  const { sealNextHour } = await import("@/lib/db/telemetry/seal");
  const from = to - DAYS * DAY_MS;
  await ensurePartitions(new Date(from), new Date(to + DAY_MS));
  await writeRoster(pool, new Date(from));
  const fleet = new SyntheticFleet(MODELS);
  function* ticks() {
    for (let at = to - DAY_MS; at < to; at += STEP_MS)
      yield fleet.tick().map((values, i): SampleRow => {
        const rest = { throttleReasons: 0, eccUncorrected: 0, missing: null, quality: null };
        return { gpuId: i + 1, at, values, ...rest };
      });
  }
  await bulkSamples(ticks());
  // The hours before are sealed and hold nothing yet.
  await pool.query(
    "insert into telemetry_hour (hour, sealed_at) select h, $2 from generate_series($1::timestamptz, $2::timestamptz - interval '25 hours', interval '1 hour') h",
    [new Date(from), new Date(to)],
  );
  while ((await sealNextHour(new Date(to))) !== null);
  const { rows } = await pool.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'gpu_chunk'::regclass and attnum > 0 and not attisdropped and attname not in ('gpu_id', 'hour')",
  );
  const kept = rows.map(({ name }) => name).join(", ");
  await pool.query(
    `insert into gpu_chunk (gpu_id, hour, ${kept})
     select g.id, c.hour - d * interval '1 day', ${rows.map(({ name }) => `c.${name}`).join(", ")}
     from gpu_chunk c join gpu g on (g.id - 1) % ${MODELS} + 1 = c.gpu_id cross join generate_series(0, ${DAYS - 1}) d
     where g.id > ${MODELS} or d > 0`,
  );
  await pool.query("vacuum analyze gpu_chunk");
}

async function writeRoster(pool: pg.Pool, since: Date): Promise<void> {
  await pool.query(
    "insert into connection (id, name, provider, base_url, key_last4, created_at) values (gen_random_uuid(), 'bench', 'lambda', 'http://127.0.0.1', 'none', $1)",
    [since],
  );
  await pool.query(
    `insert into resource (id, kind, connection_id, external_id, first_seen_at)
     select gen_random_uuid(), 'instance', c.id, 'gpu-node-' || m, $1 from connection c, generate_series(0, $2::int) m`,
    [since, Math.ceil(GPUS / GPUS_PER_MACHINE) - 1],
  );
  await pool.query(
    `insert into resource_span (resource_id, valid_from, status, name, region, provider, price_micros)
     select id, $1, 'active', external_id, 'us-east-3', 'lambda', 23920000 from resource`,
    [since],
  );
  await pool.query(
    `insert into gpu (uuid, resource_id, position, model, memory_mib, first_seen_at)
     select 'GPU-' || i, r.id, i % ${GPUS_PER_MACHINE}, 'NVIDIA H100 80GB HBM3', 97871, $1
     from generate_series(0, $2::int) i join resource r on r.external_id = 'gpu-node-' || (i / ${GPUS_PER_MACHINE}) order by i`,
    [since, GPUS - 1],
  );
}

/** A draft of a rule over 30 days of 100 GPUs, every 10 s: the judging alone, without reading the samples. */
export function benchBacktest(bars: Bars): void {
  const size = (DAYS * DAY_MS) / STEP_MS;
  console.log(`\nBacktest: ${GPUS} GPUs over ${DAYS} days, ${(GPUS * size).toLocaleString("en")} samples`);
  const at = Float64Array.from({ length: size }, (_, i) => i * STEP_MS);
  const temperatureC = Float64Array.from({ length: size }, (_, i) =>
    Math.fround(70 + 12 * Math.sin(i / 900) + 2 * Math.sin(i / 7)),
  );
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (let gpu = 0; gpu < GPUS; gpu++) {
      runHistory({
        condition: hotter(78 + gpu / 50),
        semantics: PRODUCT_SEMANTICS(STEP_MS),
        track: historyTrack("temperatureC", 88, NO_FACTS, at, { temperatureC }),
        over: { of: "last", windowMs: 0 },
        from: 0,
        to: size * STEP_MS,
        goneAt: null,
      });
    }
    took.push(performance.now() - began);
  }
  bars.atMost("judging 30 days of 100 GPUs", median(took), 2_000, "ms");
}

function hotter(threshold: number): AlertCondition {
  return {
    comparison: "above",
    threshold,
    clearThreshold: null,
    forMs: 300_000,
    keepFiringMs: 0,
    intervalMs: 30_000,
    noData: "unknown",
    silenceToleranceMs: 0,
  };
}
