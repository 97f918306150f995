import { describe, expect, test } from "vitest";
import { placeEnds, placeFlags } from "./labels";

describe("labels at the right edge", () => {
  test("stand at their line where there is room", () => {
    expect(placeEnds([1, 0.5, 0], 150)).toEqual([6, 75, 144]);
  });

  test("are pushed apart to 16 px and keep their order", () => {
    const places = placeEnds([0.5, 0.51, 0.49], 150);
    const sorted = [places[1], places[0], places[2]].map(Number);
    expect((sorted[1] ?? 0) - (sorted[0] ?? 0)).toBeCloseTo(16);
    expect((sorted[2] ?? 0) - (sorted[1] ?? 0)).toBeCloseTo(16);
  });

  test("stay within the plot when all lines end at the bottom", () => {
    const places = placeEnds([0, 0, 0, 0, 0, 0, 0, 0], 150);
    expect(Math.max(...places)).toBeLessThanOrEqual(146);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(new Set(places).size).toBe(8);
  });

  test("move closer together where eight do not fit", () => {
    const places = placeEnds([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], 104);
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12.9);
    expect(places.every((place) => place >= 0 && place <= 104)).toBe(true);
  });

  test("nothing to place is no error", () => expect(placeEnds([], 100)).toEqual([]));
});

describe("a flag stands above its line", () => {
  test.each([
    ["alone in the middle", [0.5], 200, ["above"]],
    ["at the very top, below it", [1], 200, ["below"]],
    ["a little under the top, reaching into the head", [0.95], 200, ["above"]],
    ["unless another stands there", [0.66, 0.63], 278, ["above", "below"]],
    ["whatever their order", [0.63, 0.66], 278, ["below", "above"]],
    ["and far ones do not mind each other", [0.9, 0.2], 200, ["above", "above"]],
  ])("%s", (_, shares, height, places) => expect(placeFlags(shares, height)).toEqual(places));
});
