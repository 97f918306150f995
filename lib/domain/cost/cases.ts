import { z } from "zod";
import { meteringKinds } from "./case-metering";
import { moneyKinds } from "./case-money";
import { outlookKinds } from "./case-outlook";
import { planKinds } from "./case-plan";

const CostCase = z.object({
  id: z.string().max(40),
  kind: z.string().max(60),
  title: z.string().default(""),
  given: z.record(z.string(), z.unknown()),
  expected: z.record(z.string(), z.unknown()),
});

const CostCaseFile = z.object({ cases: z.array(CostCase).max(100_000) });
export type CostCase = z.output<typeof CostCase>;

export type CaseResult = {
  id: string;
  kind: string;
  title: string;
  /** `unknown_kind`: a calculation that this product does not have. */
  result: "passed" | "failed" | "unknown_kind";
  /** One line per figure that differs: where, what was expected, what came out. */
  differences: string[];
};

/** The cases of a file of worked cost cases. Throws a ZodError where it is not one. */
export function parseCostCases(file: unknown): CostCase[] {
  return CostCaseFile.parse(file).cases;
}

const calculators = { ...meteringKinds, ...outlookKinds, ...moneyKinds, ...planKinds };

export const KNOWN_KINDS: readonly string[] = Object.keys(calculators);

/** Calculates one case by its kind and compares every expected figure, to the micro-dollar. */
export function checkCase({ id, kind, title, given, expected }: CostCase): CaseResult {
  const calculate = Object.hasOwn(calculators, kind) ? calculators[kind] : undefined;
  if (!calculate) return { id, kind, title, result: "unknown_kind", differences: [] };
  const differences = compare(
    expected,
    attempt(() => calculate(given, expected)),
    "",
  );
  return { id, kind, title, result: differences.length === 0 ? "passed" : "failed", differences };
}

function attempt(calculate: () => unknown): unknown {
  try {
    return calculate();
  } catch (error) {
    // A case that cannot be calculated differs in every figure; the reason stands where the figures would.
    return error instanceof Error ? error.message : String(error);
  }
}

/** `stated_*` quotes a requirement and is calculated by nobody. */
function isQuoted(key: string): boolean {
  return key.startsWith("stated_");
}

function compare(expected: unknown, actual: unknown, path: string): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [difference(expected, actual, path)];
    return expected.flatMap((one, i) => compare(one, actual[i], `${path}[${i}]`));
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return [difference(expected, actual, path)];
    return Object.keys(expected)
      .filter((key) => !isQuoted(key))
      .flatMap((key) => compare(expected[key], actual[key], path === "" ? key : `${path}.${key}`));
  }
  return isSame(expected, actual) ? [] : [difference(expected, actual, path)];
}

/** Numbers are the same by their value, however many zeros are written; what there is no figure for may be written "n/a". */
function isSame(expected: unknown, actual: unknown): boolean {
  if (actual === null) return expected === null || expected === "n/a";
  if (typeof actual === "bigint") return String(actual) === String(expected);
  if (typeof actual === "string" && typeof expected === "string") return plain(actual) === plain(expected);
  return actual === expected;
}

function plain(text: string): string {
  if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return text;
  const bare = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return /^[+-]?0+$/.test(bare) ? "0" : bare;
}

function difference(expected: unknown, actual: unknown, path: string): string {
  return `${path || "all"}: expected ${text(expected)}, got ${text(actual)}`;
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, v: unknown) => (typeof v === "bigint" ? String(v) : v)) ?? "nothing";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
