import { describe, expect, test } from "vitest";
import { exactText, parseDecimal } from "@/lib/domain/cost/decimal";
import { environmentCosts, type Move, moveReturn, trainingCost } from "./scenario";

const d = parseDecimal;

describe("environments", () => {
  test("each is rounded once, and the total is their sum", () => {
    const one = { count: d("1"), usdPerHour: d("0.0000005"), hours: d("1") };
    expect(environmentCosts({ a: one, b: one })).toEqual({ each: { a: 1n, b: 1n }, totalMicros: 2n });
    expect(environmentCosts({})).toEqual({ each: {}, totalMicros: 0n });
  });

  test.each([
    ["3", "0.752", "720", 1_624_320_000n],
    ["2", "0.526", "176", 185_152_000n],
    ["0", "0.526", "176", 0n],
  ])("%s at $%s for %s h: %d", (count, usd, hours, micros) => {
    const cost = environmentCosts({ one: { count: d(count), usdPerHour: d(usd), hours: d(hours) } });
    expect(cost).toEqual({ each: { one: micros }, totalMicros: micros });
  });
});

describe("a training", () => {
  test.each([
    ["64512", "180000", "64", "21", "32256", 2_000_000n, 5_580_357n, "+64.2"],
    ["200", "100", "1", "0.5", "12", 16_666_667n, 8_333_333n, "-100.0"],
    ["1", "0", "1", "1", "24", 41_667n, 0n, null],
    ["1", "2", "0", "1", "0", null, null, "+50.0"],
  ])("$%s against $%s on %s GPUs for %s days", (total, other, gpus, days, hours, rate, otherRate, saving) => {
    const cost = trainingCost({ totalUsd: d(total), otherUsd: d(other), gpus: d(gpus), days: d(days) });
    expect({ ...cost, gpuHours: exactText(cost.gpuHours) }).toEqual({
      gpuHours: hours,
      microsPerGpuHour: rate,
      otherMicrosPerGpuHour: otherRate,
      savingPct: saving,
    });
  });
});

describe("a move", () => {
  const move: Move = {
    monthlyUsd: d("15000"),
    machineUsdPerHour: d("32.77"),
    gpusPerMachine: d("8"),
    speedup: d("1.64"),
    targetUsdPerGpuHour: d("2.99"),
    setupHours: d("8"),
    setupUsdPerHour: d("200"),
    migrationUsd: null,
  };

  // The exercise of the cost reference, at four pairs of list prices.
  test.each([
    ["32.77", "2.00", 4_465_714_286n, 145_611_428_571n],
    ["32.77", "2.99", 6_676_243_143n, 119_085_082_281n],
    ["32.77", "3.99", 8_909_100_000n, 92_290_800_000n],
    ["21.9576", "3.99", 13_296_135_000n, 39_646_380_000n],
  ])("from $%s a machine to $%s a GPU", (from, to, monthly, annual) => {
    const found = moveReturn({ ...move, machineUsdPerHour: d(from), targetUsdPerGpuHour: d(to) });
    // Cents of the reference, which prints two digits.
    expect((found?.targetMonthlyMicros ?? 0n) / 1_000_000n).toBe(monthly / 1_000_000n);
    expect((found?.annualSavingMicros ?? 0n) / 1_000_000n).toBe(annual / 1_000_000n);
  });

  test("pays back what it cost, or never", () => {
    expect(moveReturn({ ...move, migrationUsd: d("9923.756857") })?.paybackMonths).toBe("1.00");
    expect(moveReturn({ ...move, migrationUsd: d("1000"), targetUsdPerGpuHour: d("9.99") })?.paybackMonths).toBeNull();
    expect(moveReturn(move)?.paybackMonths).toBeNull();
  });

  test("there is none from or to nothing", () => {
    expect(moveReturn({ ...move, machineUsdPerHour: d("0") })).toBeNull();
    expect(moveReturn({ ...move, speedup: d("0") })).toBeNull();
  });
});
