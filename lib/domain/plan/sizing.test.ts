import { describe, expect, test } from "vitest";
import { BUNDLED_QUOTES } from "./catalogue";
import { evaluated } from "./formula.testing";
import { PLAN_GPUS, planGpu } from "./gpus";
import { batchHint, memoryHints } from "./hints";
import { fitOn, PARTS, PRECISIONS, TASKS } from "./memory";
import { bookOn } from "./quotes";
import { bestGpu, gpuOf, offersFor, planOf, SizingQuestion, sizedGpus } from "./sizing";
import { offerFigure, parametersText, partFigure, totalFigure, usedFigure } from "./sizing-figures";
import { BATCH_REQUESTS_PER_HOUR, shareOfRate, WORKLOAD_TYPES } from "./workload-types";
import { priceRanges } from "./workload-view";

const DAY = "2026-08-21";
const BOOK = bookOn(BUNDLED_QUOTES, DAY);

test("what cannot be read in the address is as if it were not said", () => {
  expect(
    SizingQuestion.parse({ params: "x", batch: "-1", task: "baking", layers: "none", gpu: "abacus" }),
  ).toMatchObject({
    params: 13,
    batch: 8,
    task: "inference",
    layers: undefined,
    gpu: undefined,
  });
  expect(planOf(SizingQuestion.parse({ params: "7", checkpoints: "false" }))).toMatchObject({
    parameters: 7e9,
    layers: 33,
    width: 4_224,
    checkpoints: false,
  });
});

describe("offers", () => {
  const gh200 = gpuOf("gh200");
  test("Lambda's GH200 is $2.29 for an hour and $1,671.70 for a month", () => {
    const [lambda] = offersFor(gh200, 1, BOOK, DAY).filter(({ provider }) => provider === "lambda");
    expect(lambda).toMatchObject({
      typeName: "gpu_1x_gh200",
      hourMicros: "2290000",
      monthMicros: "1671700000",
      machines: 1,
    });
    expect(lambda?.remarks.join()).toContain("ARM64");
  });

  test("spot, medians, GPU-only parts and rejected prices are no offers", () => {
    for (const gpu of PLAN_GPUS)
      for (const offer of offersFor(gpu, 1, BOOK, DAY)) {
        expect(["spot", "median", "reserved_1y", "reserved_3y"]).not.toContain(offer.tier);
        expect(offer.unit).not.toBe("gpu_component");
        expect(offer.state).not.toBe("rejected");
      }
  });

  test.each(PLAN_GPUS.map(({ key }) => key))(
    "%s: machines hold the GPUs, money adds up, more GPUs never cost less",
    (key) => {
      const gpu = gpuOf(key);
      let before: bigint | null = null;
      for (const gpus of [1, 2, 4, 8, 16, 32]) {
        const offers = offersFor(gpu, gpus, BOOK, DAY);
        for (const offer of offers) {
          expect(offer.machines * offer.gpusEach).toBe(gpus + offer.spareGpus);
          expect(BigInt(offer.hourMicros)).toBe(BigInt(offer.priceMicros) * BigInt(offer.machines));
          expect(BigInt(offer.monthMicros)).toBe(BigInt(offer.hourMicros) * 730n);
          for (const every of ["hour", "month"] as const) {
            const figure = offerFigure(offer, every);
            expect(evaluated(figure)).toBeCloseTo(figure.amount ?? Number.NaN, 4);
          }
        }
        const cheapest = offers.map(({ hourMicros }) => BigInt(hourMicros)).sort((a, b) => (a < b ? -1 : 1))[0] ?? null;
        if (before !== null && cheapest !== null) expect(cheapest >= before).toBe(true);
        before = cheapest;
      }
    },
  );

  test("what one machine holds goes before what is spread over several", () => {
    const offers = offersFor(gpuOf("a100-40"), 8, BOOK, DAY);
    const spread = offers.map(({ isSpread }) => isSpread);
    expect(spread).toEqual([...spread].sort());
  });
});

