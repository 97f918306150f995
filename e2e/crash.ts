import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { SAMPLE_COLUMNS, storageOf, WIDE_COLUMNS } from "@/lib/db/telemetry/columns";
import { METRICS } from "@/lib/domain/telemetry/catalogue";
import { decodeColumn } from "@/lib/domain/telemetry/chunk";
import { prepareDatabase } from "@/lib/launcher/database";
import { createDatabase, freePort, initialise, postgresPlace, serverUrl, startServer } from "@/lib/launcher/postgres";
import { mintToken } from "@/lib/services/tokens";
import { reading, report } from "@/lib/testing/senders";
import { firstLine, listening, startProcess } from "./processes";

export type Victim = "web" | "worker" | "postgres";
export const VICTIMS: readonly Victim[] = ["web", "worker", "postgres"];

const START = Date.parse("2026-11-19T09:00:00Z");
const MACHINES = 6;
const GPUS = 4;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Samples of a report, so far apart that a round of reports covers some hours. */
const SAMPLES = 5;
const EVERY_MS = 30_000;
const ACKS_BEFORE = 40;
const ACKS_AFTER = 20;

/** What was acknowledged: per machine the instants of its samples. */
type Acknowledged = Map<number, Set<number>>;

/**
 * The product under a load of reports from machines that send again until they are answered, as the agent does, with its
 * processes killed in the middle. PostgreSQL runs with the settings of the product: what it acknowledged is on disk.
 */
export class CrashGround {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-crash-"));
  private readonly place = postgresPlace(this.folder);
  private readonly acknowledged: Acknowledged = new Map();
  private readonly processes = new Map<Victim, ChildProcess>();
  private readonly secret = mintToken();
  private simulator: ChildProcess | null = null;
  private pgPort = 0;
  private webPort = 0;
  private clockPort = 0;
  private env: Record<string, string> = {};
  private acks = 0;
  private now = START;

  async open(): Promise<void> {
    await initialise(this.place);
    this.pgPort = await freePort();
    this.webPort = await freePort();
    await this.startPostgres();
    await createDatabase(serverUrl(this.place, this.pgPort, "postgres"), "hopperdeck");
    await prepareDatabase(this.databaseUrl, "real");
    this.simulator = startProcess("simulator", "lib/simulator/main.ts", {
      SIM_API_KEY: "secret_simulator_0123456789abcdef",
      SIM_SCENARIO: "empty",
      SIM_CLOCK: "manual",
      SIM_NOW: String(START),
    });
    const { apiUrl, adminUrl } = await firstLine<{ apiUrl: string; adminUrl: string }>(this.simulator);
    const url = `http://127.0.0.1:${this.webPort}`;
    this.env = {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: this.folder,
      HOPPERDECK_MODE: "real",
      LAMBDA_API_KEY: "secret_simulator_0123456789abcdef",
      LAMBDA_API_URL: apiUrl,
      SIMULATOR_ADMIN_URL: adminUrl,
      AUTH_SECRET: randomBytes(32).toString("hex"),
      SECRETS_KEY: randomBytes(32).toString("hex"),
      PORT: String(this.webPort),
      HOST: "127.0.0.1",
      PUBLIC_URL: url,
      NEXTAUTH_URL: url,
      TEST_CLOCK: "1",
      BACKUP_KEEP_DAYS: "0",
      NEXT_TELEMETRY_DISABLED: "1",
    };
    await this.startWorker();
    await this.startWeb();
    await this.clock("/set", { at: START });
    await this.writeRoster();
  }

  /** Reports flow; a process dies with kill -9, comes back, and reports flow on. */
  async round(victim: Victim): Promise<void> {
    const until = this.acks + ACKS_BEFORE + ACKS_AFTER;
    const killAt = this.acks + ACKS_BEFORE;
    let isKilled = false;
    const load = Array.from({ length: MACHINES }, (_, machine) => this.send(machine, () => this.acks >= until));
    // The worker derives and seals while reports come.
    const derive = (async () => {
      while (this.acks < until) {
        await this.clock("/jump", { ms: 5 * MINUTE_MS }).catch(() => {});
        await this.clock("/run", {}).catch(() => {});
        await this.pause();
      }
    })();
    const kill = (async () => {
      while (this.acks < killAt) await this.pause();
      isKilled = true;
      await this.kill(victim);
    })();
    await Promise.all([...load, derive, kill]);
    if (!isKilled) throw new Error("nothing was killed");
  }

