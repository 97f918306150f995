import { z } from "zod";
import { evaluate } from "./evaluate";
import { PROMETHEUS_2_42, readingAt } from "./semantics";
import { type AlertState, type Comparison, NO_FLAPS, type Sample } from "./types";

const STATES = ["inactive", "pending", "firing"] as const;
type PrometheusState = (typeof STATES)[number];

/** A file of recorded traces: one value token per step, and the state of each rule after each evaluation. */
const TraceFile = z.object({
  step_seconds: z.number().positive(),
  lookback_seconds: z.number().positive(),
  expr: z.string().max(200),
  rules: z.array(z.object({ name: z.string(), for: z.number().min(0), keep_firing_for: z.number().min(0) })).max(1_000),
  cases: z
    .array(
      z.object({
        trace: z.array(z.string().max(40)).max(100_000),
        states: z.record(z.string(), z.array(z.enum(STATES))),
      }),
    )
    .max(100_000),
});

export type TraceDifference = {
  case: number;
  rule: string;
  step: number;
  expected: PrometheusState | null;
  actual: PrometheusState | null;
};

/** Judges every trace of a file under the profile of Prometheus 2.42. Throws a ZodError where it is not such a file. */
export function checkTraces(file: unknown): { states: number; differences: TraceDifference[] } {
  const { step_seconds, lookback_seconds, expr, rules, cases } = TraceFile.parse(file);
  const { comparison, threshold } = parseExpression(expr);
  const stepMs = step_seconds * 1000;
  const semantics = PROMETHEUS_2_42(lookback_seconds * 1000);
  const differences: TraceDifference[] = [];
  let states = 0;
  cases.forEach(({ trace, states: expected }, index) => {
    const samples = trace.flatMap((token, step) => sampleOf(token, step * stepMs));
    for (const rule of rules) {
      const wanted = expected[rule.name] ?? [];
      const condition = {
        comparison,
        threshold,
        clearThreshold: null,
        forMs: rule.for * 1000,
        keepFiringMs: rule.keep_firing_for * 1000,
        intervalMs: stepMs,
        noData: "unknown" as const,
        silenceToleranceMs: 0,
      };
      let state: AlertState | null = null;
      for (let step = 0; step < Math.max(trace.length, wanted.length); step++) {
        const slot = step * stepMs;
        state = evaluate({
          condition,
          ruleVersion: 1,
          semantics,
          state,
          history: NO_FLAPS,
          reading: readingAt(samples, slot, semantics),
          slot,
          previousSlot: step === 0 ? null : slot - stepMs,
          isGone: false,
        }).state;
        const actual = step < trace.length ? prometheusState(state) : null;
        states++;
        if (actual !== (wanted[step] ?? null)) {
          differences.push({ case: index, rule: rule.name, step, expected: wanted[step] ?? null, actual });
        }
      }
    }
  });
  return { states, differences };
}

/** Prometheus shows an alert that is kept firing as firing. */
export function prometheusState(state: AlertState | null): PrometheusState {
  if (state === null) return "inactive";
  return state.status === "pending" ? "pending" : "firing";
}

const OPERATORS: Record<string, Comparison> = { ">": "above", ">=": "at_least", "<": "below", "<=": "at_most" };

/** "m > 85"; throws where it is anything but one series against one number. */
function parseExpression(expr: string): { comparison: Comparison; threshold: number } {
  const match = /^\s*[a-z_]\w*\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)\s*$/i.exec(expr);
  const comparison = OPERATORS[match?.[1] ?? ""];
  if (!comparison) throw new RangeError(`Not a plain threshold: ${expr}`);
  return { comparison, threshold: Number(match?.[2]) };
}

const WORDS: Record<string, number | null> = {
  stale: null,
  NaN: Number.NaN,
  Inf: Number.POSITIVE_INFINITY,
  "+Inf": Number.POSITIVE_INFINITY,
  "-Inf": Number.NEGATIVE_INFINITY,
};

/** `_` is a step without a sample. */
function sampleOf(token: string, at: number): Sample[] {
  if (token === "_") return [];
  const word = WORDS[token];
  if (word !== undefined) return [{ at, value: word }];
  if (!/^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(token)) throw new RangeError(`Not a value: ${token}`);
  return [{ at, value: Number(token) }];
}
