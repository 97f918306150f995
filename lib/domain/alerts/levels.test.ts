import { describe, expect, test } from "vitest";
import { above85, events, firing, judgeAt, MINUTE, trace } from "./trace.testing";

describe("two levels", () => {
  const condition = above85({ criticalThreshold: 95 });

  test("one alert goes from warning to critical, once, and stays so until it ends", () => {
    const judged = trace([90, 96, 90, 97, 80, 90], { condition });
    expect(events(judged)).toEqual(["0 fired", "1 escalated", "4 resolved", "5 fired"]);
    expect(judged[2]?.state?.isEscalated).toBe(true);
    expect(judged[5]?.state?.isEscalated ?? false).toBe(false);
  });

  test("beyond both at once it fires as critical in the same slot", () => {
    expect(events(trace([99], { condition }))).toEqual(["0 fired", "0 escalated"]);
  });

  test("pending is not critical, whatever the value", () => {
    const judged = trace([99, 90], { condition: above85({ criticalThreshold: 95, forMs: MINUTE }) });
    expect(events(judged)).toEqual(["0 pending", "1 fired"]);
  });

  test("missing data raise no level", () => {
    expect(events(trace([90, null, null, null], { condition }))).toEqual(["0 fired", "2 unknown"]);
  });

  test("low values are beyond a low level", () => {
    const low = above85({ comparison: "at_most", threshold: 25, criticalThreshold: 0 });
    expect(events(trace([20, 1, -4], { condition: low }))).toEqual(["0 fired", "2 escalated"]);
  });
});

describe("a series without a machine", () => {
  const silent = { value: null, at: 0, reason: "too_old" as const };

  test("B13 series missing: it ends after the rule's tolerance, with its own reason", () => {
    const before = firing({ status: "unknown", unknownSince: 2 * MINUTE, lastSlot: 4 * MINUTE });
    const at = (slot: number) =>
      judgeAt(slot, null, { state: before, reading: silent, endsAfterMs: 10 * MINUTE, previousSlot: slot - MINUTE });
    expect(at(9 * MINUTE).episodeEnds).toBeNull();
    expect(at(10 * MINUTE).episodeEnds).toMatchObject({ reason: "series_ended", at: 10 * MINUTE });
  });

  test("B13 series missing: one with a machine never ends by silence", () => {
    const before = firing({ status: "unknown", unknownSince: 0 });
    expect(judgeAt(1_000 * MINUTE, null, { state: before, reading: silent }).episodeEnds).toBeNull();
  });

  test("a run that is over ends its alert in the first slot that does not know it", () => {
    const judged = judgeAt(MINUTE, null, { state: firing(), endsAfterMs: 0 });
    expect(judged.episodeEnds?.reason).toBe("series_ended");
    expect(judged.history.changes).toEqual([]);
  });
});
