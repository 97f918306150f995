import { describe, expect, test } from "vitest";
import { flapHistory, nextFlaps } from "./flapping";
import { above85, events, MINUTE, trace } from "./trace.testing";
import { NO_FLAPS } from "./types";

const flaps = (count: number) => Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 90 : 80));

describe("flapping", () => {
  test("B29 six fires and recoveries in 30 minutes are not flapping, the seventh is, and it is said once", () => {
    expect(events(trace(flaps(6))).filter((event) => event.includes("flapping"))).toEqual([]);
    const judged = trace(flaps(12));
    expect(events(judged).filter((event) => event.includes("flapping"))).toEqual(["6 flapping"]);
    expect(judged[11]?.history.flappingUntil).toBe((11 + 15) * MINUTE);
  });

  test("B29 flapping ends after 15 minutes without a fire or recovery", () => {
    const judged = trace([...flaps(7), ...Array(20).fill(90)]);
    expect(judged.map(({ hasCalmed }, i) => (hasCalmed ? i : -1)).filter((i) => i >= 0)).toEqual([21]);
    expect(judged[21]?.history.flappingUntil).toBeNull();
  });

  test("B29 seven changes spread over more than 30 minutes are not flapping", () => {
    const judged = trace(Array.from({ length: 60 }, (_, i) => (Math.floor(i / 6) % 2 === 0 ? 90 : 80)));
    expect(events(judged).filter((event) => event.endsWith("fired")).length).toBe(5);
    expect(events(judged).some((event) => event.includes("flapping"))).toBe(false);
  });

  test("B29 keep firing comes first: what it absorbs is not flapping", () => {
    const judged = trace(flaps(20), { condition: above85({ keepFiringMs: 5 * MINUTE }) });
    expect(events(judged).some((event) => event.includes("flapping"))).toBe(false);
  });

  test("a change in the very slot in which calm is reached is told as any other", () => {
    const until = 15 * MINUTE;
    expect(nextFlaps({ changes: [0], flappingUntil: until }, until, true)).toEqual({
      history: { changes: [0, until], flappingUntil: null },
      hasBegun: false,
      hasCalmed: false,
    });
  });

  test("the memory read back from stored transitions is the one that was kept", () => {
    const judged = trace(flaps(9));
    const changes = judged.flatMap(({ transitions }) =>
      transitions.filter(({ kind }) => kind === "fired" || kind === "resolved").map(({ slot }) => slot),
    );
    const stored = flapHistory([...changes].reverse(), judged[8]?.history.flappingUntil ?? null, 9 * MINUTE);
    expect(stored).toEqual(judged[8]?.history);
    expect(flapHistory([0], null, 30 * MINUTE)).toEqual(NO_FLAPS);
  });
});
