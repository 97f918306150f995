/** Outlines of columns, for what is drawn without a chart library: sparklines, and a chart's first sight. */

import type { Column } from "./types";

export type Place = (index: number, value: number) => readonly [x: number, y: number];

const at = ([x, y]: readonly [number, number]) => `${short(x)} ${short(y)}`;
const short = (value: number) => Number(value.toFixed(2));

/** Unbroken stretches of a column, as [first, last] indices. */
export function runs(column: Column): [number, number][] {
  const found: [number, number][] = [];
  let from: number | null = null;
  for (let index = 0; index <= column.length; index++) {
    const isKnown = typeof column[index] === "number";
    if (isKnown) from ??= index;
    if (!isKnown && from !== null) {
      found.push([from, index - 1]);
      from = null;
    }
  }
  return found;
}

/** A line that ends where data ends. A single measurement between two gaps is a short dash, not nothing. */
export function linePath(column: Column, place: Place, isStepped = false): string {
  return runs(column)
    .map(([from, to]) => {
      const points = indices(from, to).map((index) => place(index, column[index] ?? 0));
      const first = points[0] ?? [0, 0];
      if (points.length === 1) return `M${at(first)}h0.01`;
      const rest = points
        .slice(1)
        .map((point) => (isStepped ? `H${short(point[0])}V${short(point[1])}` : `L${at(point)}`));
      return `M${at(first)}${rest.join("")}`;
    })
    .join("");
}

/** The shade between two columns; broken where either is. */
export function bandPath(low: Column, high: Column, place: Place): string {
  const both = low.map((value, index) => (typeof value === "number" && typeof high[index] === "number" ? value : null));
  return runs(both)
    .filter(([from, to]) => to > from)
    .map(([from, to]) => {
      const forth = indices(from, to).map((index) => at(place(index, low[index] ?? 0)));
      const back = indices(from, to).map((index) => at(place(index, high[index] ?? 0)));
      return `M${[...forth, ...back.reverse()].join("L")}Z`;
    })
    .join("");
}

function indices(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
