import { describe, expect, test } from "vitest";
import { confirmationOf, planHash } from "./plan";

const seen = {
  externalId: "0920582c7ff041399e34823a0be62549",
  name: "gh-1",
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  tags: { team: "research", owner: "ada" },
};

describe("what must not have changed since somebody looked", () => {
  test("the order of tags is no change", () => {
    expect(planHash({ ...seen, tags: { owner: "ada", team: "research" } })).toBe(planHash(seen));
  });
  test.each<[string, Partial<typeof seen>]>([
    ["another machine", { externalId: "x" }],
    ["another name", { name: "gh-2" }],
    ["another type", { typeName: "gpu_1x_a10" }],
    ["another region", { region: "us-west-1" }],
    ["another tag", { tags: { team: "research", owner: "grace" } }],
  ])("%s", (_, more) => expect(planHash({ ...seen, ...more })).not.toBe(planHash(seen)));
  test("a name cannot pose as another field", () => {
    expect(planHash({ ...seen, name: 'gh-1","gpu_1x_a10' })).not.toBe(
      planHash({ ...seen, name: "gh-1", typeName: "gpu_1x_a10" }),
    );
  });
});

describe("what is typed to confirm", () => {
  const last6 = { text: "e62549", isName: false };
  test.each<[string, string | null, (string | null)[], { text: string; isName: boolean }]>([
    ["the name", "gh-1", ["gh-1", "gh-2", null], { text: "gh-1", isName: true }],
    ["the name with a space in it", "gh 1", ["gh 1"], { text: "gh 1", isName: true }],
    ["the id's end where two share the name", "gh-1", ["gh-1", "gh-1"], last6],
    ["the id's end where there is no name", null, [null, null], last6],
    ["the id's end where the name is empty", "", [""], last6],
    ["the id's end where the name is not plain ASCII", "gh-1\u0430", ["gh-1\u0430"], last6],
    ["the id's end where the name ends in a space", "gh-1 ", ["gh-1 "], last6],
    ["the id's end where the name turns the text around", "gh\u202E1", [], last6],
  ])("%s", (_, name, names, expected) => expect(confirmationOf({ ...seen, name }, names)).toEqual(expected));
});