  /** Sentences on what was lost, doubled or derived wrongly; none is good. */
  async faults(): Promise<string[]> {
    await this.settle();
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      const faults: string[] = [];
      const { rows } = await client.query<{ machine: number; gpu: number; at: Date; pct: number }>(
        `select split_part(s.hostname, '-', 2)::int as machine, g.position as gpu, x.at, x.utilization_pct as pct
         from gpu_sample x join gpu g on g.id = x.gpu_id join telemetry_source s on s.id = g.source_id`,
      );
      const stored = new Map(rows.map((row) => [`${row.machine} ${row.gpu} ${row.at.getTime()}`, row.pct]));
      if (stored.size !== rows.length) faults.push(`${rows.length - stored.size} samples are stored twice`);
      let lost = 0;
      let wrong = 0;
      for (const [machine, instants] of this.acknowledged)
        for (const at of instants)
          for (let gpu = 0; gpu < GPUS; gpu++) {
            const value = stored.get(`${machine} ${gpu} ${at}`);
            if (value === undefined) lost += 1;
            else if (value !== pctOf(machine, gpu, at)) wrong += 1;
          }
      if (lost > 0) faults.push(`${lost} acknowledged samples are not there`);
      if (wrong > 0) faults.push(`${wrong} samples have another value`);
      if (stored.size === 0) faults.push("nothing is stored");
      return [...faults, ...(await derivedFaults(client))];
    } finally {
      await client.end();
    }
  }

  get samples(): number {
    return [...this.acknowledged.values()].reduce((sum, instants) => sum + instants.size * GPUS, 0);
  }

  async close(): Promise<void> {
    for (const child of [...this.processes.values(), this.simulator]) {
      if (!child || child.exitCode !== null || child.signalCode !== null) continue;
      const exit = new Promise((resolve) => child.once("exit", resolve));
      child.kill(child === this.processes.get("postgres") ? "SIGINT" : "SIGKILL");
      await exit;
    }
    rmSync(path.dirname(this.place.cluster), { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get databaseUrl(): string {
    return serverUrl(this.place, this.pgPort, "hopperdeck");
  }

  private async startPostgres(): Promise<void> {
    this.processes.set("postgres", await startServer(this.place, this.pgPort, {}, () => {}));
  }

  private async startWeb(): Promise<void> {
    const web = startProcess("web", "lib/web/server.ts", this.env, false);
    this.processes.set("web", web);
    await listening(web);
  }

  private async startWorker(): Promise<void> {
    const worker = startProcess("worker", "lib/worker/main.ts", this.env, false);
    this.processes.set("worker", worker);
    this.clockPort = (await firstLine<{ testClockPort: number }>(worker)).testClockPort;
  }

  private async kill(victim: Victim): Promise<void> {
    const child = this.processes.get(victim);
    if (!child) throw new Error(`${victim} does not run`);
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await exit;
    if (victim === "web") await this.startWeb();
    else if (victim === "worker") await this.startWorker();
    else await this.startPostgres();
  }

  /** Machines as the provider once listed them, and a token that all of their agents share. */
  private async writeRoster(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    const since = new Date(START - HOUR_MS);
    await client.query(
      `insert into token (id, kind, name, prefix, secret_hash, created_at) values (gen_random_uuid(), 'ingest', 'fleet', $1, $2, $3)`,
      [this.secret.prefix, Buffer.from(this.secret.secretHash), since],
    );
    await client.query(
      `with made as (insert into resource (id, kind, connection_id, external_id, first_seen_at)
         select gen_random_uuid(), 'instance', c.id, 'node-' || m, $1 from (select id from connection limit 1) c, generate_series(0, $2) m returning id, external_id)
       insert into resource_span (resource_id, valid_from, status, name, region, provider, hostname)
       select id, $1, 'active', external_id, 'us-east-3', 'lambda', external_id from made`,
      [since, MACHINES - 1],
    );
    await client.end();
  }

  /** One machine's agent: it sends a report until it is answered, then the next one. */
  private async send(machine: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const done = (this.acknowledged.get(machine)?.size ?? 0) / SAMPLES;
      const first = START - 2 * HOUR_MS + done * SAMPLES * EVERY_MS + machine * 1000;
      const instants = Array.from({ length: SAMPLES }, (_, i) => first + i * EVERY_MS);
      if ((instants.at(-1) ?? 0) > this.now) {
        await this.pause();
        continue;
      }
      const body = report(
        instants.flatMap((at) =>
          Array.from({ length: GPUS }, (_, gpu) =>
            reading(at, {
              uuid: `GPU-${machine}-${gpu}`,
              index: gpu,
              values: { ...reading(0).values, utilizationPct: pctOf(machine, gpu, at) },
            }),
          ),
        ),
        { host: `node-${machine}`, sentAt: this.now },
      );
      while (!(await this.isTaken(body))) await this.pause();
      const own = this.acknowledged.get(machine) ?? new Set();
      for (const at of instants) own.add(at);
      this.acknowledged.set(machine, own);
      this.acks += 1;
    }
  }

  private async isTaken(body: string): Promise<boolean> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.webPort}/api/v1/ingest/nvidia-smi`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.secret.secret}` },
        body,
        signal: AbortSignal.timeout(20_000),
      });
      const text = await response.text();
      // A report that is wrong would be sent for ever.
      if (response.status >= 400 && response.status < 500 && response.status !== 429)
        throw Object.assign(new Error(`${response.status}: ${text}`), { isFinal: true });
      return response.ok;
    } catch (error) {
      if ((error as { isFinal?: boolean }).isFinal) throw error;
      return false;
    }
  }

  /** Lets everything that is due happen: all marks taken, all hours sealed. */
  private async settle(): Promise<void> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      for (;;) {
        // What a dead worker held is held until its lease runs out on real time; nobody waits for that here.
        await client.query("update worker_job set lease_until = now() - interval '1 second' where lease_until > now()");
        await this.clock("/jump", { ms: HOUR_MS });
        await this.clock("/run", {});
        const { rows } = await client.query<{ n: number }>(
          `select (select count(*) from telemetry_mark)::int
            + (select count(*) from (select distinct date_trunc('hour', at, 'UTC') as hour from gpu_sample) h where not exists (select 1 from telemetry_hour t where t.hour = h.hour))::int as n`,
        );
        if (rows[0]?.n === 0) return;
      }
    } finally {
      await client.end();
    }
  }

  private async clock(verb: string, body: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.clockPort}${verb}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { now: number; error?: string };
    if (!response.ok) throw new Error(`${verb}: ${answer.error}`);
    this.now = answer.now;
  }

  /** Others get their turn. */
  private pause(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

/** A value that only this sample has any reason to have. */
function pctOf(machine: number, gpu: number, at: number): number {
  return (machine * 31 + gpu * 17 + Math.floor(at / 1000)) % 101;
}

/** Where hours, distributions and sealed columns differ from what the rows say. */
async function derivedFaults(client: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  const differ = async (what: string, rows: string, derived: string, values: unknown[] = []) => {
    const { rows: found } = await client.query<{ n: number }>(
      `select count(*)::int as n from ((${rows} except ${derived}) union all (${derived} except ${rows})) d`,
      values,
    );
    if ((found[0]?.n ?? 0) > 0) faults.push(`${found[0]?.n} rows of ${what} are not what the samples say`);
  };
  const hourly = WIDE_COLUMNS.flatMap((c) => [
    [`count(${c})::int`, `${c}_n::int`],
    [`round(sum(${c}::float8)::numeric, 3)`, `round(${c}_sum::numeric, 3)`],
    [`min(${c})`, `${c}_min`],
    [`max(${c})`, `${c}_max`],
  ]);
  await differ(
    "hours",
    `select gpu_id, date_trunc('hour', at, 'UTC'), count(*)::int, ${hourly.map(([from]) => from).join(", ")} from gpu_sample group by 1, 2`,
    `select gpu_id, hour, samples::int, ${hourly.map(([, to]) => to).join(", ")} from gpu_hour`,
  );
  const id = METRICS.utilizationPct.distribution?.id;
  for (const [table, bucket] of [
    ["metric_dist", "date_bin('5 minutes', at, 'epoch')"],
    ["metric_dist_hour", "date_trunc('hour', at, 'UTC')"],
  ])
    await differ(
      `${table}`,
      `select ${bucket}, count(utilization_pct)::int, round(sum(utilization_pct)::numeric, 3), min(utilization_pct), max(utilization_pct) from gpu_sample where $1 = $1 group by 1`,
      `select at, n, round(sum::numeric, 3), min, max from ${table} where scope = 'fleet' and metric = $1::int`,
      [id],
    );
  const columns = SAMPLE_COLUMNS.map((column) => storageOf(column).name);
  const { rows: chunks } = await client.query<
    Record<string, Buffer | null> & { gpu_id: number; hour: Date; n: number }
  >("select * from gpu_chunk");
  const { rows } = await client.query<Record<string, number | string | null> & { gpu_id: number; at: Date }>(
    "select * from gpu_sample order by gpu_id, at",
  );
  const sealed = chunks.flatMap((chunk) => {
    const at = decodeColumn(chunk.at ?? null, chunk.n);
    const decoded = columns.map((name) => decodeColumn(chunk[name] ?? null, chunk.n));
    return Array.from(at, (offset, i) =>
      [chunk.gpu_id, chunk.hour.getTime() + offset, ...decoded.map((column) => textOf(column[i] ?? Number.NaN))].join(
        " ",
      ),
    );
  });
  const hot = rows.map((row) =>
    [
      row.gpu_id,
      row.at.getTime(),
      ...columns.map((name) => textOf(row[name] === null ? Number.NaN : Number(row[name]))),
    ].join(" "),
  );
  const [a, b] = [new Set(sealed), new Set(hot)];
  const unlike = [...b].filter((one) => !a.has(one)).length + [...a].filter((one) => !b.has(one)).length;
  if (unlike > 0) faults.push(`${unlike} sealed samples are not what the rows say`);
  return faults;
}

function textOf(value: number): string {
  return Number.isNaN(value) ? "-" : String(Math.fround(value));
}
