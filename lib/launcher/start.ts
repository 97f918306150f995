import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, isLoopback, readEnv } from "@/lib/env";
import { whenAsked } from "./asked";
import { buildApp, generateClient, processScript } from "./build";
import { type Database, locateDatabase, prepareDatabase, startEmbedded, stopServer } from "./database";
import { checkDisk, checkPort, claimFolder, dataFolder, secretsFor } from "./ground";
import { freePort } from "./postgres";
import { StartError, say, sentenceOf, step } from "./report";
import { endGently, Supervisor } from "./supervise";

/**
 * Node takes what a large machine has before it tidies up; these hold the load of 10,000 GPUs with room to spare. While V8
 * marks what is alive, its threads take the processor from the answers: one thread may, and the web's heap may double first.
 */
const HEAP: Record<string, string[]> = {
  web: ["--max-old-space-size=320", "--max-semi-space-size=16", "--heap-growing-percent=100", "--v8-pool-size=1"],
  worker: ["--max-old-space-size=224", "--max-semi-space-size=4", "--v8-pool-size=1"],
};

/** A report or a page does not wait for what is judged or metered; where both want the processor, the worker has a tenth of their weight. */
const WORKER_NICE = 10;

type Variables = Record<string, string | undefined>;

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const DEMO_KEY = "secret_demo_0000000000000000";
/** What the `hopperdeck` command needs to reach the Hopperdeck that runs; nothing else of the environment is written down. */
const HANDED_ON = [
  "DATABASE_URL",
  "AUTH_SECRET",
  "SECRETS_KEY",
  "HOPPERDECK_MODE",
  "PUBLIC_URL",
  "DATA_DIR",
  "LAMBDA_API_URL",
  "LAMBDA_API_KEY",
];
/** What children say to programs, or of themselves at every start. */
const NOISE = /^\{"apiUrl":|Running next\.config/;

try {
  await start();
} catch (error) {
  const told = sentenceOf(error);
  process.stderr.write(`\n${told instanceof StartError ? told.message : ((told as Error).stack ?? String(told))}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const env = readEnv(process.env);
  say(`Hopperdeck ${version}, ${env.mode === "demo" ? "demo fleet (set LAMBDA_API_KEY for your own)" : "real fleet"}`);
  const dataDir = dataFolder(env.dataDir);
  const release = claimFolder(dataDir);
  try {
    checkDisk(dataDir);
    await checkPort(env.port, env.host);
    await runUntilAsked(env, dataDir, secretsFor(env, dataDir));
  } finally {
    release();
  }
  say("Stopped. Nothing is lost; npm start goes on where it ended.");
  process.exit(0);
}

/** Brings everything up and stops it again: when asked to, or when something cannot be kept up, which is then thrown. */
async function runUntilAsked(env: Env, dataDir: string, secrets: Variables): Promise<void> {
  const supervisor = new Supervisor();
  const asked = new Promise<void>(whenAsked);
  const running = bringUp(env, dataDir, secrets, supervisor);
  try {
    await Promise.race([running.then(() => supervisor.failed), supervisor.failed, asked]);
    say("\nStopping…");
  } finally {
    await supervisor.stop();
    await running.catch(() => {});
  }
}

async function bringUp(env: Env, dataDir: string, secrets: Variables, supervisor: Supervisor): Promise<void> {
  const { signal } = supervisor;
  await step(
    "Database client",
    () => generateClient(signal),
    (made) => (made ? "generated" : "up to date"),
  );
  const failed = new AbortController();
  const building = buildApp(AbortSignal.any([signal, failed.signal]));
  try {
    await bringUpBeside(building, env, dataDir, secrets, supervisor);
  } finally {
    // Without the rest, the build is not worth its end; with it, it is over.
    failed.abort();
    await building.catch(() => {});
  }
}

async function bringUpBeside(
  building: Promise<boolean>,
  env: Env,
  dataDir: string,
  secrets: Variables,
  supervisor: Supervisor,
): Promise<void> {
  const { signal } = supervisor;
  building.catch(() => {});
  const database = await locateDatabase(env);
  const childEnv: Variables = {
    // Of many small arenas glibc gives little back.
    MALLOC_ARENA_MAX: "2",
    ...process.env,
    ...secrets,
    NEXT_TELEMETRY_DISABLED: "1",
    HOPPERDECK_MODE: env.mode,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: env.publicUrl,
    NEXTAUTH_URL: env.publicUrl,
    PORT: String(env.port),
    HOST: env.host,
  };
  writeRunning(dataDir, childEnv);
  if (database.embedded) {
    await step(
      "PostgreSQL",
      () => superviseDatabase(database, dataDir, supervisor),
      () => `embedded, data kept below ${shortPath(database.embedded?.place.cluster ?? dataDir)}`,
    );
  }
  await step(
    "Migrations",
    () => prepareDatabase(database.url, env.mode),
    (applied) => (applied.length > 0 ? applied.join(", ") : "up to date"),
  );
  await step(
    "Web app",
    () => building,
    (built) => (built ? "built" : "up to date"),
  );

  if (env.mode === "demo") Object.assign(childEnv, await superviseSimulator(env, dataDir, childEnv, supervisor));
  await supervisor.add({ name: "web", start: (ending) => startWeb(env, childEnv, ending) });
  if (env.mode === "demo") {
    await step(
      "Demo fleet",
      () => runOnce("lib/cli/main.ts", ["demo", "seed"], childEnv, signal),
      (said) => said,
    );
  }
  await supervisor.add({ name: "worker", start: async () => launch("worker", processScript("worker"), childEnv) });
  writeRunning(dataDir, childEnv);
  await sayHow(env, childEnv, signal);
}

function shortPath(file: string): string {
  const relative = path.relative(".", file);
  return relative.startsWith("..") ? file : relative;
}

function writeRunning(dataDir: string, childEnv: Variables): void {
  const env = Object.fromEntries(HANDED_ON.map((name) => [name, childEnv[name]]));
  writeFileSync(path.join(dataDir, "running.json"), JSON.stringify({ pid: process.pid, env }), { mode: 0o600 });
}

async function superviseDatabase(database: Database, dataDir: string, supervisor: Supervisor): Promise<void> {
  const log = logFile(dataDir, "postgres.log");
  await supervisor.add({
    name: "PostgreSQL",
    start: (ending) =>
      startEmbedded(
        database,
        (line) => {
          log(line);
          if (/ (FATAL|PANIC): /.test(line) && !/terminating connection|the database system is/.test(line))
            say(`PostgreSQL │ ${line}`);
        },
        ending,
      ),
    stop: stopServer,
  });
}

async function superviseSimulator(
  env: Env,
  dataDir: string,
  childEnv: Variables,
  supervisor: Supervisor,
): Promise<Variables> {
  const [apiPort, adminPort] = [await freePort(), await freePort()];
  const addresses = {
    LAMBDA_API_URL: `http://127.0.0.1:${apiPort}/api/v1`,
    SIMULATOR_ADMIN_URL: `http://127.0.0.1:${adminPort}`,
    LAMBDA_API_KEY: DEMO_KEY,
  };
  const settings = {
    SIM_API_PORT: String(apiPort),
    SIM_ADMIN_PORT: String(adminPort),
    SIM_API_KEY: DEMO_KEY,
    SIM_SCENARIO: "demo",
    SIM_DAYS: String(env.demoDays),
    SIM_STATE_FILE: path.join(dataDir, "simulator.json"),
  };
  await supervisor.add({
    name: "simulator",
    start: async (ending) => {
      const child = launch("simulator", "lib/simulator/main.ts", { ...childEnv, ...settings });
      await until(child, "simulator", `${addresses.SIMULATOR_ADMIN_URL}/state`, ending);
      return child;
    },
  });
  return addresses;
}

async function startWeb(env: Env, childEnv: Variables, ending: AbortSignal): Promise<ChildProcess> {
  const child = launch("web", processScript("web"), childEnv);
  const host = env.host === "0.0.0.0" || env.host === "::" ? "127.0.0.1" : env.host;
  await until(child, "web", `http://${host.includes(":") ? `[${host}]` : host}:${env.port}/api/health`, ending);
  return child;
}

/** A child in a process group of its own, so that Ctrl-C reaches the supervisor alone, which then stops all in order. */
function launch(name: string, script: string, env: Variables): ChildProcess {
  const heap = HEAP[name] ?? [];
  const child = spawn(
    process.execPath,
    [...heap, "--import", "./lib/launcher/leash.mjs", ...(script.endsWith(".ts") ? ["--import", "tsx"] : []), script],
    {
      // The database's own list of who is connected names them apart.
      env: { ...env, NODE_ENV: "production", PGAPPNAME: `hopperdeck ${name}` },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    },
  );
  if (name === "worker" && child.pid !== undefined) giveWay(child.pid);
  const prefix = name.padEnd(9);
  let rest = "";
  const show = (chunk: Buffer) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line && !NOISE.test(line)) say(`${prefix} │ ${line}`);
  };
  child.stdout?.on("data", show);
  child.stderr?.on("data", show);
  child.once("error", (error) => say(`${prefix} │ ${error.message}`));
  return child;
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, WORKER_NICE);
  } catch {
    // It ended at once, or this system does not allow it: it works all the same.
  }
}

