import { describe, expect, test } from "vitest";
import { comparedDays, daysOfMonth, monthAfter, monthBefore } from "./compare";

const BERLIN = "Europe/Berlin";

describe("the days and neighbours of a month", () => {
  test("a month has its days, also where the clock is turned in it", () => {
    expect(daysOfMonth("2026-02", "UTC")).toHaveLength(28);
    expect(daysOfMonth("2026-10", BERLIN)).toHaveLength(31);
    expect(daysOfMonth("2026-10", BERLIN).at(-1)).toBe("2026-10-31");
    expect(monthBefore("2026-01", BERLIN)).toBe("2025-12");
    expect(monthAfter("2026-12", BERLIN)).toBe("2027-01");
  });
});

describe("what a month is measured against", () => {
  test("of the current month only the days that are over, and as many of the one before", () => {
    expect(comparedDays("2026-11", "2026-11-21", "UTC")).toEqual({
      own: { fromDay: "2026-11-01", toDay: "2026-11-20" },
      before: { fromDay: "2026-10-01", toDay: "2026-10-20" },
    });
  });

  test("on its first day there is nothing to compare", () => {
    expect(comparedDays("2026-11", "2026-11-01", "UTC")).toBeNull();
  });

  test("a longer month is cut to the days that the one before had", () => {
    expect(comparedDays("2026-03", "2026-03-31", "UTC")).toEqual({
      own: { fromDay: "2026-03-01", toDay: "2026-03-28" },
      before: { fromDay: "2026-02-01", toDay: "2026-02-28" },
    });
  });

  test("a month that is over is measured whole against the whole one before", () => {
    expect(comparedDays("2026-03", "2026-04-02", BERLIN)).toEqual({
      own: { fromDay: "2026-03-01", toDay: "2026-03-31" },
      before: { fromDay: "2026-02-01", toDay: "2026-02-28" },
    });
  });
});
