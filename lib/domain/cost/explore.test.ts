import { describe, expect, test } from "vitest";
import { filterText, filterValues } from "./dimensions";
import { bucketsOf, ExploreQuestion, hasBound, perFor, possiblePer, questionText, windowOf } from "./explore";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const window = (question: Record<string, unknown>, zone = "UTC") =>
  windowOf(ExploreQuestion.parse(question), NOW, zone);

describe("which days are meant", () => {
  test.each([
    [{}, "2026-11", "2026-11-01", "2026-11-21", "2026-11-30"],
    [{ month: "2026-10" }, "2026-10", "2026-10-01", "2026-10-31", "2026-10-31"],
    [{ days: 7 }, null, "2026-11-15", "2026-11-21", "2026-11-21"],
    [{ days: 7, to: "2026-10-31" }, null, "2026-10-25", "2026-10-31", "2026-10-31"],
    [{ from: "2026-10-01", to: "2027-01-01" }, null, "2026-10-01", "2026-11-21", "2026-11-21"],
    [{ month: "2026-11", from: "2026-10-20", to: "2026-11-03" }, "2026-11", "2026-11-01", "2026-11-03", "2026-11-03"],
    [{ month: "2026-10", to: "2026-10-20" }, "2026-10", "2026-10-01", "2026-10-20", "2026-10-20"],
  ])("%j", (question, month, fromDay, toDay, lastDay) => {
    expect(window(question)).toMatchObject({ month, fromDay, toDay, lastDay });
  });

  test.each([[{ month: "2026-12" }], [{ from: "2026-11-22" }], [{ from: "2026-10-02", to: "2026-10-01" }]])(
    "%j: none",
    (question) => {
      expect(window(question)).toBeNull();
    },
  );

  test("today's window ends now, a day that is over at its midnight in the zone", () => {
    expect(window({})?.to).toBe(NOW);
    expect(window({ to: "2026-10-25", days: 1 }, "Europe/Berlin")).toMatchObject({
      from: Date.parse("2026-10-24T22:00:00Z"),
      to: Date.parse("2026-10-25T23:00:00Z"),
    });
  });
});

describe("bars", () => {
  test("days of 23 and 25 hours have as many", () => {
    expect(bucketsOf("2026-03-29", "2026-03-29", "hour", "Europe/Berlin")).toHaveLength(23);
    expect(bucketsOf("2026-10-25", "2026-10-25", "hour", "Europe/Berlin")).toHaveLength(25);
    // Half an hour is put back here.
    const hours = bucketsOf("2026-04-05", "2026-04-05", "hour", "Australia/Lord_Howe");
    expect([hours.length, (hours.at(-1)?.to ?? 0) - (hours.at(-1)?.from ?? 0)]).toEqual([25, 1_800_000]);
  });

  test("weeks begin on Monday, and the first may be cut", () => {
    const weeks = bucketsOf("2026-11-01", "2026-11-10", "week", "UTC");
    expect(weeks.map(({ key, fromDay, toDay }) => [key, fromDay, toDay])).toEqual([
      ["2026-10-26", "2026-11-01", "2026-11-01"],
      ["2026-11-02", "2026-11-02", "2026-11-08"],
      ["2026-11-09", "2026-11-09", "2026-11-10"],
    ]);
  });

  test("each bar begins where the one before ended", () => {
    for (const per of ["hour", "day", "week", "month"] as const) {
      const bars = bucketsOf("2026-03-20", "2026-04-07", per, "America/New_York");
      for (const [index, bar] of bars.entries()) if (index > 0) expect(bar.from).toBe(bars[index - 1]?.to);
    }
  });

  test("steps that cannot be drawn are not offered, and what is asked for in vain becomes the finest that can", () => {
    expect(possiblePer(1)).toEqual(["hour", "day"]);
    expect(possiblePer(30)).toEqual(["day", "week", "month"]);
    expect(possiblePer(730)).toEqual(["week", "month"]);
    expect([perFor("hour", 30), perFor("day", 730), perFor("month", 3)]).toEqual(["day", "week", "day"]);
  });
});

describe("in the address", () => {
  test.each([[["a"]], [[""]], [["a, b", "c\\d", ""]]])("a filter of %j comes back as it was", (values) => {
    expect(filterValues(filterText(values))).toEqual(values);
  });

  test("what is at its default is not said", () => {
    expect(questionText({ ...ExploreQuestion.parse({ team: "" }), page: 1 }).toString()).toBe("team=");
  });
});

test.each([
  [1_000_000_000n, 999_999_500n, 1_000_400_000n, false],
  [1_000_000_000n, 999_000_000n, 1_000_100_000n, true],
  [10_000_000_000n, 9_999_400_000n, 10_000_500_000n, true],
  [0n, 0n, 1n, true],
  [0n, 0n, 0n, false],
])("%s within %s and %s: bounds are said: %s", (micros, low, high, is) => {
  expect(hasBound(micros, low, high)).toBe(is);
});
