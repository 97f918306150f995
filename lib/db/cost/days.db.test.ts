import { randomUUID } from "node:crypto";
import type pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { pool } from "@/lib/db/client";
import { emptyDatabase } from "@/lib/testing/empty";
import { checkDays } from "./days";

const DAYS = ["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02"];
const CHARGES = ["credit", "tax", "adjustment"] as const;

/** Repeatable, so that a failure can be looked at. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

async function change(client: pg.PoolClient, roll: (sides: number) => number, keys: string[]): Promise<void> {
  const day = DAYS[roll(DAYS.length)] ?? "2026-11-01";
  const micros = roll(5) === 0 ? null : roll(2_000_000) - 500_000;
  const some = keys.filter(() => roll(4) === 0).slice(0, 6);
  switch (roll(4)) {
    case 0: {
      await client.query("delete from ledger_row where key = any ($1::uuid[])", [some]);
      return;
    }
    case 1: {
      await client.query(
        "update ledger_row set micros = $2, low_micros = $2, high_micros = $2, day = $3, period = date_trunc('month', $3::date), minutes = $4 where key = any ($1::uuid[])",
        [some, micros, day, roll(60)],
      );
      return;
    }
    default: {
      await client.query(
        `insert into ledger_row (key, period, day, charge, owner_id, starts_at, ends_at, minutes, micros, low_micros, high_micros, effective_micros)
         select k, date_trunc('month', $2::date), $2, $3::charge_kind, 0, $2::date, $2::date, $4, $5, $5, $5, $6 from unnest($1::uuid[]) k
         on conflict (key) do update set micros = excluded.micros, low_micros = excluded.low_micros, high_micros = excluded.high_micros, effective_micros = excluded.effective_micros`,
        [some, day, CHARGES[roll(3)], roll(60), micros, roll(2) === 0 ? null : roll(1_000)],
      );
    }
  }
}

beforeEach(emptyDatabase);

test("the sums of days are those of the rows, whoever changes them at once; nobody waits in a ring, and what is rolled back leaves nothing", async () => {
  const keys = Array.from({ length: 40 }, () => randomUUID());
  const writers = await Promise.all(
    [1, 2, 3].map(async (seed) => ({ client: await pool().connect(), roll: dice(seed) })),
  );
  try {
    await Promise.all(
      writers.map(async ({ client, roll }) => {
        for (let round = 0; round < 25; round++) {
          await client.query("begin");
          for (let step = roll(3); step >= 0; step--) await change(client, roll, keys);
          await client.query(roll(5) > 0 ? "commit" : "rollback");
        }
      }),
    );
  } finally {
    for (const { client } of writers) client.release();
  }
  const { rows } = await pool().query<{ n: number }>("select count(*)::int as n from ledger_row");
  expect(rows[0]?.n).toBeGreaterThan(0);
  expect(await checkDays()).toEqual([]);
});

test("days whose rows are all gone are gone, and a wrong sum is found", async () => {
  const client = await pool().connect();
  try {
    const key = randomUUID();
    await client.query(
      "insert into ledger_row (key, period, day, charge, owner_id, starts_at, ends_at, micros, low_micros, high_micros) values ($1, '2026-11-01', '2026-11-02', 'tax', 0, now(), now(), 7, 7, 7)",
      [key],
    );
    const kept = await client.query("select rows, micros::int, list_micros::int, effective_micros::int from cost_day");
    expect(kept.rows).toEqual([{ rows: 1, micros: 7, list_micros: 7, effective_micros: 7 }]);
    await client.query("update cost_day set micros = 8");
    expect(await checkDays()).toMatchObject([{ day: "2026-11-02", charge: "tax" }]);
    await client.query("delete from ledger_row where key = $1", [key]);
    expect((await client.query("select from cost_day")).rowCount).toBe(0);
  } finally {
    client.release();
  }
});
