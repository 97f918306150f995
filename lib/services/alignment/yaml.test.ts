import { describe, expect, test } from "vitest";
import { readDeclaration } from "./yaml";

const GOOD = `version: 1
fleet: Tern Labs
groups:
  - name: h200-trainers
    instanceType: gpu_1x_gh200
    gpu: H200
    memoryGb: 141
    count: 3
    regions: [us-east-3]
    pricePerHour: 2.49
    software: default
    pools:
      - { name: weights, gb: 60 }
      - { name: kv-cache, gb: 40 }
software:
  - name: default
    driverMin: 535.86.10
    driverRecommended: 550
    cuda: [12.10]
`;

const problems = (text: string) =>
  readDeclaration(text).problems.map(({ line, path, message }) => `${line} ${path} ${message}`);

describe("a declaration as text", () => {
  test("is read with its numbers as they were typed", () => {
    const { declaration } = readDeclaration(GOOD);
    expect(declaration).toMatchObject({
      hoursPerMonth: 720,
      undeclared: "report",
      groups: [{ count: 3, memoryGb: 141, pricePerHour: "2490000", pools: [{ gb: 60 }, { gb: 40 }] }],
      software: [{ driverRecommended: "550", cuda: ["12.10"] }],
    });
  });

  test("S0-19: a pool may say which tier of memory it is; the word is kept and changes no sum", () => {
    const { declaration, problems: none } = readDeclaration(GOOD.replace("gb: 60 }", "gb: 60, tier: L0 }"));
    expect(none).toEqual([]);
    expect(declaration?.groups[0]?.pools).toMatchObject([{ name: "weights", gb: 60, tier: "L0" }, { gb: 40 }]);
    expect(problems(GOOD.replace("gb: 60 }", 'gb: 60, tier: "" }'))).toContain("13 groups[0].pools[0].tier is empty");
  });

  test.each([
    ["memoryGb: 141", "memoryGb: plenty", "7 groups[0].memoryGb is a number of GB, such as 96 or 3.6"],
    ["count: 3", "count: -3", "8 groups[0].count is a whole number"],
    [
      "pricePerHour: 2.49",
      "pricePerHour: $2.49",
      "10 groups[0].pricePerHour is a price in dollars per hour, such as 2.29",
    ],
    ["software: default\n", "software: other\n", "11 groups[0].software there is no software policy “other”"],
    ["fleet: Tern", "flet: Tern", "2 flet is not known here"],
    ["name: kv-cache", "name: weights", "14 groups[0].pools[1].name is the name of another pool of the same workload"],
  ])("%s → %s names its line", (from, to, problem) => {
    expect(problems(GOOD.replace(from, to))).toContain(problem);
  });

  test("two groups of one type must say which machines are whose", () => {
    const twice = GOOD.replace(
      "software:\n",
      "  - { name: b, instanceType: gpu_1x_gh200, gpu: GH200, memoryGb: 96, count: 1 }\nsoftware:\n",
    );
    expect(problems(twice)[0]).toContain("is that of h200-trainers, too");
  });

  test("what is no YAML, empty, too large or endless is refused in a sentence", () => {
    expect(problems("groups: [")[0]).toMatch(/^\d+ {2}This is no YAML: /);
    expect(problems(" \n")).toEqual(["1  The document is empty."]);
    expect(problems(`# ${"x".repeat(200_001)}`)[0]).toContain("larger than 200 kB");
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n`;
    expect(problems(bomb)[0]).toContain("refers to itself too often");
  });

  test("the line of a fact is found again", () => {
    const read = readDeclaration(GOOD);
    if (read.declaration === null) throw new Error("not read");
    expect(read.lineOf(["groups", 0, "pricePerHour"])).toBe(10);
    expect(read.lineOf(["groups", 0, "images"])).toBe(4);
  });
});
