import { expect, test } from "vitest";
import { exactUsd } from "./exact";

test.each([
  ["0", "$0.000000"],
  ["1", "$0.000001"],
  ["1412167", "$1.412167"],
  ["-1412167", "−$1.412167"],
  ["1234567890123", "$1,234,567.890123"],
  ["-1234000000", "−$1,234.000000"],
])("%s micro-dollars are %s", (micros, text) => {
  expect(exactUsd(micros)).toBe(text);
});
