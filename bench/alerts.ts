import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type pg from "pg";
import type { SampleRow } from "@/lib/domain/telemetry/store";
import { SyntheticFleet } from "./fleet";
import { type Bars, median, openGround } from "./ground";

const MACHINES = 1_250;
const GPUS_PER_MACHINE = 8;
const RULES = 20;
const STEP_MS = 10_000;
const SLOT_MS = 30_000;
const ROUNDS = 7;

/** 20 rules over 10,000 GPUs: what a round costs, how soon it sees, and what the worker holds. */
export async function benchAlerts(bars: Bars): Promise<void> {
  console.log(`\nAlerts: ${RULES} rules over ${MACHINES} machines with ${GPUS_PER_MACHINE} GPUs each`);
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    await measure(bars, pool());
  } finally {
    await disconnect();
    await ground.close();
  }
}

async function measure(bars: Bars, pool: pg.Pool): Promise<void> {
  const { setTestClock } = await import("@/lib/db/clock");
  const { ensurePartitions } = await import("@/lib/db/telemetry/partitions");
  const start = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
  await ensurePartitions(new Date(start - 86_400_000), new Date(start + 86_400_000));
  const sources = await writeRoster(pool, start);
  await writeRules(pool, start);
  const send = await sender(sources, start);

  const judge = startJudge();
  const round = async (slot: number): Promise<Round> => {
    await setTestClock(new Date(slot));
    return judge.round(slot);
  };
  // A lookback's worth of samples before the first round that counts.
  for (let at = start; at <= start + 3 * SLOT_MS; at += STEP_MS) await send(at, false);
  await round(start + 3 * SLOT_MS);
  const cpu: number[] = [];
  const wall: number[] = [];
  let added = 0;
  let slot = start + 3 * SLOT_MS;
  for (let i = 0; i < ROUNDS; i++) {
    for (let at = slot + STEP_MS; at <= slot + SLOT_MS; at += STEP_MS) await send(at, false);
    slot += SLOT_MS;
    const done = await round(slot);
    cpu.push(done.cpuMs);
    wall.push(done.ms);
    added = Math.max(added, done.addedBytes);
  }
  const { rows } = await pool.query<{ targets: string }>("select sum(targets) as targets from rule_eval");
  console.log(`  ${rows[0]?.targets} judgements a round, ${median(wall).toFixed(0)} ms of wall time`);
  bars.atMost("CPU of a round, 10,000 targets × 20 rules", median(cpu), 2_000, "ms");
  // The worker is to stay below 300 MiB; without judging it takes about 80.
  bars.atMost("memory that judging adds to its process", added / 1_048_576, 220, "MiB");

  // One GPU becomes hot: the sample that completes the condition is told at the next slot.
  for (let at = slot + STEP_MS; at <= slot + SLOT_MS; at += STEP_MS) await send(at, at > slot + STEP_MS);
  await round(slot + SLOT_MS);
  judge.stop();
  const found = await pool.query<{ fired: Date | null }>(
    "select max(a.fired_at) as fired from alert a join alert_rule r on r.id = a.rule_id where r.name = 'Hot'",
  );
  const fired = found.rows[0]?.fired?.getTime() ?? Number.POSITIVE_INFINITY;
  bars.atMost(
    "detection after the sample that completes it",
    (fired - (slot + 2 * STEP_MS)) / 1_000,
    SLOT_MS / 1_000,
    "s",
  );
}

type Round = { cpuMs: number; ms: number; addedBytes: number };

