import { expect, test } from "vitest";
import { between, hex, normal, smoothNoise, unit, uuid } from "./random";

test("the same seed and place give the same number, another seed another", () => {
  expect(unit(7, 42)).toBe(unit(7, 42));
  expect(unit(8, 42)).not.toBe(unit(7, 42));
});

test("numbers are spread evenly over [0, 1)", () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => unit(3, i));
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(mean).toBeCloseTo(0.5, 1);
  expect(new Set(numbers).size).toBeGreaterThan(19_900);
});

test("a normal deviate has mean 0 and variance 1", () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => normal(11, i));
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length;
  expect(mean).toBeCloseTo(0, 1);
  expect(variance).toBeCloseTo(1, 1);
});

test("noise runs through its points without a jump", () => {
  for (let x = 0; x < 50; x += 0.01) {
    expect(Math.abs(smoothNoise(5, x + 0.01) - smoothNoise(5, x))).toBeLessThan(0.03);
  }
  expect(smoothNoise(5, 12)).toBe(unit(5, 12));
});

test("ids have the form that the API's have", () => {
  expect(hex(1, "a")).toMatch(/^[0-9a-f]{32}$/);
  expect(hex(1, "a")).not.toBe(hex(1, "b"));
  expect(uuid(1, "a")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("whole numbers stay between their bounds and reach them", () => {
  const numbers = new Set(Array.from({ length: 500 }, (_, i) => between(9, i, 2, 5)));
  expect([...numbers].sort()).toEqual([2, 3, 4, 5]);
});
