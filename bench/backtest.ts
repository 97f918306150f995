import { runHistory } from "@/lib/domain/alerts/backtest-run";
import { NO_FACTS } from "@/lib/domain/alerts/gpu-values";
import { historyTrack } from "@/lib/domain/alerts/history";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import type { AlertCondition } from "@/lib/domain/alerts/types";
import { type Bars, median } from "./ground";

const STEP_MS = 10_000;
const DAYS = 30;
const GPUS = 100;
const ROUNDS = 3;

/** A draft of a rule over 30 days of 100 GPUs, every 10 s: the judging alone, without reading the samples. */
export function benchBacktest(bars: Bars): void {
  const size = (DAYS * 86_400_000) / STEP_MS;
  console.log(`\nBacktest: ${GPUS} GPUs over ${DAYS} days, ${(GPUS * size).toLocaleString("en")} samples`);
  const at = Float64Array.from({ length: size }, (_, i) => i * STEP_MS);
  const temperatureC = Float64Array.from({ length: size }, (_, i) =>
    Math.fround(70 + 12 * Math.sin(i / 900) + 2 * Math.sin(i / 7)),
  );
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (let gpu = 0; gpu < GPUS; gpu++) {
      runHistory({
        condition: hotter(78 + gpu / 50),
        semantics: PRODUCT_SEMANTICS(STEP_MS),
        track: historyTrack("temperatureC", 88, NO_FACTS, at, { temperatureC }),
        over: { of: "last", windowMs: 0 },
        from: 0,
        to: size * STEP_MS,
        goneAt: null,
      });
    }
    took.push(performance.now() - began);
  }
  bars.atMost("judging 30 days of 100 GPUs", median(took), 2_000, "ms");
}

function hotter(threshold: number): AlertCondition {
  return {
    comparison: "above",
    threshold,
    clearThreshold: null,
    forMs: 300_000,
    keepFiringMs: 0,
    intervalMs: 30_000,
    noData: "unknown",
    silenceToleranceMs: 0,
  };
}
