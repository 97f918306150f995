import { describe, expect, test } from "vitest";
import { timeTicks, valueTicks } from "./scale";
import type { Unit } from "./types";

const H = 3_600_000;
const D = 24 * H;

describe("value ticks", () => {
  test.each<[number, number, Unit, number, number[]]>([
    [0, 100, "percent", 2, [0, 50, 100]],
    [0, 100, "percent", 4, [0, 25, 50, 75, 100]],
    [0, 696, "watts", 4, [0, 200, 400, 600, 800]],
    [54.2, 87, "celsius", 4, [50, 60, 70, 80, 90]],
    [1690, 1980, "megahertz", 4, [1600, 1700, 1800, 1900, 2000]],
    [0, 141 * 1024, "mib", 6, [0, 24, 48, 72, 96, 120, 144].map((gib) => gib * 1024)],
    [0, 22.5 * 1024, "mib", 4, [0, 8, 16, 24].map((gib) => gib * 1024)],
    [0, 600 * 1024, "mib", 4, [0, 192, 384, 576, 768].map((gib) => gib * 1024)],
    [0, 1180e6, "usdMicros", 5, [0, 250, 500, 750, 1000, 1250].map((usd) => usd * 1e6)],
    [0, 0.42e6, "usdMicros", 5, [0, 0.1, 0.2, 0.3, 0.4, 0.5].map((usd) => usd * 1e6)],
    [0, 3, "count", 4, [0, 1, 2, 3]],
    [0, 0, "count", 4, [0, 1]],
    [-4, 9, "watts", 4, [-5, 0, 5, 10]],
  ])("from %s to %s %s in at most %s steps", (low, high, unit, intervals, ticks) => {
    expect(valueTicks(low, high, unit, intervals)).toEqual(ticks);
  });

  test("cover what they are made for, whatever it is", () => {
    for (const high of [0.03, 0.7, 1, 7, 99.9, 100.1, 12_345, 9e9]) {
      for (const intervals of [2, 3, 4, 5, 6]) {
        const ticks = valueTicks(0, high, "watts", intervals);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(high);
        expect(ticks.length - 1).toBeLessThanOrEqual(intervals);
      }
    }
  });
});

describe("time ticks", () => {
  const at = Date.UTC(2026, 10, 20, 8, 32);
  const labels = (from: number, to: number, zone: string, most?: number) =>
    timeTicks(from, to, zone, most).map((tick) => tick.label.replaceAll("\u00a0", " "));

  test("stand on round hours", () => {
    expect(labels(at, at + 6 * H, "UTC")).toEqual(["09:00", "10:00", "11:00", "12:00", "13:00", "14:00"]);
  });

  test("stand on the hours of the zone, also where it is half an hour off", () => {
    expect(labels(at, at + 6 * H, "Asia/Kolkata")).toEqual(["15:00", "16:00", "17:00", "18:00", "19:00", "20:00"]);
    expect(timeTicks(at, at + 6 * H, "Asia/Kolkata")[0]?.share).toBeCloseTo(58 / 360);
  });

  test("say the day at midnight where the window is longer than one", () => {
    expect(labels(at, at + 36 * H, "UTC")).toEqual(["12:00", "18:00", "21 Nov", "06:00", "12:00", "18:00"]);
  });

  test("count days from the first midnight of the window", () => {
    const month = Date.UTC(2026, 10, 1);
    expect(labels(month, month + 30 * D, "UTC")).toEqual(["1 Nov", "8 Nov", "15 Nov", "22 Nov", "29 Nov"]);
  });

  test("stay on midnight when the clocks change", () => {
    const from = Date.UTC(2026, 9, 21, 22);
    const to = Date.UTC(2026, 9, 27, 23);
    const ticks = timeTicks(from, to, "Europe/Berlin");
    expect(ticks.map((tick) => tick.label.replaceAll("\u00a0", " "))).toEqual([
      "22 Oct",
      "23 Oct",
      "24 Oct",
      "25 Oct",
      "26 Oct",
      "27 Oct",
      "28 Oct",
    ]);
    // 25 October has 25 hours.
    const hours = ticks.slice(1).map((tick, index) => ((tick.share - (ticks[index]?.share ?? 0)) * (to - from)) / H);
    expect(hours.map(Math.round)).toEqual([24, 24, 24, 25, 24, 24]);
  });

  test("leave out the hour that the clock leaves out", () => {
    const from = Date.UTC(2026, 2, 28, 23);
    expect(labels(from, from + 6 * H, "Europe/Berlin", 6)).toEqual([
      "00:00",
      "01:00",
      "03:00",
      "04:00",
      "05:00",
      "06:00",
      "07:00",
    ]);
  });

  test("keep their words within the plot", () => {
    const from = Date.UTC(2026, 10, 20);
    const ticks = timeTicks(from, from + 6 * H, "UTC");
    expect(ticks[0]).toMatchObject({ share: 0, align: "start" });
    expect(ticks.at(-1)).toMatchObject({ share: 1, align: "end" });
  });

  test("are never more than asked for by much, over any window", () => {
    for (const span of [H / 12, H, 6 * H, D, 3 * D, 7 * D, 31 * D, 365 * D]) {
      const count = timeTicks(at, at + span, "America/New_York").length;
      expect(count).toBeGreaterThanOrEqual(2);
      expect(count).toBeLessThanOrEqual(8);
    }
  });
});
