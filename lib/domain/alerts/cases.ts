import { z } from "zod";
import { parseSeriesNotation } from "@/lib/domain/prometheus/series-notation";
import { type TakenExpr, takeExpression } from "@/lib/domain/prometheus/take";
import { evaluate } from "./evaluate";
import { PRODUCT_SEMANTICS, PROMETHEUS_2_42, readingAt } from "./semantics";
import { type AlertState, NO_FLAPS, type Reading } from "./types";

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

/**
 * Judges every trace of a file under the profile of Prometheus 2.42, or under the product's own semantics with the file's step as
 * the sender's interval. Throws a ZodError where it is not such a file.
 */
export function checkTraces(
  file: unknown,
  profile: "prometheus-2.42" | "product" = "prometheus-2.42",
): { traces: number; states: number; differences: TraceDifference[] } {
  const { step_seconds, lookback_seconds, expr, rules, cases } = TraceFile.parse(file);
  const { over, on, comparison, threshold } = parseExpression(expr);
  const stepMs = step_seconds * 1000;
  const semantics = profile === "product" ? PRODUCT_SEMANTICS(stepMs) : PROMETHEUS_2_42(lookback_seconds * 1000);
  const differences: TraceDifference[] = [];
  let states = 0;
  cases.forEach(({ trace, states: expected }, index) => {
    const { samples } = parseSeriesNotation("m", trace.join(" "), stepMs);
    const readings = trace.map((_, step) => {
      const reading = readingAt(samples, step * stepMs, semantics, over);
      if (on === "value") return reading;
      return reading.value === null ? { value: 1, at: step * stepMs } : NOT_ABSENT;
    });
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
          reading: readings[step] ?? NOT_ABSENT,
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
  return { traces: cases.length * rules.length, states, differences };
}

const NOT_ABSENT: Reading = { value: null, at: null, reason: "series_ended" };

/** Prometheus shows an alert that is kept firing as firing. */
export function prometheusState(state: AlertState | null): PrometheusState {
  if (state === null) return "inactive";
  return state.status === "pending" ? "pending" : "firing";
}

/** "m > 85"; throws where it is more than one series and one number. */
function parseExpression(expr: string): TakenExpr {
  const taking = takeExpression(expr);
  if ("taken" in taking) return taking.taken;
  throw new RangeError(`Not a plain threshold: ${expr} (${taking.why})`);
}
