import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createDatabase,
  freePort,
  initialise,
  postgresPlace,
  serverUrl,
  startServer,
  stopServer,
} from "@/lib/launcher/postgres";

/** Where downloads for the measurements are kept between runs. */
export const CACHE = path.resolve(".data/bench");

/** A database server of its own, set up as the product sets up its own, and an empty, migrated database in it. */
export async function openGround(): Promise<{ url: string; close: () => Promise<void> }> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-bench-"));
  const place = postgresPlace(folder);
  await initialise(place);
  const port = await freePort();
  const server = await startServer(place, port, {}, () => {});
  await createDatabase(serverUrl(place, port, "postgres"), "bench");
  const url = serverUrl(place, port, "bench");
  const { listMigrations, migrate } = await import("@/lib/db/migrate");
  await migrate(url, listMigrations("prisma/migrations"));
  return {
    url,
    close: async () => {
      await stopServer(server);
      rmSync(place.cluster, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Bars that were missed. Those in milliseconds, by less than double, are only reported: machines are shared. */
export class Bars {
  readonly missed: string[] = [];
  readonly reported: string[] = [];

  atLeast(what: string, value: number, bar: number, unit = "×"): void {
    this.say(what, `${value.toFixed(2)} ${unit}`, `≥ ${bar} ${unit}`, value >= bar);
  }

  atMost(what: string, value: number, bar: number, unit: string): void {
    this.say(
      what,
      `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`,
      `≤ ${bar} ${unit}`,
      value <= bar,
      unit === "ms" && value <= 2 * bar,
    );
  }

  holds(what: string, isSo: boolean): void {
    this.say(what, isSo ? "yes" : "no", "yes", isSo);
  }

  private say(what: string, value: string, bar: string, isHeld: boolean, isNear = false): void {
    console.log(`  ${isHeld ? "ok " : "MISS"} ${what.padEnd(62)} ${value.padStart(14)}   bar ${bar}`);
    if (!isHeld) (isNear ? this.reported : this.missed).push(`${what}: ${value}, the bar is ${bar}`);
  }
}
