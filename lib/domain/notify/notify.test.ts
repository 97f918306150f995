import { describe, expect, test } from "vitest";
import { type AlertStanding, type ItemKind, verdictOf } from "./flush";
import { inhibitedBy } from "./inhibition";
import { flushAt, groupKeyOf, groupLabels, implicitRoute, type Route, repetition, routesOf, stepsDue } from "./routes";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 21, 12);

const route = (over: Partial<Route> = {}): Route => ({
  ...implicitRoute({ id: "c1", name: "ops" }),
  id: "r1",
  isImplicit: false,
  goesOn: false,
  ...over,
});

describe("routes", () => {
  const ml = route({ id: "ml", matchers: [{ label: "team", op: "=", value: "ml" }] });
  const critical = route({
    id: "critical",
    matchers: [{ label: "severity", op: "=", value: "critical" }],
    goesOn: true,
  });
  const rest = route({ id: "rest" });
  const taken = (labels: Record<string, string>) => routesOf([critical, ml, rest], labels).map(({ id }) => id);

  test("the first that fits takes an alert, unless it goes on", () => {
    expect(taken({ team: "ml", severity: "warning" })).toEqual(["ml"]);
    expect(taken({ team: "ml", severity: "critical" })).toEqual(["critical", "ml"]);
    expect(taken({ team: "infra", severity: "info" })).toEqual(["rest"]);
    expect(routesOf([ml], { team: "infra" })).toEqual([]);
  });

  test("a group is what shares the labels, whatever order they were named in", () => {
    const one = groupKeyOf({ id: "r1", groupBy: ["team", "alertname"] }, { team: "ml", alertname: "Hot" });
    expect(groupKeyOf({ id: "r1", groupBy: ["alertname", "team"] }, { team: "ml", alertname: "Hot" })).toBe(one);
    expect(groupKeyOf({ id: "r1", groupBy: ["alertname", "team"] }, { team: "x", alertname: "Hot" })).not.toBe(one);
    expect(groupLabels(one)).toEqual({ alertname: "Hot", team: "ml" });
    expect(groupLabels(groupKeyOf({ id: "r1", groupBy: ["constructor"] }, {}))).toEqual({ constructor: "" });
  });
});

describe("B30: when a group is told", () => {
  const silent = { lastToldAt: null, isAlive: false };
  test.each<[string, Parameters<typeof flushAt>[1], number, number]>([
    ["a new one after its wait", silent, NOW, NOW + 30_000],
    ["an old alert at once", silent, NOW - HOUR, NOW],
    ["one that is told already, with its interval", { lastToldAt: NOW - MINUTE, isAlive: true }, NOW, NOW + 4 * MINUTE],
    ["one that was told long ago, at once", { lastToldAt: NOW - HOUR, isAlive: true }, NOW, NOW],
    ["one whose alerts are all over begins anew", { lastToldAt: NOW - MINUTE, isAlive: false }, NOW, NOW + 30_000],
  ])("%s", (_what, group, since, expected) => expect(flushAt(route(), group, since, NOW)).toBe(expected));

  test("repeats are rounded up to the interval", () => {
    const four = route({ repeatMs: 4 * HOUR, groupIntervalMs: 7 * MINUTE });
    expect(repetition(four, NOW - 4 * HOUR, 1, NOW)).toBe(0);
    expect(repetition(four, NOW - 35 * 7 * MINUTE, 1, NOW)).toBe(1);
  });

  test("steps of an escalation by time and by dollars", () => {
    const steps = [
      { channelId: "a", afterMs: 10 * MINUTE },
      { channelId: "b", afterMicros: 5_000_000n },
    ];
    expect(stepsDue(steps, { firedAt: NOW - 9 * MINUTE, spentMicros: 4_999_999n }, NOW)).toEqual([]);
    expect(stepsDue(steps, { firedAt: NOW - 10 * MINUTE, spentMicros: null }, NOW)).toEqual([0]);
    expect(stepsDue(steps, { firedAt: NOW, spentMicros: 5_000_000n }, NOW)).toEqual([1]);
  });
});

