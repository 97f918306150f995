import { expect, test } from "vitest";
import { nearestIndex } from "./crosshair";

test.each([
  [[10, 20, 30], 24, 1],
  [[10, 20, 30], 26, 2],
  [[10, 20, 30], 25, 1],
  [[10, 20, 30], -5, 0],
  [[10, 20, 30], 99, 2],
  [[10], 99, 0],
  [[], 5, 0],
])("in %j the nearest to %s is number %s", (values, wanted, index) => expect(nearestIndex(values, wanted)).toBe(index));
