import { pool } from "./client";

/** What time it is: Postgres's clock, or in tests the one that the test moves. */
export async function now(): Promise<Date> {
  const { rows } = await pool().query<{ now: Date }>("select hopperdeck_now() as now");
  const [row] = rows;
  if (!row) throw new Error("no clock");
  return row.now;
}

/** For tests: the clock stands at `at` from here on. */
export async function setTestClock(at: Date): Promise<void> {
  await pool().query("insert into test_clock (at) values ($1) on conflict (only_row) do update set at = excluded.at", [
    at,
  ]);
}
