import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "./evaluate";
import { replay } from "./replay";
import { PRODUCT_SEMANTICS, PROMETHEUS_2_42, readingAt } from "./semantics";
import { above85, MINUTE } from "./trace.testing";
import { type AlertCondition, type AlertState, NO_FLAPS, type Sample, type Semantics, type Transition } from "./types";

describe("replay", () => {
  test("episodes carry their transitions and how they ended; pending spells are only counted", () => {
    const values = [90, 80, 90, 90, 80, 90];
    const { episodes, neverFired, slots } = replay({
      condition: above85({ forMs: MINUTE }),
      semantics: PRODUCT_SEMANTICS(10_000),
      samples: values.map((value, i) => ({ at: i * MINUTE, value })),
      from: 0,
      to: values.length * MINUTE,
    });
    expect(slots).toBe(6);
    expect(neverFired).toBe(1);
    expect(episodes.map(({ ends, state }) => ends?.reason ?? state?.status)).toEqual(["recovered", "pending"]);
    expect(episodes[0]?.transitions.map(({ kind }) => kind)).toEqual(["pending", "fired", "resolved"]);
  });

  test("slots lie on the live evaluator's grid, whatever the window", () => {
    const window = { condition: above85(), semantics: PRODUCT_SEMANTICS(10_000), samples: [{ at: 30_000, value: 90 }] };
    const { episodes, slots } = replay({ ...window, from: 1, to: 2 * MINUTE });
    expect(slots).toBe(1);
    expect(episodes[0]?.state?.activeAt).toBe(MINUTE);
    expect(replay({ ...window, from: 0, to: MINUTE }).slots).toBe(1);
  });

  test("a machine that goes ends its episode", () => {
    const { episodes } = replay({
      condition: above85(),
      semantics: PRODUCT_SEMANTICS(10_000),
      samples: [{ at: 0, value: 90 }],
      from: 0,
      to: 10 * MINUTE,
      goneAt: 5 * MINUTE,
    });
    expect(episodes).toHaveLength(1);
    expect(episodes[0]?.ends).toMatchObject({ reason: "instance_gone", at: 5 * MINUTE });
  });

  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(80, 85, 86, 90) },
    { weight: 1, arbitrary: fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
  );
  const samples = fc
    .array(fc.record({ at: fc.integer({ min: 0, max: 80 * MINUTE }), value, isLate: fc.boolean() }), { maxLength: 120 })
    .map((list) => list.sort((a, b) => a.at - b.at));
  const condition: fc.Arbitrary<AlertCondition> = fc
    .record({
      forMs: fc.constantFrom(0, 30_000, 3 * MINUTE),
      keepFiringMs: fc.constantFrom(0, 2 * MINUTE),
      clearThreshold: fc.constantFrom(null, 82),
      noData: fc.constantFrom("unknown" as const, "alert" as const, "ok" as const),
      silenceToleranceMs: fc.constantFrom(0, 5 * MINUTE),
    })
    .map(above85);
  const semantics = fc.constantFrom(PRODUCT_SEMANTICS(10_000), PROMETHEUS_2_42());

  test("property: it says what slot-by-slot evaluation says", () => {
    fc.assert(
      fc.property(samples, condition, semantics, fc.constantFrom(null, 50 * MINUTE), (list, rule, profile, goneAt) => {
        const result = replay({ condition: rule, semantics: profile, samples: list, from: 0, to: 80 * MINUTE, goneAt });
        const live = slotBySlot(list, rule, profile, goneAt);
        const fired = result.episodes.flatMap(({ transitions }) => transitions);
        expect(fired.filter(({ kind }) => kind === "fired")).toEqual(live.filter(({ kind }) => kind === "fired"));
        expect(fired.filter(({ kind }) => kind === "resolved")).toEqual(live.filter(({ kind }) => kind === "resolved"));
        expect(live).toEqual(expect.arrayContaining(fired));
      }),
      { numRuns: 300 },
    );
  });

  test("property: missing data alone neither fire nor resolve anything under the product's semantics", () => {
    fc.assert(
      fc.property(samples, condition, (list, rule) => {
        const { episodes } = replay({
          condition: { ...rule, noData: "unknown" },
          semantics: PRODUCT_SEMANTICS(10_000),
          samples: list,
          from: 0,
          to: 80 * MINUTE,
        });
        const told = episodes.flatMap(({ transitions }) => transitions);
        expect(told.filter(({ kind, value: v }) => kind === "fired" && v === null)).toEqual([]);
        for (const { ends, transitions } of episodes) {
          if (ends) expect(readingAt(list, ends.at, PRODUCT_SEMANTICS(10_000)).value).not.toBeNull();
          expect(new Set(transitions.map(({ kind, slot }) => `${kind} ${slot}`)).size).toBe(transitions.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a year of one GPU at 30 s is replayed in seconds", () => {
    const count = 1_000_000;
    const interval = 30_000;
    const list: Sample[] = Array.from({ length: count }, (_, i) => ({
      at: i * interval,
      value: i % 1000 < 40 ? 95 : i % 97 === 0 ? Number.NaN : 60,
    }));
    const started = performance.now();
    const { slots, episodes } = replay({
      condition: above85({ forMs: 5 * MINUTE, intervalMs: interval }),
      semantics: PRODUCT_SEMANTICS(interval),
      samples: list,
      from: 0,
      to: count * interval,
    });
    expect(slots).toBe(count);
    expect(episodes).toHaveLength(1_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

function slotBySlot(
  list: Sample[],
  condition: AlertCondition,
  semantics: Semantics,
  goneAt: number | null,
): Transition[] {
  let state: AlertState | null = null;
  let history = NO_FLAPS;
  const transitions: Transition[] = [];
  for (let slot = 0; slot < 80 * MINUTE; slot += MINUTE) {
    const judged = evaluate({
      condition,
      ruleVersion: 1,
      semantics,
      state,
      history,
      reading: readingAt(list, slot, semantics),
      slot,
      previousSlot: slot === 0 ? null : slot - MINUTE,
      isGone: goneAt !== null && slot >= goneAt,
    });
    state = judged.state;
    history = judged.history;
    transitions.push(...judged.transitions);
  }
  return transitions;
}
