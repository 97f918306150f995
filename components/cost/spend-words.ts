import type { Route } from "next";
import {
  type Bucket,
  type CostType,
  hasBound,
  type Per,
  questionText,
  type RowsQuestion,
  type SpendTotal,
  type Window,
} from "@/lib/domain/cost/explore";
import { keyWords, SPEND_WORDS } from "@/lib/domain/cost/spend-words";
import { formatUsdChange } from "@/lib/domain/format";
import { formatClock, formatDay, formatPeriod, zoneName } from "@/lib/domain/format-time";
import { dayRangeWords, dayWords, monthName } from "./words";

export { keyWords, SPEND_WORDS };

export const PER_WORDS: Record<Per, string> = { hour: "Hour", day: "Day", week: "Week", month: "Month" };
export const COST_WORDS: Record<CostType, string> = { billed: "Billed", effective: "Effective", list: "List price" };
export const COST_HINTS: Record<CostType, string> = {
  billed: "as it is invoiced",
  effective: "prepayments spread over what they pay for",
  list: "at the price without any discount",
};

/** The window as an interval with its zone: `1 to 21 Nov 12:50 UTC`. */
export function windowWords({ from, to }: Pick<Window, "from" | "to">, zone: string): string {
  return formatPeriod(from, to, zone);
}

/** How far the sum may be off; null where it is less than 0.1 % and a dollar, or where nobody keeps it. */
export function boundsOf(total: SpendTotal, cost: CostType): string | null {
  if (cost !== "billed") return null;
  const [micros, low, high] = [BigInt(total.micros), BigInt(total.lowMicros), BigInt(total.highMicros)];
  if (!hasBound(micros, low, high)) return null;
  return `${formatUsdChange(low - micros)}, ${formatUsdChange(high - micros)} from polling`;
}

/** A bar's name in the readout, and the shorter one below the plot. */
export function bucketWords(bucket: Bucket, per: Per, zone: string): { label: string; tick: string } {
  switch (per) {
    case "hour":
      return {
        label: `${formatDay(bucket.from, zone)} ${formatClock(bucket.from, zone)} to ${formatClock(bucket.to, zone)}`,
        tick: `${formatDay(bucket.from, zone)} ${formatClock(bucket.from, zone)}`,
      };
    case "month":
      return { label: monthName(bucket.key.slice(0, 7)), tick: monthName(bucket.key.slice(0, 7), false).slice(0, 3) };
    case "week":
      return { label: dayRangeWords(bucket.fromDay, bucket.toDay), tick: dayWords(bucket.fromDay) };
    case "day":
      return { label: dayWords(bucket.fromDay), tick: dayWords(bucket.fromDay) };
  }
}

/** What a bar is, for the head of the readout: "UTC day". */
export function eachWords(per: Per, at: number, zone: string): string {
  return `${zoneName(at, zone)} ${per}`;
}

/** The rows behind a figure. */
export function rowsHref(question: Partial<RowsQuestion>): Route {
  const query = questionText(question);
  return (query.size > 0 ? `/cost/rows?${query}` : "/cost/rows") as Route;
}