describe("what becomes of an item", () => {
  const open: AlertStanding = {
    isOver: false,
    isTold: true,
    silencedUntil: null,
    isInhibited: false,
    isAcknowledged: false,
  };
  const judged = (kind: ItemKind, over: Partial<AlertStanding> = {}) =>
    verdictOf(kind, { ...open, ...over }, NOW, 5 * MINUTE);

  test.each<[string, ItemKind, Partial<AlertStanding>, object]>([
    ["a fire", "fired", { isTold: false }, { what: "send" }],
    ["B31, B38: a fire of what is over", "fired", { isOver: true }, { what: "drop" }],
    ["B37: an end nobody was told the beginning of", "resolved", { isOver: true, isTold: false }, { what: "drop" }],
    ["an end that is owed", "resolved", { isOver: true }, { what: "send" }],
    [
      "B34: a silenced fire waits for the silence",
      "fired",
      { silencedUntil: NOW + MINUTE },
      { what: "hold", until: NOW + MINUTE },
    ],
    [
      "B34: a long silence is looked at again",
      "fired",
      { silencedUntil: NOW + HOUR },
      { what: "hold", until: NOW + 5 * MINUTE },
    ],
    [
      "B34: an end that is owed is told in a silence",
      "resolved",
      { isOver: true, silencedUntil: NOW + HOUR },
      { what: "send" },
    ],
    ["B35: an inhibited fire waits", "fired", { isInhibited: true }, { what: "hold", until: NOW + MINUTE }],
    ["B36: no repeats of what is in somebody's hand", "repeat", { isAcknowledged: true }, { what: "drop" }],
    ["nor is it passed on", "passed_on", { isAcknowledged: true }, { what: "drop" }],
    ["a repeat", "repeat", {}, { what: "send" }],
    ["a silenced repeat", "repeat", { silencedUntil: NOW + HOUR }, { what: "drop" }],
    ["a re-raise", "reraised", {}, { what: "send" }],
    ["an acknowledgement of what was told", "acknowledged", { isAcknowledged: true }, { what: "send" }],
    ["an acknowledgement of what was not", "acknowledged", { isTold: false }, { what: "drop" }],
  ])("%s", (_what, kind, over, expected) => expect(judged(kind, over)).toEqual(expected));

  test("what is of no alert is always sent", () => expect(verdictOf("test", null, NOW, 0)).toEqual({ what: "send" }));
});

describe("B35: inhibition", () => {
  const alert = (alertId: string, kind: string, instance: string, severity = "critical") => ({
    alertId,
    labels: { kind, instance_id: instance, severity },
  });
  const lost = alert("lost", "telemetry", "i1");
  const down = alert("down", "inventory", "i1");

  test("a machine that does not report explains its GPUs, and no others", () => {
    expect(inhibitedBy(alert("hot", "gpu_metric", "i1"), [lost])?.by.alertId).toBe("lost");
    expect(inhibitedBy(alert("hot", "gpu_metric", "i2"), [lost])).toBeNull();
    expect(inhibitedBy(lost, [alert("hot", "gpu_metric", "i1")])).toBeNull();
  });

  test("nothing explains itself, and two cannot explain each other", () => {
    expect(inhibitedBy(lost, [lost])).toBeNull();
    expect(inhibitedBy(lost, [down])?.by.alertId).toBe("down");
    expect(inhibitedBy(down, [lost])).toBeNull();
    const both = { name: "x", source: [], target: [], equal: [] };
    expect(inhibitedBy(lost, [down], [both])).toBeNull();
  });

  test("a label that neither has counts as equal", () => {
    const rule = {
      name: "x",
      source: [{ label: "kind", op: "=", value: "telemetry" }],
      target: [{ label: "kind", op: "=", value: "money" }],
      equal: ["team"],
    } as const;
    expect(inhibitedBy(alert("m", "money", "i9"), [lost], [rule])?.by.alertId).toBe("lost");
  });
});
