import { NBSP } from "@/lib/domain/format";

const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 1_440 * MINUTE_MS,
  w: 10_080 * MINUTE_MS,
};
const YEAR_MS = 366 * 1_440 * MINUTE_MS;

/** A span as people type it: `90m`, `8h`, `3d`, `1d12h`, `2w`; null for what is none, or not from a minute to a year. */
export function readSpan(text: string): number | null {
  const plain = text.toLowerCase().replaceAll(/\s/g, "");
  if (!/^(\d{1,5}[mhdw])+$/.test(plain)) return null;
  let ms = 0;
  for (const [, count = "0", unit = ""] of plain.matchAll(/(\d{1,5})([mhdw])/g))
    ms += Number(count) * (UNITS_MS[unit] ?? 0);
  return ms >= MINUTE_MS && ms <= YEAR_MS ? ms : null;
}

/** The same in words, without what is nothing: `8 h`, `1 d 12 h`. */
export function spanWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  const parts: [number, string][] = [
    [Math.floor(minutes / 1_440), "d"],
    [Math.floor((minutes % 1_440) / 60), "h"],
    [minutes % 60, "min"],
  ];
  const told = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${NBSP}${unit}`);
  return told.join(" ") || `0${NBSP}min`;
}

/** As it is typed: `1d12h`. */
export function spanText(ms: number): string {
  return spanWords(ms).replaceAll(/\s|in/g, "");
}
