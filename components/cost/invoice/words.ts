import { CircleCheck, CircleDashed, Gavel, type LucideIcon, MessageSquareText, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import type { Tone } from "@/components/ui/status-vocabulary";
import { formatCount, formatNumber, formatUsd } from "@/lib/domain/format";
import type { VarianceState } from "@/lib/domain/invoice/types";
import type { InvoiceRow, VarianceView } from "@/lib/domain/invoice/view";
import { CLASS_WORDS } from "@/lib/domain/invoice/words";

export function invoicesHref(month: string, invoiceId?: string): Route {
  return `/cost/${month}/invoices${invoiceId === undefined ? "" : `?invoice=${invoiceId}`}` as Route;
}

export const STATE_LOOK: Record<VarianceState, { tone: Tone; icon: LucideIcon }> = {
  open: { tone: "warn", icon: TriangleAlert },
  accepted: { tone: "ok", icon: CircleCheck },
  disputed: { tone: "crit", icon: Gavel },
  explained: { tone: "mute", icon: MessageSquareText },
};

/** How an invoice stands, in a word or two. */
export function standing(row: InvoiceRow): { tone: Tone; icon: LucideIcon; word: string } {
  const open = row.byClass.filter((one) => one.open > 0);
  if (row.open > 0) {
    const [first, ...more] = open;
    const word = first && more.length === 0 ? CLASS_WORDS[first.class] : `${row.open} open`;
    return { tone: "warn", icon: TriangleAlert, word };
  }
  if (row.disputed > 0) return { tone: "crit", icon: Gavel, word: `${row.disputed} disputed` };
  return { tone: "ok", icon: CircleCheck, word: row.byClass.length === 0 ? "Matched" : "Settled" };
}

export const ACCRUED = { tone: "info", icon: CircleDashed, word: "Accrued" } as const;

/** `600 min`, `2,160 h`, `72,000 GiB-h`. */
export function quantityWords(millionths: string | null, unit: VarianceView["evidence"]["unit"]): string | null {
  if (millionths === null || unit === null) return null;
  const count = Number(BigInt(millionths) / 1_000n) / 1_000;
  if (unit === "gib_hour") return `${formatNumber(count, 0)} GiB-h`;
  return count >= 600
    ? `${formatNumber(count / 60, 2)} h`
    : `${formatNumber(count, Number.isInteger(count) ? 0 : 1)} min`;
}

export function rateWords(micros: string | null, unit: VarianceView["evidence"]["unit"]): string | null {
  if (micros === null || unit === null) return null;
  return unit === "gib_hour" ? `${formatUsd(micros)} per GiB-month` : `${formatUsd(micros)}/h`;
}

export function linesWords(lines: readonly number[]): string | null {
  const [first] = lines;
  if (first === undefined) return null;
  return lines.length === 1 ? `line ${first}` : formatCount(lines.length, "line");
}
