/** Where labels go once the height is known: they keep their order and never overlap. */

const END_GAP_PX = 16;
const FLAG_PX = 15;
// A flag at the very top may stand a little way into the head of the chart.
const ABOVE_PX = 8;

/** Centres from the top in px, in the order given, pushed apart to 16 px, or less where there is no room for that. */
export function placeEnds(shares: readonly number[], heightPx: number): number[] {
  const gap = Math.min(END_GAP_PX, heightPx / Math.max(shares.length, 1));
  const lowest = heightPx - gap / 2 + 2;
  const order = shares.map((share, index) => ({ index, y: (1 - share) * heightPx })).sort((a, b) => a.y - b.y);

  let floor = gap / 2 - 2;
  for (const label of order) {
    label.y = Math.max(label.y, floor);
    floor = label.y + gap;
  }
  let ceiling = lowest;
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, ceiling);
    ceiling = label.y - gap;
  }

  const placed = shares.map(() => 0);
  for (const { index, y } of order) placed[index] = y;
  return placed;
}

/** Whether each flag stands above its line or below it: above, unless the top or another line's flag is there. */
export function placeFlags(shares: readonly number[], heightPx: number): ("above" | "below")[] {
  const placed: ("above" | "below")[] = shares.map(() => "above");
  const order = shares.map((share, index) => ({ index, y: (1 - share) * heightPx })).sort((a, b) => a.y - b.y);
  let taken = -ABOVE_PX;
  for (const { index, y } of order) {
    const isFree = y - FLAG_PX >= taken;
    if (!isFree && y + FLAG_PX <= heightPx) placed[index] = "below";
    taken = placed[index] === "below" ? y + FLAG_PX : y;
  }
  return placed;
}
