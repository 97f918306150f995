import { expect, test } from "vitest";
import { costFigure, effectFigure, moneyFigure } from "@/lib/domain/alignment/effect";
import {
  BENCHMARK_SOURCE,
  BENCHMARKS,
  hoursFigure,
  inFlightFigure,
  type Measured,
  measuredFigure,
  speedFigure as measuredSpeed,
  requestsFigure,
  tokensFigure,
} from "./benchmarks";
import { BUNDLED_QUOTES } from "./catalogue";
import { againstFigure, gpuHourFigure, nodesFigure, sinceFigure, speedFigure } from "./catalogue-figures";
import { earlyLines } from "./early-stop";
import { moveFleet } from "./elsewhere";
import { fleetSums } from "./fleet-view";
import type { Figure } from "./formula";
import { evaluated } from "./formula.testing";
import { memoryHints } from "./hints";
import { TRAINING_SPEED } from "./lambda-catalogue";
import { type ModelPlan, memoryOf } from "./memory";
import { mixOf } from "./mix";
import { moveFigure, offFigure, shareFigure } from "./mix-figures";
import type { MixLine } from "./mix-view";
import { differenceFigure, perGbFigure, perGpuFigure, sumFigure } from "./price-figures";
import { quoteView } from "./quote-view";
import { bookOn } from "./quotes";
import { hintFigure, weightsFigure } from "./sizing-figures";
import { measuredDiscounts, type SpotWork, spotAdvice } from "./spot";
import { discountFigure, interruptionsFigure } from "./spot-view";
import type { LambdaPrice } from "./workload-view";

const DAY = "2026-08-21";

/** A figure that is shown must be there, and what its formula comes to; a share is rounded as it is shown. */
function holds(figure: Figure | null | undefined, within = 0.006): void {
  if (!figure) throw new Error("no figure");
  expect(Math.abs((evaluated(figure) ?? Number.NaN) - (figure.amount ?? Number.NaN)), figure.name).toBeLessThan(within);
}

test("prices per GPU and per GB are what their formulas say, and only where there is something to divide", () => {
  const views = BUNDLED_QUOTES.map((quote) => quoteView(quote, DAY, true));
  for (const view of views) {
    const perGpu = perGpuFigure(view);
    expect(perGpu !== null).toBe(view.unit === "instance" && view.gpus > 1);
    if (perGpu) holds(perGpu, 1e-6);
    const perGb = perGbFigure(view);
    expect(perGb !== null).toBe(view.memoryGb !== null);
    if (perGb) holds(perGb, 1e-6);
  }
});

test("discounts of spot, and interruptions to expect", () => {
  const discounts = measuredDiscounts(BUNDLED_QUOTES);
  expect(discounts.length).toBeGreaterThan(2);
  for (const one of discounts) holds(discountFigure(one), 0.051);
  const work: SpotWork = {
    runs: 4,
    hoursPerRun: 12,
    gpus: 2,
    onDemandMicros: 1_290_000n,
    spotMicros: 690_000n,
    interruptionsPerDay: 2,
    checkpointMinutes: 45,
    restartMinutes: 10,
    transferMicros: 3_500_000n,
    isGuaranteed: false,
    turnaroundHours: null,
  };
  const { spot } = spotAdvice(work);
  if (!spot) throw new Error("no spot");
  holds(interruptionsFigure(work, spot));
});

test("shares of providers, their distance and what would move", () => {
  const { parts, totalMicros } = mixOf(
    { lambda: 54_960_001n, aws: 30_000_000n, gcp: 9_999_999n },
    { lambda: 60, aws: 30, gcp: 10 },
  );
  const whole = { totalMicros: totalMicros.toString(), month: "2026-10" };
  for (const { micros, moveMicros, ...part } of parts) {
    const line: MixLine = {
      ...part,
      name: part.provider,
      micros: micros?.toString() ?? null,
      moveMicros: moveMicros?.toString() ?? null,
      source: "ledger",
    };
    holds(shareFigure(line, whole), 0.051);
    holds(offFigure(line), 1e-6);
    holds(moveFigure(line, whole), 1e-5);
    expect(shareFigure({ ...line, micros: null, sharePermille: null }, whole)).toBeNull();
  }
});

test("what throughput comes to, stated and measured", () => {
  for (const one of BENCHMARKS) {
    holds(tokensFigure(one));
    holds(hoursFigure(one.model, one.tokensPerSecond, BENCHMARK_SOURCE), 1e-6);
    for (const figure of [requestsFigure(one), inFlightFigure(one)]) if (figure) holds(figure);
  }
  const measured: Measured = {
    model: "llama",
    perMillionTokens: "1234567",
    perThousandRequests: "89",
    tokens: 7_654_321,
    gpuMinutes: 1_441,
    costMicros: "1",
  };
  for (const figure of [
    measuredFigure(measured, "tokens", 30),
    measuredFigure(measured, "requests", 30),
    measuredSpeed(measured, 30),
  ])
    holds(figure);
  expect(measuredSpeed({ ...measured, tokens: null }, 30)).toBeNull();
});

