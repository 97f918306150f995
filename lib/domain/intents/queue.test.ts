import { describe, expect, test } from "vitest";
import { INTENT_STATES } from "./intent";
import { etasOf, type StoryFacts, storyOf, type Waiting } from "./queue";

const NOW = Date.UTC(2026, 10, 21, 12);
const PACING = { callMs: 1_100, launchMs: 12_500 };
const one = (id: string, kind: Waiting["kind"], nextSendAt: number | null = null): Waiting => ({
  id,
  kind,
  nextSendAt,
});
const etas = (waiting: Waiting[], turn: number | null = null) =>
  Object.fromEntries([...etasOf(waiting, PACING, NOW, turn)].map(([id, at]) => [id, at - NOW]));

describe("when the turn of each request comes", () => {
  test("launches 12.5 s apart, from the moment at which the limit lets the next one go", () => {
    const launches = [one("a", "launch"), one("b", "launch"), one("c", "launch")];
    expect(etas(launches)).toEqual({ a: 0, b: 12_500, c: 25_000 });
    expect(etas(launches, NOW + 7_000)).toEqual({ a: 7_000, b: 19_500, c: 32_000 });
    expect(etas(launches, NOW - 7_000)).toEqual({ a: 0, b: 12_500, c: 25_000 });
  });

  test("ends take a look and a call each, and go before launches", () => {
    expect(etas([one("x", "terminate"), one("y", "terminate"), one("a", "launch")])).toEqual({
      x: 0,
      y: 2_200,
      a: 4_400,
    });
  });

  test("what may be tried later only waits until then, and holds nobody else up", () => {
    expect(etas([one("x", "terminate", NOW + 30_000), one("y", "terminate")])).toEqual({ x: 30_000, y: 2_200 });
  });

  test("500 ends are sent within 19 minutes", () => {
    const many = Array.from({ length: 500 }, (_, i) => one(String(i), "terminate"));
    expect(Math.max(...Object.values(etas(many)))).toBeLessThan(19 * 60_000);
  });
});

describe("what was done about a request", () => {
  const facts: StoryFacts = {
    kind: "launch",
    state: "ready",
    sends: 0,
    acceptedAt: null,
    sentAt: null,
    nextSendAt: null,
    lookUntil: null,
    watchUntil: null,
    approvalExpiresAt: null,
    etaAt: NOW,
    settledAt: null,
    error: null,
  };
  const words = (more: Partial<StoryFacts>) =>
    storyOf({ ...facts, ...more })
      .map(({ text, at }) => (at === null ? text : `${text} [${(at - NOW) / 1000}]`))
      .join("");

  test.each<[Partial<StoryFacts>, string]>([
    [{}, "Its turn comes [0]"],
    [
      { error: "Lambda cannot be reached.", nextSendAt: NOW + 5_000 },
      "Nothing left us: Lambda cannot be reached. Tried again [5]",
    ],
    [{ state: "awaiting_approval", approvalExpiresAt: NOW + 60_000 }, "Waits for a second person, until [60]"],
    [{ state: "sending", sentAt: NOW - 1_000 }, "Being sent since [-1]"],
    [
      { kind: "terminate", state: "sending", sends: 3, error: "Lambda answered 500", nextSendAt: NOW + 30_000 },
      "Sent 3 times, and nobody said yes. Lambda answered 500. Again [30]",
    ],
    [
      { kind: "terminate", state: "sending", sends: 1, acceptedAt: NOW - 5_000 },
      "Lambda said yes [-5]; asked again every 30 s until it is gone.",
    ],
    [
      { state: "indeterminate", error: "timeout", lookUntil: NOW + 300_000 },
      "Nobody answered. timeout. Never sent again; its machine is looked for until [300]",
    ],
    [{ state: "refused", error: "No capacity." }, "Refused: No capacity."],
    [
      { state: "closed_unconfirmed", error: "No machine turned up", watchUntil: NOW + 1_000 },
      "No machine turned up. On watch until [1]",
    ],
    [{ state: "cancelled" }, "Taken back before it was sent."],
  ])("%j", (more, expected) => expect(words(more)).toBe(expected));

  test("every state has words", () => {
    for (const state of INTENT_STATES)
      for (const kind of ["launch", "terminate", "restart"] as const)
        expect(words({ state, kind }).length).toBeGreaterThan(5);
  });
});
