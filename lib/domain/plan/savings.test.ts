import { expect, test } from "vitest";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { costAfterSaving } from "./savings";

test.each([
  [15_480_000n, "30", 10_836_000n],
  [15_480_000n, "51", 7_585_200n],
  [15_480_000n, "0", 15_480_000n],
  [15_480_000n, "100", 0n],
  [3n, "12.5", 3n],
  [1n, "50", 1n],
  [-1n, "50", -1n],
])("%d less %s %%: %d", (base, pct, left) => {
  expect(costAfterSaving(base, parseDecimal(pct))).toBe(left);
});
