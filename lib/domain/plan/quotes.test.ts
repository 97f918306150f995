import { describe, expect, test } from "vitest";
import { ageDays, bookOn, perGpu, providerKey, providerName, type Quote, stateOf, usdText } from "./quotes";
import { quoteOf } from "./quotes.testing";

const DAY = "2026-11-20";

describe("S1-20: every price has a day and a source, and is stale after 30 days", () => {
  test.each([
    ["2026-11-20", "confirmed", 0],
    ["2026-10-21", "confirmed", 30],
    ["2026-10-20", "stale", 31],
    [null, "stale", null],
  ] as const)("read on %s it is %s", (asOf, state, age) => {
    expect(ageDays(asOf, DAY)).toBe(age);
    expect(stateOf(quoteOf({ asOf, status: "confirmed" }), DAY)).toBe(state);
  });

  test("S1-03: what was rejected stays rejected, however new; a live price is never stale", () => {
    expect(stateOf(quoteOf({ asOf: DAY, status: "rejected" }), DAY)).toBe("rejected");
    expect(stateOf(quoteOf({ asOf: "2025-01-01", origin: "live" }), DAY)).toBe("live");
    expect(stateOf(quoteOf({ asOf: DAY, status: "claimed" }), DAY)).toBe("claimed");
  });
});

describe("the book on a day", () => {
  const prices = (quotes: Quote[], day = DAY) => bookOn(quotes, day).map(({ micros }) => usdText(micros));
  const old = quoteOf({ asOf: "2025-11-22", micros: 1_490_000n });
  const now = quoteOf({ asOf: "2026-05-08", micros: 2_290_000n });

  test("the newest price of one thing, as it was known on that day", () => {
    expect(prices([old, now])).toEqual(["$2.29"]);
    expect(prices([now, old], "2026-01-01")).toEqual(["$1.49"]);
    expect(prices([now, old], "2025-01-01")).toEqual([]);
  });

  test("one without a day gives way to any that has one; alone it stays", () => {
    const undated = quoteOf({ asOf: null, micros: 3_000_000n });
    expect(prices([undated, old])).toEqual(["$1.49"]);
    expect(prices([undated])).toEqual(["$3.00"]);
  });

  test("regions stand beside each other; one for every region gives way to a newer one, and stands above older ones", () => {
    const east = quoteOf({ asOf: "2026-06-01", region: "east", micros: 4n });
    const west = quoteOf({ asOf: "2026-05-01", region: "west", micros: 5n });
    expect(bookOn([old, east, west], DAY).map(({ region }) => region)).toEqual(["east", "west"]);
    expect(bookOn([quoteOf({ asOf: "2026-07-01" }), east, west], DAY).map(({ region }) => region)).toEqual([""]);
  });

  test("what is live comes before what has the same day; what was rejected takes nobody's place", () => {
    const live = quoteOf({ asOf: "2026-05-08", micros: 9_000_000n, origin: "live" });
    expect(prices([now, live])).toEqual(["$9.00"]);
    expect(prices([now, quoteOf({ asOf: DAY, micros: 1_000_000n, status: "rejected" })])).toEqual(["$2.29", "$1.00"]);
  });

  test("another tier, unit, size or number of GPUs is another thing: spot never stands for on demand", () => {
    const others = [{ tier: "spot" }, { unit: "gpu" }, { gpus: 8 }, { gpuMemoryGb: 144 }] as const;
    expect(bookOn([now, ...others.map((other) => quoteOf({ ...other, asOf: DAY }))], DAY)).toHaveLength(5);
  });
});

test("S1-09: a machine's price is divided by its GPUs, a GPU's price is not", () => {
  const usd = (unit: "instance" | "gpu", gpus: number, micros: bigint) => {
    const { numerator, denominator } = perGpu(quoteOf({ unit, gpus, micros }));
    return Number(numerator) / Number(denominator) / 1e6;
  };
  expect(usd("instance", 8, 32_770_000n)).toBeCloseTo(4.09625, 10);
  expect(usd("instance", 8, 21_957_600n)).toBeCloseTo(2.7447, 10);
  expect(usd("gpu", 8, 3_020_000n)).toBe(3.02);
});

test("a provider is known by its name and by its key", () => {
  expect(providerKey("Google Cloud")).toBe("gcp");
  expect(providerKey("gcp")).toBe("gcp");
  expect(providerKey("Own Metal")).toBe("own-metal");
  expect(providerName("thunder-compute")).toBe("Thunder Compute");
  expect(providerName("own-metal")).toBe("own-metal");
});
