import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimMode, listMigrations, MigrationError, migrate } from "./migrate";

const FOLDER = path.join(import.meta.dirname, "../../prisma/migrations");
const migrations = listMigrations(FOLDER);
const server = process.env.DATABASE_URL ?? "";

let name = "";
let url = "";

async function tell<T extends object>(statement: string, where = server): Promise<T[]> {
  const client = new pg.Client({ connectionString: where });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  name = `empty_${randomBytes(5).toString("hex")}`;
  await tell(`create database ${name} template template0`);
  const place = new URL(server);
  place.pathname = `/${name}`;
  url = place.href;
});
afterEach(() => tell(`drop database if exists ${name} with (force)`));

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof MigrationError ? error.message : Promise.reject(error)),
  );

describe("migrations", () => {
  test("three processes that start at once apply each file once, and a later start applies none", async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(url, migrations)));
    expect(applied.flat()).toEqual(migrations.map((one) => one.name));
    expect(await migrate(url, migrations)).toEqual([]);
    const kept = await tell<{ name: string; checksum: string }>(
      "select migration_name as name, checksum from _prisma_migrations order by 1",
      url,
    );
    expect(kept).toEqual(migrations.map(({ name: file, checksum }) => ({ name: file, checksum })));
  });

  test("a file that fails is undone whole, and can be tried again", async () => {
    const added = { name: "99999999999999_added", sql: "create table added (n int); select 1 / 0;", checksum: "a" };
    await migrate(url, migrations);
    expect(await refusal(migrate(url, [...migrations, added]))).toMatch(/99999999999999_added failed and was undone/);
    expect(await tell("select 1 from pg_class where relname = 'added'", url)).toEqual([]);
    expect(await migrate(url, [...migrations, { ...added, sql: "create table added (n int)" }])).toEqual([added.name]);
  });

  test("a database of a newer version, and a file that was changed later, are refused untouched", async () => {
    await migrate(url, migrations);
    expect(await refusal(migrate(url, migrations.slice(0, -1)))).toMatch(/made by a newer Hopperdeck/);
    const changed = migrations.map((one) => ({ ...one, checksum: `${one.checksum}0` }));
    expect(await refusal(migrate(url, changed))).toMatch(/differs from the one that made this database/);
  });
});

describe("demo and real never share a database", () => {
  beforeEach(async () => {
    await migrate(url, migrations);
  });

  test.each([
    ["demo", "real", /holds the demo fleet/],
    ["real", "demo", /holds a real fleet/],
  ] as const)(
    "a database of the %s mode is refused in the %s mode, and goes on in its own",
    async (mode, other, words) => {
      await claimMode(url, mode);
      expect(await refusal(claimMode(url, other))).toMatch(words);
      expect(await refusal(claimMode(url, mode))).toBeNull();
    },
  );

  test("of two first starts at once, in different modes, one is refused", async () => {
    const outcomes = await Promise.all([refusal(claimMode(url, "demo")), refusal(claimMode(url, "real"))]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });
});
