import { IDLE_MAX_PCT } from "@/lib/domain/telemetry/idle";
import type { HeatMetric, RosterGpu } from "@/lib/domain/telemetry/live";

export const GROUPINGS = { type: "type", team: "team", region: "region", instance: "instance" } as const;
export type Grouping = keyof typeof GROUPINGS;

/** More groups than this are not told apart: the smallest stand together. */
const MOST_GROUPS = 60;
/** So many machines have a name each; of more, the cell under the pointer tells. */
const MOST_NAMED = 24;

/** GPUs that stand together, by their places in the roster. */
export type HeatGroup = { key: string; label: string; places: number[] };

/** The GPUs in groups, the largest first; within a group those of one machine are neighbours. */
export function groupsOf(gpus: readonly RosterGpu[], places: readonly number[], by: Grouping): HeatGroup[] {
  const groups = new Map<string, HeatGroup>();
  const machines = new Set(places.map((place) => gpus[place]?.resourceId));
  if (by === "instance" && machines.size > MOST_NAMED) {
    return [{ key: "all", label: `${machines.size} instances`, places: [...places] }];
  }
  for (const place of places) {
    const gpu = gpus[place];
    if (!gpu) continue;
    const [key, label] = by === "instance" ? [gpu.resourceId, gpu.name] : [gpu[by], gpu[by] || `no ${by}`];
    const group = groups.get(key);
    if (group) group.places.push(place);
    else groups.set(key, { key, label, places: [place] });
  }
  const sorted = [...groups.values()].sort(
    (a, b) => b.places.length - a.places.length || a.label.localeCompare(b.label, "en"),
  );
  if (sorted.length <= MOST_GROUPS) return sorted;
  const rest = sorted.slice(MOST_GROUPS - 1);
  return [
    ...sorted.slice(0, MOST_GROUPS - 1),
    { key: "rest", label: `${rest.length} smaller groups`, places: rest.flatMap((group) => group.places) },
  ];
}

/** The colours of the ramp, little to much. */
export const STEPS = 9;

export type Domain = { min: number; max: number };

/** From where to where the ramp runs. Per cents and degrees have fixed ends; power ends at the next round number. */
export function domainOf(metric: HeatMetric, values: Float64Array): Domain {
  if (metric === "temperatureC") return { min: 20, max: 100 };
  if (metric !== "powerW") return { min: 0, max: 100 };
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return { min: 0, max: Math.max(100, Math.ceil(most / 100) * 100) };
}

/** Which colour of the ramp a value has; null: there is no value. */
export function stepOf(value: number, { min, max }: Domain): number | null {
  if (Number.isNaN(value)) return null;
  const share = (value - min) / (max - min);
  return Math.min(STEPS - 1, Math.max(0, Math.floor(share * STEPS)));
}

/** Money is spent on a GPU that does next to nothing: the thing to find. */
export function isLow(metric: HeatMetric, value: number): boolean {
  return (metric === "utilizationPct" || metric === "effectivePct") && value <= IDLE_MAX_PCT;
}

/** What a cell is painted from; a silent GPU has no value now, whatever its last one was. */
export type Cells = { values: Float64Array; isSilent: (place: number) => boolean };

export function valueAt({ values, isSilent }: Cells, place: number): number {
  return isSilent(place) ? Number.NaN : (values[place] ?? Number.NaN);
}

export type Summary = { gpus: number; known: number; mean: number | null; p95: number | null; low: number };

export function summaryOf(cells: Cells, places: readonly number[], metric: HeatMetric): Summary {
  const known = places.map((place) => valueAt(cells, place)).filter((value) => !Number.isNaN(value));
  const sorted = Float64Array.from(known).sort();
  const rank = Math.max(1, Math.ceil(0.95 * sorted.length));
  return {
    gpus: places.length,
    known: known.length,
    mean: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
    p95: sorted[rank - 1] ?? null,
    low: known.filter((value) => isLow(metric, value)).length,
  };
}

/** How many cells lie in each of `bins` equal parts of the ramp. */
export function histogramOf(cells: Cells, places: readonly number[], { min, max }: Domain, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const place of places) {
    const value = valueAt(cells, place);
    if (Number.isNaN(value)) continue;
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(((value - min) / (max - min)) * bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** A square of so many pixels, its gap included: few GPUs are drawn large. */
export function pitchOf(gpus: number): number {
  if (gpus <= 64) return 28;
  if (gpus <= 600) return 16;
  return gpus <= 3_000 ? 10 : 7;
}

export function columnsIn(widthPx: number, pitch: number): number {
  return Math.max(1, Math.floor((widthPx + 1) / pitch));
}

/** The cell at a point of a group's picture; null beside them. */
export function cellAt(x: number, y: number, pitch: number, columns: number, count: number): number | null {
  const column = Math.floor(x / pitch);
  if (x < 0 || y < 0 || column >= columns) return null;
  const index = Math.floor(y / pitch) * columns + column;
  return index < count ? index : null;
}

/** Where an arrow key leads; null: that key does not move. */
export function cellAfter(key: string, index: number, columns: number, count: number): number | null {
  const next: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
  };
  const wanted = next[key];
  if (wanted === undefined) return null;
  return wanted < 0 || wanted >= count ? index : wanted;
}

/** Stretches of neighbours in a row that all answer yes, as one outline each. */
export function runsOf(
  places: readonly number[],
  columns: number,
  isMarked: (place: number) => boolean,
): { row: number; column: number; length: number }[] {
  const runs: { row: number; column: number; length: number }[] = [];
  for (const [index, place] of places.entries()) {
    if (!isMarked(place)) continue;
    const [row, column] = [Math.floor(index / columns), index % columns];
    const last = runs.at(-1);
    if (last && last.row === row && last.column + last.length === column) last.length += 1;
    else runs.push({ row, column, length: 1 });
  }
  return runs;
}
