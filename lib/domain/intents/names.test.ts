import { describe, expect, test } from "vitest";
import { labelProblem, namesOf, patternProblem } from "./names";

describe("names", () => {
  test.each<[string, number, string[], string[]]>([
    ["gh", 1, [], ["gh"]],
    ["gh", 1, ["gh"], ["gh"]],
    ["gh", 3, [], ["gh-1", "gh-2", "gh-3"]],
    ["gh-{n}", 1, [], ["gh-1"]],
    ["gh-{n}", 2, ["gh-1", "gh-3"], ["gh-2", "gh-4"]],
    ["gh-{nn}-x", 2, ["gh-01-x"], ["gh-02-x", "gh-03-x"]],
    [" gh-{nnn} ", 1, [], ["gh-001"]],
  ])("%j for %d beside %j: %j", (pattern, count, taken, names) =>
    expect(namesOf(pattern, count, taken)).toEqual(names),
  );

  test("of a pattern are judged by the longest", () => {
    expect(patternProblem(`${"x".repeat(54)}{n}`, 9)).toBeNull();
    expect(patternProblem(`${"x".repeat(54)}{n}`, 10)).toMatch(/at most 55/);
    expect(patternProblem("", 2)).toMatch(/Give the machine a name/);
    expect(patternProblem("{m}", 1)).not.toBeNull();
  });

  test.each(["gh-train-04", "a", "0", "A.b_c-d", "x".repeat(55)])("%s will do", (name) =>
    expect(labelProblem(name)).toBeNull(),
  );
  test.each(["", " ", "-gh", ".gh", "gh 1", "gh/1", "għ", "gh\u202E", "x".repeat(56), "gh\n1"])("not %j", (name) =>
    expect(labelProblem(name)).not.toBeNull(),
  );
});
