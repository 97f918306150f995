import type { Check } from "./check";
import { BETWEEN, fingerprintOf, keyOf } from "./check";

export const FINDING_STATES = ["pending", "open", "accepted", "settled"] as const;
export type FindingState = (typeof FINDING_STATES)[number];

/** Polls that must agree before a difference is a finding. */
export const POLLS_NEEDED = 2;

/** What is remembered of a difference between polls. */
export type Standing = {
  key: string;
  state: Exclude<FindingState, "settled">;
  /** What was declared and what was seen. */
  fingerprint: string;
  agreedPolls: number;
  firstPollAt: number;
  lastPollAt: number;
  /** When the newest evidence of it was seen. */
  seenAt: number;
  acceptedUntil: number | null;
};

export type Step =
  | { kind: "keep" }
  /** It never was a finding. */
  | { kind: "drop" }
  | { kind: "settle" }
  /** The same once more. */
  | { kind: "agree"; standing: Standing }
  /** New, or other than before: what it says is written anew. */
  | { kind: "write"; standing: Standing; check: Check };

/**
 * What one good poll makes of one difference. Two polls must see the same, each with evidence newer than the other's; what cannot
 * be verified concludes nothing, and a failed poll is no poll.
 */
export function stepOf(before: Standing | null, check: Check | null, pollAt: number): Step {
  if (check?.state === "unverified") return { kind: "keep" };
  if (check === null || check.state === "agrees") {
    if (!before) return { kind: "keep" };
    return { kind: before.state === "pending" ? "drop" : "settle" };
  }
  const fingerprint = fingerprintOf(check);
  if (before?.state === "open" && before.fingerprint !== fingerprint && isSameDemand(before.fingerprint, fingerprint)) {
    // It still is not what was declared, only otherwise: that is no new finding.
    const standing = { ...before, fingerprint, lastPollAt: pollAt, seenAt: check.seenAt };
    return { kind: "write", check, standing };
  }
  if (!before || before.fingerprint !== fingerprint) {
    return {
      kind: "write",
      check,
      standing: {
        key: keyOf(check),
        state: "pending",
        fingerprint,
        agreedPolls: 1,
        firstPollAt: pollAt,
        lastPollAt: pollAt,
        seenAt: check.seenAt,
        acceptedUntil: null,
      },
    };
  }
  const isOver = before.state === "accepted" && before.acceptedUntil !== null && before.acceptedUntil <= pollAt;
  const isNewer = pollAt > before.lastPollAt && check.seenAt > before.seenAt;
  // What only the document says is as true in the next poll as in this one.
  const isOfDocument = check.fact === "sums" || (check.fact === "label" && check.machineId === null);
  const agrees = pollAt > before.lastPollAt && (isNewer || isOfDocument);
  if (!agrees && !isOver) return { kind: "keep" };
  const agreedPolls = before.agreedPolls + (agrees ? 1 : 0);
  const isOpening = before.state === "pending" && agreedPolls >= POLLS_NEEDED;
  const state = isOver || isOpening ? "open" : before.state;
  const standing: Standing = {
    ...before,
    state,
    agreedPolls,
    lastPollAt: agrees ? pollAt : before.lastPollAt,
    seenAt: check.seenAt,
    acceptedUntil: isOver ? null : before.acceptedUntil,
  };
  return state === before.state ? { kind: "agree", standing } : { kind: "write", standing, check };
}

function isSameDemand(before: string, after: string): boolean {
  return before.split(BETWEEN)[0] === after.split(BETWEEN)[0];
}

/** What a poll makes of everything. Keys that are no longer asked about (the machine or the group is gone) are over. */
export function stepsOf(
  standing: readonly Standing[],
  checks: readonly Check[],
  pollAt: number,
): { before: Standing | null; step: Step }[] {
  const known = new Map(standing.map((one) => [one.key, one]));
  const asked = new Map(checks.map((check) => [keyOf(check), check]));
  const steps = [...asked].map(([key, check]) => {
    const before = known.get(key) ?? null;
    return { before, step: stepOf(before, check, pollAt) };
  });
  const over = standing
    .filter(({ key }) => !asked.has(key))
    .map((before) => ({ before, step: stepOf(before, null, pollAt) }));
  return [...steps, ...over].filter(({ step }) => step.kind !== "keep");
}
