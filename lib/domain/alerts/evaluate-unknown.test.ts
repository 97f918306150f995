import { describe, expect, test } from "vitest";
import { closeEpisode } from "./episode";
import { above85, events, firing, judgeAt, MINUTE, pending, statuses, trace } from "./trace.testing";
import { NO_FLAPS } from "./types";

const HOUR = 60 * MINUTE;

describe("missing data", () => {
  test("B13 series missing: an open alert becomes unknown when silence is too long, stays open, comes back on data", () => {
    const judged = trace([90, null, null, null, 90, 80]);
    expect(statuses(judged)).toEqual(["firing", "firing", "unknown", "unknown", "firing", "inactive"]);
    expect(events(judged)).toEqual(["0 fired", "2 unknown", "4 resumed", "5 resolved"]);
    expect(judged[3]?.state).toMatchObject({ firedAt: 0, unknownSince: 2 * MINUTE });
  });

  test("B13 series missing: data that come back false resolve it, as real data may", () => {
    expect(events(trace([90, null, null, 80]))).toEqual(["0 fired", "2 unknown", "3 resolved"]);
  });

  test("B13 series missing: a rule's own longer tolerance holds the state instead", () => {
    const condition = above85({ silenceToleranceMs: 5 * MINUTE });
    expect(statuses(trace([90, null, null, null, null, null], { condition }))).toEqual([
      "firing",
      "firing",
      "firing",
      "firing",
      "firing",
      "unknown",
    ]);
  });

  test("B13 series missing: silence never opens an episode", () => {
    expect(statuses(trace([null, null, 80, null, null, null]))).toEqual(Array(6).fill("inactive"));
  });

  test("B13 series missing: a pending alert does not fire in silence, and silence does not count towards for", () => {
    const judged = trace([90, 90, null, null, null, null, 90, 90, 90], { condition: above85({ forMs: 4 * MINUTE }) });
    // Data of minute 1 hold until minute 2; three minutes of silence are taken out.
    expect(events(judged)).toEqual(["0 pending", "3 unknown", "6 resumed", "7 fired"]);
    expect(judged[6]?.state?.activeAt).toBe(3 * MINUTE);
  });

  test("B13 series missing: a pending alert that comes back false leaves nothing behind", () => {
    const judged = trace([90, null, null, 80], { condition: above85({ forMs: 10 * MINUTE }) });
    expect(judged[3]).toMatchObject({ state: null, episodeEnds: { reason: "never_fired" } });
    expect(events(judged)).toEqual(["0 pending", "2 unknown"]);
  });

  test("B13 series missing: a recovering alert does not resolve in silence", () => {
    const judged = trace([90, 80, null, null, null, null, 80, 80, 80], {
      condition: above85({ keepFiringMs: 3 * MINUTE }),
    });
    expect(events(judged)).toEqual(["0 fired", "1 recovering", "3 unknown", "6 recovering", "7 resolved"]);
  });

  test("B14 no data: unknown by default, an alert or fine where the rule says so", () => {
    const silent = (noData: "unknown" | "alert" | "ok") =>
      events(trace([90, null, null, null], { condition: above85({ noData }) }));
    expect(silent("unknown")).toEqual(["0 fired", "2 unknown"]);
    expect(silent("alert")).toEqual(["0 fired"]);
    expect(silent("ok")).toEqual(["0 fired", "2 resolved"]);
  });

  test("B14 no data as an alert: silence alone fires, after for", () => {
    const judged = trace([null, null, null], { condition: above85({ noData: "alert", forMs: MINUTE }) });
    expect(events(judged)).toEqual(["0 pending", "1 fired"]);
    expect(judged[1]?.transitions[0]).toMatchObject({ value: null });
  });

  test("B16 instance gone: its alerts resolve at once, and that is not a recovery", () => {
    const judged = trace([90, 90, 90], {}, { 1: { isGone: true }, 2: { isGone: true } });
    expect(events(judged)).toEqual(["0 fired", "1 resolved"]);
    expect(judged[1]?.episodeEnds?.reason).toBe("instance_gone");
    expect(judged[1]?.history).toEqual({ changes: [0], flappingUntil: null });
    expect(statuses(judged)).toEqual(["firing", "inactive", "inactive"]);
  });

  test("B16 instance gone: an unknown alert ends too, and a pending one leaves nothing behind", () => {
    const unknown = firing({ status: "unknown", unknownSince: 0 });
    const gone = { isGone: true, reading: { value: null, at: null, reason: "no_sample" as const } };
    expect(judgeAt(MINUTE, null, { ...gone, state: unknown }).episodeEnds?.reason).toBe("instance_gone");
    expect(judgeAt(MINUTE, null, { ...gone, state: pending() }).episodeEnds?.reason).toBe("never_fired");
  });

  test("B17 poll failed or list empty: without proof that the instance is gone nothing resolves, however long it lasts", () => {
    const judged = trace([90, ...Array(600).fill(null)]);
    expect(judged.at(-1)?.state?.status).toBe("unknown");
    expect(judged.every(({ episodeEnds }) => episodeEnds === null)).toBe(true);
  });

  test("B33 rule paused or deleted: a fired episode closes with the reason, a pending one without a trace", () => {
    expect(closeEpisode(firing(), "rule_paused", MINUTE, "paused by Ada")).toMatchObject({
      ends: { reason: "rule_paused", at: MINUTE },
      transitions: [{ kind: "resolved", note: "paused by Ada" }],
      hasChanged: false,
    });
    expect(closeEpisode(pending(), "rule_deleted", MINUTE, "").ends?.reason).toBe("never_fired");
  });
});

