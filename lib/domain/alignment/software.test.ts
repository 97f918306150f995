import { describe, expect, test } from "vitest";
import { calendarOf, migrationEndsAt, quarterEnd, quarterOf } from "./calendar";
import { capabilityOf } from "./capability";
import type { Check, Fact } from "./check";
import { checksOf } from "./engine";
import { DECLARED_AT, declared, gh200, H200_PLAN, machine, POLL } from "./fleet.testing";
import type { ObservedMachine } from "./observed";
import { compareVersions, isVersion } from "./versions";

test.each([
  ["535.86.10", "535.86.10", 0],
  ["535.86.9", "535.86.10", -1],
  ["550", "535.86.10", 1],
  ["570.148.08", "550", 1],
  ["550", "550.0.0", 0],
  ["12.10", "12.9", 1],
])("version %s against %s", (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});

test("a version is within the one that was named", () => {
  expect(isVersion("2.5.1+cu124", "2.5")).toBe(true);
  expect(isVersion("12.8", "12.8")).toBe(true);
  expect(isVersion("12.10", "12.1")).toBe(false);
});

describe("S3-07, S3-08: software policy", () => {
  const policy = {
    name: "default",
    driverMin: "535.86.10",
    driverRecommended: "550",
    cuda: ["12.4", "12.6", "12.8"],
    pytorch: ["2.5", "2.6", "2.7"],
    capabilityMin: "6.0",
    memoryMinGb: "4",
    memoryRecommendedGb: "8",
    deprecated: [
      { part: "cuda", version: "12.1", until: "2026-03-31" },
      { part: "pytorch", version: "2.4", until: "2027-03-31" },
    ],
  };
  const plan = declared([{ ...H200_PLAN, gpu: "GH200", memoryGb: "96", count: "1", pools: [], software: "default" }], {
    software: [policy],
  });
  const found = (fact: Fact, over: Partial<ObservedMachine>): Check => {
    const checks = checksOf(
      { declaration: plan, version: 1, at: DECLARED_AT },
      { at: POLL, machines: [machine("x", over)] },
    );
    const check = checks.find((one) => one.fact === fact);
    if (!check) throw new Error(`no check of ${fact}`);
    return check;
  };
  const driver = (version: string) => found("driver", { cards: [gh200("1", { driver: version })] });

  test("a driver below 535.86.10 is wrong, one below 550 is a note", () => {
    expect(driver("525.105.17")).toMatchObject({ state: "differs", severity: "critical" });
    expect(driver("535.86.10")).toMatchObject({ state: "differs", severity: "info" });
    expect(driver("550.54.15")).toMatchObject({ state: "agrees" });
  });

  test("CUDA and PyTorch: allowed, deprecated with a day, or neither", () => {
    const cuda = (value: string) => found("cuda", { cuda: { value, at: POLL } });
    expect(cuda("12.8")).toMatchObject({ state: "agrees" });
    expect(cuda("12.1")).toMatchObject({ state: "differs", severity: "critical" });
    expect(cuda("11.8")).toMatchObject({ state: "differs", severity: "warning" });
    const pytorch = (value: string) => found("pytorch", { pytorch: { value, at: POLL } });
    expect(pytorch("2.5.0+cu126")).toMatchObject({ state: "agrees" });
    expect(pytorch("2.4.1")).toMatchObject({ state: "differs", severity: "info" });
    expect(found("cuda", { cuda: null }).state).toBe("unverified");
  });

  test("compute capability comes from the card’s name", () => {
    expect(found("capability", {})).toMatchObject({ state: "agrees", observed: "9.0" });
    const old = found("capability", { cards: [gh200("1", { name: "Tesla K80", memoryMib: 11_441 })] });
    expect(old).toMatchObject({ state: "differs", severity: "critical", observed: "3.7" });
    expect(found("capability", { cards: [] }).state).toBe("unverified");
    expect([capabilityOf("NVIDIA A10"), capabilityOf("NVIDIA A100-SXM4-40GB"), capabilityOf("NVIDIA L4")]).toEqual([
      "8.6",
      "8.0",
      "8.9",
    ]);
  });

  test("S3-13: the calendar, the quarter’s end and four weeks for an emergency", () => {
    const [first] = calendarOf(plan, () => ["gh-1"], POLL);
    expect(first).toMatchObject({ part: "cuda", version: "12.1", until: "2026-03-31", machines: ["gh-1"] });
    expect(first?.daysLeft).toBeLessThan(0);
    expect(quarterOf(POLL)).toBe("2026-Q4");
    expect(new Date(quarterEnd("2026-Q4")).toISOString()).toBe("2027-01-01T00:00:00.000Z");
    expect(migrationEndsAt({ startedAt: POLL }) - POLL).toBe(28 * 24 * 3_600_000);
  });
});
