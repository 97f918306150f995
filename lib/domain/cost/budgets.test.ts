import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUDGET_PERIODS, budgetWindow, windowsBefore } from "./budget-period";
import { type Budget, BudgetChange, budgetState, NewBudget } from "./budgets";
import { scopeWords } from "./scope";

const at = (text: string) => Date.parse(text);
const USD = 1_000_000n;

describe("the period of a budget", () => {
  test.each([
    ["day", "UTC", "2026-11-18", "2026-11-18", 24],
    ["week", "UTC", "2026-11-16", "2026-11-22", 168],
    ["month", "UTC", "2026-11-01", "2026-11-30", 720],
    ["quarter", "UTC", "2026-10-01", "2026-12-31", 2_208],
    ["year", "UTC", "2026-01-01", "2026-12-31", 8_760],
    ["month", "America/Los_Angeles", "2026-11-01", "2026-11-30", 721],
    ["week", "Europe/Berlin", "2026-11-16", "2026-11-22", 168],
  ] as const)("%s in %s", (every, zone, fromDay, toDay, hours) => {
    const window = budgetWindow(every, at("2026-11-18T15:00:00Z"), zone);
    expect(window).toMatchObject({ fromDay, toDay });
    expect((window.to - window.from) / 3_600_000).toBe(hours);
  });

  test("holds the instant, and the one before it ends where it begins", () => {
    const instants = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2030-01-01T00:00:00Z") });
    const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Auckland");
    fc.assert(
      fc.property(fc.constantFrom(...BUDGET_PERIODS), instants, zones, (every, instant, zone) => {
        const window = budgetWindow(every, instant, zone);
        expect(window.from <= instant && instant < window.to).toBe(true);
        expect(budgetWindow(every, window.to - 1, zone)).toEqual(window);
        expect(budgetWindow(every, window.from - 1, zone).to).toBe(window.from);
      }),
    );
  });

  test("goes back no further than anything is known", () => {
    const window = budgetWindow("month", at("2026-11-18T00:00:00Z"), "UTC");
    const before = windowsBefore("month", window, at("2026-09-20T00:00:00Z"), "UTC", 12);
    expect(before.map(({ fromDay }) => fromDay)).toEqual(["2026-10-01", "2026-09-01"]);
  });
});

describe("how a budget stands", () => {
  const budget: Budget = {
    id: "b",
    name: "The fleet",
    selector: {},
    every: "month",
    micros: 4_500n * USD,
    thresholds: [
      { on: "actual", pct: 50 },
      { on: "forecast", pct: 100 },
      { on: "burn", pct: 110 },
    ],
    fromDay: "2026-11-01",
    version: 1,
  };
  const window = budgetWindow("month", at("2026-11-01T00:00:00Z"), "UTC");
  const state = (over: object) =>
    budgetState(budget, {
      at: window.from,
      window,
      spentMicros: 0n,
      unknownRows: 0,
      forecast: { baseMicros: 4_946_400_000n, lowMicros: 4_900n * USD, highMicros: 5_000n * USD },
      microsPerHour: 6_870_000n,
      ...over,
    });

  test("by what is spent, by the forecast and by the rate of now", () => {
    expect(state({})).toMatchObject({ actualPct: 0, forecastPct: 109.92, burnPct: 109.92 });
    expect(state({}).thresholds.map(({ isReached }) => isReached)).toEqual([false, true, false]);
    expect(state({ spentMicros: 2_250n * USD }).thresholds[0]?.isReached).toBe(true);
  });

  test("its thresholds on what is spent are crossed at a minute (C54), and the limit too", () => {
    expect(state({}).thresholds[0]?.at).toBe(at("2026-11-14T15:31:00Z"));
    expect(state({}).crossesAt).toBe(at("2026-11-28T07:02:00Z"));
    expect(state({ microsPerHour: 1n }).crossesAt).toBeNull();
    expect(state({ spentMicros: 4_500n * USD, microsPerHour: 0n }).crossesAt).toBe(window.from);
  });
});

describe("what people type", () => {
  const given = { name: "", selector: { team: "research" }, every: "month", usd: "7,500" };

  test("is a budget with the usual thresholds", () => {
    expect(NewBudget.parse(given)).toMatchObject({ selector: { team: "research" }, usd: 7_500n * USD });
    expect(NewBudget.parse(given).thresholds).toHaveLength(3);
  });

  test.each([
    ["usd", { usd: "" }],
    ["usd", { usd: "0" }],
    ["usd", { usd: "twelve" }],
    ["every", { every: "decade" }],
    ["selector", { selector: { team: "" } }],
    ["selector", { selector: { planet: "mars" } }],
    ["thresholds", { thresholds: [{ on: "actual", pct: 0 }] }],
    ["thresholds", { thresholds: [{ on: "mood", pct: 80 }] }],
    [
      "thresholds",
      {
        thresholds: [
          { on: "actual", pct: 80 },
          { on: "actual", pct: "80" },
        ],
      },
    ],
  ])("says what is wrong with %s", (field, wrong) => {
    const refused = NewBudget.safeParse({ ...given, ...wrong });
    expect(refused.error?.issues[0]?.path[0]).toBe(field);
  });

  test("a change says which version it is of", () => {
    expect(BudgetChange.safeParse({ ...given, budgetId: "01a1fe31-1e37-72cd-a206-dc475abe970c" }).success).toBe(false);
  });
});

test.each([
  [{}, "The fleet"],
  [{ team: "research" }, "Team research"],
  [{ team: "research", region: "us-east-3" }, "Team research, region us-east-3"],
  [{ costCenter: "4711" }, "Cost centre 4711"],
])("%j is %s", (selector, words) => expect(scopeWords(selector)).toBe(words));