describe("holes in the evaluation", () => {
  const condition = above85({ forMs: 10 * MINUTE });

  test("B24 worker stopped in the middle of for: up to two intervals change nothing", () => {
    const { state } = judgeAt(6 * MINUTE, 90, { condition, state: pending(), previousSlot: 4 * MINUTE });
    expect(state?.activeAt).toBe(0);
  });

  test.each([
    ["50 %", 5 * MINUTE, 5 * MINUTE],
    ["90 %", 9 * MINUTE, MINUTE],
  ])("B24 worker stopped at %s of for: downtime does not count, the rest is still to pass", (_share, stopped, rest) => {
    const back = stopped + 20 * MINUTE;
    const after = judgeAt(back, 90, { condition, state: pending({ lastSlot: stopped }), previousSlot: stopped });
    expect(after.state).toMatchObject({ status: "pending", activeAt: 20 * MINUTE });
    const next = judgeAt(back + rest, 90, { condition, state: after.state, previousSlot: back + rest - MINUTE });
    expect(next.state?.status).toBe("firing");
    const before = judgeAt(back + rest - 1000, 90, { condition, state: after.state, previousSlot: back });
    expect(before.state?.status).toBe("pending");
  });

  test("B24 worker stopped for more than an hour: pending restarts from zero", () => {
    const slot = 9 * MINUTE + HOUR + MINUTE;
    const { state } = judgeAt(slot, 90, {
      condition,
      state: pending({ lastSlot: 9 * MINUTE }),
      previousSlot: 9 * MINUTE,
    });
    expect(state).toMatchObject({ status: "pending", activeAt: slot });
  });

  test("B24 worker stopped and silence after it: neither counts towards for", () => {
    const lost = judgeAt(25 * MINUTE, null, {
      condition,
      state: pending({ lastSlot: 5 * MINUTE }),
      previousSlot: 5 * MINUTE,
    });
    expect(lost.state).toMatchObject({ status: "unknown", activeAt: 20 * MINUTE });
    const back = judgeAt(35 * MINUTE, 90, { condition, state: lost.state, previousSlot: 34 * MINUTE });
    expect(back.state).toMatchObject({ status: "pending", activeAt: 30 * MINUTE });
  });

  test("B25 worker stopped while firing: same episode, no news; false after it resolves", () => {
    const state = firing({ lastSlot: 10 * MINUTE });
    const still = judgeAt(5 * HOUR, 90, { condition, state, previousSlot: 10 * MINUTE });
    expect(still).toMatchObject({ state: { status: "firing", firedAt: 0, activeAt: 0 }, transitions: [] });
    expect(events([judgeAt(5 * HOUR, 80, { condition, state, previousSlot: 10 * MINUTE })])).toEqual(["0 resolved"]);
  });

  test("B26 slots missed: counted, not replayed", () => {
    expect(judgeAt(10 * MINUTE, 80, { previousSlot: 9 * MINUTE }).missedSlots).toBe(0);
    const judged = judgeAt(10 * MINUTE, 90, { previousSlot: 6 * MINUTE });
    expect(judged.missedSlots).toBe(3);
    expect(judged.transitions).toHaveLength(1);
  });

  test("B28 two versions of the rule: a state of a newer rule is not judged by an older one", () => {
    const judged = judgeAt(MINUTE, 80, { state: firing({ ruleVersion: 2 }), ruleVersion: 1 });
    expect(judged).toMatchObject({ refused: "older_rule", state: { status: "firing" }, transitions: [] });
  });

  test("B46 clock jumps back: slots do not go back, nothing resolves", () => {
    const state = firing({ lastSlot: 3 * HOUR });
    const judged = judgeAt(HOUR, 80, { state, previousSlot: 3 * HOUR });
    expect(judged).toEqual({
      state,
      transitions: [],
      episodeEnds: null,
      history: NO_FLAPS,
      hasCalmed: false,
      missedSlots: 0,
      refused: "slot_not_newer",
    });
  });

  test("B47 clock jumps forward 3 h: one slot is judged, and for does not fire early", () => {
    const jumped = judgeAt(3 * HOUR, 90, { condition, state: pending(), previousSlot: MINUTE });
    expect(jumped.state?.status).toBe("pending");
    expect(jumped.transitions).toEqual([]);
    const later = judgeAt(3 * HOUR + 9 * MINUTE, 90, {
      condition,
      state: jumped.state,
      previousSlot: 3 * HOUR + 8 * MINUTE,
    });
    expect(later.state?.status).toBe("pending");
  });
});

