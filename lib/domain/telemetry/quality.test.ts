import { describe, expect, test } from "vitest";
import { countQuality } from "./quality";
import { encodeMissing, QUALITY } from "./sample";

const none = Number.NaN;
const code = (missing: Parameters<typeof encodeMissing>[0]) => encodeMissing(missing) ?? none;

describe("what samples say of themselves", () => {
  test("late and skewed are counted apart, and a sample may be both", () => {
    const quality = [none, QUALITY.late, QUALITY.skewed, QUALITY.late + QUALITY.skewed, 0];
    expect(
      countQuality(
        quality.map(() => none),
        quality,
      ),
    ).toEqual({ samples: 5, late: 2, skewed: 2, missing: [] });
  });

  test("each metric's reasons are counted, in the order of the catalogue", () => {
    const missing = [
      code({ powerW: "not_supported", smActivePct: "not_reported" }),
      code({ powerW: "not_supported" }),
      code({ powerW: "error", utilizationPct: "out_of_range" }),
      none,
    ];
    const counted = countQuality(
      missing,
      missing.map(() => none),
    );
    expect(counted.samples).toBe(4);
    expect(counted.missing.map(({ metric, reason, count }) => [metric, reason, count])).toEqual([
      ["utilizationPct", "out_of_range", 1],
      ["powerW", "not_supported", 2],
      ["powerW", "error", 1],
      ["smActivePct", "not_reported", 1],
    ]);
    expect(counted.missing[0]).toMatchObject({ label: "GPU utilisation", words: "the value cannot be true" });
  });
});
