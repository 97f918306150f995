import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

type Scheme = "light" | "dark";

const css = readFileSync(path.join(import.meta.dirname, "tokens.css"), "utf8");
const pairs = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name ?? "",
    { light: light ?? "", dark: dark ?? "" },
  ]),
);

function hex(name: string, scheme: Scheme): string {
  const found = pairs.get(name)?.[scheme];
  if (!found) throw new Error(`no colour ${name}`);
  return found;
}

/** WCAG 2.2 relative luminance. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((from) => Number.parseInt(color.slice(from, from + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const schemes: Scheme[] = ["light", "dark"];
const each = (rows: [fore: string, ground: string, floor: number][]) =>
  rows.flatMap((row) => schemes.map((scheme): [string, string, number, Scheme] => [...row, scheme]));

describe("contrast does not fall below its floor", () => {
  test.each(
    each([
      ...["bg-surface", "bg-canvas"].flatMap((ground): [string, string, number][] => [
        ["text", ground, 7],
        ["text-2", ground, 7],
        ["text-3", ground, 4.5],
        ...["accent", "ok", "warn", "crit", "info", "unknown"].map((name): [string, string, number] => [
          name,
          ground,
          4.5,
        ]),
        ...["ok", "warn", "crit", "info", "unknown"].map((name): [string, string, number] => [
          `${name}-mark`,
          ground,
          3,
        ]),
        ["line-control", ground, 3],
      ]),
      ...["ok", "warn", "crit", "info", "unknown"].map((name): [string, string, number] => [name, `${name}-soft`, 4.5]),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((slot): [string, string, number] => [`chart-${slot}`, "bg-surface", 3]),
      ["on-accent", "accent", 4.5],
      ["on-accent", "accent-hover", 4.5],
      ["bg-surface", "crit", 4.5],
      ["text-inverse", "bg-inverse", 7],
      ["text-3", "bg-sunken", 4.5],
      ["text-3", "bg-hover", 4.5],
      ["text-3", "bg-raised", 4.5],
      ["text-2", "bg-selected", 4.5],
      ["accent", "bg-selected", 4.5],
      ["text-2", "unknown-soft", 4.5],
    ]),
  )("%s on %s is at least %s, %s", (fore, ground, floor, scheme) => {
    expect(contrast(hex(fore, scheme), hex(ground, scheme))).toBeGreaterThanOrEqual(floor);
  });
});

test.each(schemes)("the ramp of quantity runs one way only, %s", (scheme) => {
  const steps = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => luminance(hex(`seq-${step}`, scheme)));
  const sorted = steps.toSorted((a, b) => (scheme === "light" ? b - a : a - b));
  expect(steps).toEqual(sorted);
  expect(new Set(steps).size).toBe(9);
});

test("every colour is decided for both schemes", () => {
  const single = [...css.matchAll(/--([\w-]+): #/g)].map(([, name]) => name);
  expect(single).toEqual([]);
  expect(pairs.size).toBeGreaterThanOrEqual(60);
});
