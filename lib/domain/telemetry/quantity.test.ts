import { describe, expect, test } from "vitest";
import { METRICS, type Unit } from "./catalogue";
import { parseQuantity } from "./quantity";

describe("a number as nvidia-smi prints it", () => {
  test.each<[string, Unit, number]>([
    ["463 MiB", "mebibytes", 463],
    ["463", "mebibytes", 463],
    ["69.85 W", "watts", 69.85],
    ["0 %", "percent", 0],
    ["-5 C", "celsius", -5],
    ["-0", "celsius", 0],
    ["11251 MHz", "megahertz", 11_251],
    ["0x0000000000000104", "bits", 0x104],
    ["7", "count", 7],
  ])("%j of %s is %d", (text, unit, value) => {
    expect(parseQuantity(text, unit, -1000, 1e6)).toEqual({ value, missing: null });
  });

  test.each<[string, Unit, string]>([
    ["", "count", "not_reported"],
    ["[N/A]", "percent", "not_applicable"],
    ["N/A", "celsius", "not_applicable"],
    ["-", "percent", "not_applicable"],
    ["[Not Supported]", "percent", "not_supported"],
    ["[Unknown Error]", "watts", "unknown_error"],
    ["Unknown Error", "watts", "unknown_error"],
    ["[Requested functionality has been deprecated]", "megahertz", "deprecated"],
    ["[Function Not Found]", "percent", "function_not_found"],
    ["ERR!", "watts", "error"],
    ["[GPU is lost]", "watts", "gpu_lost"],
    ["[Insufficient Permissions]", "watts", "no_permission"],
    ["[Some word of a later driver]", "watts", "error"],
    ["9223372036854775794", "celsius", "sentinel"],
    ["2147483632", "celsius", "sentinel"],
    ["140737488355328.0", "watts", "sentinel"],
    ["101 %", "percent", "out_of_range"],
    ["-1 MiB", "mebibytes", "out_of_range"],
    ["4294967295", "mebibytes", "out_of_range"],
    ["12abc", "count", "malformed"],
    ["0x10", "count", "malformed"],
    ["1e999", "watts", "malformed"],
    ["Infinity", "watts", "malformed"],
    ["NaN", "watts", "malformed"],
    ["+5", "count", "malformed"],
    [".5", "watts", "malformed"],
    ["5.", "watts", "malformed"],
    ["1,5", "watts", "malformed"],
    ["1 2", "count", "malformed"],
    ["٣", "count", "malformed"],
    ["16", "bits", "malformed"],
    ["0x", "bits", "malformed"],
    ["0.5 kW", "watts", "malformed"],
    ["96 GiB", "mebibytes", "malformed"],
    ["96 GB", "mebibytes", "malformed"],
  ])("%j of %s is missing: %s", (text, unit, missing) => {
    const { min, max } = Object.values(METRICS).find((entry) => entry.unit === unit) ?? { min: 0, max: 100 };
    expect(parseQuantity(text, unit, min, max)).toEqual({ value: null, missing });
  });
});
