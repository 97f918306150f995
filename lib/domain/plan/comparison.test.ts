import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { formatUsd } from "@/lib/domain/format";
import { BUNDLED_QUOTES } from "./catalogue";
import { compareNeed, dollarsText, type Need, type Offer } from "./comparison";
import { likeOffer, moveFleet } from "./elsewhere";
import { bookOn, type Quote, usdText } from "./quotes";
import { quoteOf } from "./quotes.testing";

const d = parseDecimal;

function need(given: Partial<Need> = {}): Need {
  return {
    model: "A100",
    memoryGb: 40,
    board: null,
    gpus: 1,
    hours: d("12"),
    firmness: "firm",
    storageGib: d("0"),
    egressGb: d("0"),
    storageMicrosPerGibMonth: null,
    egressMicrosPerGb: null,
    lambdaStorageMicros: 200_000n,
    ...given,
  };
}

describe("the job of the provisioning review: 12 hours on an A100, prices of 30 October 2025", () => {
  const book = bookOn(BUNDLED_QUOTES, "2025-10-30").filter(({ source }) => source === "Provisioning guide review");
  const { offers, base } = compareNeed(book, need(), "2025-10-30");
  const of = (provider: string, usd: string): Offer => {
    const found = offers.find(({ quote }) => quote.provider === provider && usdText(quote.micros) === usd);
    if (!found) throw new Error(`${provider} ${usd}`);
    return found;
  };

  test.each([
    ["S1-01", "lambda", "$1.29", "$15.48", null],
    ["S1-02", "thunder-compute", "$0.66", "$7.92", "-48.8"],
    ["S1-03", "tensordock", "$0.75", "$9.00", "-41.9"],
    ["S1-04", "tensordock", "$1.80", "$21.60", "+39.5"],
    ["S1-05", "runpod", "$1.74", "$20.88", "+34.9"],
    ["S1-06", "runpod", "$1.19", "$14.28", "-7.8"],
    ["S1-07, S1-08: not $4.14", "runpod", "$0.69", "$8.28", "-46.5"],
    ["S1-09", "aws", "$3.02", "$36.24", "+134.1"],
    ["S1-10", "gcp", "$3.67", "$44.04", "+184.5"],
    ["S1-11", "azure", "$3.40", "$40.80", "+163.6"],
  ])("%s: %s at %s an hour is %s", (_, provider, usd, total, priceAlonePct) => {
    const offer = of(provider, usd);
    expect(formatUsd(offer.totalMicros)).toBe(total);
    expect(offer.priceAlonePct).toBe(priceAlonePct);
  });

  test("S1-01: a difference is drawn only for the same memory; otherwise dollars per GB and hour are said", () => {
    expect(base?.quote.provider).toBe("lambda");
    expect(of("gcp", "$3.67")).toMatchObject({ likeness: "like", against: { micros: 28_560_000n, pct: "+184.5" } });
    expect(of("azure", "$3.40")).toMatchObject({ likeness: "other", against: null, perGbHourMicros: 42_500n });
    expect(of("thunder-compute", "$0.66")).toMatchObject({ likeness: "other", against: null, perGbHourMicros: null });
    expect(of("thunder-compute", "$0.66").remarks).toContain("size of memory not stated");
  });

  test("S1-03, S1-08: rejected prices and spot are shown and not compared", () => {
    expect(of("tensordock", "$0.75")).toMatchObject({ likeness: "none", against: null });
    expect(of("tensordock", "$0.75").remarks[0]).toMatch(/^rejected/);
    expect(of("runpod", "$0.69")).toMatchObject({ likeness: "none", against: null });
    expect(offers.at(-1)?.quote.status).toBe("rejected");
  });
});

