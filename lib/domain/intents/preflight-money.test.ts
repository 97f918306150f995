import { describe, expect, test } from "vitest";
import { choice, gh200, HOUR, MONTH_END, NOW, offers } from "./launch.testing";
import type { LaunchBudget } from "./offers";
import { budgetReachedAt, headroom } from "./preflight-money";

describe("when a budget is reached", () => {
  const budget = { micros: "100000000", spentMicros: "90000000", to: MONTH_END };
  test.each<[string, Partial<typeof budget>, bigint, number | null]>([
    ["$10 left at $2 per hour: in 5 h", {}, 2_000_000n, NOW + 5 * HOUR],
    ["at nothing per hour: never", {}, 0n, null],
    ["after the month: not in it", { to: NOW + 5 * HOUR - 1 }, 2_000_000n, null],
    ["on the last instant of the month: in it", { to: NOW + 5 * HOUR }, 2_000_000n, NOW + 5 * HOUR],
    ["spent to the last cent: now", { spentMicros: "100000000" }, 0n, NOW],
    ["overspent: now", { spentMicros: "900000000" }, 2_000_000n, NOW],
    ["a budget of nothing: now", { micros: "0", spentMicros: "0" }, 1n, NOW],
  ])("%s", (_, more, rate, expected) => expect(budgetReachedAt({ ...budget, ...more }, rate, NOW)).toBe(expected));
});

test("the budget that is gone first is the one that is told, and each counts what it holds", () => {
  const budget = (name: string, selector: object, spentMicros: string): LaunchBudget => ({
    name,
    selector,
    micros: "1000000000",
    spentMicros,
    microsPerHour: "0",
    to: MONTH_END,
  });
  const budgets = [
    budget("Fleet", {}, "900000000"),
    budget("Research", { team: "research" }, "990000000"),
    budget("Other", { team: "nlp" }, "1000000000"),
    budget("East", { region: "us-east-3", type: "gpu_1x_gh200" }, "0"),
  ];
  const found = headroom(choice(), gh200, offers({ budgets }));
  expect(found.map(({ budget: { name } }) => name)).toEqual(["Research", "Fleet", "East"]);
  expect(found[0]?.withIt).toBe(NOW + Number((10_000_000n * 3_600_000n) / 2_290_000n));
  expect(found[0]?.without).toBeNull();
});
