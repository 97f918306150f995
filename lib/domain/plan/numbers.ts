import { formatNumber, formatUsd, formatUsdRate } from "@/lib/domain/format";
import type { FigureNumber, FigureSource } from "./formula";

/** An amount of dollars in a formula. */
export function money(key: string, name: string, micros: string | bigint, source?: FigureSource): FigureNumber {
  return { key, name, value: formatUsd(micros), amount: Number(micros) / 1e6, ...(source && { source }) };
}

/** A price of an hour. */
export function rate(key: string, name: string, micros: string | bigint, source?: FigureSource): FigureNumber {
  return { key, name, value: formatUsdRate(micros), amount: Number(micros) / 1e6, ...(source && { source }) };
}

/** A count, or a measure with its unit. */
export function plain(key: string, name: string, amount: number, unit = "", source?: FigureSource): FigureNumber {
  const digits = Number.isInteger(amount) ? formatNumber(amount) : String(Number(amount.toPrecision(6)));
  return { key, name, amount, value: `${digits}${unit}`, ...(source && { source }) };
}
