import { describe, expect, test } from "vitest";
import {
  afterSend,
  INTENT_STATES,
  type IntentKind,
  isEndCertain,
  LOOK_MS,
  machineName,
  mayMove,
  SETTLED,
  type SendOutcome,
  TRANSITIONS,
} from "./intent";

const now = 1_000_000;
const facts = (kind: IntentKind, unsent = 0, sends = 1) => ({ kind, unsent, sentAt: now, sends });
const refused = (isFinal = true): SendOutcome => ({ kind: "refused", code: "global/x", message: "no", isFinal });
const unknown: SendOutcome = { kind: "unknown", message: "timeout" };
const throttled: SendOutcome = { kind: "throttled", message: "429" };
const notSent: SendOutcome = { kind: "not_sent", message: "ECONNREFUSED" };
const withheld = (isFinal: boolean): SendOutcome => ({ kind: "withheld", message: "It is protected.", isFinal });
const accepted = (...externalIds: string[]): SendOutcome => ({ kind: "accepted", externalIds });

test.each<[string, IntentKind, SendOutcome, object]>([
  ["one id confirms a launch", "launch", accepted("a"), { state: "confirmed", externalId: "a" }],
  ["no id is not an answer", "launch", accepted(), { state: "indeterminate", lookUntil: now + 300_000 }],
  ["two ids are looked for", "launch", accepted("a", "b"), { state: "indeterminate" }],
  ["a refusal ends it", "launch", refused(), { state: "refused", errorCode: "global/x" }],
  [
    "an unknown outcome is looked for, not sent again",
    "launch",
    unknown,
    { state: "indeterminate", lookUntil: now + 300_000 },
  ],
  ["a 429 is looked for a minute", "launch", throttled, { state: "indeterminate", lookUntil: now + 60_000 }],
  ["what did not leave may go again", "launch", notSent, { state: "ready", isUnsent: true }],
  ["a restart is sent once, too", "restart", unknown, { state: "indeterminate" }],
  ["an accepted restart is done", "restart", accepted("a"), { state: "confirmed" }],
  [
    "an accepted terminate goes on until the machine is gone",
    "terminate",
    accepted("a"),
    { state: "sending", acceptedAt: now, nextSendAt: now + 30_000 },
  ],
  [
    "a terminate of unknown outcome is repeated by id",
    "terminate",
    unknown,
    { state: "sending", nextSendAt: now + 30_000 },
  ],
  [
    "a terminate that did not leave goes again, as if for the first time",
    "terminate",
    notSent,
    { state: "ready", nextSendAt: now + 30_000, isUnsent: true },
  ],
  ["a terminate under 429 waits", "terminate", throttled, { state: "sending", nextSendAt: now + 30_000 }],
  ["a terminate that is refused for now is repeated", "terminate", refused(false), { state: "sending" }],
  ["a terminate that is refused for good ends", "terminate", refused(), { state: "refused" }],
  [
    "what we do not want any more is cancelled, unsent",
    "terminate",
    withheld(true),
    { state: "cancelled", isUnsent: true },
  ],
  ["so is a launch", "launch", withheld(true), { state: "cancelled", isUnsent: true }],
  [
    "what must wait is asked again in a minute",
    "terminate",
    withheld(false),
    { state: "ready", nextSendAt: now + 60_000, isUnsent: true },
  ],
])("%s", (_name, kind, outcome, next) => {
  expect(afterSend(facts(kind), outcome, now)).toMatchObject(next);
});

test("after five requests that did not leave, a launch is given up with nothing sent", () => {
  expect(afterSend(facts("launch", 3), notSent, now)).toMatchObject({ state: "ready" });
  expect(afterSend(facts("launch", 4), notSent, now)).toMatchObject({ state: "refused", isUnsent: true });
});

test("a machine's name carries its intent's mark and fits Lambda's 64 characters", () => {
  const id = "0190b8a2-1111-7222-8333-444455556666";
  expect(machineName("gh-train-04", id)).toBe("gh-train-04-55556666");
  expect(machineName("x".repeat(64), id)).toHaveLength(64);
});

test("what may have been heard before cannot be called unsent when it is not repeated", () => {
  expect(afterSend(facts("terminate", 0, 2), withheld(true), now)).toMatchObject({
    state: "closed_unconfirmed",
    error: "It is protected. It is not repeated",
  });
});

test.each([
  ["Lambda said yes", 1, 0, 0, true],
  ["it never did, and the listing that lacks it is the last one", null, 0, 0, false],
  ["listings have lacked it for not quite five minutes", null, 0, LOOK_MS - 1, false],
  ["for five minutes", null, 0, LOOK_MS, true],
  ["nothing was ever listed", null, 0, null, false],
])("an end is certain or not: %s", (_, acceptedAt, goneAt, lastListedAt, isCertain) => {
  const date = (at: number | null) => (at === null ? null : new Date(at));
  expect(
    isEndCertain({ acceptedAt: date(acceptedAt), goneAt: new Date(goneAt), lastListedAt: date(lastListedAt) }),
  ).toBe(isCertain);
});

describe("where an intent may go", () => {
  const table: Record<string, string> = {
    draft: "awaiting_approval ready cancelled expired",
    awaiting_approval: "ready cancelled expired",
    ready: "sending confirmed adopted cancelled expired",
    sending: "ready indeterminate confirmed adopted refused closed_unconfirmed cancelled",
    indeterminate: "adopted closed_unconfirmed",
    confirmed: "",
    adopted: "",
    refused: "adopted",
    closed_unconfirmed: "adopted",
    cancelled: "adopted",
    expired: "adopted",
  };
  const pairs = INTENT_STATES.flatMap((from) => INTENT_STATES.map((to) => [from, to] as const));

  test.each(pairs)("%s to %s", (from, to) => {
    expect(mayMove(from, to)).toBe(from === to || (table[from] ?? "").split(" ").includes(to));
  });

  test("nothing that is settled is ever sent, and everything can be settled", () => {
    for (const state of SETTLED) for (const to of TRANSITIONS[state]) expect(SETTLED).toContain(to);
    for (const state of INTENT_STATES.filter((one) => !SETTLED.includes(one)))
      expect(TRANSITIONS[state].some((to) => SETTLED.includes(to))).toBe(true);
  });

  test("what waits for a second person is sent only by way of ready", () => {
    expect(mayMove("awaiting_approval", "sending")).toBe(false);
    expect(mayMove("indeterminate", "ready")).toBe(false);
  });
});
