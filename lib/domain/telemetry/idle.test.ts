import { describe, expect, test } from "vitest";
import { classifyMinutes, effectiveUtilization, type Minute } from "./idle";

describe("how busy a GPU really is", () => {
  test.each([
    [{ utilizationPct: 40 }, { pct: 40, by: "utilizationPct" }],
    [
      { utilizationPct: 100, smActivePct: 12, tensorActivePct: 3, dramActivePct: 30 },
      { pct: 30, by: "dramActivePct" },
    ],
    [
      { utilizationPct: 100, smActivePct: 0 },
      { pct: 0, by: "smActivePct" },
    ],
    [
      { utilizationPct: 7, smActivePct: null, tensorActivePct: null },
      { pct: 7, by: "utilizationPct" },
    ],
    [
      { utilizationPct: null, tensorActivePct: 2 },
      { pct: 2, by: "tensorActivePct" },
    ],
    [{ utilizationPct: null }, null],
    [{}, null],
  ])("%j: %j", (values, effective) => {
    expect(effectiveUtilization(values)).toEqual(effective);
  });
});

const empty = { effectivePct: 0, memoryUsedMib: 3, hasProcess: false };
const held = { effectivePct: 0, memoryUsedMib: 20_000, hasProcess: true };
const busy = { effectivePct: 90, memoryUsedMib: 20_000, hasProcess: true };
const missing = { effectivePct: null, memoryUsedMib: null, hasProcess: null };

type Run = [count: number, minute: Omit<Minute, "at">];

/** Minutes on end, written as runs. */
function minutes(...runs: Run[]): Minute[] {
  const flat = runs.flatMap(([count, minute]) => Array.from({ length: count }, () => minute));
  return flat.map((minute, i) => ({ ...minute, at: i * 60_000 }));
}

/** Classes written as runs: "30 idle_empty, 1 busy". */
function runs(list: readonly Minute[]): string {
  const parts: { name: string; count: number }[] = [];
  for (const name of classifyMinutes(list)) {
    const last = parts.at(-1);
    if (last?.name === name) last.count += 1;
    else parts.push({ name, count: 1 });
  }
  return parts.map(({ name, count }) => `${count} ${name}`).join(", ");
}

describe("a minute", () => {
  test.each<[string, Run[], string]>([
    ["29 quiet minutes are not yet idle", [[29, empty]], "29 busy"],
    ["30 quiet minutes are idle", [[30, empty]], "30 idle_empty"],
    [
      "a busy minute ends the run",
      [
        [29, empty],
        [1, busy],
        [30, empty],
      ],
      "30 busy, 30 idle_empty",
    ],
    [
      "a missing minute is never idle and ends the run",
      [
        [29, empty],
        [1, missing],
        [29, empty],
      ],
      "29 busy, 1 missing, 29 busy",
    ],
    ["missing for hours is missing, not idle", [[180, missing]], "180 missing"],
    ["exactly 5 % is idle", [[30, { ...empty, effectivePct: 5 }]], "30 idle_empty"],
    ["5.1 % is not", [[30, { ...empty, effectivePct: 5.1 }]], "30 busy"],
    [
      "one run may change from held to empty",
      [
        [20, held],
        [20, empty],
      ],
      "20 idle_held, 20 idle_empty",
    ],
    ["a process without memory holds it", [[30, { ...empty, hasProcess: true }]], "30 idle_held"],
    ["memory without a known process holds it", [[30, { ...empty, memoryUsedMib: 1024 }]], "30 idle_held"],
    ["just under 1 GiB is empty", [[30, { ...empty, memoryUsedMib: 1023 }]], "30 idle_empty"],
    ["empty must be known: unlisted processes are held", [[30, { ...empty, hasProcess: null }]], "30 idle_held"],
    ["empty must be known: unreported memory is held", [[30, { ...empty, memoryUsedMib: null }]], "30 idle_held"],
    ["nothing to say of nothing", [], ""],
    [
      "at the very end",
      [
        [10, busy],
        [30, held],
      ],
      "10 busy, 30 idle_held",
    ],
  ])("%s", (_, input, output) => {
    expect(runs(minutes(...input))).toBe(output);
  });

  test("a minute that the list skips ends the run as well", () => {
    const list = minutes([59, empty]);
    expect(runs(list.filter((_, i) => i !== 29))).toBe("58 busy");
    expect(runs(minutes([60, empty]).filter((_, i) => i !== 29))).toBe("29 busy, 30 idle_empty");
  });
});
