import { type CountMetric, WIDE_METRICS, type WideMetric } from "./catalogue";

/** Why a value is missing. The code, 1 to 15, is what storage keeps: never renumber. */
const MISSING_CODES = {
  /** The sender did not mention it. */
  not_reported: 1,
  /** `[N/A]`, `N/A`, `-`: this card, or this mode of it (MIG), has no such reading. */
  not_applicable: 2,
  not_supported: 3,
  unknown_error: 4,
  deprecated: 5,
  function_not_found: 6,
  error: 7,
  /** A number that stands for "blank". */
  sentinel: 8,
  out_of_range: 9,
  malformed: 10,
  gpu_lost: 11,
  no_permission: 12,
} as const;

export type MissingReason = keyof typeof MISSING_CODES;

/** Each reason in words that end "not available: …". */
export const MISSING_LABELS: Readonly<Record<MissingReason, string>> = {
  not_reported: "the sender does not report it",
  not_applicable: "the card says N/A",
  not_supported: "not supported by this card",
  unknown_error: "the driver says unknown error",
  deprecated: "no longer offered by the driver",
  function_not_found: "not known to this driver",
  error: "the driver failed to read it",
  sentinel: "the sender wrote its mark for blank",
  out_of_range: "the value cannot be true",
  malformed: "the value is not a number",
  gpu_lost: "the GPU has fallen off the bus",
  no_permission: "the sender may not read it",
};

const REASONS: readonly (MissingReason | undefined)[] = reasonsByCode();

/** What a reading may lack, and why. A null value always has its reason here. */
export type Missing = Partial<Record<WideMetric | CountMetric, MissingReason>>;

/** Rows of memory that the card has replaced by spare ones. */
export type RemappedRows = { correctable: number; uncorrectable: number; isPending: boolean; isFailed: boolean };

/** One GPU, or one MIG slice of one, at one instant. Attributes and values are null where the card did not say. */
export type GpuReading = {
  /** `GPU-…`; a card that does not tell its UUID is known by its place on its machine: `bus:…`, else `index:…`. */
  uuid: string;
  /** "" for a whole card; for a MIG slice its GPU instance id, and `/` its compute instance id where that is not 0. */
  mig: string;
  index: number | null;
  busId: string | null;
  name: string | null;
  driverVersion: string | null;
  memoryTotalMib: number | null;
  powerLimitW: number | null;
  pstate: string | null;
  migMode: "enabled" | "disabled" | null;
  remappedRows: RemappedRows | null;
  slowdownTemperatureC: number | null;
  /** Epoch milliseconds, by the sender's own clock; null where the output carries no time. */
  at: number | null;
  values: Record<WideMetric, number | null>;
  throttleReasons: number | null;
  eccUncorrected: number | null;
  missing: Missing;
};

/** `user`: whose it is, where the sender can tell. */
export type GpuProcess = { pid: number; name: string | null; usedMib: number | null; user: string | null };

/** What could not be read, for the person who looks after the sender. */
export type Problem = {
  kind:
    | "nvidia_smi" // nvidia-smi printed a message in place of a GPU
    | "failed_gpu" // a row in which every column is an error, the index included
    | "no_identity" // a row without UUID, bus id or index
    | "duplicate_gpu" // the same card twice at the same instant
    | "no_header"
    | "not_xml"
    | "truncated"
    | "malformed"
    | "empty"
    | "too_large"
    | "unknown_section"
    | "left_out" // more than is taken; what is kept is whole
    | "unknown_format"
    | "unsupported_protocol";
  message: string;
  /** Line of the text, from 1. */
  line: number | null;
};

// Object.fromEntries forgets its keys; they are exactly the wide metrics.
const EMPTY = Object.fromEntries(WIDE_METRICS.map((metric) => [metric, null])) as Record<WideMetric, number | null>;

/** One null per metric, each "not reported": what a reading starts from. */
export function emptyValues(): Record<WideMetric, number | null> {
  return { ...EMPTY };
}

/** The reasons of the wide metrics as one integer, 4 bits each in catalogue order (48 bits); null when nothing is missing. */
export function encodeMissing(missing: Missing): number | null {
  let code = 0;
  let place = 1;
  for (const metric of WIDE_METRICS) {
    const reason = missing[metric];
    if (reason !== undefined) code += MISSING_CODES[reason] * place;
    place *= 16;
  }
  return code === 0 ? null : code;
}

/** The inverse of `encodeMissing`; a code of a later version reads as `error`. */
export function decodeMissing(code: number | null): Partial<Record<WideMetric, MissingReason>> {
  const missing: Partial<Record<WideMetric, MissingReason>> = {};
  let rest = code ?? 0;
  for (const metric of WIDE_METRICS) {
    const digit = rest % 16;
    if (digit !== 0) missing[metric] = REASONS[digit] ?? "error";
    rest = (rest - digit) / 16;
  }
  return missing;
}

function reasonsByCode(): (MissingReason | undefined)[] {
  const reasons: (MissingReason | undefined)[] = [];
  // Object.entries widens its keys; they are exactly the reasons.
  for (const [reason, code] of Object.entries(MISSING_CODES) as [MissingReason, number][]) reasons[code] = reason;
  return reasons;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Older than this when it arrives: stored and rolled up, but no live alert judges it (alerts B18, B19). */
export const LATE_AFTER_MS = 10 * MINUTE;
/** Older than this when it arrives: refused and counted, since its rows are already sealed (alerts B19). */
export const TOO_OLD_AFTER_MS = 48 * HOUR;
/** An hour is sealed this long after its end, when nearly all of its late samples have come; later ones seal it again. */
export const SEAL_AFTER_MS = HOUR;
/** Rows stay as they came for as long as a late one may join them, so that what is derived can be derived anew. */
export const HOT_MS = TOO_OLD_AFTER_MS;
/** Further ahead than this: refused and counted (alerts B20). */
export const FUTURE_AFTER_MS = 60 * SECOND;
/** A sender's clock further off than this raises ClockSkew and marks its samples (alerts B21). */
export const SKEWED_AFTER_MS = 30 * SECOND;

/** Bits of a sample's `quality`. */
export const QUALITY = { late: 1, skewed: 2 } as const;

export type TimeVerdict = "ok" | "late" | "too_old" | "future";

/** Judges a sample's own time against the instant it arrived; a limit itself is still good. */
export function judgeTime(at: number, receivedAt: number): TimeVerdict {
  const ageMs = receivedAt - at;
  if (ageMs < -FUTURE_AFTER_MS) return "future";
  if (ageMs > TOO_OLD_AFTER_MS) return "too_old";
  return ageMs > LATE_AFTER_MS ? "late" : "ok";
}

/** How far the sender's clock is behind ours, by the request's own `sent_at` (a backlog is not skew); negative when it is ahead. */
export function clockSkewMs(sentAt: number, receivedAt: number): number {
  return receivedAt - sentAt;
}

export function isSkewed(skewMs: number): boolean {
  return Math.abs(skewMs) > SKEWED_AFTER_MS;
}

/** The quality bits of a stored sample; null when there is nothing to say. */
export function qualityOf(verdict: TimeVerdict, isSenderSkewed: boolean): number | null {
  const bits = (verdict === "late" ? QUALITY.late : 0) + (isSenderSkewed ? QUALITY.skewed : 0);
  return bits === 0 ? null : bits;
}

/** How long without a sample before a sender counts as silent (decisions, Silent). */
export function silentAfterMs(intervalMs: number): number {
  return Math.max(3 * intervalMs, 90 * SECOND);
}
