import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, type Verdict } from "./decide";
import { DAY, HOUR, MINUTE, machineOf, NOW, policyOf, snapshotOf } from "./policies.testing";
import type { PolicyAct } from "./snapshot";
import { type Standing, stepOf } from "./step";

const [idle] = decide(policyOf("idle_termination", { afterMinutes: 120 }), snapshotOf([machineOf()]), []) as [Verdict];
const hours = policyOf("schedule", { days: [5], from: "08:00", to: "12:00" });
const [evening] = decide(hours, snapshotOf([machineOf()]), []) as [Verdict];

const standing: Standing = {
  now: NOW,
  mode: "armed",
  lookedAt: NOW - 30_000,
  isStopped: false,
  maxPerHour: 3,
  cooldownMs: HOUR,
  actedAt: [],
  targetActedAt: null,
};
const act = (verdict: Verdict, decision: PolicyAct["decision"], actAt: number | null = null): PolicyAct => ({
  target: verdict.target,
  slot: verdict.slot,
  decision,
  resourceId: verdict.resourceId,
  decidedAt: NOW - HOUR,
  actAt,
  reason: "",
});

describe("what becomes of something that is wanted", () => {
  const planned = act(idle, "planned", NOW);
  test.each<[string, Verdict, PolicyAct | null, Partial<Standing>, object]>([
    ["said before it is done", idle, null, {}, { kind: "plan", actAt: NOW + 30 * MINUTE }],
    ["done when its hour has come", idle, planned, {}, { kind: "act" }],
    ["not a minute before", idle, act(idle, "planned", NOW + MINUTE), {}, { kind: "later", at: NOW + MINUTE }],
    ["in shadow it would be done, with no notice", idle, null, { mode: "shadow" }, { kind: "would_act" }],
    ["done once", idle, act(idle, "acted"), {}, { kind: "none" }],
    ["would have been done once", idle, act(idle, "would_act"), { mode: "shadow" }, { kind: "none" }],
    ["what somebody kept stays kept", idle, act(idle, "cancelled"), {}, { kind: "none" }],
    ["what was let go stays so", idle, act(idle, "skipped"), {}, { kind: "none" }],
    ["not while paused", idle, null, { mode: "paused" }, { kind: "wait", wait: "paused" }],
    ["not while all automation is stopped", idle, planned, { isStopped: true }, { kind: "wait", wait: "stopped" }],
    ["shadow stands still then, too", idle, null, { isStopped: true, mode: "shadow" }, { wait: "stopped" }],
    ["not what something speaks against", { ...idle, hold: "silent" }, planned, {}, { kind: "wait", wait: "hold" }],
    ["nor in shadow", { ...idle, hold: "silent" }, null, { mode: "shadow" }, { kind: "wait", wait: "hold" }],
    [
      "the hour is full",
      idle,
      planned,
      { actedAt: [NOW - 50 * MINUTE, NOW - 2, NOW - 1] },
      { kind: "wait", wait: "max_per_hour", at: NOW + 10 * MINUTE },
    ],
    [
      "what was an hour ago counts no more",
      idle,
      planned,
      { actedAt: [NOW - HOUR, NOW - 2, NOW - 1] },
      { kind: "act" },
    ],
    [
      "the same target a moment ago",
      idle,
      planned,
      { targetActedAt: NOW - 10 * MINUTE },
      { kind: "wait", wait: "cool_down", at: NOW + 50 * MINUTE },
    ],
    [
      "the evening is announced",
      { ...evening, dueAt: NOW + 10 * MINUTE },
      null,
      {},
      { kind: "plan", actAt: NOW + 30 * MINUTE },
    ],
    ["its warning is not yet due", { ...evening, dueAt: NOW + HOUR }, null, {}, { kind: "later" }],
    ["busy in the evening", { ...evening, hold: "busy" }, null, {}, { kind: "wait", wait: "hold" }],
    [
      "busy all evening",
      { ...evening, hold: "busy" },
      null,
      { now: NOW + 2 * HOUR, lookedAt: NOW + 2 * HOUR - 30_000 },
      { kind: "skip", reason: "Left alone: it is working." },
    ],
  ])("%s", (_, verdict, known, over, step) =>
    expect(stepOf(verdict, known, { ...standing, ...over })).toMatchObject(step),
  );
});

describe("an outage, and a clock that jumps", () => {
  test("an evening at which nobody looked is let go and said, not caught up", () => {
    const later = { ...standing, now: NOW + HOUR, lookedAt: NOW - 3 * HOUR };
    expect(stepOf(evening, null, later)).toMatchObject({ kind: "skip" });
    expect(stepOf(evening, act(evening, "planned", NOW), later)).toMatchObject({ kind: "skip" });
    expect(stepOf(evening, null, { ...later, mode: "shadow" })).toMatchObject({ kind: "skip" });
  });
  test("within the grace it is not too late", () => {
    const soon = { ...standing, now: NOW + 20 * MINUTE, lookedAt: NOW - HOUR };
    expect(stepOf(evening, act(evening, "planned", NOW), soon)).toMatchObject({ kind: "act" });
  });
  test("an end whose announced hour passed unseen is announced again", () => {
    const unseen = { ...standing, now: NOW + 5 * HOUR, lookedAt: NOW - 2 * HOUR };
    const step = stepOf(idle, act(idle, "planned", NOW), unseen);
    expect(step).toMatchObject({ kind: "plan", actAt: NOW + 5 * HOUR + 30 * MINUTE });
  });
  test("a jump of any length ends nothing at once that was not announced", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -3 * DAY, max: 30 * DAY }),
        fc.integer({ min: 30_000, max: 10 * DAY }),
        fc.boolean(),
        (jump, away, isEvening) => {
          const verdict = isEvening ? evening : idle;
          const now = NOW + jump;
          const step = stepOf(verdict, null, { ...standing, now, lookedAt: now - away });
          expect(step.kind).not.toBe("act");
        },
      ),
    );
  });
});

test("whatever comes, a policy acts at most so often within an hour and once on a target and slot", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 120 }),
      (maxPerHour, minutes) => {
        const actedAt: number[] = [];
        let now = NOW;
        for (const [i, minute] of minutes.entries()) {
          now += minute * MINUTE;
          const verdict = { ...idle, target: `gh-${i}`, slot: now, dueAt: now, noticeMs: 0 };
          const step = stepOf(verdict, null, { ...standing, now, maxPerHour, actedAt });
          if (step.kind === "act") actedAt.push(now);
        }
        for (const at of actedAt)
          expect(actedAt.filter((other) => other > at - HOUR && other <= at).length).toBeLessThanOrEqual(maxPerHour);
      },
    ),
  );
});
