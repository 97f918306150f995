import { describe, expect, test } from "vitest";
import { filledRunbook } from "./runbook";
import { selects } from "./selector";
import { budgetLeftPct, withinLimit } from "./slo";

describe("error budgets", () => {
  test.each([
    [1_000, 0, 95, 100],
    [950, 50, 95, 0],
    [975, 25, 95, 50],
    [900, 100, 95, -100],
    [0, 0, 95, null],
    [10, 1, 100, null],
  ])("%d good, %d bad of a target of %d %%: %j left", (good, bad, target, left) => {
    const found = budgetLeftPct(good, bad, target);
    if (left === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(left, 9);
  });

  test("a limit between two bounds is judged by the lower one", () => {
    const buckets = [
      { le: Infinity, count: 100 },
      { le: 0.25, count: 60 },
      { le: 1, count: 90 },
    ];
    expect(withinLimit(buckets, 1)).toEqual({ good: 90, bad: 10 });
    expect(withinLimit(buckets, 0.5)).toEqual({ good: 60, bad: 40 });
    expect(withinLimit([], 1)).toEqual({ good: 0, bad: 0 });
  });
});

test("tags and other lists fit when one of theirs is wanted", () => {
  expect(selects({ tag: ["tier=gold"] }, { tag: ["team=ml", "tier=gold"] })).toBe(true);
  expect(selects({ tag: ["tier=gold"] }, { tag: [] })).toBe(false);
  expect(selects({ model: ["H100"] }, {})).toBe(false);
});

test("a runbook carries the names of its alert; what is not known stays a word", () => {
  const facts = { instance: "gh-1", address: null, gpu: "3", uuid: "GPU-1", team: "" };
  expect(filledRunbook("ssh ubuntu@{address}; nvidia-smi -i {gpu} # {instance}, {team}", facts)).toBe(
    "ssh ubuntu@{address}; nvidia-smi -i 3 # gh-1, {team}",
  );
});
