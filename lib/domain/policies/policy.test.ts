import { describe, expect, test } from "vitest";
import { armableAt, shadowAfterPause } from "./kinds";
import { DAY, NOW, policyOf } from "./policies.testing";
import { isMaterial, NewPolicy } from "./policy";

const idle = (over: object = {}) =>
  NewPolicy.parse({ kind: "idle_termination", name: "Empty", params: { afterMinutes: 120 }, ...over });

describe("a policy as it is typed", () => {
  test("lists may be typed with commas, and defaults hold", () => {
    expect(idle({ selector: { team: "research, data,,research" } })).toMatchObject({
      selector: { workload: [], team: ["research", "data"], type: [], instance: [] },
      params: { afterMinutes: 120, withHeld: false, noticeMinutes: 30 },
      maxPerHour: 3,
    });
  });
  test.each<[string, object]>([
    ["idle for less than half an hour", { params: { afterMinutes: 29 } }],
    ["a zone that is none", { zone: "Berlin" }],
    ["no name", { name: "  " }],
    ["as often as it likes", { maxPerHour: 0 }],
    ["days that are none", { kind: "schedule", params: { days: [8] } }],
    ["hours that never end", { kind: "schedule", params: { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "00:00" } }],
    ["a holiday that is none", { kind: "schedule", params: { holidays: "Christmas" } }],
    ["a launch from nothing", { kind: "capacity_watch", params: { typeNames: "a", until: 1, act: "launch" } }],
    ["a price that is none", { kind: "capacity_watch", params: { typeNames: "a", until: 1, maxUsdPerHour: "-1" } }],
    ["a guard of nothing", { kind: "budget_guard", params: { pct: 100 } }],
  ])("not with %s", (_, over) => {
    expect(
      NewPolicy.safeParse({ kind: "idle_termination", name: "Empty", params: { afterMinutes: 120 }, ...over }).success,
    ).toBe(false);
  });
});

describe("an edit", () => {
  const before = policyOf("idle_termination", { afterMinutes: 120 }, { name: "Empty" });
  test.each<[string, object, boolean]>([
    ["of the name", { name: "Still empty" }, false],
    ["of nothing", {}, false],
    ["that is stricter", { maxPerHour: 1, cooldownMinutes: 120 }, false],
    ["that lets it act more often", { maxPerHour: 4 }, true],
    ["that shortens the cool-down", { cooldownMinutes: 30 }, true],
    ["of which machines", { selector: { team: "research" } }, true],
    ["of what it does", { params: { afterMinutes: 60 } }, true],
  ])("%s", (_, over, expected) => expect(isMaterial(before, idle(over))).toBe(expected));
});

test("the week is over after a week, for a watch at once, and begins anew after a pause within it", () => {
  const since = NOW - 3 * DAY;
  expect(armableAt({ kind: "lease", shadowSince: since })).toBe(since + 7 * DAY);
  expect(armableAt({ kind: "capacity_watch", shadowSince: since })).toBe(since);
  expect(shadowAfterPause({ shadowSince: since, updatedAt: NOW }, NOW + DAY)).toBe(NOW + DAY);
  expect(shadowAfterPause({ shadowSince: NOW - 9 * DAY, updatedAt: NOW }, NOW + DAY)).toBe(NOW - 9 * DAY);
});
