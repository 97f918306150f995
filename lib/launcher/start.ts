import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, isLoopback, readEnv } from "@/lib/env";
import { buildApp, dataFolder, generateClient } from "./build";
import { type Database, locateDatabase, prepareDatabase, startEmbedded, stopServer } from "./database";
import { freePort, keptSecret } from "./postgres";
import { StartError, say, sentenceOf, step } from "./report";
import { endGently, Supervisor } from "./supervise";

type Variables = Record<string, string | undefined>;

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const NEEDED_DISK_BYTES = 300 * 1024 * 1024;
const DEMO_KEY = "secret_demo_0000000000000000";

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
  checkDisk(dataDir);
  await checkPort(env.port, env.host);
  const secrets = secretsFor(env, dataDir);

  const supervisor = new Supervisor();
  let leave: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    leave = resolve;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => leave());

  const running = bringUp(env, dataDir, secrets, supervisor);
  running.catch(() => {});
  let failure: unknown;
  try {
    await Promise.race([running.then(() => new Promise<never>(() => {})), supervisor.failed, asked]);
    say("\nStopping…");
  } catch (error) {
    failure = error;
  }
  await supervisor.stop();
  release();
  if (failure) throw failure;
  say("Stopped. Nothing is lost; npm start goes on where it ended.");
  process.exit(0);
}

async function bringUp(env: Env, dataDir: string, secrets: Variables, supervisor: Supervisor): Promise<void> {
  await step("Database client", generateClient, (made) => (made ? "generated" : "up to date"));
  const building = buildApp().then(
    (built) => ({ built }),
    (error: unknown) => ({ error }),
  );
  const database = await locateDatabase(env);
  if (database.embedded) {
    await step(
      "PostgreSQL",
      () => superviseDatabase(database, dataDir, supervisor),
      () => `embedded, data kept below ${path.relative(".", dataDir)}`,
    );
  }
  await step(
    "Migrations",
    () => prepareDatabase(database.url, env.mode),
    (applied) => (applied.length > 0 ? applied.join(", ") : "up to date"),
  );
  await step(
    "Web app",
    async () => {
      const outcome = await building;
      if ("error" in outcome) throw outcome.error;
      return outcome.built;
    },
    (built) => (built ? "built" : "up to date"),
  );

  const childEnv: Variables = {
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
  writeFileSync(path.join(dataDir, "running.json"), JSON.stringify({ pid: process.pid, env: childEnv }), {
    mode: 0o600,
  });

  if (env.mode === "demo") Object.assign(childEnv, await superviseSimulator(env, dataDir, childEnv, supervisor));
  await supervisor.add({ name: "web", start: () => startWeb(env, childEnv) });
  if (env.mode === "demo") {
    await step(
      "Demo fleet",
      () => runOnce("lib/cli/main.ts", ["demo", "seed"], childEnv),
      (said) => said,
    );
  }
  await supervisor.add({ name: "worker", start: async () => launch("worker", "lib/worker/main.ts", childEnv) });
  writeFileSync(path.join(dataDir, "running.json"), JSON.stringify({ pid: process.pid, env: childEnv }), {
    mode: 0o600,
  });
  await sayHow(env, childEnv);
}

async function superviseDatabase(database: Database, dataDir: string, supervisor: Supervisor): Promise<void> {
  const log = logFile(dataDir, "postgres.log");
  await supervisor.add({
    name: "PostgreSQL",
    start: () =>
      startEmbedded(database, (line) => {
        log(line);
        if (/ (FATAL|PANIC): /.test(line) && !/terminating connection|the database system is/.test(line))
          say(`PostgreSQL │ ${line}`);
      }),
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
    start: async () => {
      const child = launch("simulator", "lib/simulator/main.ts", { ...childEnv, ...settings });
      await until(child, "simulator", () => answers(`${addresses.SIMULATOR_ADMIN_URL}/state`));
      return child;
    },
  });
  return addresses;
}

async function startWeb(env: Env, childEnv: Variables): Promise<ChildProcess> {
  const child = launch("web", "lib/web/server.ts", childEnv);
  const host = env.host === "0.0.0.0" || env.host === "::" ? "127.0.0.1" : env.host;
  await until(child, "web", () => answers(`http://${host.includes(":") ? `[${host}]` : host}:${env.port}/api/health`));
  return child;
}

/** A child in a process group of its own, so that Ctrl-C reaches the supervisor alone, which then stops all in order. */
function launch(name: string, script: string, env: Variables): ChildProcess {
  const child = spawn(process.execPath, ["--import", "./lib/launcher/leash.mjs", "--import", "tsx", script], {
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const prefix = name.padEnd(9);
  let rest = "";
  const show = (chunk: Buffer) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) say(`${prefix} │ ${line}`);
  };
  child.stdout?.on("data", show);
  child.stderr?.on("data", show);
  return child;
}

/** Runs a command to its end and returns its last line. */
async function runOnce(script: string, args: string[], env: Variables): Promise<string> {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new StartError(`${errors.trim() || output.trim()}`);
  return output.trim().split("\n").at(-1) ?? "";
}

async function until(child: ChildProcess, name: string, isUp: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new StartError(`${name} ended while starting`);
    if (await isUp()) return;
    await sleep(100);
  }
  await endGently(child);
  throw new StartError(`${name} did not answer within a minute`);
}

