import { expect, test } from "vitest";
import { bandPath, linePath, type Place, runs } from "./path";

const place: Place = (index, value) => [index * 10, value];

test("a gap breaks the line", () => {
  expect(linePath([1, 2, null, 4, 5], place)).toBe("M0 1L10 2M30 4L40 5");
});

test("a single measurement between gaps is still seen", () => {
  expect(linePath([null, 3, null], place)).toBe("M10 3h0.01");
});

test("steps hold until the next value", () => {
  expect(linePath([1, 2], place, true)).toBe("M0 1H10V2");
});

test("nothing measured draws nothing", () => {
  expect(linePath([null, null], place)).toBe("");
  expect(bandPath([null], [null], place)).toBe("");
});

test("a shade runs forth along the low and back along the high", () => {
  expect(bandPath([1, 1], [5, 6], place)).toBe("M0 1L10 1L10 6L0 5Z");
});

test("a shade breaks where either side is missing", () => {
  expect(bandPath([1, 1, 1, 1, 1], [5, 5, null, 5, 5], place)).toBe("M0 1L10 1L10 5L0 5ZM30 1L40 1L40 5L30 5Z");
});

test("zero is a measurement", () => {
  expect(runs([0, 0, null, 0])).toEqual([
    [0, 1],
    [3, 3],
  ]);
});
