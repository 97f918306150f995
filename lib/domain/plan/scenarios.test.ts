import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluated } from "./formula.testing";
import { ScenarioBody } from "./scenario-body";
import { SCENARIO_EXAMPLES } from "./scenario-examples";
import { evaluate, type ScenarioResult } from "./scenarios";

const isOld = (asOf: string) => asOf < "2026-10-21";

function example(key: string): ScenarioResult {
  const found = SCENARIO_EXAMPLES.find((one) => one.key === key);
  if (!found) throw new Error(key);
  return evaluate(ScenarioBody.parse(found.body), isOld);
}
const values = ({ figures }: ScenarioResult) => Object.fromEntries(figures.map(({ name, value }) => [name, value]));

describe("the calculations of the requirements, put right", () => {
  test("S4-12, S4-13, S4-14, S4-15, S4-16: four environments: $185.15, $269.28, $1,624.32 and $3,145.92", () => {
    expect(values(example("environments"))).toEqual({
      "A month": "$5,224.67",
      "Development, 2 × g4dn.xlarge": "$185.15",
      "Staging, p3.2xlarge": "$269.28",
      "Production, 3 × g4dn.2xlarge": "$1,624.32",
      "Training, p4d.24xlarge": "$3,145.92",
      "A year": "$62,696.06",
      "An average day": "$174.16",
      "The dearest day": "$861.28",
    });
  });

  test("S4-15: with 52 ÷ 12 weeks the training costs $3,408.08", () => {
    expect(values(example("environments-52"))).toMatchObject({
      "Training, p4d.24xlarge": "$3,408.08",
      "A month": "$5,486.83",
    });
  });

  test("S4-29: their dearest day is $861.28, so an alert at $1,000 a day never fires", () => {
    expect(values(example("environments"))["The dearest day"]).toBe("$861.28");
  });

  test.each([
    ["move-2025", "$6,676.24", "+$9,923.76", "+$119,085.08", "+148.6\u202f%"],
    ["move-2026", "$13,296.14", "+$3,303.86", "+$39,646.38", "+24.8\u202f%"],
  ])("S2-10: the move to Lambda, %s", (key, there, month, year, roi) => {
    expect(values(example(key))).toMatchObject({
      "Cost there in a month": there,
      "Saved in a month": month,
      "Saved in a year": year,
      "Return on what it costs": roi,
      "Paid back after": "—",
    });
  });

  test.each([
    ["32.77", "2.00", "$4,465.71", "+$145,611.43", "+271.7\u202f%"],
    ["32.77", "3.99", "$8,909.10", "+$92,290.80", "+86.3\u202f%"],
  ])("S2-10: at %s for the machine and %s for a GPU there", (from, to, there, year, roi) => {
    const [base] = SCENARIO_EXAMPLES.filter(({ key }) => key === "move-2025");
    const body = ScenarioBody.parse(base?.body);
    if (body.kind !== "move") throw new Error("a move");
    const result = evaluate({ ...body, from: { ...body.from, usd: from }, to: { ...body.to, usd: to } }, isOld);
    expect(values(result)).toMatchObject({
      "Cost there in a month": there,
      "Saved in a year": year,
      "Return on what it costs": roi,
    });
  });

  test("S2-10: payback is the cost of the move by the saving of a month; without a cost or a saving there is none", () => {
    const [base] = SCENARIO_EXAMPLES.filter(({ key }) => key === "move-2025");
    const body = ScenarioBody.parse(base?.body);
    if (body.kind !== "move") throw new Error("a move");
    const payback = (given: Partial<typeof body>) =>
      evaluate({ ...body, ...given }, isOld).figures.find(({ name }) => name === "Paid back after");
    expect(payback({ migrationUsd: "19847.51" })?.value).toBe("2.00\u00a0months");
    expect(payback({ migrationUsd: "" })?.notes).toEqual(["There is no payback: nobody has said what the move costs."]);
    expect(payback({ migrationUsd: "5000", to: { ...body.to, usd: "9" } })).toMatchObject({
      value: "—",
      notes: ["There is no payback: nothing is saved."],
    });
  });

  test("S2-09: 70B: $2.00 against $5.58 a GPU-hour, 64.2 % less", () => {
    expect(values(example("training-70b"))).toEqual({
      "GPU-hours": "32,256\u00a0h",
      "A GPU-hour": "$2.00/h",
      "A GPU-hour of the other offer": "$5.5804/h",
      Saved: "+64.2\u202f%",
    });
  });

  test("every figure is what its formula says", () => {
    for (const { key } of SCENARIO_EXAMPLES) {
      for (const figure of example(key).figures) {
        if (figure.amount === undefined) continue;
        const again = evaluated(figure);
        expect(again, figure.name).not.toBeNull();
        // A formula shows rounded numbers; what is annual is twelve times them.
        expect(Math.abs((again ?? 0) - figure.amount), `${key} ${figure.name}`).toBeLessThan(0.06);
      }
    }
  });

  test("S1-20: prices without a day, and old ones, are counted", () => {
    expect(example("environments")).toMatchObject({ oldPrices: 4 });
    expect(example("move-2026")).toMatchObject({ oldPrices: 2 });
    expect(example("environments").prices[0]).toMatchObject({ asOf: null, source: "TextNLP GPU requirements" });
  });
});

