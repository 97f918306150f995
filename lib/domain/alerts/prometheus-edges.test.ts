import { describe, expect, test } from "vitest";
import { prometheusState } from "./cases";
import { replay } from "./replay";
import { PROMETHEUS_2_42 } from "./semantics";
import { above85, MINUTE, trace } from "./trace.testing";
import type { AlertCondition, Sample } from "./types";

// Plain thresholds on one series, once a minute; the numbers were agreed with promtool 2.42.
const RULES: Record<string, AlertCondition> = {
  Hot: above85({ forMs: 3 * MINUTE }),
  HotZeroFor: above85(),
  HotSubInterval: above85({ forMs: 30_000 }),
  HotGE: above85({ comparison: "at_least" }),
  HotKeep: above85({ forMs: MINUTE, keepFiringMs: 3 * MINUTE }),
  NotHot: above85({ comparison: "at_most" }),
  Hyst: above85({ clearThreshold: 80 }),
};

const STALE = "stale";
type Value = number | null | typeof STALE;
const times = (value: number, count: number): number[] => Array(count).fill(value);

/** Group, series, and per rule the minutes at which it fires (+) or does not (−). */
const GROUPS: [string, Value[], [keyof typeof RULES, string][]][] = [
  [
    "for boundary is >=",
    [80, ...times(90, 10)],
    [
      ["Hot", "-1 -3 +4"],
      ["HotZeroFor", "+1"],
      ["HotSubInterval", "-1 +2"],
    ],
  ],
  ["one good sample in the window restarts for", [90, 90, 84, 90, 90, 90, 90], [["Hot", "-5 +6"]]],
  ["missing scrapes do not reset for within the lookback", [90, ...Array(7).fill(null)], [["Hot", "+3 +4 -6"]]],
  ["a staleness mark resolves at once", [90, 90, 90, 90, STALE], [["Hot", "+3 -4"]]],
  [
    "NaN satisfies no comparison",
    [90, 90, 90, 90, Number.NaN, 90],
    [
      ["Hot", "-4 -5"],
      ["NotHot", "-4"],
    ],
  ],
  [
    "infinities compare as numbers",
    [...times(Number.POSITIVE_INFINITY, 4), Number.NEGATIVE_INFINITY],
    [
      ["Hot", "+3 -4"],
      ["NotHot", "+4"],
    ],
  ],
  [
    "threshold equality",
    [85, 85.00000000000001, 84.99999999999999],
    [
      ["HotZeroFor", "-0 +1"],
      ["HotGE", "+0 -2"],
    ],
  ],
  ["keep firing holds", [90, 90, 80, 80, 90, ...times(80, 5)], [["HotKeep", "-0 +1 +3 +4 +7 -8"]]],
  ["instances are independent: first", times(90, 7), [["Hot", "+3 +4"]]],
  ["instances are independent: second", [70, ...times(90, 6)], [["Hot", "-3 +4"]]],
  ["instances are independent: third", [90, STALE], [["Hot", "-1"]]],
  ["hysteresis raise 85 clear 80", [82, 86, 82, 81, 80, 82, 86], [["Hyst", "-0 +1 +3 -4 -5 +6"]]],
  [
    "flapping at every evaluation",
    [90, 80, 90, 80, 90, 80, 90, 80, 90, 80],
    [
      ["Hot", "-8"],
      ["HotZeroFor", "+8 -9"],
    ],
  ],
];

const CASES = GROUPS.flatMap(([group, values, rules]) =>
  rules.flatMap(([rule, minutes]) =>
    minutes.split(" ").map((text) => ({ group, rule, values, minute: Number(text.slice(1)), fires: text[0] === "+" })),
  ),
);

describe("edge cases of Prometheus 2.42", () => {
  test.each(CASES)("$group: $rule at minute $minute fires: $fires", ({ rule, values, minute, fires }) => {
    const samples: Sample[] = values.flatMap((value, i) =>
      value === null ? [] : [{ at: i * MINUTE, value: value === STALE ? null : value }],
    );
    const condition = RULES[rule];
    if (!condition) throw new Error(`no rule ${rule}`);
    const to = (minute + 1) * MINUTE;
    const { episodes } = replay({ condition, semantics: PROMETHEUS_2_42(), samples, from: 0, to });
    expect(prometheusState(episodes.at(-1)?.state ?? null) === "firing").toBe(fires);
  });

  test("the product differs on purpose: NaN and silence keep a firing alert open", () => {
    const judged = trace([90, Number.NaN, null, null, null]);
    expect(judged.map(({ state }) => state?.status)).toEqual(["firing", "firing", "unknown", "unknown", "unknown"]);
  });
});
