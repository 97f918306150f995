import { describe, expect, test } from "vitest";
import { moved, stepText, timesText } from "./route-words";

describe("an order of routes", () => {
  test("one moves up or down by one place", () => {
    expect(moved(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
  });

  test("none moves beyond an end", () => {
    expect(moved(["a", "b"], 0, -1)).toBeNull();
    expect(moved(["a", "b"], 1, 1)).toBeNull();
  });
});

describe("a step", () => {
  const channels = [{ id: "c1", name: "managers" }];

  test("says its time or its money, and to whom", () => {
    expect(stepText({ channelId: "c1", afterMs: 900_000, afterMicros: null }, channels)).toBe(
      "after 15\u00a0min to managers",
    );
    expect(stepText({ channelId: "c1", afterMs: null, afterMicros: "5000000" }, channels)).toBe("at $5.00 to managers");
  });

  test("says where its channel is gone", () => {
    expect(stepText({ channelId: "c2", afterMs: 60_000, afterMicros: null }, channels)).toContain("gone");
  });
});

test("times are said without what is zero after them", () => {
  const route = { groupBy: ["alertname", "team"], groupWaitMs: 30_000, groupIntervalMs: 300_000, repeatMs: 14_400_000 };
  expect(timesText(route).replaceAll("\u00a0", " ")).toBe(
    "One message per alertname, team, after 30 s; news every 5 min, repeated every 4 h",
  );
  expect(timesText({ ...route, groupBy: [], groupWaitMs: 0, repeatMs: 5_400_000 }).replaceAll("\u00a0", " ")).toBe(
    "All in one message, at once; news every 5 min, repeated every 1 h 30 min",
  );
});
