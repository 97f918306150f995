import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import { ledgerLines } from "./meter";
import { type BookPrice, billedPrices, clipped, type PriceSource, type PriceTier } from "./price-book";
import { inForce } from "./rows";

const price = (
  priceId: number,
  dollars: number,
  from: number | null,
  to: number | null,
  tier: PriceTier = "on_demand",
  region = "*",
  source: PriceSource = "api",
): BookPrice => ({
  priceId,
  sku: "gpu_1x_gh200",
  unit: "instance_hour",
  region,
  tier,
  source,
  micros: BigInt(Math.round(dollars * 1_000_000)),
  from,
  to,
});
const GH200 = { sku: "gpu_1x_gh200", unit: "instance_hour", region: "us-east-3" } as const;
const at = (prices: ReturnType<typeof billedPrices>, instant: number) => inForce(prices, instant);

describe("what a minute is billed by", () => {
  test("a negotiated rate while it holds, with the list price beside it, also where that changes meanwhile", () => {
    const book = [price(1, 1.49, 0, 200), price(2, 2.29, 200, null), price(3, 1.99, 100, 300, "negotiated")];
    const prices = billedPrices(book, GH200);
    expect(at(prices, 50)).toMatchObject({ priceId: 1, micros: 1_490_000n });
    expect(at(prices, 50)?.listMicros).toBeUndefined();
    expect(at(prices, 150)).toMatchObject({ priceId: 3, micros: 1_990_000n, listMicros: 1_490_000n });
    expect(at(prices, 250)).toMatchObject({ priceId: 3, micros: 1_990_000n, listMicros: 2_290_000n });
    expect(at(prices, 350)).toMatchObject({ priceId: 2, micros: 2_290_000n });
  });

  test("a region's own rate goes before that of all; another region's and another type's are not asked", () => {
    const book = [
      price(1, 2.29, null, null),
      price(2, 2.09, null, null, "on_demand", "us-east-3", "manual"),
      price(3, 1.5, null, null, "negotiated", "us-west-1"),
      { ...price(4, 9, null, null), sku: "gpu_1x_a10" },
    ];
    expect(at(billedPrices(book, GH200), 0)).toMatchObject({ priceId: 2 });
    expect(at(billedPrices(book, { ...GH200, region: "us-west-1" }), 0)).toMatchObject({
      priceId: 3,
      listMicros: 2_290_000n,
    });
  });

  test("the price on a machine's own row only until a list has its type", () => {
    const book = [price(1, 5, 10, null, "on_demand", "us-east-3", "instance_row"), price(2, 1, 90, null)];
    const prices = billedPrices(book, GH200);
    expect([5, 50, 95].map((instant) => at(prices, instant)?.priceId)).toEqual([undefined, 1, 2]);
  });

  test("at its rate what a commitment covers, at list price beside it; without a price of its own it stays unknown", () => {
    const covered = [{ from: 100, to: 200, commitmentId: "c", rateMicros: 500_000n }];
    const prices = billedPrices([price(1, 2.29, 150, null)], GH200, { covered });
    expect(at(prices, 120)).toBeNull();
    expect(at(prices, 170)).toMatchObject({ priceId: 1, micros: 500_000n, listMicros: 2_290_000n, commitmentId: "c" });
    expect(at(prices, 250)).toMatchObject({ priceId: 1, micros: 2_290_000n });
  });
});

