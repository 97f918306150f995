import { describe, expect, test } from "vitest";
import {
  formatAge,
  formatClock,
  formatDay,
  formatDuration,
  formatDurationExact,
  formatInstant,
  formatMonth,
  formatPeriod,
  wallTime,
  zoneName,
} from "./format-time";

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;
const at = Date.UTC(2026, 10, 20, 14, 32, 10);

test.each([
  [0, "0 s"],
  [0.4, "1 ms"],
  [212, "212 ms"],
  [45 * S + 900, "45 s"],
  [59 * S + 999, "59 s"],
  [6 * MIN, "6 min"],
  [2 * H + 29 * MIN, "2 h 29 min"],
  [9 * H + 6 * MIN, "9 h 06 min"],
  [47 * H + 59 * MIN, "47 h 59 min"],
  [2 * D, "2 d 0 h"],
  [8 * D + 4 * H + 59 * MIN, "8 d 4 h"],
  [-6 * MIN, "−6 min"],
  [null, "—"],
  [Number.NaN, "—"],
])("%s ms last %s", (ms, text) => expect(plain(formatDuration(ms))).toBe(text));

test.each([
  [4 * MIN + 12 * S, "4 min 12 s"],
  [4 * MIN + 2 * S, "4 min 02 s"],
  [45 * S, "45 s"],
  [2 * H + 29 * MIN, "2 h 29 min"],
  [null, "—"],
])("%s ms last exactly %s", (ms, text) => expect(plain(formatDurationExact(ms))).toBe(text));

test.each([
  [at - 24 * S, "24 s ago"],
  [at - 500, "now"],
  [at - 25 * MIN, "25 min ago"],
  [at + 50 * S, "in 50 s"],
  [at - D + 1, "23 h 59 min ago"],
  [at - D, "Thu 19 Nov, 14:32 UTC"],
  [null, "—"],
])("%s is %s", (moment, text) => expect(plain(formatAge(moment, at, "UTC"))).toBe(text));

describe("an instant is written in its zone", () => {
  test.each([
    ["UTC", "Fri 20 Nov, 14:32 UTC"],
    ["Europe/Berlin", "Fri 20 Nov, 15:32 CET"],
    ["America/New_York", "Fri 20 Nov, 09:32 EST"],
    ["Asia/Kolkata", "Fri 20 Nov, 20:02 GMT+5:30"],
    ["Pacific/Auckland", "Sat 21 Nov, 03:32 GMT+13"],
  ])("%s: %s", (timeZone, text) => expect(plain(formatInstant(at, { timeZone }))).toBe(text));

  test("with seconds, with the year, and not at all", () => {
    expect(plain(formatInstant(at, { timeZone: "UTC", seconds: true, year: true }))).toBe(
      "Fri 20 Nov 2026, 14:32:10 UTC",
    );
    expect(formatInstant(null, { timeZone: "UTC" })).toBe("—");
  });

  test("summer time has its own name", () => {
    expect(zoneName(Date.UTC(2026, 6, 1), "Europe/Berlin")).toBe("CEST");
    expect(zoneName(Date.UTC(2026, 6, 1), "Etc/UTC")).toBe("UTC");
  });

  test("the hour that happens twice is told apart by its zone", () => {
    const first = Date.UTC(2026, 9, 25, 0, 30);
    expect(plain(formatInstant(first, { timeZone: "Europe/Berlin" }))).toBe("Sun 25 Oct, 02:30 CEST");
    expect(plain(formatInstant(first + H, { timeZone: "Europe/Berlin" }))).toBe("Sun 25 Oct, 02:30 CET");
  });

  test("midnight is 00:00, never 24:00", () => {
    expect(formatClock(Date.UTC(2026, 10, 20), "UTC")).toBe("00:00");
    expect(formatClock(at, "UTC", true)).toBe("14:32:10");
    expect(formatClock(null, "UTC")).toBe("—");
  });

  test("days and months", () => {
    expect(plain(formatDay(at, "UTC"))).toBe("20 Nov");
    expect(plain(formatDay(at, "UTC", true))).toBe("20 Nov 2026");
    expect(formatDay(null, "UTC")).toBe("—");
    expect(formatMonth(at, "UTC")).toBe("November 2026");
    expect(formatMonth(null, "UTC")).toBe("—");
    expect(wallTime(at, "UTC")).toMatchObject({ year: 2026, month: 11, day: 20, weekday: 5, second: 10 });
  });
});

describe("a period names both ends", () => {
  const day = (month: number, date: number, hour = 0, minute = 0) => Date.UTC(2026, month - 1, date, hour, minute);
  test.each([
    [day(11, 1), day(11, 20, 14, 32), "1 to 20 Nov 14:32 UTC"],
    [day(11, 1), day(12, 1), "1 to 30 Nov UTC"],
    [day(10, 26), day(11, 2), "26 Oct to 1 Nov UTC"],
    [day(11, 20, 8, 32), day(11, 20, 14, 32), "20 Nov 08:32 to 14:32 UTC"],
    [day(11, 20, 8, 32), day(11, 21), "20 Nov 08:32 to 24:00 UTC"],
    [day(11, 20), day(11, 21), "20 Nov UTC"],
    [day(11, 20), day(11, 20, 14, 32), "20 Nov 00:00 to 14:32 UTC"],
    [day(11, 19, 14, 32), day(11, 20, 14, 32), "19 Nov 14:32 to 20 Nov 14:32 UTC"],
    [day(12, 28), day(13, 4), "28 Dec 2026 to 3 Jan 2027 UTC"],
  ])("from %s to %s: %s", (from, to, text) => expect(plain(formatPeriod(from, to, "UTC"))).toBe(text));

  test("whole days are whole in the zone that is written", () => {
    const from = Date.UTC(2026, 9, 31, 23);
    const to = Date.UTC(2026, 10, 30, 23);
    expect(plain(formatPeriod(from, to, "Europe/Berlin"))).toBe("1 to 30 Nov CET");
  });
});
