import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CostCase, checkCase, KNOWN_KINDS, parseCostCases } from "./cases";

const file = join(process.env.SHARED_DIR ?? "../shared", "cases/cost-cases.json");
const isThere = existsSync(file);
const cases = isThere ? parseCostCases(JSON.parse(readFileSync(file, "utf8"))) : [];

describe.skipIf(!isThere)(`worked cost cases${isThere ? "" : ` (skipped: ${file} is absent)`}`, () => {
  test.each(cases)("$id $kind: $title", (one) => {
    expect(checkCase(one)).toMatchObject({ result: "passed", differences: [] });
  });

  test("every kind that is calculated is one of the file's", () => {
    const kinds = new Set(cases.map(({ kind }) => kind));
    expect(KNOWN_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  });
});

describe("checking a case", () => {
  const one: CostCase = {
    id: "X1",
    kind: "meter.many",
    title: "two machines",
    given: { instances: [{ cents: 149, minutes: 1 }] },
    expected: { rows_micro_usd: [24833], total_micro_usd: 24833, stated_usd: "0.02" },
  };

  test("a right figure passes, and what is only quoted is not calculated", () => {
    expect(checkCase(one)).toMatchObject({ result: "passed", differences: [] });
  });

  test("a figure that is a micro-dollar off fails, by its name", () => {
    const wrong = { ...one, expected: { rows_micro_usd: [24834], total_micro_usd: 24833 } };
    expect(checkCase(wrong)).toMatchObject({
      result: "failed",
      differences: ['rows_micro_usd[0]: expected 24834, got "24833"'],
    });
  });

  test("a figure that is expected and not calculated fails, and so does a case that cannot be read", () => {
    expect(checkCase({ ...one, expected: { tax_micro_usd: 1 } }).differences).toEqual([
      "tax_micro_usd: expected 1, got nothing",
    ]);
    expect(checkCase({ ...one, given: {} }).result).toBe("failed");
  });

  test("an unknown kind is said to be one", () => {
    expect(checkCase({ ...one, kind: "toString" }).result).toBe("unknown_kind");
  });
});
