import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "./decide";
import { DAY, HOUR, MINUTE, machineOf, NOW, policyOf, snapshotOf } from "./policies.testing";
import { type Hold, oddness, type PolicyAct, type PolicyMachine, type Snapshot } from "./snapshot";

const idle = policyOf("idle_termination", { afterMinutes: 120 });
const lease = policyOf("lease", {});
const hours = policyOf("schedule", { days: [1, 2, 3, 4, 5], from: "08:00", to: "12:00" });
const only = (machine: PolicyMachine, over: Partial<Snapshot> = {}) => snapshotOf([machine], over);

describe("an idle policy", () => {
  test("ends what has been empty for so long", () => {
    expect(decide(idle, only(machineOf()), [])).toMatchObject([
      { target: "gh-1", act: "terminate", dueAt: NOW - 2 * HOUR, slot: NOW - 2 * HOUR, hold: null },
    ]);
  });

  test.each<[string, Partial<PolicyMachine>, Hold]>([
    ["protected", { isProtected: true }, "protected"],
    ["not launched from here", { isOurs: false }, "not_ours"],
    ["reserved", { isReserved: true }, "reserved"],
    ["silent", { telemetry: "silent" }, "silent"],
    ["never heard", { telemetry: "never" }, "silent"],
    ["its sender fails", { telemetry: "failing" }, "silent"],
    ["one GPU of eight is missing", { gpus: 8, reportingGpus: 7 }, "few_gpus"],
    ["no GPU is known", { gpus: 0, reportingGpus: 0 }, "few_gpus"],
    ["a minute of the last ten is missing", { peakPct: null }, "gaps"],
    ["a minute of its run is missing", { empty: { since: NOW - 4 * HOUR, seenMs: HOUR } }, "gaps"],
    ["works", { peakPct: 5.1 }, "busy"],
    ["holds memory", { empty: null }, "held"],
    ["not what was ordered", { isVerified: false }, "unverified"],
    ["its end is asked for", { open: "an-intent" }, "open_request"],
  ])("leaves alone what is %s", (_, over, hold) => {
    expect(decide(idle, only(machineOf(over)), [])).toMatchObject([{ hold }]);
  });

  test.each<[string, Snapshot["fleet"], Hold]>([
    ["stale", { isStale: true, isFrozen: false, isOdd: null }, "stale_fleet"],
    ["frozen", { isStale: false, isFrozen: true, isOdd: null }, "frozen"],
    ["odd", { isStale: false, isFrozen: false, isOdd: "too quiet" }, "odd"],
  ])("touches nothing while the fleet is %s", (_, fleet, hold) => {
    expect(decide(idle, only(machineOf(), { fleet }), [])).toMatchObject([{ hold }]);
  });

  test("wants nothing of what is not idle, not billed or not its own", () => {
    const others = [
      machineOf({ idle: null, empty: null }),
      machineOf({ isBilled: false }),
      machineOf({ selected: { team: "ops", workload: "training" } }),
    ];
    const own = policyOf("idle_termination", {}, { selector: { workload: ["dev"], team: [], type: [], instance: [] } });
    expect(decide(own, snapshotOf(others), [])).toEqual([]);
  });

  test("held memory is ended only where it says so", () => {
    const held = policyOf("idle_termination", { withHeld: true });
    expect(decide(held, only(machineOf({ empty: null })), [])).toMatchObject([{ hold: null }]);
  });
});

describe("a lease", () => {
  test.each<[string, Partial<PolicyMachine>, object[]]>([
    ["none: nothing to be over", { leaseUntil: null }, []],
    ["over", { leaseUntil: NOW - MINUTE }, [{ dueAt: NOW - MINUTE, hold: null }]],
    ["to come", { leaseUntil: NOW + HOUR }, [{ dueAt: NOW + HOUR, slot: NOW + HOUR, noticeMs: DAY }]],
    ["over and working", { leaseUntil: NOW - 1, peakPct: 80 }, [{ hold: "busy" }]],
    ["over and silent", { leaseUntil: NOW - 1, telemetry: "silent", peakPct: null }, [{ hold: "silent" }]],
  ])("%s", (_, over, verdicts) => expect(decide(lease, only(machineOf(over)), [])).toMatchObject(verdicts));

  test("what works is ended only where it says so, what is silent never", () => {
    const hard = policyOf("lease", { endBusy: true });
    expect(decide(hard, only(machineOf({ leaseUntil: NOW - 1, peakPct: 80 })), [])).toMatchObject([{ hold: null }]);
    expect(decide(hard, only(machineOf({ leaseUntil: NOW - 1, telemetry: "silent" })), [])).toMatchObject([
      { hold: "silent" },
    ]);
  });
});

