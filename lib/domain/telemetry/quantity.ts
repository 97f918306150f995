import { UNITS, type Unit } from "./catalogue";
import type { MissingReason } from "./sample";

/** A number, or why there is none. */
export type Quantity = { value: number; missing: null } | { value: null; missing: MissingReason };

/** nvidia-smi's words for "no number", without their brackets and in lower case. */
const WORDS: Readonly<Record<string, MissingReason>> = {
  "": "not_reported",
  "-": "not_applicable",
  "n/a": "not_applicable",
  none: "not_applicable",
  "not supported": "not_supported",
  "unknown error": "unknown_error",
  "requested functionality has been deprecated": "deprecated",
  "function not found": "function_not_found",
  "err!": "error",
  "gpu is lost": "gpu_lost",
  "insufficient permissions": "no_permission",
};

// DCGM's blanks of int32, fp64 and int64, which reach other tools as numbers (dcgm_structs.h).
const BLANK_INT32 = 2_147_483_632;
const BLANK_INT32_END = 2_147_483_647;
const BLANK_FP64 = 140_737_488_355_328;

const NUMBER = /^(-?\d{1,40}(?:\.\d{1,20})?)(?:\s*([^\d\s.]\S{0,7}))?$/;
const HEX = /^0x([0-9a-f]{1,16})$/i;

/** Why a cell holds no value, by nvidia-smi's word for it; null when it is no such word. */
export function missingWord(text: string): MissingReason | null {
  const trimmed = text.trim();
  const isBracketed = trimmed.startsWith("[") && trimmed.endsWith("]");
  const word = (isBracketed ? trimmed.slice(1, -1).trim() : trimmed).toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
  return isBracketed ? "error" : null;
}

/**
 * One number as nvidia-smi prints it, with its unit or bare. Strict: nothing but digits, a sign, a point and the expected
 * unit (or 0x and hex digits for a bit mask); anything else is missing, with the reason.
 */
export function parseQuantity(text: string, unit: Unit, min: number, max: number): Quantity {
  const trimmed = text.slice(0, 200).trim();
  const missing = missingWord(trimmed);
  if (missing !== null) return { value: null, missing };

  const value = unit === "bits" ? hex(trimmed) : decimal(trimmed, unit);
  if (value === null) return { value: null, missing: "malformed" };
  return judgeNumber(value, min, max);
}

/** A number that reached us as one: not a blank of DCGM, and within its range. */
export function judgeNumber(value: number, min: number, max: number): Quantity {
  if (Number.isNaN(value)) return { value: null, missing: "malformed" };
  if (Number.isFinite(value) && isBlank(value)) return { value: null, missing: "sentinel" };
  if (value < min || value > max) return { value: null, missing: "out_of_range" };
  return { value: value === 0 ? 0 : value, missing: null };
}

/** Whether a number is one of DCGM's marks for "no value". */
export function isBlank(value: number): boolean {
  return value >= BLANK_FP64 || (value >= BLANK_INT32 && value <= BLANK_INT32_END && Number.isInteger(value));
}
function hex(text: string): number | null {
  const digits = HEX.exec(text)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

function decimal(text: string, unit: Unit): number | null {
  const [, digits, written] = NUMBER.exec(text) ?? [];
  if (digits === undefined) return null;
  if (written !== undefined && !UNITS[unit].written.some((spelling) => spelling === written)) return null;
  return Number(digits);
}
