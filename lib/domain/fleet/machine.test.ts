import { expect, test } from "vitest";
import { isOlderVersion } from "./machine";

test.each([
  ["1.0.0", "2.0.0", true],
  ["2.0.0", "2.0.0", false],
  ["2.0", "2.0.0", false],
  ["1.9.9", "1.10.0", true],
  ["1.10.0", "1.9.9", false],
  ["3.0.0-rc1", "2.0.0", false],
  ["", "0.1.0", true],
  ["latest", "2.0.0", true],
])("%s comes before %s: %s", (version, than, is) => expect(isOlderVersion(version, than)).toBe(is));

test("an agent that names no version is older", () => expect(isOlderVersion(null, "2.0.0")).toBe(true));
