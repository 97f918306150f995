import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listMigrations, migrate } from "@/lib/db/migrate";
import {
  createDatabase,
  freePort,
  initialise,
  type Place,
  PostgresError,
  postgresPlace,
  serverUrl,
  startServer,
  stopServer,
} from "@/lib/launcher/postgres";

/** Processes that are killed lose nothing that the system took from them; only the machine may not fail. */
const SETTINGS = { fsync: "off", shared_buffers: "32MB" };

/** A PostgreSQL server of a test's own with a migrated database, which can be killed and comes back as it was. */
export class OwnServer {
  private constructor(
    private readonly folder: string,
    private readonly place: Place,
    private readonly port: number,
    private child: ChildProcess,
  ) {}

  static async open(): Promise<OwnServer> {
    const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-own-"));
    // As root, the server runs as somebody else, who must be able to enter.
    chmodSync(folder, 0o755);
    const place = postgresPlace(folder);
    await initialise(place);
    const port = await freePort();
    const child = await startServer(place, port, SETTINGS, () => {});
    const server = new OwnServer(folder, place, port, child);
    await createDatabase(serverUrl(place, port, "postgres"), "hopperdeck");
    await migrate(server.url, listMigrations("prisma/migrations"));
    return server;
  }

  get url(): string {
    return serverUrl(this.place, this.port, "hopperdeck");
  }

  /** `kill -9`: whatever is under way is lost, whatever was acknowledged is there afterwards. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }

  async start(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        this.child = await startServer(this.place, this.port, SETTINGS, () => {});
        return;
      } catch (error) {
        // Those who served clients notice a moment later that their server is dead, and hold its memory until then.
        if (!(error instanceof PostgresError) || tries === 20) throw error;
        await sleep(100);
      }
    }
  }

  async close(): Promise<void> {
    await stopServer(this.child);
    // It may lie outside the folder.
    rmSync(path.dirname(this.place.cluster), { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
