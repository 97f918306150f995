import { beforeEach, expect, test } from "vitest";
import { pool } from "./client";
import { now, setTestClock } from "./clock";
import { forgive, holdBack, nextAt, reserve } from "./rate-limit";

const START = Date.UTC(2026, 10, 21, 12);
const KEY = "calls";
const AT_MOST_MS = 600_000;

beforeEach(async () => {
  await pool().query("truncate rate_limit");
  await setTestClock(new Date(START));
});

const later = async (ms: number) => setTestClock(new Date((await now()).getTime() + ms));
const many = (count: number, spacingMs: number, atMostMs = AT_MOST_MS) =>
  Promise.all(Array.from({ length: count }, () => reserve(KEY, spacingMs, atMostMs)));
const sorted = (waits: (number | null)[]) => waits.map((wait) => Math.round(wait ?? -1)).sort((a, b) => a - b);
const until = async () => ((await nextAt(KEY))?.getTime() ?? START) - (await now()).getTime();

test.each([
  ["requests, one each 1.1 s", 1_100],
  ["launches, one each 12.5 s", 12_500],
])("a hundred callers at once get a hundred places apart: %s", async (_, spacingMs) => {
  const places = Array.from({ length: 100 }, (_, i) => i * spacingMs);
  expect(sorted(await many(100, spacingMs, 100 * spacingMs))).toEqual(places);
  // Later callers stand behind them, however the clock has moved meanwhile.
  await later(spacingMs * 40);
  expect(sorted(await many(2, spacingMs, 100 * spacingMs))).toEqual([60 * spacingMs, 61 * spacingMs]);
});

test("a quiet hour is no credit: two never go at once", async () => {
  await many(1, 1_100);
  await later(3_600_000);
  expect(sorted(await many(3, 1_100))).toEqual([0, 1_100, 2_200]);
});

test("who does not wait so long takes no place, so the queue does not grow by those who leave", async () => {
  const waits = await many(50, 1_100, 5_000);
  expect(waits.filter((wait) => wait === null)).toHaveLength(45);
  expect(sorted(waits.filter((wait) => wait !== null))).toEqual([0, 1_100, 2_200, 3_300, 4_400]);
  await later(5_500);
  expect(await reserve(KEY, 1_100, 5_000)).toBe(0);
});

test("being asked to slow down holds everybody back, longer each time in a row, up to a bound, until a call succeeds", async () => {
  await reserve(KEY, 1_100, AT_MOST_MS);
  for (const expected of [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
    await holdBack(KEY, 5_000, 120_000);
    expect(await until()).toBe(expected);
    expect(await reserve(KEY, 1_100, expected - 1)).toBeNull();
    await later(expected);
  }
  await forgive(KEY);
  await holdBack(KEY, 5_000, 120_000);
  expect(await until()).toBe(5_000);
});
