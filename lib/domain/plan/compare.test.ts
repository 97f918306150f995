import { expect, test } from "vitest";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { compareOffers } from "./compare";

test.each([
  ["12", 1_290_000n, 660_000n, 7_920_000n, "-48.8"],
  ["12", 1_290_000n, 1_800_000n, 21_600_000n, "+39.5"],
  ["12", 1_290_000n, 1_290_000n, 15_480_000n, "+0.0"],
  ["0.5", 1_000_000n, 3n, 2n, "-100.0"],
  ["12", 0n, 660_000n, 7_920_000n, null],
])("%s h, base %d, offer %d: %d, %s", (hours, base, price, costMicros, againstBasePct) => {
  expect(compareOffers(parseDecimal(hours), base, { offer: price })).toEqual({ offer: { costMicros, againstBasePct } });
});

test("of no offers there is nothing to say", () => {
  expect(compareOffers(parseDecimal("1"), 1n, {})).toEqual({});
});