describe("working hours", () => {
  const at = (now: number, machine = machineOf(), acts: PolicyAct[] = []) =>
    decide(hours, snapshotOf([machine], { now }), acts);
  const monday = NOW + 3 * DAY - 4 * HOUR;

  test("over: the evening is due, until the wait is over", () => {
    expect(at(NOW + MINUTE)).toMatchObject([
      { slot: NOW, dueAt: NOW, until: NOW + 2 * HOUR, savesUntil: monday, isTimed: true, hold: null },
    ]);
  });
  test("on: the evening is to come", () => expect(at(NOW - HOUR)).toMatchObject([{ slot: NOW, dueAt: NOW }]));
  test("long over: nothing is wanted of this evening any more, the next one is to come", () =>
    expect(at(NOW + 6 * HOUR)).toMatchObject([{ slot: monday + 4 * HOUR, dueAt: monday + 4 * HOUR }]));
  test("what was begun after hours stays", () =>
    expect(at(NOW + HOUR, machineOf({ activeSince: NOW + MINUTE }))).toEqual([]));
  test("a holiday is no working day", () => {
    const off = policyOf("schedule", { ...hours.params, holidays: "2026-11-20" });
    // Thursday's evening is the last one, Monday's the next.
    expect(decide(off, only(machineOf()), [])).toMatchObject([{ slot: monday + 4 * HOUR }]);
  });

  const template = "0190b8a2-0000-7000-8000-00000000000a";
  const back = policyOf("schedule", { ...hours.params, templateId: template });
  const ended = (slot: number, decision: PolicyAct["decision"] = "acted"): PolicyAct => ({
    target: "gh-1",
    slot,
    decision,
    resourceId: "gh-1",
    decidedAt: slot,
    actAt: null,
    reason: "",
  });
  test.each<[string, number, PolicyAct[], object[]]>([
    ["as many as were ended", monday + MINUTE, [ended(NOW)], [{ act: "launch", target: "launch:gh-1", slot: monday }]],
    ["over the weekend it is said", NOW + DAY, [ended(NOW)], [{ act: "launch", dueAt: monday }]],
    ["not what would have been ended", monday + MINUTE, [ended(NOW, "would_act")], []],
    ["not what an earlier evening ended", monday + MINUTE, [ended(NOW - DAY)], []],
    ["not in the afternoon", monday + 3 * HOUR, [ended(NOW)], []],
  ])("relaunched in the morning: %s", (_, now, acts, verdicts) => {
    expect(decide(back, snapshotOf([], { now, offersAt: now }), acts)).toMatchObject(verdicts);
  });
  test("nothing is launched by an old list of types", () => {
    expect(decide(back, snapshotOf([], { now: monday, offersAt: monday - HOUR }), [ended(NOW)])).toMatchObject([
      { hold: "stale_offers" },
    ]);
  });
});

describe("a budget guard", () => {
  const budget = (pct: number, over: object = {}) => ({
    budgets: [
      {
        id: "b",
        name: "Fleet",
        from: NOW - 20 * DAY,
        to: NOW + 10 * DAY,
        pct: { actual: pct, forecast: pct, burn: pct },
        reachesAt: () => NOW + DAY,
        ...over,
      },
    ],
  });
  const guard = (params: object) => {
    const policy = policyOf("budget_guard", { budgetId: "0190b8a2-0000-7000-8000-00000000000b", pct: 100, ...params });
    return { ...policy, params: { ...policy.params, budgetId: "b" } };
  };
  test.each<[string, object, number, object[]]>([
    ["stops launches", {}, 101, [{ act: "stop_launches", dueAt: NOW, slot: NOW - 20 * DAY }]],
    ["asks", { act: "ask" }, 100, [{ act: "ask_launches", dueAt: NOW }]],
    ["says when it will", {}, 99, [{ dueAt: NOW + DAY }]],
    ["a forecast has no hour at which it is reached", { on: "forecast" }, 99, []],
  ])("%s", (_, params, pct, verdicts) =>
    expect(decide(guard(params), snapshotOf([], budget(pct)), [])).toMatchObject(verdicts),
  );

  const fleet = [
    machineOf({ id: "busy", name: "busy", idle: null, empty: null, peakPct: 90 }),
    machineOf({ id: "held", name: "held", empty: null, priceMicros: 9_000_000n }),
    machineOf({ id: "empty", name: "empty", activeSince: NOW - HOUR }),
    machineOf({ id: "safe", name: "safe", isProtected: true }),
  ];
  test.each([
    ["idle_first", ["empty", "safe", "held", "busy"]],
    ["dearest_first", ["held", "empty", "safe", "busy"]],
    ["newest_first", ["empty", "held", "busy", "safe"]],
  ])("ends %s", (order, names) => {
    const verdicts = decide(guard({ act: "terminate", order }), snapshotOf(fleet, budget(120)), []);
    expect(verdicts.map(({ target }) => target)).toEqual(names);
    expect(Object.fromEntries(verdicts.map(({ target, hold }) => [target, hold]))).toEqual({
      empty: null,
      held: null,
      busy: "busy",
      safe: "protected",
    });
  });
  test("a budget that was removed guards nothing", () => expect(decide(guard({}), snapshotOf([]), [])).toEqual([]));
});