/** Runs a command to its end and returns its last line. */
async function runOnce(script: string, args: string[], env: Variables, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, ["--import", "./lib/launcher/leash.mjs", "--import", "tsx", script, ...args], {
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    signal,
  });
  // Its end, by the signal too, is told by "close".
  child.once("error", () => {});
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  signal.throwIfAborted();
  if (code !== 0) throw new StartError(`${errors.trim() || output.trim()}`);
  return output.trim().split("\n").at(-1) ?? "";
}

async function until(child: ChildProcess, name: string, url: string, ending: AbortSignal): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && !ending.aborted) {
    if (child.exitCode !== null || child.signalCode !== null) throw new StartError(`${name} ended while starting`);
    if (await answers(url)) return;
    await sleep(100);
  }
  await endGently(child);
  ending.throwIfAborted();
  throw new StartError(`${name} did not answer within a minute`);
}

/** Any answer will do: the process listens. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.body?.cancel().then(() => true) ?? true,
    () => false,
  );
}

async function sayHow(env: Env, childEnv: Variables, signal: AbortSignal): Promise<void> {
  say("");
  say(`Open ${env.publicUrl}`);
  if (env.mode === "demo") {
    say(
      isLoopback(env.publicUrl) && isLoopback(`http://${env.host}`)
        ? "Sign in with one click as any role."
        : "Sign in with an account; one-click roles are offered on loopback only.",
    );
  }
  const link = await runOnce("lib/cli/main.ts", ["user", "first-link"], childEnv, signal);
  if (link) say(`Nobody has an account yet. The first admin's link, good once and for 24 hours:\n  ${link}`);
  say("Ctrl-C stops everything.\n");
}

function logFile(dataDir: string, name: string): (line: string) => void {
  const folder = path.join(dataDir, "logs");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return (line) => {
    try {
      appendFileSync(file, `${line}\n`);
    } catch {
      // A full disk must not take the supervisor down.
    }
  };
}
