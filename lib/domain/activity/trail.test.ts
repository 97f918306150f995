import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import { checkTrail, type HashedEntry, trailFoot, trailHead, trailLine } from "./trail";

function sha256(text: string, after?: string): string {
  const hash = createHash("sha256");
  if (after !== undefined) hash.update(Buffer.from(after, "hex"));
  return hash.update(text, "utf8").digest("hex");
}

/** As the database chains them. */
function chain(reasons: (string | null)[]): HashedEntry[] {
  let prevHash = sha256("hopperdeck");
  return reasons.map((reason, i) => {
    const canonical = JSON.stringify([
      i + 1,
      `id-${i + 1}`,
      1_764_000_000_000 + i,
      "user",
      null,
      "Ada <b>",
      "setting.changed",
      "setting",
      "x",
      "Zürich – budget",
      { amountMicros: { from: null, to: "1000000" } },
      reason,
      null,
    ]);
    const hash = sha256(canonical, prevHash);
    const entry = { canonical, prevHash, hash };
    prevHash = hash;
    return entry;
  });
}

function exported(entries: HashedEntry[]): string[] {
  const text = [trailHead(0), ...entries.map(trailLine), trailFoot(entries.length, entries.at(-1)?.hash ?? null)].join(
    "",
  );
  return text.trimEnd().split("\n");
}

async function check(lines: string[], knownHead?: string) {
  async function* each() {
    yield* lines;
  }
  return checkTrail(each(), sha256, knownHead);
}

const entries = chain(["one", "two", null, "four", "five"]);
const whole = exported(entries);
const changed = (line: number, by: (text: string) => string) => whole.map((text, i) => (i === line ? by(text) : text));

describe("an exported trail", () => {
  test("that nobody touched is intact, an empty one too", async () => {
    expect(await check(whole)).toEqual({ entries: 5, head: entries[4]?.hash, problems: [] });
    expect(await check(exported([]))).toEqual({ entries: 0, head: null, problems: [] });
  });

  test("says each entry in fields for readers", () => {
    expect(JSON.parse(whole[1] ?? "")).toMatchObject({
      seq: 1,
      at: "2025-11-24T16:00:00.000Z",
      actor: "Ada <b>",
      reason: "one",
    });
  });

  test.each<[string, string[], string]>([
    [
      "a word changed in a field",
      changed(2, (t) => t.replace('"reason":"two"', '"reason":"too"')),
      "entry 2 was changed: its fields",
    ],
    [
      "a word changed in what was hashed",
      changed(2, (t) => t.replaceAll("two", "too")),
      "entry 2 was changed: its content",
    ],
    [
      "a hash written anew",
      changed(2, (t) => t.replaceAll(entries[1]?.hash ?? "-", "0".repeat(64))),
      "entry 2 was changed: its content",
    ],
    ["an entry removed", whole.filter((_, i) => i !== 3), "entry 3 is missing"],
    ["several removed", whole.filter((_, i) => i !== 3 && i !== 4), "entries 3 to 4 are missing"],
    ["the first one removed", whole.filter((_, i) => i !== 1), "entry 1 is missing"],
    ["one twice", [...whole.slice(0, 3), ...whole.slice(2)], "entry 2 stands after entry 2"],
    [
      "two exchanged",
      whole.map((t, i) => (i === 2 ? (whole[3] ?? t) : i === 3 ? (whole[2] ?? t) : t)),
      "entry 2 is missing",
    ],
    ["the end cut off", whole.slice(0, 4), "ends without its foot"],
    [
      "the end cut off before the foot",
      [...whole.slice(0, 5), whole[6] ?? ""],
      "the foot counts 5 entries and the file has 4",
    ],
    ["something after the foot", [...whole, whole[1] ?? ""], "something after the foot"],
    ["a line that is none", changed(2, () => "{"), "this line is no entry"],
    ["another kind of file", ["a,b", "1,2"], "this is no exported trail"],
    ["an empty file", [], "the file is empty"],
  ])("%s is told", async (_what, lines, words) => {
    const { problems } = await check(lines);
    expect(problems.map((problem) => problem.words).join("\n")).toContain(words);
  });

  test("an entry rewritten with its own hash breaks the next one", async () => {
    const forged = chain(["one", "TWO"])[1];
    const lines = exported(entries.map((entry, i) => (i === 1 && forged ? forged : entry)));
    expect((await check(lines)).problems).toEqual([
      { line: 4, seq: 3, words: "entry 3 does not follow the one before it: that one was changed" },
    ]);
  });

  test("a tail that was cut together with its foot shows only against a head that was kept", async () => {
    const cut = exported(entries.slice(0, 3));
    expect((await check(cut)).problems).toEqual([]);
    expect((await check(cut, entries[4]?.hash)).problems[0]?.words).toContain("no entry has the head that was given");
    expect((await check(whole, entries[2]?.hash)).problems).toEqual([]);
  });

  test("any one character changed is told, whatever it is", async () => {
    const text = whole.slice(1).join("\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom("x", "0", "{", '"', "é"), async (at, sign) => {
        const mutated = text.slice(0, at) + sign + text.slice(at + 1);
        const before = JSON.stringify(text.split("\n").map((line) => safe(line)));
        fc.pre(JSON.stringify(mutated.split("\n").map((line) => safe(line))) !== before);
        // The names of fields that nobody reads may change; everything that is read may not.
        const { problems } = await check([whole[0] ?? "", ...mutated.split("\n")]);
        expect(problems.length).toBeGreaterThan(0);
      }),
      { numRuns: Math.min(FUZZ_RUNS, 2_000) },
    );
  });
});

function safe(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