describe("a watch for capacity", () => {
  const template = "0190b8a2-0000-7000-8000-00000000000a";
  const offer = (region: string, priceMicros: bigint | null = 1_990_000n) => ({
    typeName: "gpu_1x_gh200",
    region,
    priceMicros,
    since: NOW - MINUTE,
  });
  const watch = (params: object = {}) =>
    policyOf("capacity_watch", {
      typeNames: "gpu_1x_gh200",
      until: NOW + DAY,
      act: "launch",
      templateId: template,
      count: 2,
      ...params,
    });
  const seen = (offers: Snapshot["offers"], over: Partial<Snapshot> = {}) => snapshotOf([], { offers, ...over });

  test("launches as many as were asked for, each named by the watch and not by the hour", () => {
    const [first, second] = [NOW, NOW + 5 * HOUR].map((now) =>
      decide(watch(), seen([offer("us-east-3")], { now, offersAt: now }), []).map(
        ({ target, slot }) => `${target} ${slot}`,
      ),
    );
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
  });
  test.each<[string, object, Snapshot, object[]]>([
    ["no capacity", {}, seen([]), [{ hold: "no_capacity" }, { hold: "no_capacity" }]],
    ["elsewhere only", { regions: "us-west-1", count: 1 }, seen([offer("us-east-3")]), [{ hold: "no_capacity" }]],
    ["too dear", { maxUsdPerHour: "1.50", count: 1 }, seen([offer("us-east-3")]), [{ hold: "too_dear" }]],
    ["no price", { count: 1 }, seen([offer("us-east-3", null)]), [{ hold: "no_price" }]],
    ["an old list", { count: 1 }, seen([offer("us-east-3")], { offersAt: NOW - HOUR }), [{ hold: "stale_offers" }]],
    ["never read", { count: 1 }, seen([offer("us-east-3")], { offersAt: null }), [{ hold: "stale_offers" }]],
    ["over", {}, seen([offer("us-east-3")], { now: NOW + DAY }), []],
    [
      "says so only",
      { act: "notify" },
      seen([offer("us-east-3")]),
      [{ act: "notify", slot: NOW - MINUTE, hold: null }],
    ],
    ["in the order asked", { regions: "b,a", count: 1 }, seen([offer("a"), offer("b")]), [{ launch: { region: "b" } }]],
  ])("%s", (_, params, snapshot, verdicts) => {
    const found = decide(watch(params), snapshot, []);
    expect(found).toHaveLength(verdicts.length);
    expect(found).toMatchObject(verdicts);
  });
});

test("a fleet of which more than half is silent at once is our own deafness", () => {
  const quiet = { isBilled: true, telemetry: "silent" as const };
  const loud = { isBilled: true, telemetry: "reporting" as const };
  expect(oddness([quiet, quiet, loud])).toContain("2 of 3");
  expect(oddness([quiet, loud])).toBeNull();
  expect(oddness([quiet])).toBeNull();
});

test("whatever is missing, no policy ends a machine by itself", () => {
  const broken = fc.record({
    telemetry: fc.constantFrom("silent", "never", "failing", "not_expected" as const),
    leaseUntil: fc.option(fc.integer({ min: NOW - DAY, max: NOW + DAY }), { nil: null }),
    peakPct: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null }),
    endBusy: fc.boolean(),
    withHeld: fc.boolean(),
  });
  fc.assert(
    fc.property(broken, ({ endBusy, withHeld, ...over }) => {
      const snapshot = only(machineOf(over as Partial<PolicyMachine>));
      const policies = [
        policyOf("lease", { endBusy }),
        policyOf("idle_termination", { withHeld, afterMinutes: 30 }),
        policyOf("schedule", { ...hours.params, endBusy }),
      ];
      for (const policy of policies)
        for (const verdict of decide(policy, snapshot, [])) expect(verdict.hold).not.toBeNull();
    }),
  );
});