describe("the calculator", () => {
  test("finds the cheapest that fits, Lambda's where there is one", () => {
    const best = bestGpu(sizedGpus(planOf(SizingQuestion.parse({ params: 13 })), BOOK, DAY));
    expect(best?.offer.provider).toBe("lambda");
    expect(best?.gpu.fit.state).toBe("good");
    expect(bestGpu([])).toBeNull();
  });

  test("a card that is too small says so, and warns of what it cannot", () => {
    const sized = sizedGpus(planOf(SizingQuestion.parse({ params: 3_000, task: "training", batch: 4_096 })), BOOK, DAY);
    expect(sized.find(({ key }) => key === "t4")).toMatchObject({ fit: { gpus: null, state: "none" }, lambda: null });
    expect(sized.find(({ key }) => key === "v100-16")?.remarks).toContain("no BF16: FP16 only");
    expect(sized.find(({ key }) => key === "gh200")?.remarks).toContain("ARM64");
  });

  test("a price list's card is found by model, size and board", () => {
    expect(planGpu({ model: "A100", board: "SXM" }, 80)?.key).toBe("a100-80");
    expect(planGpu({ model: "H100", board: "SXM" }, 80)?.key).toBe("h100-sxm");
    expect(planGpu({ model: "H100", board: null }, 80)).toBeNull();
    expect(planGpu({ model: "A100", board: null }, null)).toBeNull();
    expect(planGpu({ model: "GH200", board: null }, null)?.key).toBe("gh200");
  });
});

test.each(TASKS.flatMap((task) => PRECISIONS.map((precision) => [task, precision] as const)))(
  "every figure of %s in %s is what its formula says",
  (task, precision) => {
    const plan = planOf(
      SizingQuestion.parse({ params: 6.7, task, precision, kv: 25, checkpoints: "false", context: 3_000, batch: 5 }),
    );
    for (const part of PARTS) {
      const figure = partFigure(plan, part);
      if (figure) expect(evaluated(figure)).toBeCloseTo(figure.amount ?? Number.NaN, 6);
    }
    expect(evaluated(totalFigure(plan))).toBeCloseTo(totalFigure(plan).amount ?? Number.NaN, 6);
    const gpu = gpuOf("gh200");
    const { gpus } = fitOn(plan, gpu.reportedMib);
    const used = usedFigure(plan, gpu, gpus ?? 1);
    expect(evaluated(used)).toBeCloseTo(used.amount ?? Number.NaN, 6);
  },
);

describe("hints", () => {
  test("only what saves something is named, the most first", () => {
    const hints = memoryHints(planOf(SizingQuestion.parse({ params: 7, task: "finetune", checkpoints: "false" })));
    const saved = hints.map(({ savedBytes }) => savedBytes);
    expect(saved).toEqual([...saved].sort((a, b) => b - a));
    expect(hints.map(({ what }) => what)).toContain("Fine-tune with LoRA");
    expect(memoryHints(planOf(SizingQuestion.parse({ params: 7 }))).map(({ what }) => what)).not.toContain(
      "Fine-tune with LoRA",
    );
  });

  test.each([
    [3, null],
    [4, 8],
    [10, 16],
    [24, 64],
    [96, 64],
  ])("%d GB: batches from %d", (memoryGb, from) => {
    expect(batchHint(memoryGb)?.from ?? null).toBe(from);
  });
});

describe("kinds of work", () => {
  test("six kinds, each with an example that some card holds", () => {
    expect(WORKLOAD_TYPES).toHaveLength(6);
    for (const { example } of WORKLOAD_TYPES) expect(bestGpu(sizedGpus(example.plan, BOOK, DAY))).not.toBeNull();
  });

  test("10,000 requests an hour are 2.78 a second: 1.9 % of a T4 that manages 150", () => {
    const { perSecond, pct } = shareOfRate(BATCH_REQUESTS_PER_HOUR, 150);
    expect(perSecond).toBeCloseTo(2.78, 2);
    expect(pct).toBeCloseTo(1.9, 1);
  });

  test("the range of a price runs from its lowest to its highest, spot apart", () => {
    const ranges = priceRanges(BOOK, DAY);
    expect(ranges).toHaveLength(PLAN_GPUS.length);
    for (const { low, high, offers } of ranges)
      expect(offers === 0 ? low : BigInt(low?.perGpuMicros ?? 0) <= BigInt(high?.perGpuMicros ?? 0)).toBe(
        offers === 0 ? null : true,
      );
    expect(ranges.find(({ gpu }) => gpu === "gh200")).toMatchObject({
      lambda: { perGpuMicros: "2290000" },
      low: { provider: "vultr" },
      spot: { perGpuMicros: "1880000" },
    });
  });
});

test.each([
  [13e9, "13B"],
  [124e6, "0.124B"],
  [1.2e6, "1.2M"],
])("%d parameters are written %s", (parameters, text) => {
  expect(parametersText(parameters)).toBe(text);
});
