import { expect, test } from "vitest";
import { isThrottleProblem, throttleReasons } from "./throttle";

test.each([
  [0, [], false],
  [0x1, ["Idle"], false],
  [0x4, ["Power cap"], false],
  [0x8 + 0x40, ["Hardware slowdown", "Thermal slowdown by the hardware"], true],
  [0x20, ["Thermal slowdown by the driver"], true],
  [0x80, ["Power brake"], true],
  [0x2 + 0x10 + 0x100, ["Clock setting", "Sync boost", "Display clocks"], false],
  [0x400, ["Reason 0x400"], false],
])("mask %d says %j", (mask, labels, isProblem) => {
  expect(throttleReasons(mask).map((reason) => reason.label)).toEqual(labels);
  expect(isThrottleProblem(mask)).toBe(isProblem);
});

test("an unknown mask is no all-clear", () => {
  expect(isThrottleProblem(null)).toBeNull();
});
