import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Check } from "./check";
import { POLL } from "./fleet.testing";
import { type Standing, stepOf, stepsOf } from "./standing";

const MINUTE = 60_000;

function drift(over: Partial<Check> = {}): Check {
  return {
    fact: "price",
    state: "differs",
    severity: "warning",
    group: "g",
    machineId: "m",
    machine: "gh-1",
    gpuId: null,
    declared: "$2.49/h",
    observed: "$2.29/h",
    why: "It costs less.",
    settle: "Expect $2.29/h.",
    evidence: [],
    monthMicros: -144_000_000n,
    memoryGb: null,
    seenAt: POLL,
    ...over,
  };
}

/** Runs one check per poll, a minute apart; null is a poll in which nothing was asked about it. */
function run(
  polls: readonly (Check | null)[],
  first: Standing | null = null,
): { standing: Standing | null; kinds: string[] } {
  let standing = first;
  const kinds: string[] = [];
  polls.forEach((check, i) => {
    const step = stepOf(standing, check, POLL + i * MINUTE);
    kinds.push(step.kind);
    if (step.kind === "write" || step.kind === "agree") standing = step.standing;
    if (step.kind === "drop" || step.kind === "settle") standing = null;
  });
  return { standing, kinds };
}

const at = (i: number, over: Partial<Check> = {}) => drift({ seenAt: POLL + i * MINUTE, ...over });

describe("two polls before a finding", () => {
  test("one poll is pending, the second that agrees opens it", () => {
    expect(run([at(0)]).standing).toMatchObject({ state: "pending", agreedPolls: 1 });
    expect(run([at(0), at(1)]).standing).toMatchObject({ state: "open", agreedPolls: 2, firstPollAt: POLL });
  });

  test("a second poll that sees something else begins anew", () => {
    const { standing } = run([at(0), at(1, { observed: "$2.39/h" })]);
    expect(standing).toMatchObject({ state: "pending", agreedPolls: 1, firstPollAt: POLL + MINUTE });
  });

  test("the same sample twice is one sight, not two", () => {
    expect(run([at(0), at(0)]).standing).toMatchObject({ state: "pending", agreedPolls: 1 });
  });

  test("the same poll judged twice counts once", () => {
    const first = run([at(0)]).standing;
    expect(stepOf(first, at(5), POLL)).toEqual({ kind: "keep" });
  });

  test("missing telemetry concludes nothing, either way", () => {
    const missing = drift({ state: "unverified" });
    expect(run([missing]).standing).toBeNull();
    expect(run([at(0), missing]).standing).toMatchObject({ state: "pending" });
    expect(run([at(0), at(1), missing, missing]).standing).toMatchObject({ state: "open" });
  });

  test("agreement settles an open one and forgets a pending one", () => {
    expect(run([at(0), at(1), at(2, { state: "agrees" })]).kinds).toEqual(["write", "write", "settle"]);
    expect(run([at(0), at(1, { state: "agrees" })]).kinds).toEqual(["write", "drop"]);
  });

  test("an open one that differs otherwise stays open; a declaration that changed starts anew", () => {
    expect(run([at(0), at(1), at(2, { observed: "$2.39/h" })]).standing).toMatchObject({
      state: "open",
      firstPollAt: POLL,
      fingerprint: "$2.49/h → $2.39/h",
    });
    expect(run([at(0), at(1), at(2, { declared: "$2.19/h" })]).standing).toMatchObject({ state: "pending" });
  });

  test("an acceptance holds until its day, and only for what was accepted", () => {
    const open = run([at(0), at(1)]).standing;
    if (!open) throw new Error("not open");
    const accepted: Standing = { ...open, state: "accepted", acceptedUntil: POLL + 10 * MINUTE };
    const later = (i: number, over: Partial<Check> = {}) => stepOf(accepted, at(i, over), POLL + i * MINUTE);
    expect(later(5)).toMatchObject({ kind: "agree", standing: { state: "accepted" } });
    expect(later(10)).toMatchObject({ kind: "write", standing: { state: "open", acceptedUntil: null } });
    expect(later(5, { observed: "$2.99/h" })).toMatchObject({ kind: "write", standing: { state: "pending" } });
  });

  test("what the document alone says needs no new evidence", () => {
    const sums = () => drift({ fact: "sums", machineId: null, seenAt: POLL - MINUTE, evidence: [] });
    expect(run([sums(), sums()]).standing).toMatchObject({ state: "open" });
  });

  test("what is no longer asked about is over", () => {
    const open = run([at(0), at(1)]).standing;
    if (!open) throw new Error("not open");
    expect(stepsOf([open], [], POLL + 2 * MINUTE).map(({ step }) => step.kind)).toEqual(["settle"]);
  });
});

test("no sequence opens a finding that two polls in a row did not agree in", () => {
  const word = fc.constantFrom("a", "b", "agrees", "unverified");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      let standing: Standing | null = null;
      let last: string | null = null;
      words.forEach((seen, i) => {
        const state = seen === "agrees" ? "agrees" : seen === "unverified" ? "unverified" : "differs";
        const step = stepOf(standing, at(i, { state, observed: seen }), POLL + i * MINUTE);
        const before: Standing | null = standing;
        if (step.kind === "write" || step.kind === "agree") standing = step.standing;
        if (step.kind === "drop" || step.kind === "settle") standing = null;
        const now: Standing | null = standing;
        const isOpening = (now as Standing | null)?.state === "open" && (before as Standing | null)?.state !== "open";
        if (isOpening) expect(seen).toBe(last);
        // What cannot be verified is passed over: the poll before it is still the one before.
        if (seen !== "unverified") last = seen;
      });
    }),
  );
});
