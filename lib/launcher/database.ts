import type { ChildProcess } from "node:child_process";
import pg from "pg";
import { claimMode, listMigrations, migrate } from "@/lib/db/migrate";
import type { Env } from "@/lib/env";
import {
  createDatabase,
  freePort,
  initialise,
  type Place,
  postgresPlace,
  serverUrl,
  startServer,
  stopServer,
} from "./postgres";
import { StartError } from "./report";

export type Database = {
  url: string;
  /** Null when the server is somebody else's. */
  embedded: { place: Place; port: number } | null;
};

/** Where the database will be; nothing runs yet. */
export async function locateDatabase(env: Env): Promise<Database> {
  if (env.databaseUrl) return { url: env.databaseUrl, embedded: null };
  const place = postgresPlace(env.dataDir);
  const port = await freePort();
  const name = env.mode === "demo" ? "hopperdeck_demo" : "hopperdeck";
  return { url: serverUrl(place, port, name), embedded: { place, port } };
}

/** Makes the cluster when missing and starts its server. */
export async function startEmbedded(
  database: Database,
  onLine: (line: string) => void,
  signal?: AbortSignal,
): Promise<ChildProcess> {
  if (!database.embedded) throw new Error("not embedded");
  const { place, port } = database.embedded;
  await initialise(place);
  const server = await startServer(place, port, {}, onLine, signal);
  try {
    await createDatabase(serverUrl(place, port, "postgres"), new URL(database.url).pathname.slice(1));
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  return server;
}

/** Applies missing migrations and refuses a database of the other mode. */
export async function prepareDatabase(url: string, mode: Env["mode"]): Promise<string[]> {
  await reach(url);
  const applied = await migrate(url, listMigrations("prisma/migrations"));
  await claimMode(url, mode);
  return applied;
}

async function reach(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const { hostname, port, pathname } = new URL(url);
    throw new StartError(
      `The database ${pathname.slice(1)} at ${hostname}:${port || 5432} cannot be reached: ${(error as Error).message || (error as NodeJS.ErrnoException).code}. Check DATABASE_URL and that the server runs.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

export { dataFolder } from "./ground";
export { stopServer };