/** Any answer will do: the process listens. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.body?.cancel().then(() => true) ?? true,
    () => false,
  );
}

async function sayHow(env: Env, childEnv: Variables): Promise<void> {
  say("");
  say(`Open ${env.publicUrl}`);
  if (env.mode === "demo") {
    say(
      isLoopback(env.publicUrl) && isLoopback(`http://${env.host}`)
        ? "Sign in with one click as any role."
        : "Sign in with an account; one-click roles are offered on loopback only.",
    );
  }
  const link = await runOnce("lib/cli/main.ts", ["user", "first-link"], childEnv);
  if (link) say(`Nobody has an account yet. The first admin's link, good once and for 24 hours:\n  ${link}`);
  say("Ctrl-C stops everything.\n");
}

/** One Hopperdeck per data folder: two supervisors would fight over one cluster. */
function claimFolder(dataDir: string): () => void {
  const lock = path.join(dataDir, "run.lock");
  if (existsSync(lock)) {
    const pid = Number(readFileSync(lock, "utf8"));
    if (pid && pid !== process.pid && isAlive(pid)) {
      throw new StartError(
        `Hopperdeck already runs from ${dataDir} (process ${pid}). Stop it first, or set DATA_DIR to another folder.`,
      );
    }
  }
  writeFileSync(lock, String(process.pid), { mode: 0o600 });
  return () => {
    rmSync(lock, { force: true });
    rmSync(path.join(dataDir, "running.json"), { force: true });
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return /node|npm/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    return false;
  }
}

function checkDisk(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize < NEEDED_DISK_BYTES) {
    throw new StartError(
      `The disk below ${dataDir} is full: ${Math.floor((bavail * bsize) / 1024 / 1024)} MB are free, Hopperdeck needs ${NEEDED_DISK_BYTES / 1024 / 1024} to start. Free some space, or set DATA_DIR to another disk.`,
    );
  }
}

async function checkPort(port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(
          new StartError(
            `Port ${port} on ${host} is taken by another program. Stop that one, or start with PORT=${port + 1} npm start.`,
          ),
        );
      else if (error.code === "EACCES")
        reject(new StartError(`Port ${port} may not be opened by this user. Choose one above 1023 with PORT.`));
      else reject(new StartError(`HOST ${host} cannot be listened on: ${error.message}`));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Keys that are made once and kept; with an outside database they belong to whoever runs that. */
function secretsFor(env: Env, dataDir: string): Variables {
  if (env.databaseUrl && !(env.authSecret && env.secretsKey)) {
    const missing = [
      env.authSecret ? "" : "AUTH_SECRET (32 characters or more)",
      env.secretsKey ? "" : "SECRETS_KEY (64 hexadecimal digits)",
    ].filter(Boolean);
    throw new StartError(
      `With DATABASE_URL, set ${missing.join(" and ")} too; \`openssl rand -hex 32\` makes one. They are not stored in the database, so keep them.`,
    );
  }
  return {
    AUTH_SECRET: env.authSecret ?? keptSecret(path.join(dataDir, "secrets", "auth")),
    SECRETS_KEY: env.secretsKey ?? keptSecret(path.join(dataDir, "secrets", "key")),
  };
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
