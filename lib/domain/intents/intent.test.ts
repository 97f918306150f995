import { expect, test } from "vitest";
import { afterSend, type IntentKind, machineName, type SendOutcome } from "./intent";

const now = 1_000_000;
const facts = (kind: IntentKind, unsent = 0) => ({ kind, unsent, sentAt: now });
const refused = (isFinal = true): SendOutcome => ({ kind: "refused", code: "global/x", message: "no", isFinal });
const unknown: SendOutcome = { kind: "unknown", message: "timeout" };
const throttled: SendOutcome = { kind: "throttled", message: "429" };
const notSent: SendOutcome = { kind: "not_sent", message: "ECONNREFUSED" };
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
