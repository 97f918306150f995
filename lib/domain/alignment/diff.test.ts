import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines } from "./diff";

test("a changed line is taken away and put in", () => {
  expect(diffLines("a\nb\nc\n", "a\nB\nc\n").filter(({ kind }) => kind !== "same")).toEqual([
    { kind: "removed", text: "b", line: 2 },
    { kind: "added", text: "B", line: 2 },
  ]);
});

test("the same text has no changed line, an empty one only new ones", () => {
  expect(diffLines("a\nb", "a\nb\n").every(({ kind }) => kind === "same")).toBe(true);
  expect(diffLines("", "a").map(({ kind }) => kind)).toEqual(["added"]);
});

test("what is not removed is the new text, and what is not added the old one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (old, now) => {
      const lines = diffLines(old.join("\n"), now.join("\n"));
      const of = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(of("removed")).toEqual(now);
      expect(of("added")).toEqual(old);
    }),
  );
});
