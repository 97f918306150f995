import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AllocationRule,
  bearerOfCharge,
  bearersOf,
  inOrder,
  type LabelFact,
  NOBODY,
  type Payable,
} from "./allocation";
import { isLike, stemOf } from "./glob";

const words = (team: string, more: object = {}) => ({ ...NOBODY, team, ...more });
const label = (from: number, to: number | null, byHand: boolean, more: object): LabelFact => ({
  ...{ ...NOBODY, from, to, byHand, owner: "", workload: "unknown" },
  ...more,
});
const thing = (more: Partial<Payable> = {}): Payable => ({
  id: "a",
  kind: "instance",
  connectionId: "c",
  labels: [label(100, null, false, {})],
  spans: [{ validFrom: 100, name: "train-1", typeName: "gpu_1x_gh200", tags: {} }],
  ...more,
});
const rule = (id: string, priority: number, more: Partial<AllocationRule> = {}): AllocationRule => ({
  ...{ id, priority, selector: { name: "train-*" }, from: 0, to: null, bearer: { words: words(id) } },
  ...more,
});
const said = (one: Payable, rules: AllocationRule[]) =>
  bearersOf(one, inOrder(rules)).map(({ from, to, bearer }) => [
    from,
    to,
    "potId" in bearer ? `pot ${bearer.potId}` : Object.values(bearer.words).filter(Boolean).join("/"),
  ]);

