import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AllocationRule, NOBODY, type Payable } from "./allocation";
import { assignments } from "./assign";
import { figuresByRule, movesBetween, ownerWords, piecesOf, total } from "./attribution";
import { suggestionsFor } from "./suggest";

const words = (team: string) => ({ ...NOBODY, team });
const thing = (id: string, name: string): Payable => ({
  ...{ id, kind: "instance", connectionId: "c" },
  labels: [{ ...NOBODY, from: 0, to: null, byHand: false, owner: "", workload: "unknown" }],
  spans: [{ validFrom: 0, name, typeName: null, tags: {} }],
});
const rule = (id: string, name: string, from: number, to: number | null = null): AllocationRule => ({
  ...{ id, priority: 1, selector: { name }, from, to, bearer: { words: words(id) } },
});
const row = (resourceId: string, startsAt: number, endsAt: number, micros: bigint | null) => ({
  ...{ resourceId, startsAt, endsAt, micros, unitMs: 1 },
});

describe("what a rule decides", () => {
  test("is cut where it begins, and the pieces add up", () => {
    const pieces = piecesOf([thing("a", "x")], [row("a", 0, 100, 1_001n)], [rule("r", "x", 40)]);
    expect(pieces.map(({ micros, ruleId }) => [micros, ruleId])).toEqual([
      [400n, null],
      [601n, "r"],
    ]);
    expect(figuresByRule(pieces).get("r")).toEqual({ resources: 1, micros: 601n });
  });

  test("begins with the first unit that begins after it", () => {
    const hour = { ...row("a", 56, 116, 60n), unitMs: 60 };
    expect(piecesOf([thing("a", "x")], [hour], [rule("r", "x", 60)]).map(({ ruleId }) => ruleId)).toEqual([null]);
    const minutes = { ...row("a", 0, 180, 90n), unitMs: 60 };
    expect(piecesOf([thing("a", "x")], [minutes], [rule("r", "x", 61)]).map(({ micros }) => micros)).toEqual([
      60n,
      30n,
    ]);
    const moves = movesBetween([thing("a", "x")], [hour, minutes], [], [rule("r", "x", 61)]);
    expect(moves.map(({ micros }) => micros)).toEqual([30n]);
  });

  test("holds for a row of no length, too", () => {
    const rules = [rule("r", "x", 50, 150), rule("s", "x", 150)];
    const found = piecesOf([thing("a", "x")], [row("a", 100, 100, 7n), row("a", 150, 150, 8n)], rules);
    expect(found.map(({ micros, ruleId }) => [micros, ruleId])).toEqual([
      [7n, "r"],
      [8n, "s"],
    ]);
  });

  test("is seen before it is saved: from whom, to whom, how much", () => {
    const things = [thing("a", "x1"), thing("b", "x2"), thing("c", "y")];
    const rows = [row("a", 0, 100, 100n), row("b", 0, 100, 300n), row("c", 0, 100, 999n), row("a", 100, 200, null)];
    const before = [rule("old", "x2", 0, 50)];
    const after = [...before, { ...rule("new", "x*", 0), priority: 2 }];
    const moves = movesBetween(things, rows, before, after);
    const said = moves.map(({ resourceId, micros, from, to }) => [
      resourceId,
      micros,
      "words" in from && ownerWords(from.words),
      "words" in to && ownerWords(to.words),
    ]);
    expect(said).toEqual([
      ["b", 150n, "nobody", "new"],
      ["a", 100n, "nobody", "new"],
    ]);
  });

  test("never loses a micro-dollar, wherever rules begin and end", () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.option(fc.integer({ min: 1, max: 500 })));
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
        fc.array(span, { maxLength: 6 }),
        (micros, spans) => {
          const rules = spans.map(([from, length], i) =>
            rule(`r${i}`, "x", from, length === null ? null : from + length),
          );
          const pieces = piecesOf([thing("a", "x")], [row("a", 100, 900, micros)], rules);
          expect(total(pieces)).toBe(micros);
        },
      ),
    );
  });
});

test("who pays is guessed from names first, then from the launcher", () => {
  const known = [
    { name: "train-01", launchedBy: "ada", words: words("research") },
    { name: "train-02", launchedBy: "bob", words: words("research") },
    { name: "train-03", launchedBy: "bob", words: words("ml") },
    { name: "api-1", launchedBy: "eve", words: words("serving") },
  ];
  const guess = (name: string, launchedBy: string | null) =>
    suggestionsFor({ name, launchedBy }, known).map((one) => [one.words.team, one.because.what, one.because.count]);
  expect(guess("train-99", null)).toEqual([
    ["research", "name", 2],
    ["ml", "name", 1],
  ]);
  expect(guess("scratch", "eve")).toEqual([["serving", "launcher", 1]]);
  expect(guess("scratch", null)).toEqual([]);
});

test("words are put in from an instant on, wherever nobody is named", () => {
  const label = (id: string, validFrom: number, validTo: number | null, team: string) => ({
    ...{ ...NOBODY, id, validFrom, validTo, team },
  });
  const labels = [label("a", 0, 50, ""), label("b", 50, 60, "ml"), label("c", 60, null, "")];
  expect(assignments(labels, 20)).toEqual([
    { do: "split", id: "a", at: 20, validTo: 50 },
    { do: "change", id: "c" },
  ]);
  expect(assignments(labels, 60)).toEqual([{ do: "change", id: "c" }]);
  expect(assignments(labels, 0).map((one) => one.do)).toEqual(["change", "change"]);
});
