import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { disconnect } from "@/lib/db/client";
import { ledgerHash } from "@/lib/db/cost/ledger";
import { systemCtx } from "@/lib/domain/access";
import { seedDemo } from "@/lib/services/demo/seed";
import { DEFAULT_KEY, type Simulator, startSimulator } from "@/lib/simulator/start";
import { NOON } from "@/lib/simulator/testing";
import { stubEnv, unstubEnv } from "@/lib/testing/env";
import { rows } from "@/lib/testing/world";
import { backUp, restore } from "./backup";

const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-backup-"));
const file = path.join(folder, "a.backup");
const ctx = systemCtx("test", new Date(NOON));
const EMPTY = `test_${randomBytes(6).toString("hex")}`;

async function tell(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("databaseServer") });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const tables = ["ledger_row", "resource", "resource_span", "price", "intent", "audit_event", "alert", "gpu_hour"];
const counts = async () =>
  Promise.all(tables.map(async (table) => [table, (await rows(`select 1 from ${table}`)).length] as const));

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ clock: "manual", now: NOON, scenario: "demo", days: 2, seed: 1 });
  stubEnv({ LAMBDA_API_URL: simulator.apiUrl, LAMBDA_API_KEY: DEFAULT_KEY, HOPPERDECK_MODE: "demo" });
  await seedDemo(ctx, simulator.adminUrl, 2);
  await rows("insert into setting (id, value, updated_at) values ('mode', '\"demo\"', $1)", [ctx.now]);
});
afterAll(async () => {
  await simulator.close();
  unstubEnv();
  await tell(`drop database if exists ${EMPTY} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

/** Everything after this is asked of another database. */
async function moveTo(database: string) {
  await disconnect();
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.pathname = `/${database}`;
  stubEnv({ DATABASE_URL: url.href });
  vi.resetModules();
  const [backup, ledger, world] = await Promise.all([
    import("./backup"),
    import("@/lib/db/cost/ledger"),
    import("@/lib/testing/world"),
  ]);
  return { ...backup, ...ledger, ...world };
}

describe("a backup", () => {
  test("never overwrites a file", async () => {
    const taken = path.join(folder, "taken");
    writeFileSync(taken, "mine");
    await expect(backUp(ctx, taken, false)).rejects.toMatchObject({ code: "conflict" });
  });

  test("that cannot be written says so, leaves nothing, and does not keep its connection", async () => {
    const nowhere = path.join(folder, "absent", "x.backup");
    // More often than there are connections.
    for (let i = 0; i < 15; i++) await expect(backUp(ctx, nowhere, false)).rejects.toThrow("there is no such folder");
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("goes into no database that holds anything, and nothing else is taken for one", async () => {
    await backUp(ctx, path.join(folder, "refused.backup"), false);
    const before = await counts();
    await expect(restore(ctx, path.join(folder, "refused.backup"))).rejects.toMatchObject({ code: "conflict" });
    await expect(restore(ctx, path.join(folder, "taken"))).rejects.toMatchObject({ code: "invalid" });
    expect(await counts()).toEqual(before);
  });

  test("restored into an empty database gives the same ledger, to the last row", async () => {
    const original = await ledgerHash();
    expect(original.rows).toBeGreaterThan(10);
    expect(original.micros).toBeGreaterThan(0n);
    const before = await counts();
    const written = await backUp(ctx, file, false);
    expect(written.rows).toBeGreaterThan(original.rows);

    await tell(`create database ${EMPTY} template ${inject("databaseTemplate")}`);
    const other = await moveTo(EMPTY);
    expect((await other.ledgerHash()).rows).toBe(0);
    const read = await other.restore(ctx, file);
    expect(read).toMatchObject({ rows: written.rows, tables: written.tables, channelsToEnterAgain: [] });
    expect(await other.ledgerHash()).toEqual(original);

    const after = await Promise.all(
      tables.map(async (table) => [table, (await other.rows(`select 1 from ${table}`)).length] as const),
    );
    // The restore itself is told in the trail.
    expect(after).toEqual(before.map(([table, n]) => [table, table === "audit_event" ? n + 1 : n]));
  });
});