describe("who pays", () => {
  test.each<[string, Partial<Payable>, AllocationRule[], unknown]>([
    ["nobody is named", {}, [], [[null, null, ""]]],
    ["tags name somebody", { labels: [label(100, null, false, { team: "ml" })] }, [], [[null, null, "ml"]]],
    [
      "a rule wins over tags, which fill what it leaves open",
      { labels: [label(100, null, false, { team: "ml", project: "rag" })] },
      [rule("r", 1)],
      [
        [null, 0, "ml/rag"],
        [0, null, "r/rag"],
      ],
    ],
    [
      "labels set by hand win over a rule, which fills what they leave open",
      { labels: [label(100, null, true, { team: "ml" })] },
      [rule("r", 1, { from: null, bearer: { words: words("r", { costCenter: "47" }) } })],
      [[null, null, "ml/47"]],
    ],
    [
      "a pot takes what nobody labelled by hand",
      { labels: [label(100, 200, false, { team: "ml" }), label(200, null, true, { team: "ml" })] },
      [rule("r", 1, { from: null, bearer: { potId: 7 } })],
      [
        [null, 200, "pot 7"],
        [200, null, "ml"],
      ],
    ],
    [
      "the first rule by priority decides alone",
      {},
      [rule("b", 2, { from: null }), rule("a", 1, { from: null, bearer: { words: words("", { project: "p" }) } })],
      [[null, null, "p"]],
    ],
    [
      "rules hold for their time",
      {},
      [rule("a", 1, { from: 150, to: 160 }), rule("b", 2, { from: 155 })],
      [
        [null, 150, ""],
        [150, 160, "a"],
        [160, null, "b"],
      ],
    ],
    [
      "a rename is followed from when it was seen",
      {
        spans: [
          { validFrom: 100, name: "train-1", typeName: null, tags: {} },
          { validFrom: 300, name: "serve-1", typeName: null, tags: {} },
        ],
      },
      [rule("a", 1, { from: null })],
      [
        [null, 300, "a"],
        [300, null, ""],
      ],
    ],
    [
      "what is found by hand later leaves the time before as it was",
      { labels: [label(100, 400, false, {}), label(400, null, true, { team: "x" })] },
      [],
      [
        [null, 400, ""],
        [400, null, "x"],
      ],
    ],
  ])("%s", (_, given, rules, expected) => {
    expect(said(thing(given), rules)).toEqual(expected);
  });

  test.each<[string, AllocationRule["selector"], boolean]>([
    ["name", { name: "TRAIN-?" }, true],
    ["another name", { name: "serve-*" }, false],
    ["type", { type: "gpu_*_gh200" }, true],
    ["kind", { kind: "filesystem" }, false],
    ["workspace", { connectionId: "c" }, true],
    ["another workspace", { connectionId: "d" }, false],
    ["the thing itself", { resourceIds: ["b", "a"] }, true],
    ["another thing", { resourceIds: ["b"] }, false],
    ["a label", { tags: [{ key: "cost-center", value: "47*" }] }, true],
    ["a tag of Lambda", { tags: [{ key: "purpose", value: "eval" }] }, true],
    ["a tag that is not there", { tags: [{ key: "stage", value: "?*" }] }, false],
    ["all of several", { name: "train*", tags: [{ key: "purpose", value: "x" }] }, false],
    ["everything", {}, true],
    ["charges of no machine", { charges: ["tax"] }, false],
  ])("a rule goes by %s", (_, selector, isMatch) => {
    const one = thing({
      labels: [label(100, null, false, { costCenter: "4711" })],
      spans: [{ validFrom: 100, name: "train-1", typeName: "gpu_1x_gh200", tags: { purpose: "eval" } }],
    });
    const [found] = bearersOf(one, [rule("r", 1, { selector, from: null })]);
    expect(found?.ruleId).toBe(isMatch ? "r" : null);
  });

  test("charges of no machine go by their own rules", () => {
    const rules = [rule("r", 1), rule("t", 2, { selector: { charges: ["tax"] }, from: 50, bearer: { potId: 3 } })];
    expect(bearerOfCharge("tax", 60, rules)).toEqual({ potId: 3 });
    expect(bearerOfCharge("tax", 40, rules)).toBeNull();
    expect(bearerOfCharge("credit", 60, rules)).toBeNull();
  });

  test("the order in which rules are written down does not matter, and time is covered without a gap", () => {
    const spans = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.option(fc.integer({ min: 1, max: 200 })));
    const arbitrary = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-f]{2}$/),
        priority: fc.integer({ min: 0, max: 3 }),
        span: spans,
        pot: fc.boolean(),
      }),
      { selector: ({ id }) => id, maxLength: 8 },
    );
    fc.assert(
      fc.property(arbitrary, fc.array(fc.integer({ min: 101, max: 900 }), { maxLength: 4 }), (drafts, cuts) => {
        const rules = drafts.map(({ id, priority, span: [from, length], pot }) =>
          rule(id, priority, {
            from,
            to: length === null ? null : from + length,
            ...(pot && { bearer: { potId: 1 } }),
          }),
        );
        const edges = [100, ...new Set(cuts)].sort((a, b) => a - b);
        const one = thing({
          labels: edges.map((from, i) =>
            label(from, edges[i + 1] ?? null, i % 2 === 1, { team: i % 3 === 0 ? "" : `t${i}` }),
          ),
        });
        const found = bearersOf(one, inOrder(rules));
        expect(bearersOf(one, inOrder(rules.toReversed()))).toEqual(found);
        expect(found[0]?.from).toBeNull();
        expect(found.at(-1)?.to).toBeNull();
        for (const [i, interval] of found.slice(1).entries()) expect(interval.from).toBe(found[i]?.to);
      }),
    );
  });
});

describe("a pattern", () => {
  test.each([
    ["train-01", "train-*", true],
    ["train-01", "*-0?", true],
    ["train", "train-*", false],
    ["", "*", true],
    ["a.b", "a?b", true],
    ["aXb", "a.b", false],
    ["ab", "a**b", true],
  ])("%s is like %s: %s", (text, pattern, isMatch) => {
    expect(isLike(text, pattern)).toBe(isMatch);
  });

  test("says the same as the expression it stands for", () => {
    const alphabet = fc.stringMatching(/^[ab]{0,10}$/);
    fc.assert(
      fc.property(alphabet, fc.stringMatching(/^[ab*?]{0,8}$/), (text, pattern) => {
        const expression = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`);
        expect(isLike(text, pattern)).toBe(expression.test(text));
      }),
    );
  });

  test("cannot be made to take long", () => {
    const began = performance.now();
    expect(isLike("a".repeat(5_000), "*a*a*a*a*a*a*a*b")).toBe(false);
    expect(performance.now() - began).toBeLessThan(500);
  });

  test.each([
    ["train-07", "train"],
    ["gh-train-02-1a2b3c4d", "gh"],
    ["tmp benchmark", "tmp"],
    ["7", ""],
  ])("%s has the stem %s", (name, stem) => {
    expect(stemOf(name)).toBe(stem);
  });
});
