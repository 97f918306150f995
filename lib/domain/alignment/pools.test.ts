import { expect, test } from "vitest";
import { exactText, parseDecimal } from "@/lib/domain/cost/decimal";
import { fitPools } from "./pools";

test.each([
  [["40", "30", "20", "6"], "96", "96", "0", true],
  [["60", "40", "30", "11"], "96", "141", "45", false],
  [["0.1", "0.2"], "0.3", "0.3", "0", true],
  [["0.1", "0.2", "0.05"], "0.3", "0.35", "0.05", false],
  [[], "96", "0", "0", true],
])("pools of %j in %s GB", (pools, memory, total, over, fits) => {
  const found = fitPools(pools.map(parseDecimal), parseDecimal(memory));
  expect({ ...found, sumGb: exactText(found.sumGb), overGb: exactText(found.overGb) }).toEqual({
    sumGb: total,
    overGb: over,
    fits,
  });
});
