import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { disconnect } from "@/lib/db/client";
import { now } from "@/lib/db/clock";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { env, readEnv } from "@/lib/env";
import { dataFolder, locateDatabase, prepareDatabase, startEmbedded, stopServer } from "@/lib/launcher/database";
import { keptSecret } from "@/lib/launcher/postgres";

/**
 * Runs a command on the database: that of the Hopperdeck that runs from this folder, the one DATABASE_URL names, or the
 * embedded one, which is started for the while.
 */
export async function withDatabase<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const stop = await connect();
  try {
    return await work(systemCtx("command line", await now()));
  } finally {
    await disconnect();
    await stop();
  }
}

async function connect(): Promise<() => Promise<void>> {
  const settings = readEnv(process.env);
  if (settings.databaseUrl) return async () => {};
  const dataDir = dataFolder(settings.dataDir);
  const running = path.join(dataDir, "running.json");
  if (existsSync(running)) {
    const { pid, env: own } = JSON.parse(readFileSync(running, "utf8")) as { pid: number; env: Record<string, string> };
    if (isAlive(pid)) {
      // Set to nothing is not set.
      for (const [name, value] of Object.entries(own)) process.env[name] ||= value;
      return async () => {};
    }
  }
  const database = await locateDatabase(settings);
  const server = await startEmbedded(database, () => {});
  process.env.DATABASE_URL = database.url;
  process.env.HOPPERDECK_MODE = settings.mode;
  process.env.AUTH_SECRET ??= keptSecret(path.join(dataDir, "secrets", "auth"));
  process.env.SECRETS_KEY ??= keptSecret(path.join(dataDir, "secrets", "key"));
  await prepareDatabase(database.url, settings.mode);
  return () => stopServer(server);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export { env };
