import { disconnect, pool } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { prepareHouse } from "@/lib/services/house";
import type { Simulator, SimulatorOptions } from "@/lib/simulator/start";
import { DEFAULT_KEY } from "@/lib/simulator/start";
import { admin, startTestCloud } from "@/lib/simulator/testing";
import { emptyDatabase } from "@/lib/testing/empty";
import { stubEnv, unstubEnv } from "./env";
import { type Recorded, startRecorder } from "./recorder";

/** A verb of the worker, and how often it is due. */
export type Duty = { everyMs: number; run: (ctx: Ctx) => Promise<void> };

/** The product and a fake cloud, over HTTP, on one clock that the test moves; nothing runs by itself. */
export type World = {
  cloud: Simulator;
  /** What was really asked of the cloud since the last `reset`. */
  requests: Recorded[];
  now(): number;
  ctx(): Ctx;
  /** Both clocks move on in steps; machines push and due duties run in each. */
  advance(ms: number, duties?: readonly Duty[], stepMs?: number): Promise<void>;
  /** An empty fleet and an empty database, an hour later. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

const HOUR = 3_600_000;

export async function startWorld(options: SimulatorOptions = {}): Promise<World> {
  const cloud = await startTestCloud(options);
  const prices = structuredClone(cloud.cloud.state.prices);
  const recorder = await startRecorder(cloud.apiUrl, () => cloud.cloud.now());
  stubEnv({
    LAMBDA_API_URL: recorder.url,
    LAMBDA_API_KEY: DEFAULT_KEY,
    SIMULATOR_ADMIN_URL: cloud.adminUrl,
    TEST_CLOCK: "1",
  });

  const now = () => cloud.cloud.now();
  const ctx = () => systemCtx("test", new Date(now()));
  async function moveTo(at: number): Promise<void> {
    await setTestClock(new Date(at));
    const moved = await admin(cloud, "POST", "/clock", { now: at });
    if (moved.status !== 200) throw new Error(`The cloud's clock: ${moved.text}`);
  }
  // From the start: the database's own clock runs on past what is written at the cloud's.
  await moveTo(now());

  return {
    cloud,
    requests: recorder.requests,
    now,
    ctx,
    async advance(ms, duties = [], stepMs = 10_000) {
      const end = now() + ms;
      while (now() < end) {
        const before = now();
        await moveTo(Math.min(end, before + stepMs));
        for (const { everyMs, run } of duties)
          if (Math.floor(now() / everyMs) > Math.floor(before / everyMs)) await run(ctx());
      }
    },
    async reset() {
      const { state } = cloud.cloud;
      cloud.faults.clear(null);
      state.machines.length = 0;
      state.audit.length = 0;
      state.prices = structuredClone(prices);
      state.capacity = {};
      recorder.requests.length = 0;
      await emptyDatabase();
      await moveTo(now() + HOUR);
      await prepareHouse(ctx());
    },
    async close() {
      await recorder.close();
      await cloud.close();
      await disconnect();
      unstubEnv();
    },
  };
}

/** Rows of a question; for tests, which may look at everything. */
export async function rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await pool().query<T>(sql, values)).rows;
}

/** One number. */
export async function count(sql: string, values: unknown[] = []): Promise<number> {
  const [row] = await rows<{ n: string }>(`select count(*) as n from (${sql}) x`, values);
  return Number(row?.n);
}

/** The names of the tables in which any column of any row holds this text, as text or as bytes. */
export async function tablesHolding(text: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    "select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const hex = Buffer.from(text).toString("hex");
    const [hit] = await rows(
      `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
      [text, hex],
    );
    if (hit) found.push(name);
  }
  return found;
}

/** All that is believed of fleet, alerts and money, in one text: the same text, the same beliefs. */
export async function beliefs(): Promise<string> {
  const tables = ["resource", "resource_span", "resource_label", "alert", "intent", "ledger_row", "price", "gpu"];
  const texts: string[] = [];
  for (const table of tables) {
    const [row] = await rows<{ all: string | null }>(
      `select string_agg(t::text, E'\\n' order by t::text) as all from ${table} t`,
    );
    texts.push(`${table}\n${row?.all ?? ""}`);
  }
  return texts.join("\n");
}

/** What Activity was told since an instant, oldest first. */
export async function told(since: number): Promise<{ action: string; subject: string; reason: string | null }[]> {
  return rows("select action, subject, reason from audit_event where at >= $1 order by seq", [new Date(since)]);
}