describe("rules and people", () => {
  test("B32 rule edited: a longer for sends a firing alert back to pending without a resolve, and it fires again", () => {
    const longer = { condition: above85({ forMs: 5 * MINUTE }), ruleVersion: 2 };
    const changes = Object.fromEntries([2, 3, 4, 5].map((i) => [i, longer]));
    const judged = trace([90, 90, 90, 90, 90, 90], {}, changes);
    expect(events(judged)).toEqual(["0 fired", "2 repending", "5 fired"]);
    expect(judged[5]?.state).toMatchObject({ firedAt: 0, ruleVersion: 2 });
  });

  test("B32 rule edited: back in pending and false, the episode resolves, since its fire was told", () => {
    const longer = { condition: above85({ forMs: 5 * MINUTE }), ruleVersion: 2 };
    const judged = trace([90, 90, 80], {}, { 1: longer, 2: longer });
    expect(events(judged)).toEqual(["0 fired", "1 repending", "2 resolved"]);
  });

  test("B32 rule edited: a shorter for fires at the next slot, another threshold judges at the next slot", () => {
    const start = { condition: above85({ forMs: 10 * MINUTE }) };
    const shorter = { 2: { condition: above85({ forMs: MINUTE }), ruleVersion: 2 } };
    expect(events(trace([90, 90, 90], start, shorter))).toEqual(["0 pending", "2 fired"]);
    const higher = { 1: { condition: above85({ threshold: 95 }), ruleVersion: 2 } };
    expect(events(trace([90, 90], {}, higher))).toEqual(["0 fired", "1 resolved"]);
  });

  test("B32 rule edited while unknown: with data back it is pending or firing by the new for", () => {
    const longer = { condition: above85({ forMs: HOUR }), ruleVersion: 2 };
    const judged = trace([90, 90, null, null, 90], {}, { 4: longer });
    expect(statuses(judged)).toEqual(["firing", "firing", "firing", "unknown", "pending"]);
  });
});
