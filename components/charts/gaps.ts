import { formatDuration } from "@/lib/domain/format-time";
import { cell } from "./columns";
import type { ChartInput, Column } from "./types";

export type Gap = { from: number; to: number };

/** Silence shorter than this is no gap yet (settled question "Silent": the larger of three intervals and 90 s). */
export function silentAfter(input: ChartInput): number {
  return input.silentAfterMs ?? Math.max(3 * input.stepMs, 90_000);
}

/** Runs of instants without a measurement. What has just begun is not yet silence, neither is a bucket still open. */
export function findGaps(input: ChartInput, column: Column): Gap[] {
  const gaps: Gap[] = [];
  let from: number | null = input.at.length > 0 ? input.from : null;
  for (const [index, at] of input.at.entries()) {
    if (cell(column, index) === null) {
      from ??= at;
      continue;
    }
    if (from !== null && at - from >= input.stepMs) gaps.push({ from, to: at });
    from = null;
  }
  if (from !== null && input.to - from > silentAfter(input)) gaps.push({ from, to: input.to });
  // A window may begin between two buckets; that is no gap.
  return gaps.filter((gap) => gap.from > input.from || gap.to - gap.from >= silentAfter(input));
}

export type WordsAt = "bottom" | "top";

/** `no data, 17 min`; null where the gap is narrow, or where words would cover a line, a limit or the name of a pool. */
export function gapWords(
  gap: Gap,
  input: ChartInput,
  column: Column,
  share: (value: number) => number,
): { text: string; at: WordsAt } | null {
  const isWide = (gap.to - gap.from) / (input.to - input.from) >= 0.03;
  if (!isWide || input.pools) return null;
  const reach = (input.to - input.from) * 0.12;
  const beside = input.at
    .map((at, index) => (at > gap.from - reach && at < gap.to + reach ? cell(column, index) : null))
    .filter((value) => value !== null);
  const taken = [...beside, ...(input.limits ?? []).map((limit) => limit.value)].map(share);
  const text = `no data, ${formatDuration(gap.to - gap.from)}`;
  if (taken.every((place) => place >= 0.25)) return { text, at: "bottom" };
  return taken.every((place) => place <= 0.75) ? { text, at: "top" } : null;
}
