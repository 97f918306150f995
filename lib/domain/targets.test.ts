import { describe, expect, test } from "vitest";
import { NewTarget, TargetChange, testWords } from "./targets";

const GIVEN = { name: " gh-1  dcgm ", url: " http://gpu.example.com:9400/metrics " };

describe("a new target", () => {
  test("as it is typed", () => {
    const typed = { ...GIVEN, everySeconds: "30", instanceId: "", credential: "none", mapping: "" };
    expect(NewTarget.parse(typed)).toEqual({
      name: "gh-1 dcgm",
      url: "http://gpu.example.com:9400/metrics",
      everySeconds: 30,
      instanceId: null,
      credential: "none",
      secret: "",
      mapping: [],
    });
  });

  test("with nothing but its name and address", () => {
    expect(NewTarget.parse(GIVEN)).toMatchObject({
      everySeconds: 15,
      instanceId: null,
      credential: "none",
      mapping: [],
    });
  });

  test.each<[string, object, string, RegExp]>([
    ["a mapping that is no JSON", { mapping: "{" }, "mapping", /^is no list such as/],
    ["a mapping that is no list", { mapping: '{"from": "a"}' }, "mapping", /^is no list such as/],
    [
      "a mapping to nothing",
      { mapping: '[{"from": "a", "to": "speed"}]' },
      "mapping",
      /^entry 1, to: is not known here/,
    ],
    ["too often", { everySeconds: 1 }, "everySeconds", /5 to 3600/],
    ["no number", { everySeconds: "often" }, "everySeconds", /no number/],
    ["a credential without its secret", { credential: "bearer" }, "secret", /what is to be sent/],
    ["a password without its name", { credential: "basic", secret: "abc" }, "secret", /name:password/],
    ["no name", { name: "\u200b " }, "name", /Give the target a name/],
  ])("%s is refused, and said at its field", (_, more, field, why) => {
    const [issue] = NewTarget.safeParse({ ...GIVEN, ...more }).error?.issues ?? [];
    expect(issue?.path[0]).toBe(field);
    expect(issue?.message).toMatch(why);
  });
});

test("a change names what it changes", () => {
  const targetId = "0b0f4b04-1f63-4a8c-9d4e-3b1f5b9c6a11";
  expect(TargetChange.parse({ targetId, isEnabled: false })).toEqual({ targetId, isEnabled: false });
  expect(TargetChange.parse({ targetId, mapping: "" })).toEqual({ targetId, mapping: [] });
});

test.each([
  [{ gpus: 1, otherMetrics: 0, ignored: 1, problem: null }, "The page holds 1 GPU; 1 other sample left out."],
  [
    { gpus: 8, otherMetrics: 3, ignored: 20, problem: null },
    "The page holds 8 GPUs and 3 workload values; 20 other samples left out.",
  ],
  [{ gpus: 0, otherMetrics: 0, ignored: 0, problem: "The page answered 404." }, "The page answered 404."],
])("%j in words", (found, words) => {
  expect(testWords(found)).toBe(words);
});