test("the catalogue's figures", () => {
  for (const { gpu } of TRAINING_SPEED) holds(speedFigure(gpu, "A100"), 1e-6);
  expect(speedFigure("T4", "A100")).toBeNull();
  for (const gpus of [16, 24, 512]) holds(nodesFigure(gpus));
  const price = (over: Partial<LambdaPrice>): LambdaPrice => ({
    typeName: "gpu_8x_h100_sxm5",
    gpu: "H100 (80 GB SXM5)",
    gpus: 8,
    micros: "31920000",
    perGpuMicros: "3990000",
    asOf: DAY,
    isLive: true,
    before: { micros: "23920000", asOf: "2026-01-01", changePct: "+33.4" },
    ...over,
  });
  const base = price({ typeName: "gpu_1x_a100_sxm4", gpus: 1, micros: "1290000", perGpuMicros: "1290000" });
  holds(gpuHourFigure(price({})), 1e-6);
  holds(againstFigure(price({}), base), 1e-6);
  holds(sinceFigure(price({})), 0.051);
  expect(sinceFigure(price({ before: null }))).toBeNull();
});

test("memory that hints save, and what weights take", () => {
  const plan: ModelPlan = {
    parameters: 13e9,
    precision: "bf16",
    task: "finetune",
    batch: 8,
    context: 4_096,
    layers: 40,
    width: 5_120,
    kvPct: 100,
    rank: 16,
    checkpoints: false,
    smallOptimizer: false,
  };
  const hints = memoryHints(plan);
  expect(hints.length).toBeGreaterThan(3);
  for (const hint of hints) holds(hintFigure(hint, memoryOf(plan)));
  for (const parameters of [1e9, 7e9, 65e9]) holds(weightsFigure(parameters, "bf16"), 1e-6);
});

test("early stopping: what equal epochs save is worked out, what was promised is not", () => {
  const lines = earlyLines();
  expect(lines.map(({ saved }) => saved?.value.replaceAll(/\s/g, " ") ?? null)).toEqual([null, "50 %", null, "80 %"]);
  for (const { saved, figure } of lines) {
    holds(figure);
    if (saved) holds(saved);
  }
});

test("sums and differences of a fleet elsewhere", () => {
  const use = { typeName: "gpu_1x_gh200", gpu: "GH200", gpus: 1, memoryGb: 96, minutes: 1_441, micros: 54_998_167n };
  const moved = moveFleet([use, { ...use, typeName: "other", gpu: "unknown" }], bookOn(BUNDLED_QUOTES, DAY), null);
  const { compared, elsewhere } = fleetSums(moved);
  holds(compared, 1e-6);
  holds(elsewhere, 1e-6);
  expect(compared.numbers).toHaveLength(1);
  holds(sumFigure("Nothing", "0", []));
  holds(differenceFigure("One", { name: "a", micros: -5n }, { name: "b", micros: 7n }));
});

test("effects of what is not as declared: a price, a machine that is missing, one too many", () => {
  const group = { count: 3, present: 3, pricePerHourMicros: "2490000" };
  const price = effectFigure({ fact: "price", monthMicros: String(-200_000n * 3n * 720n), machines: 3 }, group, 720);
  holds(price, 1e-6);
  expect(price?.value).toBe("−$432.00");
  const missing = effectFigure(
    { fact: "machines", monthMicros: String(-2_490_000n * 730n), machines: 1 },
    { ...group, present: 2 },
    730,
  );
  holds(missing, 1e-6);
  expect(missing?.value).toBe("−$1,817.70");
  holds(effectFigure({ fact: "undeclared", monthMicros: String(2_290_000n * 720n), machines: 1 }, null, 720), 1e-6);
  expect(effectFigure({ fact: "model", monthMicros: null, machines: 3 }, group, 720)).toBeNull();
  holds(costFigure("Declared", 3, "2490000", 24), 1e-6);
  const totals = { observedMicros: "4946400000", declaredMicros: "5378400000", differenceMicros: "-432000000" };
  const money = moneyFigure({
    declared: { version: 1, at: 0, by: "", note: "", fleet: "", hoursPerMonth: 720, undeclared: "report" },
    totals: {
      ...totals,
      machines: 3,
      declaredMachines: 3,
      gpus: 3,
      reportingGpus: 3,
      declaredGb: 423,
      reportedGb: 288,
      memoryGb: -135,
      poolsGb: 0,
      unpriced: 0,
    },
  });
  holds(money, 1e-6);
  expect(money.value).toBe("−$432.00");
});
