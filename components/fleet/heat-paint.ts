import type { HeatMetric } from "@/lib/domain/telemetry/live";
import { type Cells, type Domain, isLow, runsOf, STEPS, stepOf, valueAt } from "./heat-model";

export const HEAT_COLOURS = [
  "seq-1",
  "seq-2",
  "seq-3",
  "seq-4",
  "seq-5",
  "seq-6",
  "seq-7",
  "seq-8",
  "seq-9",
  "bg-sunken",
  "unknown-mark",
  "warn-mark",
  "warn-soft",
  "crit-mark",
] as const;
export type HeatColours = Record<(typeof HEAT_COLOURS)[number], string>;

type Picture = {
  places: readonly number[];
  cells: Cells;
  metric: HeatMetric;
  domain: Domain;
  pitch: number;
  columns: number;
  isFiring: (place: number) => boolean;
  widthPx: number;
  heightPx: number;
  colours: HeatColours;
};

type Looks = { steps: number[][]; low: number[]; unknown: number[] };

/** Draws all cells of a group, one colour after the other: changing the colour is what costs. */
export function paint(canvas: HTMLCanvasElement, picture: Picture): void {
  const { pitch, columns, widthPx, heightPx, colours } = picture;
  const context = canvas.getContext("2d");
  if (!context) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(widthPx * ratio);
  canvas.height = Math.round(heightPx * ratio);
  canvas.style.width = `${widthPx}px`;
  canvas.style.height = `${heightPx}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const size = pitch - 1;
  const xOf = (index: number) => (index % columns) * pitch;
  const yOf = (index: number) => Math.floor(index / columns) * pitch;
  const fill = (indexes: readonly number[], colour: string) => {
    context.fillStyle = colour;
    for (const index of indexes) context.fillRect(xOf(index), yOf(index), size, size);
  };

  const { steps, low, unknown } = looksOf(picture);
  for (const [step, indexes] of steps.entries()) fill(indexes, colours[HEAT_COLOURS[step] ?? "seq-1"]);

  // Idle money is the thing to find: an outline, not the palest step.
  fill(low, colours["warn-soft"]);
  context.strokeStyle = colours["warn-mark"];
  context.lineWidth = pitch >= 16 ? 2 : 1;
  const inset = context.lineWidth / 2;
  for (const index of low)
    context.strokeRect(xOf(index) + inset, yOf(index) + inset, size - 2 * inset, size - 2 * inset);

  // Not known: hatched on an empty ground, in no colour of the ramp.
  fill(unknown, colours["bg-sunken"]);
  context.strokeStyle = colours["unknown-mark"];
  context.lineWidth = 1;
  context.beginPath();
  const gap = pitch >= 16 ? 6 : size;
  for (const index of unknown) hatch(context, xOf(index), yOf(index), size, gap);
  context.stroke();

  context.strokeStyle = colours["crit-mark"];
  context.lineWidth = 2;
  for (const { row, column, length } of runsOf(picture.places, columns, picture.isFiring))
    context.strokeRect(column * pitch + 0.25, row * pitch + 0.25, length * pitch - 1.5, size - 0.5);
}

function looksOf({ places, cells, metric, domain }: Picture): Looks {
  const looks: Looks = { steps: Array.from({ length: STEPS }, () => []), low: [], unknown: [] };
  for (const [index, place] of places.entries()) {
    const value = valueAt(cells, place);
    const step = stepOf(value, domain);
    if (step === null) looks.unknown.push(index);
    else if (isLow(metric, value)) looks.low.push(index);
    else looks.steps[step]?.push(index);
  }
  return looks;
}

/** Strokes from the lower left to the upper right, `gap` apart, within a square. */
function hatch(context: CanvasRenderingContext2D, x: number, y: number, size: number, gap: number): void {
  for (let offset = gap; offset < 2 * size; offset += gap) {
    const low = Math.max(0, offset - size);
    const high = Math.min(size, offset);
    context.moveTo(x + low, y + high);
    context.lineTo(x + high, y + low);
  }
}
