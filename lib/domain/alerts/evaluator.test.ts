import { expect, it } from "vitest";
import { evaluatorHealth, isLate, type RuleJudged } from "./evaluator";

const NOW = 1_000_000_000;
const rule: RuleJudged = { enabled: true, intervalMs: 30_000, createdAt: 0, judgedAt: NOW - 30_000, lastError: null };

it.each([
  ["within three intervals", { judgedAt: NOW - 90_000 }, false],
  ["beyond three intervals", { judgedAt: NOW - 90_001 }, true],
  ["a fast rule still has 90 s", { intervalMs: 10_000, judgedAt: NOW - 60_000 }, false],
  ["a slow rule has three of its own intervals", { intervalMs: 600_000, judgedAt: NOW - 1_700_000 }, false],
  ["a new one that nobody has judged yet", { judgedAt: null, createdAt: NOW - 10_000 }, false],
  ["one that nobody ever judged", { judgedAt: null, createdAt: NOW - 600_000 }, true],
] as const)("late: %s", (_, over, expected) => expect(isLate({ ...rule, ...over }, NOW)).toBe(expected));

it("speaks for the rule that waits longest, and only for rules that are on", () => {
  const health = evaluatorHealth(
    [
      rule,
      { ...rule, judgedAt: NOW - 600_000, lastError: "no database" },
      { ...rule, enabled: false, judgedAt: 1, lastError: "old" },
    ],
    NOW,
  );
  expect(health).toEqual({ rules: 2, judgedAt: NOW - 600_000, late: 1, failing: 1 });
});

it("says nothing of when, as long as one rule was never judged", () => {
  expect(evaluatorHealth([rule, { ...rule, judgedAt: null, createdAt: NOW }], NOW).judgedAt).toBeNull();
  expect(evaluatorHealth([], NOW)).toEqual({ rules: 0, judgedAt: null, late: 0, failing: 0 });
});
