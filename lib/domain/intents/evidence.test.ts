import { describe, expect, test } from "vitest";
import { type Checklist, checklistFor, DEFAULT_ITEMS, unticked } from "./checklist";
import { ChecklistBody } from "./checklist-input";
import { holdersOf, type SeenEvidence, whatChanged } from "./evidence";
import { concernOfMany } from "./many";

const seen: SeenEvidence = {
  name: "gh-1",
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  status: "active",
  tags: ["team=ml"],
  priceMicros: "2290000",
  concerns: [],
  holders: ["train.py of ada"],
  filesystems: ["scratch"],
  protection: null,
};
const busy = { key: "busy", title: "It is working right now." };
const changed = (now: Partial<SeenEvidence>, accepted: string[] = [], concerns = [busy].filter(() => now.concerns)) =>
  whatChanged(seen, { ...seen, ...now }, concerns, accepted).join("; ");

describe("what is otherwise than it was shown", () => {
  test.each<[string, Partial<SeenEvidence>, RegExp | ""]>([
    ["nothing", {}, ""],
    ["its name", { name: "gh-9" }, /its name is gh-9 now, not gh-1/],
    ["its state", { status: "unhealthy" }, /its state is unhealthy now, not active/],
    ["its tags", { tags: ["team=web"] }, /its tags are team=web now/],
    ["its price", { priceMicros: "3290000" }, /it costs \$3\.29\/h now, not \$2\.29\/h/],
    ["somebody began to use it", { holders: ["train.py of ada", "vllm of ben"] }, /^vllm of ben runs on it now$/],
    ["somebody stopped", { holders: [] }, ""],
    ["a file system came", { filesystems: ["data", "scratch"] }, /file system data is attached now/],
    ["a file system went", { filesystems: [] }, /file system scratch is no longer attached/],
    ["it began to work", { concerns: ["busy"] }, /^it is working right now$/],
  ])("%s", (_, now, words) => (words === "" ? expect(changed(now)).toBe("") : expect(changed(now)).toMatch(words)));

  test("a concern that was confirmed all the same counts as read", () => {
    expect(changed({ concerns: ["busy"] }, ["busy"])).toBe("");
  });

  test("who holds memory is named once, and a look at the GPU is nobody", () => {
    const of = (name: string | null, usedMib: number | null) => ({ name, usedMib, user: "ada" });
    expect(holdersOf([of("b", 40_000), of("b", 2_000), of("a", null), of("nvidia-smi", 12)])).toEqual([
      "a of ada",
      "b of ada",
    ]);
    expect(holdersOf(null)).toEqual([]);
  });
});

describe("the checklist of a machine", () => {
  const list = (name: string, body: Partial<Checklist>) => ({
    name,
    body: { team: "", workload: null, items: [{ text: name, isRequired: false }], ...body },
  });
  const kept = [
    list("everybody", {}),
    list("training", { workload: "training" }),
    list("ml", { team: "ML" }),
    list("ml training", { team: "ml", workload: "training" }),
  ];
  test.each([
    ["ml", "training", "ml training"],
    ["ml", "dev", "ml"],
    ["web", "training", "training"],
    ["web", "dev", "everybody"],
  ] as const)("%s, %s: %s", (team, workload, name) => expect(checklistFor({ team, workload }, kept).name).toBe(name));

  test("where nobody wrote one, the usual points of the work are asked", () => {
    expect(checklistFor({ team: "ml", workload: "dev" }, []).items).toBe(DEFAULT_ITEMS.dev);
  });

  test("only what must be ticked stands in the way", () => {
    const items = [
      { text: "a", isRequired: true },
      { text: "b", isRequired: false },
    ];
    expect(unticked(items, [])).toEqual(["a"]);
    expect(unticked(items, ["a"])).toEqual([]);
  });

  test("says no point twice, and none that is empty", () => {
    const of = (...texts: string[]) => ChecklistBody.safeParse({ items: texts.map((text) => ({ text })) }).success;
    expect(of("Notebook saved", "Checkpoints copied")).toBe(true);
    expect(of("Notebook saved", " Notebook  saved ")).toBe(false);
    expect(of("\u200b ")).toBe(false);
  });
});

test("concerns of many are said in number", () => {
  expect(concernOfMany("busy", 1)).toMatch(/^1\sinstance is working right now$/);
  expect(concernOfMany("silent", 3)).toMatch(/^3\sinstances cannot be heard, so they count as busy$/);
});