describe("like with like", () => {
  const day = "2026-11-20";
  const lambda = quoteOf({
    provider: "lambda",
    typeName: "gpu_1x_a100_sxm4",
    gpu: "A100 SXM4",
    gpuMemoryGb: 40,
    micros: 1_990_000n,
    origin: "live",
  });
  const p4d = quoteOf({
    provider: "aws",
    typeName: "p4d.24xlarge",
    gpu: "A100",
    gpus: 8,
    gpuMemoryGb: 40,
    micros: 21_957_600n,
  });
  const one = (quote: Quote, given: Partial<Need> = {}) =>
    compareNeed([lambda, quote], need(given), day).offers.find((offer) => offer.quote === quote);

  test("a machine of eight for a job of one: the share is compared, the whole is said", () => {
    const offer = one(p4d);
    expect(offer && dollarsText(offer.perGpuHour, 3)).toBe("2.745");
    expect(offer).toMatchObject({ likeness: "like", totalMicros: 32_936_400n, wholeMicros: 263_491_200n });
    expect(offer?.remarks).toContain("sold by 8");
    expect(one(p4d, { gpus: 8 })?.wholeMicros).toBeNull();
    expect(one(p4d, { gpus: 9 })?.wholeMicros).toBe(526_982_400n);
  });

  test.each([
    ["the GPU alone", { unit: "gpu_component" }, "none"],
    ["spot", { tier: "spot" }, "none"],
    ["a median", { tier: "median" }, "none"],
    ["reserved for a year", { tier: "reserved_1y" }, "none"],
    ["twice the memory", { gpuMemoryGb: 80 }, "other"],
    ["memory not stated", { gpuMemoryGb: null }, "other"],
    ["community cloud", { tier: "community" }, "like"],
    ["per GPU", { unit: "gpu", gpus: 1 }, "like"],
  ] as const)("%s", (_, given, likeness) => {
    const offer = one({ ...p4d, ...given });
    expect(offer?.likeness).toBe(likeness);
    expect(offer?.against === null).toBe(likeness !== "like");
  });

  test("asked for spot, on-demand prices are the ones that are not compared (S1-25: Lambda has no spot)", () => {
    const spot = quoteOf({ ...p4d, tier: "spot", micros: 9_830_000n });
    const { base, offers } = compareNeed([lambda, p4d, spot], need({ firmness: "interruptible" }), day);
    expect(base).toBeNull();
    expect(offers.map(({ quote, likeness }) => [quote.tier, likeness])).toEqual([
      ["spot", "like"],
      ["on_demand", "none"],
      ["on_demand", "none"],
    ]);
  });

  test("another board is another thing only where a board is asked for", () => {
    const pcie = { ...p4d, gpu: "A100 PCIe" };
    expect(one(pcie)?.likeness).toBe("like");
    expect(one(pcie, { board: "SXM" })?.likeness).toBe("other");
    expect(one(p4d, { board: "SXM" })?.likeness).toBe("like");
  });

  test("ARM64 is said", () => {
    const gh200 = compareNeed([quoteOf()], need({ model: "GH200", memoryGb: 96 }), day).offers[0];
    expect(gh200?.remarks).toContain("ARM64");
  });

  test("S1-16: 50 GiB for 12 hours are $0.1667, beside the totals unless storage elsewhere has a price", () => {
    const given = { storageGib: d("50") };
    const without = compareNeed([lambda, p4d], need(given), day);
    expect(without.lambdaStorageMicros).toBe(166_667n);
    expect(without.base?.totalMicros).toBe(23_880_000n);
    expect(without.isStorageCompared).toBe(false);
    const compared = compareNeed(
      [lambda, p4d],
      need({ ...given, storageMicrosPerGibMonth: 100_000n, egressGb: d("10"), egressMicrosPerGb: 90_000n }),
      day,
    );
    expect(compared.base?.totalMicros).toBe(24_046_667n);
    expect(compared.offers[1]?.totalMicros).toBe(32_936_400n + 83_333n + 900_000n);
  });
});

