import { describe, expect, test } from "vitest";
import {
  type ApprovalQuestion,
  approvalExpiresAt,
  approvalNeeded,
  fitsPattern,
  Guardrails,
  levelOf,
  NO_GUARDRAILS,
} from "./guardrails";

const person = { kind: "user" } as const;
const machine = { kind: "system" } as const;
const launch = (microsPerHour: bigint): ApprovalQuestion => ({ kind: "launch", actor: person, microsPerHour });
const end = (concerns: string[], more: Partial<{ isProtected: boolean; actor: typeof person | typeof machine }> = {}) =>
  ({ kind: "terminate", actor: person, concerns, isProtected: false, ...more }) as ApprovalQuestion;
const rules = (approval: Record<string, unknown>) => Guardrails.parse({ approval });

describe("a second person", () => {
  test.each<[string, ApprovalQuestion, Guardrails, RegExp | null]>([
    ["is asked by nobody who set nothing", launch(10n ** 12n), NO_GUARDRAILS, null],
    ["nor for a busy machine", end(["busy"], { isProtected: true }), NO_GUARDRAILS, null],
    ["is not asked at the limit", launch(5_000_000n), rules({ launchAboveMicrosPerHour: "5000000" }), null],
    [
      "is asked a micro-dollar above it",
      launch(5_010_000n),
      rules({ launchAboveMicrosPerHour: "5000000" }),
      /above \$5\.00\/h .* \$5\.01\/h/,
    ],
    ["is not asked for an idle machine", end([]), rules({ terminate: "risky" }), null],
    ["is asked for a busy one", end(["busy"]), rules({ terminate: "risky" }), /it is working/],
    ["for a silent one", end(["silent"]), rules({ terminate: "risky" }), /nobody knows/],
    ["for somebody else's", end(["someone_elses"]), rules({ terminate: "risky" }), /somebody else/],
    ["for a protected one", end([], { isProtected: true }), rules({ terminate: "risky" }), /protected/],
    ["for each reason", end(["busy", "reserved"]), rules({ terminate: "risky" }), /working, and it is reserved/],
    ["always, where it says so", end([]), rules({ terminate: "always" }), /Every termination/],
    ["never for a restart", { kind: "restart", actor: person }, rules({ terminate: "always" }), null],
    ["by automation at a busy machine, whatever is set", end(["busy"], { actor: machine }), NO_GUARDRAILS, /working/],
    ["by automation at a protected one", end([], { actor: machine, isProtected: true }), NO_GUARDRAILS, /protected/],
    [
      "not by automation because it is somebody's",
      end(["someone_elses", "not_ours"], { actor: machine }),
      rules({ terminate: "risky" }),
      null,
    ],
  ])("%s", (_, question, guardrails, words) => {
    const reason = approvalNeeded(question, guardrails)?.replaceAll(/\s/g, " ") ?? null;
    if (words === null) expect(reason).toBeNull();
    else expect(reason).toMatch(words);
  });

  test("may answer for four hours, unless it says otherwise", () => {
    expect(approvalExpiresAt(1_000, NO_GUARDRAILS)).toBe(1_000 + 4 * 3_600_000);
    expect(approvalExpiresAt(1_000, rules({ expiresMs: 3_600_000 }))).toBe(1_000 + 3_600_000);
  });
});

test("checks block or warn as they do by default, unless somebody turned them", () => {
  expect(levelOf("budget", NO_GUARDRAILS)).toBe("warning");
  expect(levelOf("guard-type", NO_GUARDRAILS)).toBe("error");
  const turned = Guardrails.parse({ checks: { budget: "block", "guard-type": "warn" } });
  expect(levelOf("budget", turned)).toBe("error");
  expect(levelOf("guard-type", turned)).toBe("warning");
  expect(Guardrails.safeParse({ checks: { "ssh-key": "warn" } }).success).toBe(false);
});

describe("names", () => {
  test.each([
    ["", "anything", true],
    ["train-*", "train-04", true],
    ["train-*", "strain-04", false],
    ["*-04", "train-04", true],
    ["*-*-*", "a-b-c", true],
    ["*-*-*", "a-b", false],
    ["gh-??", "gh-04", true],
    ["gh-??", "gh-4", false],
    ["*", "x", true],
    ["a.c", "abc", false],
  ])("%j and %j: %s", (pattern, name, fits) => expect(fitsPattern(name, pattern)).toBe(fits));

  test("a pattern of many stars takes no longer than it should", () => {
    expect(fitsPattern("a".repeat(64), "*a".repeat(31))).toBe(true);
    expect(fitsPattern("a".repeat(64), `${"*a".repeat(30)}*b`)).toBe(false);
  });
});
