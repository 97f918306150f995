import { expect, test } from "vitest";
import { priceCorrection, reallocation } from "./correction";

test.each([
  ["2026-10", 44_640, 1_490_000n, 44_640, 2_290_000n, 595_200_000n, "2026-11"],
  ["2026-12", 1, 2_290_000n, 1, 1_490_000n, -13_334n, "2027-01"],
  ["2026-12", 10, 2_290_000n, 0, 2_290_000n, -381_667n, "2027-01"],
])("%s: %d min at %d instead of %d min at %d", (month, minutes, wrong, rightMinutes, right, entry, postedIn) => {
  const found = priceCorrection(
    month,
    { minutes, microsPerHour: wrong },
    { minutes: rightMinutes, microsPerHour: right },
  );
  expect(found).toMatchObject({ entryMicros: entry, postedIn });
  expect(found.bookedMicros + found.entryMicros).toBe(found.rightMicros);
});

test("is posted in the first month that is open", () => {
  const priced = { minutes: 1, microsPerHour: 1n };
  expect(priceCorrection("2026-10", priced, priced, new Set(["2026-11", "2026-12"])).postedIn).toBe("2027-01");
});

test("a reversal and its posting add up to nothing", () => {
  expect(reallocation({ payer: "a", micros: 5n }, "b")).toEqual([
    { payer: "a", micros: -5n },
    { payer: "b", micros: 5n },
  ]);
});