describe("any book", () => {
  const quote = fc
    .record({
      provider: fc.constantFrom("lambda", "aws", "gcp"),
      tier: fc.constantFrom("on_demand", "spot", "median", "community"),
      unit: fc.constantFrom("instance", "gpu", "gpu_component"),
      gpu: fc.constantFrom("A100", "A100 PCIe", "A100 SXM4", "H100"),
      gpus: fc.integer({ min: 1, max: 8 }),
      gpuMemoryGb: fc.constantFrom(40, 80, null),
      micros: fc.bigInt({ min: 1n, max: 100_000_000n }),
      status: fc.constantFrom("claimed", "confirmed", "rejected"),
    })
    .map((given) => quoteOf({ ...given, typeName: `${given.gpu} ${given.gpus}` }));
  const asked = fc.record({
    gpus: fc.integer({ min: 1, max: 16 }),
    hours: fc.integer({ min: 0, max: 1_000 }).map((h) => d(String(h))),
  });

  test("differences are those of the totals, and only like offers have one; more hours or GPUs never cost less", () => {
    fc.assert(
      fc.property(fc.array(quote, { maxLength: 12 }), asked, (quotes, given) => {
        const { base, offers } = compareNeed(quotes, need(given), "2026-11-20");
        const more = compareNeed(
          quotes,
          need({ gpus: given.gpus, hours: { ...given.hours, numerator: given.hours.numerator + 1n } }),
          "2026-11-20",
        );
        for (const offer of offers) {
          expect(offer.totalMicros).toBeGreaterThanOrEqual(0n);
          expect(offer.against === null).toBe(base === null || offer === base || offer.likeness !== "like");
          if (offer.against && base) expect(offer.against.micros).toBe(offer.totalMicros - base.totalMicros);
          const longer = more.offers.find((one) => one.quote === offer.quote);
          expect(longer?.totalMicros).toBeGreaterThanOrEqual(offer.totalMicros);
          if (offer.likeness === "like") expect(offer.quote.gpuMemoryGb).toBe(40);
        }
        expect(base === null || base.quote.provider === "lambda").toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("last month's fleet elsewhere", () => {
  const book = bookOn(BUNDLED_QUOTES, "2026-11-20");
  const gh200 = {
    typeName: "gpu_1x_gh200",
    gpu: "GH200",
    gpus: 1,
    memoryGb: 96,
    minutes: 121_920,
    micros: 4_653_280_000n,
  };

  test("S4-04: the cheapest like offer: never spot, a median, the GPU alone, another size, or a rejected price", () => {
    expect(likeOffer(book, gh200, null)).toMatchObject({ provider: "vultr", micros: 1_990_000n });
    expect(likeOffer(book, { gpu: "A100 (40 GB SXM4)", memoryGb: 40 }, null)).toMatchObject({
      provider: "verda",
      tier: "on_demand",
    });
    expect(likeOffer(book, { gpu: "A100 (40 GB SXM4)", memoryGb: 40 }, "aws")).toMatchObject({
      typeName: "p4d.24xlarge",
    });
    expect(likeOffer(book, gh200, "aws")).toBeNull();
    expect(likeOffer(book, { gpu: "GH200", memoryGb: null }, null)).toBeNull();
  });

  test("hours are those of the ledger; what has no like offer is in no sum", () => {
    const moved = moveFleet([gh200, { ...gh200, gpu: "A10", memoryGb: 24, minutes: 121_920 }], book, null);
    expect(moved.rows[0]).toMatchObject({ elsewhereMicros: 4_043_680_000n, changeMicros: -609_600_000n });
    expect(moved.rows[1]).toMatchObject({ offer: null, elsewhereMicros: null, changeMicros: null });
    expect(moved).toMatchObject({
      comparedMicros: 4_653_280_000n,
      elsewhereMicros: 4_043_680_000n,
      changeMicros: -609_600_000n,
      coveredPct: "50",
    });
  });

  test("the sum is that of its rows, whatever the fleet", () => {
    const use = fc.record({
      minutes: fc.integer({ min: 0, max: 100_000 }),
      gpus: fc.integer({ min: 1, max: 8 }),
      micros: fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n })),
      gpu: fc.constantFrom("GH200", "A10"),
      memoryGb: fc.constantFrom(96, 24, null),
    });
    fc.assert(
      fc.property(fc.array(use, { maxLength: 8 }), (uses) => {
        const moved = moveFleet(
          uses.map((one) => ({ ...one, typeName: "t" })),
          book,
          null,
        );
        const sum = moved.rows.reduce((total, { changeMicros }) => total + (changeMicros ?? 0n), 0n);
        expect(moved.changeMicros).toBe(sum);
        expect(moved.rows).toHaveLength(uses.length);
      }),
      { numRuns: 100 },
    );
  });
});
