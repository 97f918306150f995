import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import { explainKept, type KeptSlot, type KeptStretch, keptSlots, withSlot } from "./kept";
import type { AlertCondition } from "./types";

const STEP = 30_000;

function stretched(slots: readonly KeptSlot[]): KeptStretch[] {
  const kept: KeptStretch[] = [];
  for (const one of slots) {
    const last = kept.at(-1);
    const longer = last ? withSlot(last, one, STEP) : null;
    if (longer) kept[kept.length - 1] = longer;
    else kept.push({ from: one.slot, to: one.slot, value: one.value, rise: 0, state: one.state });
  }
  return kept;
}

const slot = (i: number, value: number | null, state: KeptSlot["state"] = "firing"): KeptSlot => ({
  slot: i * STEP,
  value,
  state,
});

describe("evaluations are kept in stretches", () => {
  test("a duration that grows is one, and so is a value that stays; a change, a state and a missed slot begin another", () => {
    expect(stretched([slot(1, 60_000), slot(2, 90_000), slot(3, 120_000)])).toEqual([
      { from: STEP, to: 3 * STEP, value: 60_000, rise: 30_000, state: "firing" },
    ]);
    expect(stretched([1, 2, 3, 4].map((i) => slot(i, 1)))).toHaveLength(1);
    expect(
      stretched([slot(1, 1, "pending"), slot(2, 1), slot(3, 1), slot(5, 1), slot(6, null), slot(7, null)]),
    ).toEqual([
      { from: STEP, to: STEP, value: 1, rise: 0, state: "pending" },
      { from: 2 * STEP, to: 3 * STEP, value: 1, rise: 0, state: "firing" },
      { from: 5 * STEP, to: 5 * STEP, value: 1, rise: 0, state: "firing" },
      { from: 6 * STEP, to: 7 * STEP, value: null, rise: 0, state: "firing" },
    ]);
  });

  test("any evaluations come back as they were, and any part of them", () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.double({ noNaN: true }),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(0.1, 0.2, 0.30000000000000004),
    );
    const one = fc.record({ value, state: fc.constantFrom("firing" as const, "unknown" as const), skip: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), fc.nat(45), fc.nat(45), (given, a, b) => {
        let i = 0;
        const slots = given.map(({ value, state, skip }) => {
          i += skip === 5 ? 2 : 1;
          return slot(i, value, state);
        });
        const [from, to] = [Math.min(a, b) * STEP, Math.max(a, b) * STEP];
        const wanted = slots.filter((each) => each.slot >= from && each.slot <= to);
        expect(keptSlots(stretched(slots), STEP, from, to)).toEqual(wanted);
      }),
      { numRuns: FUZZ_RUNS },
    );
  });
});

test("each kept evaluation says what changed as it was told, or why nothing did", () => {
  const condition: AlertCondition = {
    comparison: "at_least",
    threshold: 1,
    clearThreshold: null,
    forMs: STEP,
    keepFiringMs: 0,
    intervalMs: STEP,
    noData: "unknown",
    silenceToleranceMs: 0,
  };
  const kept = [slot(1, 1, "pending"), slot(2, 1), slot(3, 1), slot(4, null, "unknown"), slot(5, 0, "resolved")];
  const told = [
    { kind: "pending", slot: STEP, note: "the condition is true" },
    { kind: "fired", slot: 2 * STEP, note: "for 30 s" },
    { kind: "commented", slot: null, note: "looking" },
    { kind: "resolved", slot: 5 * STEP, note: null },
  ];
  const episode = { activeAt: STEP, firedAt: 2 * STEP };
  expect(explainKept(kept, condition, episode, told)).toMatchObject([
    { state: "pending", why: "pending: the condition is true", isChange: true, sampleAt: null },
    { state: "firing", why: "fired: for 30 s", isChange: true },
    { state: "firing", why: expect.stringMatching(/1/), isChange: false, value: 1 },
    { state: "unknown", why: "there was nothing to compare", isChange: true, value: null },
    { state: "inactive", why: "resolved", isChange: true },
  ]);
});
