import { describe, expect, test } from "vitest";
import { isAcknowledged, isReraiseDue } from "./acknowledgement";
import { type FireNotice, isWanted, type NewsKind, newsAfterCalm, newsOf } from "./notify";
import { nextHealth } from "./rule-health";
import { firing, judgeAt, MINUTE } from "./trace.testing";

describe("what is told", () => {
  test.each<[Parameters<typeof newsOf>[0], FireNotice, NewsKind | null, boolean]>([
    ["fired", "none", "fired", false],
    ["fired", "delivered", null, false],
    ["fired", "queued", null, false],
    ["resolved", "delivered", "resolved", false],
    ["resolved", "none", null, false],
    ["resolved", "queued", null, true],
    ["reraised", "delivered", "reraised", false],
    ["flapping", "delivered", "flapping", false],
    ["pending", "none", null, false],
    ["recovering", "delivered", null, false],
    ["resumed", "delivered", null, false],
    ["repending", "delivered", null, false],
    ["unknown", "delivered", null, false],
  ])("%s with its fire %s tells %s (B31, B37, B38)", (kind, fire, tell, withdrawsFire) => {
    expect(newsOf(kind, fire, false)).toEqual({ tell, withdrawsFire });
  });

  test("B29 while flapping only the summary is told, and a fire that still waits is withdrawn by its resolve", () => {
    expect(newsOf("fired", "none", true).tell).toBeNull();
    expect(newsOf("resolved", "delivered", true).tell).toBeNull();
    expect(newsOf("reraised", "delivered", true).tell).toBeNull();
    expect(newsOf("flapping", "none", true).tell).toBe("flapping");
    expect(newsOf("resolved", "queued", true).withdrawsFire).toBe(true);
  });

  test("B29 after calm the state that was held is told, and nothing that was told already", () => {
    expect(newsAfterCalm(true, true, "none")).toBe("fired");
    expect(newsAfterCalm(true, true, "delivered")).toBeNull();
    expect(newsAfterCalm(true, false, "none")).toBeNull();
    expect(newsAfterCalm(false, true, "delivered")).toBe("resolved");
    expect(newsAfterCalm(false, true, "none")).toBeNull();
  });

  test("a channel hears from its own severity up; one that wants no resolves still gets every fire", () => {
    const channel = { minSeverity: "warning", sendResolved: false } as const;
    expect(isWanted(channel, "fired", "info")).toBe(false);
    expect(isWanted(channel, "fired", "warning")).toBe(true);
    expect(isWanted(channel, "fired", "critical")).toBe(true);
    expect(isWanted(channel, "resolved", "critical")).toBe(false);
    expect(isWanted({ ...channel, sendResolved: true }, "resolved", "critical")).toBe(true);
  });
});

describe("acknowledgement", () => {
  const acknowledged = { acknowledgedAt: 0, reraiseAt: 10 * MINUTE };

  test("B36 acknowledge: it belongs to the episode, so the evaluator carries it through recovering and unknown", () => {
    const row = { ...firing(), ...acknowledged };
    const { state } = judgeAt(MINUTE, null, { state: row });
    expect(state).toMatchObject({ status: "unknown", ...acknowledged });
  });

  test("B36 acknowledge: it holds repeats until its timer runs out, or for ever without one", () => {
    expect(isAcknowledged(acknowledged, 10 * MINUTE - 1)).toBe(true);
    expect(isAcknowledged(acknowledged, 10 * MINUTE)).toBe(false);
    expect(isAcknowledged({ ...acknowledged, reraiseAt: null }, 1e12)).toBe(true);
    expect(isAcknowledged({ acknowledgedAt: null, reraiseAt: null }, 0)).toBe(false);
  });

  test("B36 acknowledge: run out while it fires or nobody knows, it is raised again; not while it recovers", () => {
    expect(isReraiseDue(acknowledged, "firing", 10 * MINUTE)).toBe(true);
    expect(isReraiseDue(acknowledged, "unknown", 10 * MINUTE)).toBe(true);
    expect(isReraiseDue(acknowledged, "recovering", 10 * MINUTE)).toBe(false);
    expect(isReraiseDue(acknowledged, "firing", 10 * MINUTE - 1)).toBe(false);
    expect(isReraiseDue({ acknowledgedAt: null, reraiseAt: null }, "firing", 10 * MINUTE)).toBe(false);
  });
});

describe("health of a rule", () => {
  const healthy = { missedSlots: 0, errorSlots: 0, noDataSlots: 0 };
  const slots = (...results: ("judged" | "error" | "no_data")[]) =>
    results.reduce((last, result) => nextHealth(last.health, result, 0), nextHealth(healthy, "judged", 0));

  test("B14 no data for a rule: raised after 3 slots, gone with the first sample", () => {
    expect(slots("no_data", "no_data").problems).toEqual([]);
    expect(slots("no_data", "no_data", "no_data").problems).toEqual(["no_data"]);
    expect(slots("no_data", "no_data", "no_data", "judged").problems).toEqual([]);
  });

  test("B15 evaluator or database error: raised after 3 slots; an error says nothing about data", () => {
    expect(slots("error", "error").problems).toEqual([]);
    expect(slots("error", "error", "error").problems).toEqual(["rule_error"]);
    expect(slots("no_data", "error", "no_data", "no_data").problems).toEqual(["no_data"]);
  });

  test("B26 slots missed: counted in all, raised when more than 2 in a row", () => {
    expect(nextHealth(healthy, "judged", 2)).toEqual({ health: { ...healthy, missedSlots: 2 }, problems: [] });
    const { health, problems } = nextHealth({ ...healthy, missedSlots: 2 }, "judged", 3);
    expect(health.missedSlots).toBe(5);
    expect(problems).toEqual(["missed_slots"]);
  });
});