describe("what is refused", () => {
  const line = { name: "a", count: "1", price: { usd: "1" }, hours: "1", every: "day", days: "1" };
  test.each([
    ["no line", { kind: "costs", weeks: "4", lines: [] }],
    ["a negative price", { kind: "costs", weeks: "4", lines: [{ ...line, price: { usd: "-1" } }] }],
    ["words for a number", { kind: "costs", weeks: "4", lines: [{ ...line, count: "two" }] }],
    ["five weeks", { kind: "costs", weeks: "5", lines: [line] }],
    [
      "a free machine to move from",
      { kind: "move", monthlyUsd: "1", from: { usd: "0", gpus: "8" }, to: { usd: "1" }, speedup: "1" },
    ],
    ["no GPUs", { kind: "training", totalUsd: "1", otherUsd: "1", gpus: "0", days: "1" }],
    ["another kind", { kind: "dream" }],
  ])("%s", (_, body) => {
    expect(ScenarioBody.safeParse(body).success).toBe(false);
  });
});

describe("any scenario", () => {
  const number = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((cents) => (cents / 100).toFixed(2));
  const line = fc.record({
    name: fc.constant("line"),
    count: fc.integer({ min: 0, max: 20 }).map(String),
    price: fc.record({ usd: number(50), source: fc.constant(""), asOf: fc.constant("") }),
    hours: number(24),
    every: fc.constantFrom("day", "week", "month"),
    days: fc.integer({ min: 0, max: 31 }).map(String),
  });

  test("a month is the sum of its lines; one line more never costs less; 52 ÷ 12 weeks never less than 4", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), line, (lines, more) => {
        const monthly = (given: unknown[], weeks = "4") =>
          BigInt(evaluate(ScenarioBody.parse({ kind: "costs", weeks, lines: given }), isOld).monthlyMicros ?? "-1");
        const total = monthly(lines);
        expect(total).toBe(lines.reduce((sum, one) => sum + monthly([one]), 0n));
        expect(monthly([...lines, more])).toBeGreaterThanOrEqual(total);
        expect(monthly(lines, "52/12")).toBeGreaterThanOrEqual(total);
      }),
      { numRuns: 150 },
    );
  });

  test("a dearer GPU there saves less, a faster one more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 2_000 }), fc.integer({ min: 100, max: 400 }), (cents, pct) => {
        const saving = (usd: number, speedup: number) =>
          evaluate(
            ScenarioBody.parse({
              kind: "move",
              monthlyUsd: "15000",
              from: { usd: "32.77", gpus: "8" },
              to: { usd: usd.toFixed(2) },
              speedup: speedup.toFixed(2),
            }),
            isOld,
          ).figures.find(({ name }) => name === "Saved in a month")?.amount ?? Number.NaN;
        const base = saving(cents / 100, pct / 100);
        expect(saving(cents / 100 + 1, pct / 100)).toBeLessThan(base);
        expect(saving(cents / 100, pct / 100 + 0.5)).toBeGreaterThan(base);
      }),
      { numRuns: 100 },
    );
  });
});
