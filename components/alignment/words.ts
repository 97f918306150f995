import type { Tone } from "@/components/ui/status-vocabulary";
import type { Verdict } from "@/lib/domain/alignment/compare";
import { formatNumber, formatUsdChange, MINUS, NBSP } from "@/lib/domain/format";

export const VERDICT_TONES: Record<Verdict, Tone> = {
  aligned: "ok",
  differs: "crit",
  unverified: "unknown",
  undeclared: "mute",
};

/** "+45 GB", "−135 GB": with a sign, as sold. */
export function formatGbChange(gb: number): string {
  const size = formatNumber(Math.abs(gb), Number.isInteger(gb) ? 0 : 1);
  return `${gb < 0 ? MINUS : gb > 0 ? "+" : ""}${size}${NBSP}GB`;
}

export function formatGb(gb: number): string {
  return `${formatNumber(gb, Number.isInteger(gb) ? 0 : 1)}${NBSP}GB`;
}

/** What a difference makes of money and memory; null: nothing of either. */
export function effectText(monthMicros: string | null, memoryGb: number | null): string | null {
  const parts = [
    ...(monthMicros === null || monthMicros === "0" ? [] : [formatUsdChange(monthMicros)]),
    ...(memoryGb === null || memoryGb === 0 ? [] : [formatGbChange(memoryGb)]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}
