import type pg from "pg";
import { systemCtx } from "@/lib/domain/access";
import { type Bars, median, openGround, timed } from "./ground";

const MACHINES = 1_000;
const NOW = new Date("2026-11-20T12:00:00Z");
const POLL = new Date(NOW.getTime() - 5_000);
const ROUNDS = 15;
const PAGE_MS = 300;

/** H200s were declared; every machine is a GH200 that costs less: each has four findings. */
const PLAN = `version: 1
groups:
  - name: trainers
    instanceType: gpu_1x_gh200
    gpu: H200
    memoryGb: 141
    count: ${MACHINES}
    regions: [us-east-3]
    pricePerHour: 2.49
    software: default
    pools:
      - { name: weights, gb: 60 }
      - { name: kv-cache, gb: 40 }
      - { name: activations, gb: 30 }
      - { name: reserve, gb: 11 }
software:
  - name: default
    driverMin: 535.86.10
    cuda: [12.8]
    capabilityMin: 6.0
`;

/** The alignment page of 1,000 machines that all report, and the judgement of a poll of them. */
export async function benchAlignment(bars: Bars): Promise<void> {
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    await seedMachines(pool());
    await report();
    const { readAlignment } = await import("@/lib/services/alignment/read");
    const { saveDeclaration } = await import("@/lib/services/alignment/declare");
    const { checkAlignment } = await import("@/lib/services/alignment/check");
    const ctx = systemCtx("bench", NOW);
    await saveDeclaration(ctx, { yaml: PLAN, note: "", base: 0 });
    const { findings } = await readAlignment(ctx);
    console.log(
      `\nAlignment of ${MACHINES} machines with ${findings.reduce((sum, { ids }) => sum + ids.length, 0)} findings, median of ${ROUNDS}`,
    );
    bars.atMost("alignment page", await rounds(() => readAlignment(ctx)), PAGE_MS, "ms");
    let poll = POLL.getTime();
    const judge = async () => {
      poll += 15_000;
      await pool().query("update connection set last_ok_at = $1", [new Date(poll)]);
      await checkAlignment(systemCtx("bench", new Date(poll + 1_000)));
    };
    console.log(`     judging a poll                     ${(await rounds(judge)).toFixed(0).padStart(5)} ms`);
  } finally {
    await disconnect();
    await ground.close();
  }
}

async function rounds(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    const ms = await timed(read);
    // The first rounds warm caches that a running product has warm.
    if (round >= 2) times.push(ms);
  }
  return median(times);
}

async function seedMachines(pool: pg.Pool): Promise<void> {
  const since = new Date(NOW.getTime() - 24 * 3_600_000);
  const { rows } = await pool.query<{ id: string }>(
    `insert into connection (id, name, provider, base_url, key_last4, created_at, last_poll_at, last_ok_at)
     values (gen_random_uuid(), 'bench', 'lambda', 'http://127.0.0.1', 'none', $1, $2, $2) returning id`,
    [since, POLL],
  );
  await pool.query(
    `insert into instance_type (provider, name, description, gpu_model, gpus, gpu_memory_gb, vcpus, memory_gib, storage_gib, architecture, first_seen_at, last_seen_at)
     values ('lambda', 'gpu_1x_gh200', '1x GH200 (96 GB)', 'GH200', 1, 96, 64, 432, 4096, 'arm64', $1, $1)`,
    [since],
  );
  const { rows: tokens } = await pool.query<{ id: string }>(
    `insert into token (id, kind, name, prefix, secret_hash, created_at)
     values (gen_random_uuid(), 'ingest', 'bench', 'bench', sha256('bench'), $1) returning id`,
    [since],
  );
  await pool.query(
    `with made as (
       insert into resource (id, kind, connection_id, external_id, first_seen_at)
       select gen_random_uuid(), 'instance', $1::uuid, md5(i::text), $2 from generate_series(1, ${MACHINES}) i returning id
     ), spans as (
       insert into resource_span (resource_id, valid_from, status, name, region, provider, type_name, price_micros)
       select id, $2, 'active', 'gh-' || left(id::text, 8), 'us-east-3', 'lambda', 'gpu_1x_gh200', 2290000 from made
     ), senders as (
       insert into telemetry_source (id, kind, token_id, hostname, resource_id, host, first_seen_at, last_received_at)
       select gen_random_uuid(), 'agent', $5::uuid, id::text, id, $3::jsonb, $2, $4 from made returning id, resource_id
     )
     insert into gpu (uuid, resource_id, source_id, model, driver_version, memory_mib, first_seen_at)
     select 'GPU-' || resource_id, resource_id, id, 'NVIDIA GH200 480GB', '570.148.08', 97871, $2 from senders`,
    [
      rows[0]?.id,
      since,
      { machine: "aarch64", cudaVersion: { at: POLL.getTime(), found: "12.8" } },
      POLL,
      tokens[0]?.id,
    ],
  );
}

/** Every card says once that it is there. */
async function report(): Promise<void> {
  const { pool } = await import("@/lib/db/client");
  const { ensurePartitions } = await import("@/lib/db/telemetry/partitions");
  const { writeSamples } = await import("@/lib/db/telemetry/write");
  const { emptyValues } = await import("@/lib/domain/telemetry/sample");
  await ensurePartitions(new Date(NOW.getTime() - 24 * 3_600_000), new Date(NOW.getTime() + 24 * 3_600_000));
  const { rows } = await pool().query<{ gpuId: number; sourceId: string }>(
    `select id as "gpuId", source_id as "sourceId" from gpu`,
  );
  const values = { ...emptyValues(), memoryUsedMib: 60_000, utilizationPct: 90 };
  const rest = { throttleReasons: null, eccUncorrected: null, missing: null, quality: null };
  await writeSamples(
    rows.map(({ gpuId, sourceId }) => ({ sourceId, rows: [{ gpuId, at: POLL.getTime(), values, ...rest }] })),
    NOW,
  );
}