describe("a machine that keeps its launch price", () => {
  const book = [price(1, 1.49, 0, 200), { ...price(2, 2.29, 200, null), prevSeenAt: 190 }];

  test("costs it for all its life, whatever the list does", () => {
    const prices = billedPrices(book, GH200, { launch: { earliest: 100, latest: 100, best: 100 } });
    expect(prices).toEqual([
      { priceId: 1, micros: 1_490_000n, from: null, to: null, lowMicros: 1_490_000n, highMicros: 1_490_000n },
    ]);
  });

  test("is bounded by all that it may have been launched at, also where the list was not read in between", () => {
    const bounds = (earliest: number, latest: number) => {
      const [one] = billedPrices(book, GH200, { launch: { earliest, latest, best: latest } });
      return [one?.lowMicros, one?.micros, one?.highMicros];
    };
    expect(bounds(195, 205)).toEqual([1_490_000n, 2_290_000n, 2_290_000n]);
    expect(bounds(192, 195)).toEqual([1_490_000n, 1_490_000n, 2_290_000n]);
    expect(bounds(210, 220)).toEqual([2_290_000n, 2_290_000n, 2_290_000n]);
  });

  test("still pays a negotiated rate while that holds", () => {
    const prices = billedPrices([...book, price(3, 1, 300, null, "negotiated")], GH200, {
      launch: { earliest: 100, latest: 100, best: 100 },
    });
    expect([250, 350].map((instant) => at(prices, instant)?.micros)).toEqual([1_490_000n, 1_000_000n]);
    expect(at(prices, 350)?.listMicros).toBe(1_490_000n);
  });
});

const intervals = fc
  .uniqueArray(fc.integer({ min: 0, max: 500 }), { minLength: 2, maxLength: 6 })
  .map((edges) => edges.sort((a, b) => a - b));
const tiers = fc.constantFrom<PriceTier>("on_demand", "negotiated");
const layer = fc
  .tuple(intervals, tiers, fc.constantFrom("*", "us-east-3"))
  .map(([edges, tier, region]) =>
    edges
      .slice(0, -1)
      .map((from, i) => price(edges[0] ?? 0, 1 + i, from, edges[i + 1] ?? null, tier, region, "manual")),
  );

test("any layers give one price per instant: the first that has one, in the order of who goes before", () => {
  fc.assert(
    fc.property(fc.array(layer, { maxLength: 4 }), (layers) => {
      // Within one tier and region the book has no overlaps.
      const known = new Set<string>();
      const book = layers
        .filter(([first]) => {
          const key = `${first?.tier} ${first?.region}`;
          return !known.has(key) && known.add(key);
        })
        .flat()
        .map((one, i) => ({ ...one, priceId: i + 1 }));
      const prices = billedPrices(book, GH200);
      const rank = ({ tier, region }: BookPrice) => (tier === "negotiated" ? 0 : 2) + (region === "*" ? 1 : 0);
      for (let instant = 0; instant <= 500; instant += 23) {
        const holding = book.filter(({ from, to }) => (from ?? 0) <= instant && (to === null || instant < to));
        const expected = [...holding].sort((a, b) => rank(a) - rank(b))[0];
        const found = prices.filter(
          ({ from, to }) => (from === null || from <= instant) && (to === null || instant < to),
        );
        expect(found.map(({ priceId }) => priceId)).toEqual(expected ? [expected.priceId] : []);
        const list = [...holding].filter(({ tier }) => tier === "on_demand").sort((a, b) => rank(a) - rank(b))[0];
        if (expected?.tier === "negotiated") expect(found[0]?.listMicros).toBe(list?.micros ?? null);
      }
    }),
    { numRuns: FUZZ_RUNS / 4 },
  );
});

test("what comes after an instant changes nothing before it", () => {
  fc.assert(
    fc.property(layer, fc.integer({ min: 0, max: 500 }), (prices, until) => {
      const input = { from: 0, to: until * 1_000, owners: [], zone: "UTC" } as const;
      const scaled = (list: readonly BookPrice[]) =>
        list.map((one) => ({ ...one, from: (one.from ?? 0) * 1_000, to: one.to === null ? null : one.to * 1_000 }));
      expect(ledgerLines({ ...input, prices: scaled(clipped(prices, until)) })).toEqual(
        ledgerLines({ ...input, prices: scaled(prices) }),
      );
    }),
    { numRuns: FUZZ_RUNS / 4 },
  );
});
