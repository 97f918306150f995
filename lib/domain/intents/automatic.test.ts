import { describe, expect, test } from "vitest";
import { type EndFacts, judgeEnd, judgeLaunch, type LaunchFacts, paceOf } from "./automatic";

const NOW = Date.UTC(2026, 10, 21, 12);

const end: EndFacts = {
  now: NOW,
  stopped: null,
  policy: { name: "Nights", mode: "armed", isRemoved: false },
  fleet: { lastOkAt: NOW - 10_000, isFrozen: false, isSuspect: false },
  machine: {
    isGone: false,
    isProtected: false,
    protectReason: "",
    isOurs: true,
    isReserved: false,
    newestSampleAt: NOW - 15_000,
    intervalMs: 10_000,
    gpus: 1,
    gpusHeard: 1,
    peakPct: 1,
    idleSince: NOW - 3_600_000,
  },
  whileIdle: true,
  idleAskedAt: NOW - 120_000,
  includesOutside: false,
  pace: { machines: 4, lately: 0, unknownLaunches: 0 },
};
const launch: LaunchFacts = { ...end, priceMicros: 2_290_000n, maxMicros: 2_500_000n };
const machine = (more: Partial<EndFacts["machine"]>): Partial<EndFacts> => ({ machine: { ...end.machine, ...more } });

describe("whether automation may end a machine", () => {
  test("it may when all is known and nothing speaks against it", () => {
    expect(judgeEnd(end)).toEqual({ kind: "send" });
    expect(judgeEnd({ ...end, whileIdle: false, ...machine({ peakPct: 90 }) })).toEqual({ kind: "send" });
    expect(judgeEnd({ ...end, idleAskedAt: null, ...machine({ idleSince: null }) })).toEqual({ kind: "send" });
  });

  test.each<[string, Partial<EndFacts>, string]>([
    ["the switch", { stopped: { by: "Ada" } }, "stopped by Ada"],
    ["the policy is gone", { policy: null }, "removed"],
    ["the policy was removed", { policy: { name: "x", mode: "armed", isRemoved: true } }, "removed"],
    ["shadow mode", { policy: { name: "x", mode: "shadow", isRemoved: false } }, "shadow"],
    ["paused", { policy: { name: "x", mode: "paused", isRemoved: false } }, "paused"],
    ["a refused key", { fleet: { ...end.fleet, isFrozen: true } }, "refuses our key"],
    ["a stale fleet", { fleet: { ...end.fleet, lastOkAt: NOW - 46_000 } }, "not up to date"],
    ["a fleet never seen", { fleet: { ...end.fleet, lastOkAt: null } }, "not up to date"],
    ["a clock that jumped back", { fleet: { ...end.fleet, lastOkAt: NOW + 3_600_000 } }, "not up to date"],
    ["a suspect listing", { fleet: { ...end.fleet, isSuspect: true } }, "too many machines"],
    ["it is gone", machine({ isGone: true }), "gone already"],
    ["protected", machine({ isProtected: true, protectReason: "thesis" }), "protected: thesis"],
    ["reserved", machine({ isReserved: true }), "reserved"],
    ["not ours", machine({ isOurs: false }), "not launched from here"],
    ["silent", machine({ newestSampleAt: NOW - 91_000 }), "not heard"],
    ["never heard", machine({ newestSampleAt: null }), "not heard"],
    ["heard from the future", machine({ newestSampleAt: NOW + 120_000 }), "not heard"],
    ["one of eight cards is silent", machine({ gpus: 8, gpusHeard: 7 }), "Only 7 of its 8"],
    ["its use was not measured", machine({ peakPct: null }), "Nobody measured"],
    ["it works again", machine({ peakPct: 5.1 }), "work again"],
    ["it is not idle any more", machine({ idleSince: null }), "since its end was asked for"],
    ["its idleness began anew", machine({ idleSince: NOW - 60_000 }), "since its end was asked for"],
  ])("not at all: %s", (_, more, why) => {
    const judgement = judgeEnd({ ...end, ...more });
    expect(judgement).toMatchObject({ kind: "drop", why: expect.stringContaining(why) });
  });

  test.each<[string, EndFacts["pace"]]>([
    ["a launch of unknown outcome", { machines: 40, lately: 0, unknownLaunches: 1 }],
    ["a fifth of the fleet within ten minutes", { machines: 10, lately: 2, unknownLaunches: 0 }],
    ["five of any fleet", { machines: 1_000, lately: 5, unknownLaunches: 0 }],
  ])("not now: %s", (_, pace) => expect(judgeEnd({ ...end, pace })).toMatchObject({ kind: "wait" }));

  test("a machine that was not launched from here, only where the policy names such", () => {
    expect(judgeEnd({ ...end, includesOutside: true, ...machine({ isOurs: false }) })).toEqual({ kind: "send" });
  });

  test.each([
    [0, 1],
    [1, 1],
    [9, 1],
    [10, 2],
    [24, 4],
    [25, 5],
    [1_000, 5],
  ])("of %i machines %i within ten minutes", (machines, most) => expect(paceOf(machines)).toBe(most));
});

describe("whether automation may launch", () => {
  test("within its price", () => expect(judgeLaunch(launch)).toEqual({ kind: "send" }));
  test("at any price, where none is named", () =>
    expect(judgeLaunch({ ...launch, maxMicros: null })).toEqual({ kind: "send" }));
  test.each<[string, Partial<LaunchFacts>]>([
    ["the switch", { stopped: { by: "" } }],
    ["no price", { priceMicros: null }],
    ["too dear", { priceMicros: 2_500_001n }],
    ["a stale fleet", { fleet: { ...end.fleet, lastOkAt: NOW - 60_000 } }],
  ])("not: %s", (_, more) => expect(judgeLaunch({ ...launch, ...more })).toMatchObject({ kind: "drop" }));
});
