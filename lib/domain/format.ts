/** How amounts and quantities are written for people (design language, section 4). Time is in `./format-time`. */

/** Money in micro-dollars; as text where it came through JSON. */
export type Micros = bigint | string;

/** Shown where there is no value; the reason belongs beside it. */
export const NONE = "—";
/** Between a number and its unit: a line never breaks there. */
export const NBSP = "\u00a0";
/** Before a percent sign. */
export const THIN = "\u202f";
export const MINUS = "\u2212";

const CENT = 10_000n;
const DOLLAR = 1_000_000n;

const group = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const decimals = [0, 1, 2, 3].map(
  (digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

function micros(value: Micros): bigint {
  return typeof value === "bigint" ? value : BigInt(value);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Half away from zero; both arguments are not negative. */
function divideRounded(value: bigint, by: bigint): bigint {
  return (value + by / 2n) / by;
}

/** A whole number of units of 10^-digits dollars, as dollars. */
function dollars(units: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const fraction = digits > 0 ? `.${String(units % scale).padStart(digits, "0")}` : "";
  return `$${group.format(units / scale)}${fraction}`;
}

function usd(value: bigint, unit: bigint, digits: number): string {
  const units = divideRounded(abs(value), unit);
  return `${value < 0n && units > 0n ? MINUS : ""}${dollars(units, digits)}`;
}

/** A total in cents, rounded once, half away from zero: `$17,914.75`. */
export function formatUsd(value: Micros | null): string {
  return value === null ? NONE : usd(micros(value), CENT, 2);
}

/** A forecast carries no cents: `$28,442`. */
export function formatUsdWhole(value: Micros | null): string {
  return value === null ? NONE : usd(micros(value), DOLLAR, 0);
}

/** A price in micro-dollars per hour: `$2.29/h`. An unknown price says so; it is never $0.00. */
export function formatUsdRate(perHour: Micros | null): string {
  if (perHour === null) return "unknown";
  const value = micros(perHour);
  const tooSmall = value !== 0n && abs(value) < CENT / 2n;
  return tooSmall ? "<$0.01/h" : `${usd(value, CENT, 2)}/h`;
}

/** What burns, per minute, from micro-dollars per hour: `$0.532/min`. */
export function formatUsdBurn(perHour: Micros | null): string {
  if (perHour === null) return "unknown";
  const value = micros(perHour);
  const tooSmall = value !== 0n && abs(value) * 2n < 60_000n;
  return tooSmall ? "<$0.001/min" : `${usd(value, 60_000n, 3)}/min`;
}

/** For axes and end labels only: `$350`, `$1,400`, `$28.4k`, `$1.2M`. */
export function formatUsdShort(value: Micros | null): string {
  if (value === null) return NONE;
  const amount = micros(value);
  const size = abs(amount);
  const sign = amount < 0n ? MINUS : "";
  if (size >= 999_950n * DOLLAR) return `${sign}$${tenths(size, 1_000_000n * DOLLAR)}M`;
  if (size >= 10_000n * DOLLAR) return `${sign}$${tenths(size, 1_000n * DOLLAR)}k`;
  return size !== 0n && size < DOLLAR ? usd(amount, CENT, 2) : usd(amount, DOLLAR, 0);
}

function tenths(size: bigint, unit: bigint): string {
  const value = divideRounded(size * 10n, unit);
  return value % 10n === 0n ? group.format(value / 10n) : `${group.format(value / 10n)}.${value % 10n}`;
}

/** A difference always carries its sign: `+$5,344.11`, `−$432.00`, `±$0.00`. */
export function formatUsdChange(value: Micros | null): string {
  if (value === null) return NONE;
  const change = micros(value);
  const cents = divideRounded(abs(change), CENT);
  const sign = cents === 0n ? "±" : change < 0n ? MINUS : "+";
  return `${sign}${dollars(cents, 2)}`;
}

/** A plain number, grouped, a true minus before it: `1,905`, `−1.5`. */
export function formatNumber(value: number | null, digits: 0 | 1 | 2 | 3 = 0): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  const size = decimals[digits]?.format(Math.abs(value)) ?? NONE;
  return value < 0 && /[1-9]/.test(size) ? `${MINUS}${size}` : size;
}

function withUnit(value: number | null, unit: string, digits: 0 | 1 | 2 | 3 = 0): string {
  const text = formatNumber(value, digits);
  return text === NONE ? NONE : `${text}${NBSP}${unit}`;
}

/** `percent` runs from 0 to 100: one decimal below 10, none above, and what is not nothing is never 0: `0.6 %`, `84 %`. */
export function formatPercent(percent: number | null): string {
  if (percent === null || !Number.isFinite(percent)) return NONE;
  const size = Math.abs(percent);
  if (size > 0 && size < 0.05) return `${percent < 0 ? `>${MINUS}` : "<"}0.1${THIN}%`;
  return `${formatNumber(percent, size > 0 && size < 9.95 ? 1 : 0)}${THIN}%`;
}

/** A change of a share: `+43 %`, `−13 %`, `±0 %`. */
export function formatPercentChange(percent: number | null): string {
  if (percent === null || !Number.isFinite(percent)) return NONE;
  if (percent === 0) return `±0${THIN}%`;
  return percent > 0 && percent >= 0.05 ? `+${formatPercent(percent)}` : formatPercent(percent);
}

/** Measured memory: driver MiB ÷ 1,024, one decimal: `91.5 GiB`. */
export function formatGib(mib: number | null): string {
  return withUnit(mib === null ? null : mib / 1024, "GiB", 1);
}

/** As the driver says it, where it is evidence: `97,871 MiB`. */
export function formatMib(mib: number | null): string {
  return withUnit(mib, "MiB");
}

/** `92.0 / 95.6 GiB`; where only the size is known, `— / 95.6 GiB`. */
export function formatGibOf(usedMib: number | null, totalMib: number | null): string {
  if (totalMib === null) return formatGib(usedMib);
  return `${formatNumber(usedMib === null ? null : usedMib / 1024, 1)} / ${formatGib(totalMib)}`;
}

/** Storage, from bytes: `412 GiB`; one decimal below ten. */
export function formatStorage(bytes: number | bigint | null): string {
  if (bytes === null) return NONE;
  const gib = Number(bytes) / 1024 ** 3;
  return withUnit(gib, "GiB", gib > 0 && gib < 9.95 ? 1 : 0);
}

/** `604 W` */
export function formatWatts(powerW: number | null): string {
  return withUnit(powerW, "W");
}

/** `604 W of 700 W`; without a known limit, the draw alone. */
export function formatWattsOf(powerW: number | null, limitW: number | null): string {
  return limitW === null ? formatWatts(powerW) : `${formatWatts(powerW)} of ${formatWatts(limitW)}`;
}

/** `1,905 MHz` */
export function formatMegahertz(clockMhz: number | null): string {
  return withUnit(clockMhz, "MHz");
}

/** `71 °C` */
export function formatCelsius(temperatureC: number | null): string {
  return withUnit(temperatureC, "°C");
}

/** `1 instance`, `3 instances`; the plural is given where it is not the word with an s. */
export function formatCount(count: number | null, one: string, many = `${one}s`): string {
  return withUnit(count, count === 1 ? one : many);
}

const PERIOD = /^([^/]+)(\/(?:h|min|month))$/;
const UNIT = /^([^\u00a0\u202f]+)[\u00a0\u202f]([^\d\u00a0\u202f][^\d]*)$/;

/** Number and unit of a text from this file, for setting the unit in grey; no unit where there are several or none. */
export function splitUnit(text: string): { value: string; unit: string | null } {
  const parts = PERIOD.exec(text) ?? UNIT.exec(text);
  return { value: parts?.[1] ?? text, unit: parts?.[2] ?? null };
}
