import { accessSync, constants, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { Env } from "@/lib/env";
import { keptSecret } from "./postgres";
import { StartError } from "./report";

/* What must be so before anything is started. Each check says in one sentence what is wrong and what to do. */

const NEEDED_DISK_BYTES = 300 * 1024 * 1024;

/** The folder of what belongs together: data, secrets, logs. Made when missing. */
export function dataFolder(dataDir: string): string {
  const folder = path.resolve(dataDir);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC") throw error;
    const why =
      code === "EEXIST" || code === "ENOTDIR"
        ? "something else has that name"
        : code === "EACCES" || code === "EPERM"
          ? "this user may not write there"
          : code === "EROFS"
            ? "the disk is read-only"
            : String(code);
    throw new StartError(`The data folder ${folder} cannot be used: ${why}. Set DATA_DIR to another one.`);
  }
  return folder;
}

/** One Hopperdeck per data folder: two supervisors would fight over one cluster. Returns what gives the folder back. */
export function claimFolder(dataDir: string): () => void {
  const lock = path.join(dataDir, "run.lock");
  let holder = writeLock(lock);
  if (holder !== null && !isLauncher(holder)) {
    // Left by one that was killed.
    rmSync(lock, { force: true });
    holder = writeLock(lock);
  }
  if (holder !== null) {
    throw new StartError(
      `Hopperdeck already runs from ${dataDir} (process ${holder}). Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return () => {
    rmSync(lock, { force: true });
    rmSync(path.join(dataDir, "running.json"), { force: true });
  };
}

/** Null when the lock is now ours, else whose it is. */
function writeLock(lock: string): number | null {
  try {
    writeFileSync(lock, String(process.pid), { mode: 0o600, flag: "wx" });
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return Number(readFileSync(lock, "utf8"));
  }
}

/** Whether that process lives and is a launcher: after a crash its number may belong to somebody else. */
function isLauncher(pid: number): boolean {
  if (!pid || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("launcher");
  } catch {
    return false;
  }
}

export function checkDisk(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize < NEEDED_DISK_BYTES) {
    throw new StartError(
      `The disk below ${dataDir} is full: ${Math.floor((bavail * bsize) / 1024 / 1024)} MB are free, Hopperdeck needs ${NEEDED_DISK_BYTES / 1024 / 1024} to start. Free some space, or set DATA_DIR to another disk.`,
    );
  }
}

export async function checkPort(port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(
          new StartError(
            `Port ${port} on ${host} is taken by another program. Stop that one, or start with PORT=${port < 65535 ? port + 1 : 3000} npm start.`,
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
export function secretsFor(env: Env, dataDir: string): { AUTH_SECRET: string; SECRETS_KEY: string } {
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
