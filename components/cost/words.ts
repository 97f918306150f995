import type { Route } from "next";
import type { CostAnswer, CostQuestion } from "@/lib/domain/cost/view";
import { formatCount, formatUsd, formatUsdChange, formatUsdWhole, NBSP } from "@/lib/domain/format";
import { formatDay, formatMonth } from "@/lib/domain/format-time";

export const DIMENSION_WORDS: Record<CostQuestion["by"], string> = {
  team: "Team",
  project: "Project",
  type: "Type",
  region: "Region",
  instance: "Instance",
};

/** Months and accounting days are names, not instants: they are written as the UTC day of that name. */
const asUtc = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** `November 2026`, `November` */
export function monthName(month: string, hasYear = true): string {
  const name = formatMonth(asUtc(`${month}-01`), "UTC");
  return hasYear ? name : (name.split(" ")[0] ?? name);
}

/** `1 to 20 Oct`, `7 Oct` */
export function dayRangeWords(fromDay: string, toDay: string): string {
  const end = formatDay(asUtc(toDay), "UTC");
  if (fromDay === toDay) return end;
  const start = formatDay(asUtc(fromDay), "UTC");
  return fromDay.slice(0, 7) === toDay.slice(0, 7) ? `${start.split(NBSP)[0]} to ${end}` : `${start} to ${end}`;
}

export function dayWords(day: string): string {
  return formatDay(asUtc(day), "UTC");
}

/** Where a month is shown; the dimension stays. */
export function monthHref({
  month,
  isCurrent,
  by,
}: {
  month: string;
  isCurrent: boolean;
  by: CostQuestion["by"];
}): Route {
  const path = isCurrent ? "/cost" : `/cost/${month}`;
  return (by === "team" ? path : `${path}?by=${by}`) as Route;
}

/** How far the amount may be off, where it may be: `−$1.15, +$0.05 from polling`. */
export function boundWords({ micros, lowMicros, highMicros }: CostAnswer["total"]): string {
  const below = BigInt(lowMicros) - BigInt(micros);
  const above = BigInt(highMicros) - BigInt(micros);
  if (below > -5_000n && above < 5_000n) return "exact to the cent";
  return `${formatUsdChange(below)}, ${formatUsdChange(above)} from polling`;
}

/** What is missing from a sum, because no price or no size of it is known; null: nothing is. */
export function unknownWords(rows: number): string | null {
  return rows === 0 ? null : `plus ${formatCount(rows, "row")} unpriced`;
}

/** The sentence a month opens with: what it cost, and where it goes. */
export function monthSentence(data: CostAnswer): { lead: string; rest: string } {
  const name = monthName(data.month, false);
  const cost = formatUsd(data.total.micros);
  if (!data.isCurrent) return { lead: `${name} cost ${cost}.`, rest: "" };
  const lead = `${name} has cost ${cost} so far`;
  if (!data.forecast) return { lead: `${lead}.`, rest: "" };
  const heading = `and is heading for ${formatUsdWhole(data.forecast.micros)}`;
  if (!data.budget) return { lead, rest: `${heading}. No budget is set.` };
  const over = BigInt(data.forecast.micros) - BigInt(data.budget.micros);
  const size = formatUsdWhole(over < 0n ? -over : over);
  return { lead, rest: `${heading}, ${size} ${over > 0n ? "over" : "under"} its budget.` };
}
