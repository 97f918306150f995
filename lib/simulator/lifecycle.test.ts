import { describe, expect, test } from "vitest";
import { actionsAt, edgesOf, isKnownAt, isListedAt, planBoot, planTermination, statusAt } from "./lifecycle";
import { createMachine } from "./machine";
import { NOON } from "./testing";
import type { Machine } from "./types";

const MINUTE = 60_000;

describe("a boot as it was measured", () => {
  const plans = Array.from({ length: 4_000 }, (_, seed) => planBoot(seed, NOON, 1, "lambda", false));
  const activeMs = plans.map(({ activeAt }) => (activeAt ?? 0) - NOON).sort((a, b) => a - b);

  test("takes 200 s in the middle, seldom less than 80 s, and never more than 15 min", () => {
    expect(activeMs[2_000]).toBeGreaterThan(190_000);
    expect(activeMs[2_000]).toBeLessThan(210_000);
    expect(activeMs[40]).toBeGreaterThan(70_000);
    expect(activeMs[3_800]).toBeGreaterThan(330_000);
    expect(activeMs.at(-1)).toBeLessThanOrEqual(900_000);
  });

  test("has an address after 20 to 35 s and programs 30 to 60 s before it is active", () => {
    for (const { ipAt, guestAt, activeAt } of plans) {
      expect(ipAt - NOON).toBeGreaterThanOrEqual(20_000);
      expect(ipAt - NOON).toBeLessThanOrEqual(35_000);
      const leadMs = (activeAt ?? 0) - (guestAt ?? 0);
      expect(leadMs).toBeLessThanOrEqual(60_000);
      if (guestAt !== ipAt) expect(leadMs).toBeGreaterThanOrEqual(30_000);
    }
  });

  test("of eight GPUs takes ten minutes in the middle", () => {
    const eight = Array.from(
      { length: 999 },
      (_, seed) => (planBoot(seed, NOON, 8, "lambda", false).activeAt ?? 0) - NOON,
    );
    expect(eight.sort((a, b) => a - b)[499]).toBeGreaterThan(9 * MINUTE);
  });

  test("that fails is unhealthy after four to six minutes, and no program ever runs", () => {
    for (let seed = 0; seed < 200; seed++) {
      const { guestAt, activeAt, healths } = planBoot(seed, NOON, 1, "lambda", true);
      expect([guestAt, activeAt]).toEqual([null, null]);
      expect((healths[0]?.from ?? 0) - NOON).toBeGreaterThanOrEqual(4 * MINUTE);
      expect((healths[0]?.from ?? 0) - NOON).toBeLessThanOrEqual(6 * MINUTE);
    }
  });
});

test("a termination takes 30 to 120 s", () => {
  const ms = Array.from({ length: 500 }, (_, seed) => planTermination(seed, NOON, "lambda") - NOON);
  expect(Math.min(...ms)).toBeGreaterThanOrEqual(30_000);
  expect(Math.max(...ms)).toBeLessThanOrEqual(120_000);
});

describe("a life", () => {
  const machine: Machine = {
    ...createMachine({
      id: "a".repeat(32),
      typeName: "gpu_1x_gh200",
      regionName: "us-east-3",
      name: "gh-1",
      hostname: null,
      sshKeyNames: [],
      mounts: [],
      tags: [],
      imageId: "",
      userData: null,
      launchedAt: NOON,
      listedAt: NOON + 10_000,
      launchCents: 229,
      bootMs: 60_000,
      isUnhealthy: false,
      isInStep: true,
    }),
    restarts: [{ from: NOON + 5 * MINUTE, to: NOON + 6 * MINUTE }],
    terminateRequestedAt: NOON + 10 * MINUTE,
    terminatedAt: NOON + 11 * MINUTE,
  };

  test.each([
    [-1, null, false, false, undefined],
    [0, "booting", false, true, "vm-has-not-launched"],
    [10_000, "booting", true, true, "vm-has-not-launched"],
    [60_000, "active", true, true, undefined],
    [5 * MINUTE, "active", true, true, "vm-action-in-progress"],
    [6 * MINUTE, "active", true, true, undefined],
    [10 * MINUTE, "terminating", true, true, "vm-is-terminating"],
    [11 * MINUTE, "terminated", false, true, "vm-is-terminating"],
    [16 * MINUTE, "terminated", false, false, "vm-is-terminating"],
  ])("%i ms after launch: %s, listed %s, known %s, restart blocked by %s", (ms, status, isListed, isKnown, reason) => {
    const at = NOON + ms;
    expect(statusAt(machine, at)).toBe(status);
    expect(isListedAt(machine, at)).toBe(isListed);
    expect(isKnownAt(machine, at, 5 * MINUTE)).toBe(isKnown);
    const { restart } = actionsAt(machine, at);
    if (status !== null) expect(restart.available ? undefined : restart.reason_code).toBe(reason);
  });

  test("changes at its edges only", () => {
    const edges = new Set(edgesOf(machine));
    const said = (at: number) =>
      JSON.stringify([statusAt(machine, at), isListedAt(machine, at), actionsAt(machine, at)]);
    for (let at = NOON - 5_000; at < NOON + 12 * MINUTE; at += 1_000) {
      if (said(at) !== said(at - 1)) expect(edges).toContain(at);
    }
  });
});
