import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { prepareDatabase } from "@/lib/launcher/database";
import { createDatabase, freePort } from "@/lib/launcher/postgres";
import { startTestServer } from "@/lib/testing/server";
import { ended, firstLine, listening, startProcess } from "./processes";

export type World = {
  /** Which fleet the product believes it watches. */
  mode: "demo" | "real";
  /** What the simulated cloud holds at first. */
  scenario: "demo" | "empty";
  days: number;
};

export type Stack = {
  url: string;
  databaseUrl: string;
  /** Moves the clock: machines push, and every due job of the worker runs, at each step of 10 s. */
  advance(ms: number): Promise<void>;
  /** The same in steps of 30 s: a long time in which only the beat goes on. */
  pass(ms: number): Promise<void>;
  /** Moves the clock without steps: an outage. */
  jump(ms: number): Promise<void>;
  now(): Promise<number>;
  /** The simulated cloud's own switches and ledger. */
  cloud<T = unknown>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<T>;
  /** The `hopperdeck` command, and what it said. */
  command(...words: string[]): Promise<string>;
  stop(): Promise<void>;
};

const START = Date.parse("2026-11-19T09:00:00Z");
const KEY = "secret_simulator_0123456789abcdef";
const run = promisify(execFile);

/** PostgreSQL, a simulated cloud, the built web app and the worker, on one clock that stands still until it is moved. */
export async function startStack({ mode, scenario, days }: World): Promise<Stack> {
  const server = await startTestServer();
  const dataDir = mkdtempSync(path.join(tmpdir(), "hopperdeck-e2e-"));
  const children: ChildProcess[] = [];
  const database = mode === "demo" ? "hopperdeck_demo" : "hopperdeck";
  await createDatabase(server.url, database);
  const databaseUrl = Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  await prepareDatabase(databaseUrl, mode);

  const simulator = start("simulator", "lib/simulator/main.ts", {
    SIM_API_KEY: KEY,
    SIM_SCENARIO: scenario,
    SIM_DAYS: String(days),
    SIM_CLOCK: "manual",
    SIM_NOW: String(START),
  });
  const { apiUrl, adminUrl } = await firstLine<{ apiUrl: string; adminUrl: string }>(simulator);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    HOPPERDECK_MODE: mode,
    LAMBDA_API_KEY: KEY,
    LAMBDA_API_URL: apiUrl,
    SIMULATOR_ADMIN_URL: adminUrl,
    AUTH_SECRET: randomBytes(32).toString("hex"),
    SECRETS_KEY: randomBytes(32).toString("hex"),
    PORT: String(port),
    HOST: "127.0.0.1",
    PUBLIC_URL: url,
    NEXTAUTH_URL: url,
    TEST_CLOCK: "1",
    DEMO_DAYS: String(days),
    OUTBOUND_PRIVATE_CIDRS: "127.0.0.0/8",
    NEXT_TELEMETRY_DISABLED: "1",
  };
  const command = async (...words: string[]) => {
    const { stdout } = await run(process.execPath, ["lib/cli/hopperdeck.cjs", ...words], {
      env: { ...process.env, ...env },
    });
    return stdout.trim();
  };

  const worker = start("worker", "lib/worker/main.ts", env);
  const { testClockPort } = await firstLine<{ testClockPort: number }>(worker);
  const clock = async (verb: string, body: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${testClockPort}${verb}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { now: number; error?: string };
    if (!response.ok) throw new Error(`${verb}: ${answer.error}`);
    return answer.now;
  };
  const web = start("web", "lib/web/server.ts", env);
  await listening(web);
  await clock("/set", { at: START });
  if (mode === "demo") await command("demo", "seed");

  return {
    url,
    databaseUrl,
    command,
    advance: async (ms) => void (await clock("/advance", { ms })),
    pass: async (ms) => void (await clock("/advance", { ms, stepMs: 30_000 })),
    jump: async (ms) => void (await clock("/jump", { ms })),
    now: () => clock("/run"),
    cloud: async <T>(method: string, where: string, body?: object): Promise<T> => {
      const response = await fetch(adminUrl + where, {
        method,
        ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    stop: async () => {
      for (const child of children.reverse()) await ended(child);
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
      if (server.folder) rmSync(server.folder, { recursive: true, force: true });
    },
  };

  function start(name: string, script: string, variables: Record<string, string>): ChildProcess {
    const child = startProcess(name, script, variables);
    children.push(child);
    return child;
  }
}
