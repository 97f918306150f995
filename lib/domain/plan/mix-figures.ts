import { formatUsdChange, MINUS } from "@/lib/domain/format";
import { type Figure, figure } from "./formula";
import type { MixAnswer, MixLine } from "./mix-view";
import { money, plain } from "./numbers";

const tenths = (permille: number) => (Math.abs(permille) / 10).toFixed(1);
const sourceOf = ({ provider, source }: MixLine) => ({
  label: source,
  ...(provider === "lambda" && { href: "/cost" }),
});

type Whole = Pick<MixAnswer, "totalMicros" | "month">;

/** A provider's share of what is known of a month. */
export function shareFigure(line: MixLine, { totalMicros, month }: Whole): Figure | null {
  if (line.micros === null || line.sharePermille === null) return null;
  return figure({
    name: `Share of ${line.name}`,
    value: `${tenths(line.sharePermille)} %`,
    amount: line.sharePermille / 10,
    formula: "{spent} ÷ {known} × 100",
    numbers: [
      money("spent", `spent at ${line.name} in ${month}`, line.micros, sourceOf(line)),
      money("known", "of all whose spend is known", totalMicros),
    ],
  });
}

/** Percentage points over or under the target. */
export function offFigure(line: MixLine): Figure | null {
  if (line.offPermille === null || line.sharePermille === null || line.targetPct === null) return null;
  const sign = line.offPermille === 0 ? "±" : line.offPermille < 0 ? MINUS : "+";
  return figure({
    name: `${line.name} against its target`,
    value: `${sign}${tenths(line.offPermille)} points`,
    amount: line.offPermille / 10,
    formula: "{share} − {target}",
    numbers: [
      plain("share", "share, per cent", line.sharePermille / 10),
      plain("target", "target", line.targetPct, " %"),
    ],
  });
}

/** What would move to a provider (+) or away from it (−) to meet the targets. */
export function moveFigure(line: MixLine, { totalMicros }: Whole): Figure | null {
  if (line.moveMicros === null || line.micros === null) return null;
  return figure({
    name: `To move, ${line.name}`,
    value: formatUsdChange(line.moveMicros),
    amount: Number(line.moveMicros) / 1e6,
    formula: "{known} × {target} ÷ 100 − {spent}",
    numbers: [
      money("known", "of all whose spend is known", totalMicros),
      plain("target", "target", line.targetPct ?? 0, " %"),
      money("spent", `spent at ${line.name}`, line.micros, sourceOf(line)),
    ],
    notes: ["Micro-dollars that are left over go to the largest remainders, so that all parts make the whole."],
  });
}
