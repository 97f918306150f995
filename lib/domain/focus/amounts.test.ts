import { expect, test } from "vitest";
import { gibHoursText, gibMonthsText, hoursText, productText, unitPriceText, usdText } from "./amounts";

test.each([
  [1n, 1_490_000n, "0.016666666667", "1.49", "0.02483333333383"],
  [37n, 2_290_000n, "0.616666666667", "2.29", "1.41216666666743"],
  [60n, 2_000_000n, "1", "2.00", "2"],
  [90n, 2_290_000n, "1.5", "2.29", "3.435"],
  [0n, 2_290_000n, "0", "2.29", "0"],
  [1n, 1_234_567n, "0.016666666667", "1.234567", "0.020576116667078189"],
  [-37n, 2_290_000n, "-0.616666666667", "2.29", "-1.41216666666743"],
])("%d minutes at %d: %s × %s = %s", (minutes, price, quantity, unitPrice, product) => {
  expect(hoursText(minutes)).toBe(quantity);
  expect(unitPriceText(price)).toBe(unitPrice);
  expect(productText(unitPrice, quantity)).toBe(product);
});

test("storage is priced by the month and measured by the hour", () => {
  const hundredGibDay = 100n * 2n ** 30n * 24n;
  expect(gibHoursText(hundredGibDay)).toBe("2400");
  expect(gibMonthsText(hundredGibDay)).toBe("3.333333333333");
  expect(gibHoursText(1n)).toBe("0.000000000931");
});

test("dollars have all their decimals", () => {
  expect(usdText(1_412_167n)).toBe("1.412167");
  expect(usdText(-1n)).toBe("-0.000001");
  expect(usdText(0n)).toBe("0.000000");
});