/** The judge has a process of its own with the worker's limits, so that what the load costs is not counted. */
function startJudge() {
  const child = spawn(process.execPath, ["--max-old-space-size=224", "--import", "tsx", "bench/alerts-judge.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async round(slot: number): Promise<Round> {
      child.stdin.write(`${slot}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("the judge has ended");
      return JSON.parse(value);
    },
    stop: () => child.stdin.end(),
  };
}

async function writeRoster(pool: pg.Pool, start: number): Promise<string[]> {
  const since = new Date(start - 86_400_000);
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
     select gen_random_uuid(), 'instance', c.id, 'gpu-node-' || m, $1 from connection c, generate_series(1, $2::int) m`,
    [since, MACHINES],
  );
  await pool.query(
    `insert into resource_span (resource_id, valid_from, status, name, region, provider, price_micros)
     select id, $1, 'active', external_id, 'us-east-3', 'lambda', 23920000 from resource`,
    [since],
  );
  await pool.query(
    `insert into telemetry_source (id, token_id, hostname, resource_id, interval_ms, first_seen_at, last_received_at)
     select gen_random_uuid(), t.id, r.external_id, r.id, $1, $2, $2 from resource r, token t`,
    [STEP_MS, since],
  );
  await pool.query(
    `insert into gpu (uuid, resource_id, source_id, position, model, memory_mib, power_limit_w, attrs, first_seen_at)
     select 'GPU-' || s.hostname || '-' || p, s.resource_id, s.id, p, 'NVIDIA H100 80GB HBM3', 81559, 700,
            '{"slowdownTemperatureC": 90, "remappedRows": {"correctable": 0, "uncorrectable": 0, "isPending": false, "isFailed": false}}', $1
     from telemetry_source s, generate_series(0, $2::int) p order by s.id, p`,
    [since, GPUS_PER_MACHINE - 1],
  );
  const { rows } = await pool.query<{ id: string }>("select id from telemetry_source order by id");
  return rows.map(({ id }) => id);
}

/** The rules about GPUs of the default pack, and as many more as make twenty. */
async function writeRules(pool: pg.Pool, start: number): Promise<void> {
  const { DEFAULT_PACK } = await import("@/lib/domain/alerts/default-pack");
  const { ensureRules } = await import("@/lib/db/alerts/rules");
  const own = DEFAULT_PACK.filter(({ kind }) => kind === "gpu_metric").map((rule) => ({ ...rule, selector: {} }));
  const metrics = [
    "temperatureC",
    "powerW",
    "smClockMhz",
    "memoryTemperatureC",
    "memoryBusyPct",
    "effectiveUtilizationPct",
  ];
  const [first] = own;
  if (!first) throw new Error("no rule about GPUs");
  const more = Array.from({ length: Math.max(0, RULES - own.length) }, (_, i) => ({
    ...first,
    packKey: `bench-${i}`,
    name: i === 0 ? "Hot" : `Bench ${i}`,
    metric: metrics[i % metrics.length] ?? "powerW",
    threshold: i === 0 ? 95 : 100_000,
    comparison: "above" as const,
    clearThreshold: null,
    forMs: 0,
  }));
  await ensureRules([...own, ...more].slice(0, RULES), new Date(start - 86_400_000));
  // Those that real load would raise on thousands at once are moved out of its reach: what is measured is judging, not an outage.
  await pool.query(
    "update alert_rule set threshold = 1e9, clear_threshold = null where comparison = 'above' and name <> 'Hot'",
  );
  await pool.query(
    "update alert_rule set threshold = -1e9, clear_threshold = null where comparison in ('below', 'at_most')",
  );
}

async function sender(sources: readonly string[], start: number) {
  const { writeSamples } = await import("@/lib/db/telemetry/write");
  const { prisma } = await import("@/lib/db/client");
  const gpus = await prisma.gpu.findMany({ select: { id: true, sourceId: true }, orderBy: { id: "asc" } });
  const fleet = new SyntheticFleet(gpus.length);
  const idsOf = new Map(
    sources.map((id) => [id, gpus.filter(({ sourceId }) => sourceId === id).map(({ id: gpu }) => gpu)]),
  );
  const place = new Map(gpus.map(({ id }, i) => [id, i]));
  return async (at: number, isHot: boolean): Promise<void> => {
    const values = fleet.tick();
    const sent = sources.map((sourceId) => ({
      sourceId,
      rows: (idsOf.get(sourceId) ?? []).map((gpuId): SampleRow => {
        const i = place.get(gpuId) ?? 0;
        const own = values[i];
        if (!own) throw new Error("no values");
        const rest = { throttleReasons: 0, eccUncorrected: 0, missing: null, quality: null };
        return { gpuId, at, values: isHot && i === 0 ? { ...own, temperatureC: 99 } : own, ...rest };
      }),
    }));
    for (let i = 0; i < sent.length; i += 125)
      await writeSamples(sent.slice(i, i + 125), new Date(Math.max(at, start)));
  };
}
