import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS } from "@/lib/testing/mutate";
import { labelOf, PAGE_LIMITS } from "./page";
import { formatOf, parsePage, sniffFormat } from "./parse";

describe("a page", () => {
  test("names, labels, values and times", () => {
    const { samples, types, problems } = parsePage(
      '# HELP a what it is\n# TYPE a gauge\na{x="1", y = "2",} 1.5 1000\n\n  b -Inf\nc{} NaN\n#\n# nothing\n',
      "text",
    );
    expect(problems).toEqual([]);
    expect(samples).toEqual([
      { name: "a", labels: ["x", "1", "y", "2"], value: 1.5, at: 1000 },
      { name: "b", labels: [], value: Number.NEGATIVE_INFINITY, at: null },
      { name: "c", labels: [], value: Number.NaN, at: null },
    ]);
    expect([...types]).toEqual([["a", "gauge"]]);
  });

  test("OpenMetrics: seconds, exemplars, units", () => {
    const { samples, types, problems } = parsePage(
      '# TYPE a_seconds counter\n# UNIT a_seconds seconds\na_seconds_total{x="\\"\\n\\\\"} 1 1.5 # {trace="t"} 0.5 1\n# EOF\n',
    );
    expect(problems).toEqual([]);
    expect(samples).toEqual([{ name: "a_seconds_total", labels: ["x", '"\n\\'], value: 1, at: 1500 }]);
    expect([...types]).toEqual([["a_seconds", "counter"]]);
  });

  test("a label without a value is none, and one that is named like a part of every object is a label", () => {
    const [sample] = parsePage('a{x="",__proto__="p",constructor="c"} 1\n').samples;
    expect(sample?.labels).toEqual(["__proto__", "p", "constructor", "c"]);
    expect(labelOf(sample?.labels ?? [], "constructor")).toBe("c");
    expect(labelOf(sample?.labels ?? [], "toString")).toBeNull();
  });

  test.each([
    ["a 1_000\n", 1, "1_000"],
    ["a 1\nb 0x10\n", 2, "0x10"],
    ["a 1\n\nb 1e999\n", 3, "1e999"],
    ['a{b="1"\n', 1, "a label name"],
    ["a 1\r\n", 1, "no number"],
    ["\ufeffa 1\n", 1, "a metric name"],
    // Prometheus takes a NUL for the end of the page, and loses what follows without a word; here the page is refused.
    ["a 1\n\u0000b 2\n", 2, "a metric name"],
  ])("%j is refused with its line", (text, line, what) => {
    const { problems } = parsePage(text, "text");
    expect(problems).toMatchObject([{ kind: "malformed", line }]);
    expect(problems[0]?.message).toContain(what);
  });

  test("a forgiving reader names each bad line and keeps the others", () => {
    const { samples, problems } = parsePage('a 1\nb{ 2\n# TYPE c nonsense\nd{e="f"} x\ng 3\n', "text", true);
    expect(samples.map(({ name }) => name)).toEqual(["a", "g"]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  test.each<[string, string]>([
    ["too many samples", "a 1\n".repeat(PAGE_LIMITS.samples + 1)],
    ["too many labels", `a{${Array.from({ length: 65 }, (_, i) => `l${i}="x"`).join(",")}} 1\n`],
    ["too long a name", `${"a".repeat(600)} 1\n`],
    ["too long a label", `a{b="${"x".repeat(5000)}"} 1\n`],
    ["too long a number", `a ${"1".repeat(600)}\n`],
    ["too many types", Array.from({ length: 20_001 }, (_, i) => `# TYPE a${i} gauge\n`).join("")],
    ["too many comments", "#\n".repeat(500_001)],
    ["too long a page", "#".repeat(PAGE_LIMITS.chars + 1)],
  ])("%s is too large, and says so, forgiving or not", (_, text) => {
    for (const isForgiving of [false, true]) {
      const { problems } = parsePage(text, "text", isForgiving);
      expect(problems.at(-1)?.kind).toBe("tooLarge");
    }
  });

  test("4 MiB of whatever kind are read or refused in no time", () => {
    const many = (text: string) => text.repeat(Math.floor(PAGE_LIMITS.chars / text.length));
    const pages = ["a", " ", "\n", "#\n", "x\n", '"', "a{", "a 1\n", "a{}", 'a{b="\\', "\\n", "1", "# EOF\n"].map(many);
    const started = performance.now();
    for (const page of pages) for (const format of ["text", "openmetrics"] as const) parsePage(page, format, true);
    expect((performance.now() - started) / pages.length).toBeLessThan(250);
  });
});

test.each([
  ["text/plain; version=0.0.4; charset=utf-8", "text"],
  ["text/plain", "text"],
  ["application/openmetrics-text; version=1.0.0", "openmetrics"],
  ["text/plain; version=1.0.0", null],
  ["text/html", null],
  [null, null],
])("%s is %s", (contentType, format) => {
  expect(formatOf(contentType)).toBe(format);
});

test.each([
  ["a 1\n# EOF\n", "openmetrics"],
  ["a 1\n# EOF", "openmetrics"],
  ["# EOF\n", "openmetrics"],
  ["# UNIT a_s s\na_s 1\n", "openmetrics"],
  ["a 1\n", "text"],
  ["# EOF is not here\na 1\n", "text"],
  ["", "text"],
])("%j looks like %s", (text, format) => {
  expect(sniffFormat(text)).toBe(format);
});

describe("whatever comes", { timeout: FUZZ_TIMEOUT_MS }, () => {
  const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,20}$/);
  const labelName = fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,20}$/);
  const sample = fc.record({
    name,
    labels: fc.dictionary(labelName, fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), { maxKeys: 6 }),
    // As text, minus nothing is nothing.
    value: fc.double().map((value) => value + 0),
    at: fc.option(fc.nat(4_102_444_800_000)),
  });
  type Written = { name: string; labels: Record<string, string>; value: number; at: number | null };
  const quoted = (text: string) => `"${text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))}"`;
  const number = (value: number) =>
    Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
  const write = (list: Written[], isOpen: boolean) =>
    list
      .map(({ name: n, labels, value, at }) => {
        const pairs = Object.entries(labels).map(([key, text]) => `${key}=${quoted(text)}`);
        const time = at === null ? "" : isOpen ? ` ${at / 1000}` : ` ${at}`;
        return `${n}{${pairs.join(",")}} ${number(value)}${time}\n`;
      })
      .join("") + (isOpen ? "# EOF\n" : "");

  test.each([false, true])("what was written well is read as it was (OpenMetrics: %s)", (isOpen) => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 5 }), (list) => {
        const { samples, problems } = parsePage(write(list, isOpen), isOpen ? "openmetrics" : "text");
        expect(problems).toEqual([]);
        expect(samples.map((one) => [one.name, one.labels, one.value])).toEqual(
          list.map(({ name: n, labels, value }) => [n, Object.entries(labels).flat(), value]),
        );
        for (const [i, { at }] of samples.entries())
          expect(Math.abs((at ?? 0) - (list[i]?.at ?? 0))).toBeLessThan(1.01);
      }),
      { numRuns: FUZZ_RUNS },
    );
  });

  test("a page that was damaged is read or refused, never more than that; forgiving keeps at least as much", () => {
    const damage = fc.record({
      at: fc.nat(),
      drop: fc.nat(20),
      put: fc.oneof(
        fc.string({ unit: "binary", maxLength: 5 }),
        fc.constantFrom("\n", "{", "}", '"', "\\", "#", "# EOF\n", "\u0000", "=", ",", " ", "# TYPE ", "1e999", "NaN"),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(sample, { maxLength: 5 }),
        fc.boolean(),
        fc.array(damage, { maxLength: 6 }),
        (list, isOpen, done) => {
          let text = write(list, isOpen);
          for (const { at, drop, put } of done) {
            const from = at % (text.length + 1);
            text = text.slice(0, from) + put + text.slice(from + drop);
          }
          for (const format of ["text", "openmetrics"] as const) {
            const strict = parsePage(text, format);
            const forgiving = parsePage(text, format, true);
            expect(strict.problems.length).toBeLessThanOrEqual(1);
            expect(forgiving.samples.length).toBeGreaterThanOrEqual(strict.samples.length);
            expect(forgiving.problems.length).toBeLessThanOrEqual(PAGE_LIMITS.problems);
            for (const { line, message } of forgiving.problems) {
              expect(line).toBeGreaterThan(0);
              expect(line).toBeLessThanOrEqual(text.split("\n").length);
              expect(message.length).toBeLessThan(400);
            }
          }
        },
      ),
      { numRuns: FUZZ_RUNS },
    );
  });
});
