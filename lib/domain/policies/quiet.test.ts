import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Minute } from "@/lib/domain/telemetry/idle";
import { quietOf } from "./quiet";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12) + 20_000;
const LAST = NOW - 20_000 - MINUTE;
const EDGE = NOW - 300 * MINUTE;

/** The last minutes of a GPU, the newest last. */
const past = (count: number, over: (ago: number) => Partial<Minute> | null = () => ({})): Minute[] =>
  Array.from({ length: count }, (_, i) => count - 1 - i).flatMap((ago) => {
    const change = over(ago);
    return change === null
      ? []
      : [{ at: LAST - ago * MINUTE, effectivePct: 0, memoryUsedMib: 10, hasProcess: false, ...change }];
  });
const quiet = (...gpus: Minute[][]) => quietOf(gpus, { now: NOW, edge: EDGE, knownSince: null });

describe("what a machine's minutes say of it now", () => {
  test("empty for as long as its minutes reach", () => {
    const { empty, idle, peakPct } = quiet(past(60));
    expect(empty?.seenMs).toBe(NOW - (LAST - 59 * MINUTE));
    expect(idle).toEqual(empty);
    expect(peakPct).toBe(0);
  });
  test.each<[string, Minute[][]]>([
    ["no GPU is heard", []],
    ["nothing was sent", [[]]],
    ["it fell silent five minutes ago", [past(60, (ago) => (ago < 5 ? null : {}))]],
    ["less than half an hour", [past(20)]],
    ["it worked a moment ago", [past(60, (ago) => (ago === 3 ? { effectivePct: 40 } : {}))]],
    ["a minute without a measure broke it", [past(60, (ago) => (ago === 10 ? { effectivePct: null } : {}))]],
    ["a minute was skipped", [past(60, (ago) => (ago === 10 ? null : {}))]],
    ["one of two GPUs works", [past(60), past(60, () => ({ effectivePct: 90 }))]],
    ["one of two GPUs is not heard", [past(60), []]],
  ])("not idle: %s", (_, gpus) => expect(quiet(...gpus)).toMatchObject({ idle: null, empty: null }));

  test("held memory is idle and not empty; once let go it is empty from there on", () => {
    expect(quiet(past(60, () => ({ memoryUsedMib: 40_000 })))).toMatchObject({
      empty: null,
      idle: { seenMs: expect.any(Number) },
    });
    const { idle, empty } = quiet(past(120, (ago) => (ago >= 40 ? { hasProcess: true } : {})));
    expect(empty?.since).toBe(LAST - 39 * MINUTE);
    expect(idle?.since).toBe(LAST - 119 * MINUTE);
  });
  test("nobody lists processes: held, as far as anybody knows", () => {
    expect(quiet(past(60, () => ({ hasProcess: null }))).empty).toBeNull();
  });
  test("a run that reaches the edge is as old as it is known to be, and seen no further", () => {
    const known = quietOf([past(300)], { now: NOW, edge: EDGE, knownSince: EDGE - 600 * MINUTE });
    expect(known.idle?.since).toBe(EDGE - 600 * MINUTE);
    expect(known.idle?.seenMs).toBeLessThanOrEqual(NOW - EDGE + MINUTE);
  });
  test("the peak is unknown where a minute of the last ten is missing, but for the newest", () => {
    expect(quiet(past(60, (ago) => (ago === 6 ? null : {}))).peakPct).toBeNull();
    expect(quiet(past(60, (ago) => (ago === 0 ? null : {}))).peakPct).toBe(0);
    expect(quiet(past(5)).peakPct).toBeNull();
  });

  test("however minutes go missing, no run is longer than what is heard without a gap", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 40, maxLength: 200 }), (heard) => {
        const minutes = past(heard.length, (ago) => (heard[ago] ? {} : null));
        const whole = heard.findIndex((one) => !one);
        const { idle } = quiet(minutes);
        const most = whole < 0 ? heard.length : whole;
        // The newest two may be on their way; then the run begins behind them.
        const lead = heard.findIndex((one) => one);
        if (lead > 0) return;
        expect(idle?.seenMs ?? 0).toBeLessThanOrEqual((most + 2) * MINUTE);
      }),
    );
  });
});
