import type { Route } from "next";
import type { WhyStep } from "@/lib/domain/cost/why";
import type { WhyAnswer, WhyDimension, WhyLine } from "@/lib/domain/cost/why-view";
import { formatCount, formatNumber, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { keyWords, rowsHref } from "./spend-words";
import { dayRangeWords, monthName } from "./words";

export const STEP_WORDS: Record<WhyStep, string> = {
  hours: "Hours",
  volume: "Volume",
  mix: "Mix",
  price: "Price",
  storage: "Storage",
  commitment: "Commitments",
  credit: "Credits",
  tax: "Tax",
  adjustment: "Adjustments",
  rounding: "Rounding",
  corrections: "Corrections",
  unexplained: "Unexplained",
};

export const MIX_WORDS: Record<WhyDimension, string> = {
  sku: "type and region",
  type: "type",
  region: "region",
  team: "team",
  project: "project",
  environment: "environment",
  costCentre: "cost centre",
};

type Sides = { own: NonNullable<WhyAnswer["own"]>; before: NonNullable<WhyAnswer["before"]> };

/** The two windows: whole months by their names, the days of a month that runs by theirs. */
export function sideWords(data: WhyAnswer, { own, before }: Sides): { own: string; before: string } {
  return data.isCurrent
    ? { own: dayRangeWords(own.fromDay, own.toDay), before: dayRangeWords(before.fromDay, before.toDay) }
    : { own: monthName(own.month, false), before: monthName(before.month, false) };
}

const gpuHours = (minutes: string) => formatNumber(Number(minutes) / 60, 0);
const days = (ms: number) => formatNumber(ms / 3_600_000, 0);

/** Cost of a GPU-hour in micro-dollars; null where there was none. */
export function rateOf({ micros, gpuMinutes }: WhyLine["own"]): bigint | null {
  return gpuMinutes === "0" ? null : (BigInt(micros) * 60n) / BigInt(gpuMinutes);
}

export function lineName(line: WhyLine, mix: WhyDimension): string {
  if (mix === "sku") return [line.typeName ?? line.key, line.region].filter(Boolean).join(", ");
  return keyWords(mix, line.key);
}

/** Why a step is what it is, in a sentence. */
export function causeWords(step: WhyStep, data: WhyAnswer, sides: Sides): string {
  const { own, before } = sides;
  const words = sideWords(data, sides);
  switch (step) {
    case "hours":
      return `${days(own.ms)} hours in ${words.own}, ${days(before.ms)} in ${words.before}`;
    case "volume":
      return `${gpuHours(own.gpuMinutes)} GPU-hours against ${gpuHours(before.gpuMinutes)}${goneAndNew(data)}`;
    case "mix":
      return mixWords(data, sides);
    case "price":
      return priceWords(data);
    case "storage":
      return "file systems, by the GiB and hour";
    case "corrections":
      return "rows for days of months before";
    case "unexplained":
      return "what no step above explains";
    default:
      return "";
  }
}

function goneAndNew({ newResources, goneResources }: WhyAnswer): string {
  const parts = [
    newResources > 0 && `${formatCount(newResources, "instance")} new`,
    goneResources > 0 && `${formatCount(goneResources, "instance")} gone`,
  ].filter(Boolean);
  return parts.length > 0 ? `; ${parts.join(", ")}` : "";
}

/** The key whose share of the GPU-hours moved the money most. */
function mixWords(data: WhyAnswer, { own, before }: Sides): string {
  const line = largest(data.lines, "mix");
  if (!line || own.gpuMinutes === "0" || before.gpuMinutes === "0") return `by ${MIX_WORDS[data.mix]}`;
  const share = (part: string, whole: string) => `${formatNumber((100 * Number(part)) / Number(whole), 1)} %`;
  return `${lineName(line, data.mix)} ${share(line.own.gpuMinutes, own.gpuMinutes)} of GPU-hours, was ${share(line.before.gpuMinutes, before.gpuMinutes)}`;
}

function priceWords(data: WhyAnswer): string {
  const line = largest(data.lines, "price");
  if (!line) return "no price changed";
  const [was, is] = [rateOf(line.before), rateOf(line.own)];
  return was === null || is === null
    ? "no price changed"
    : `${lineName(line, data.mix)} ${formatUsd(was)} to ${formatUsdRate(is)} per GPU`;
}

function largest(lines: readonly WhyLine[], effect: "mix" | "price"): WhyLine | null {
  const size = (line: WhyLine) => Math.abs(Number(line[effect]));
  const [first] = lines.toSorted((a, b) => size(b) - size(a));
  return first && size(first) > 0 ? first : null;
}

type Side = Sides["own"];
/** All that counts in a month, up to a day of it. */
const sideRows = ({ month, toDay }: Side) => ({ month, to: toDay });

const CHARGES: readonly WhyStep[] = ["storage", "commitment", "credit", "tax", "adjustment", "rounding"];

/** The rows that a bar is made of. */
export function barHref(id: string, { own, before }: Sides): Route | null {
  if (id === "before") return rowsHref(sideRows(before));
  if (id === "own") return rowsHref(sideRows(own));
  if (id === "corrections") return rowsHref({ month: own.month, corrections: "only" });
  if (CHARGES.some((step) => step === id))
    return rowsHref({ month: own.month, from: own.fromDay, to: own.toDay, charge: id });
  return id === "unexplained" ? null : ("#why-lines" as Route);
}

/** The machines of a line in one of the windows. */
export function lineHref(line: WhyLine, side: Side, data: WhyAnswer): Route {
  const which = { month: side.month, from: side.fromDay, to: side.toDay, charge: "usage" };
  if (data.mix !== "sku") return rowsHref({ ...which, [data.mix]: line.key });
  return rowsHref({
    ...which,
    ...(line.typeName && { type: line.typeName }),
    ...(line.region && { region: line.region }),
  });
}
