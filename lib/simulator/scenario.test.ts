import { describe, expect, test } from "vitest";
import { instanceTypes } from "./catalogue";
import { gpuMetrics } from "./gpu";
import { billOf } from "./ledger";
import { statusAt } from "./lifecycle";
import { gpusOf } from "./machine";
import { demoScenario } from "./scenario";
import { idleWeekend } from "./scenario-plan";
import { type CloudState, lambdaBehaviour, type Machine, valueAt } from "./types";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 14, 7);

const named = (state: CloudState, name: string): Machine => {
  const machine = state.machines.filter((one) => one.names[0]?.value === name).at(-1);
  if (!machine) throw new Error(`no ${name}`);
  return machine;
};

const metricsOf = (machine: Machine, at: number) => {
  const [gpu] = gpusOf(machine);
  const metrics = gpu && gpuMetrics(gpu, machine.workloads, at);
  if (!gpu || !metrics) throw new Error("no metrics");
  return { ...metrics, memoryPct: (100 * metrics.memoryUsedMib) / gpu.model.memoryTotalMib };
};

test("the same seed and instant make the same fleet; another seed another", () => {
  expect(demoScenario(1, NOW, 45)).toEqual(demoScenario(1, NOW, 45));
  expect(demoScenario(2, NOW, 45).machines[0]?.id).not.toBe(demoScenario(1, NOW, 45).machines[0]?.id);
});

describe.each([
  ["a Saturday afternoon", NOW],
  ["a Monday at three in the morning", Date.UTC(2026, 10, 23, 3)],
  ["a Wednesday noon", Date.UTC(2026, 10, 25, 12, 30)],
  ["a Friday evening", Date.UTC(2027, 0, 1, 19, 59)],
])("seen on %s", (_, now) => {
  const state = demoScenario(1, now, 45);
  const running = state.machines.filter((machine) => ["active", "unhealthy"].includes(statusAt(machine, now) ?? ""));

  test("every machine is one that Lambda could have rented out, in order of time", () => {
    for (const machine of state.machines) {
      expect(instanceTypes.get(machine.typeName)?.regions).toContain(machine.regionName);
      expect(machine.imageId).not.toBe("");
      expect(machine.launchedAt).toBeLessThan(now);
      if (machine.terminateRequestedAt !== null) expect(machine.terminateRequestedAt).toBeLessThan(now);
      if (machine.activeAt !== null) expect(machine.activeAt).toBeLessThan(machine.terminateRequestedAt ?? now);
      const starts = machine.workloads.map(({ from }) => from);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      if (machine.activeAt !== null && starts[0]) expect(starts[0]).toBeGreaterThan(machine.activeAt);
    }
    expect(new Set(state.machines.map(({ id }) => id)).size).toBe(state.machines.length);
    expect(new Set(state.machines.flatMap(gpusOf).map(({ uuid }) => uuid)).size).toBe(
      state.machines.flatMap(gpusOf).length,
    );
  });

  test("its heart are three GH200 in us-east-3; eight H100 and single cards are beside them", () => {
    const types = running.map(({ typeName }) => typeName);
    expect(types.filter((type) => type === "gpu_1x_gh200").length).toBe(3);
    for (const type of ["gpu_8x_h100_sxm5", "gpu_1x_h100_pcie", "gpu_1x_a100_sxm4", "gpu_1x_a10"]) {
      expect(types).toContain(type);
    }
    expect(running.flatMap(gpusOf).length).toBeGreaterThanOrEqual(14);
    expect(running.flatMap(gpusOf).length).toBeLessThanOrEqual(17);
  });

  test("it costs some thousands of dollars a month", () => {
    const cents = (machine: Machine) => state.prices[machine.typeName] ?? [];
    const micros = state.machines.reduce((sum, one) => sum + billOf(one, cents(one), now, lambdaBehaviour).micros, 0n);
    expect(Number(micros / 1_000_000n)).toBeGreaterThan(6_000);
    expect(Number(micros / 1_000_000n)).toBeLessThan(20_000);
  });

  test("memory climbs past 85 % and not yet past 90 %", () => {
    const machine = named(state, "h100-finetune-01");
    expect(metricsOf(machine, now).memoryPct).toBeGreaterThan(86);
    expect(metricsOf(machine, now).memoryPct).toBeLessThan(90);
    expect(metricsOf(machine, now - 10 * MINUTE).memoryPct).toBeGreaterThan(85);
    expect(metricsOf(machine, now + 40 * MINUTE).memoryPct).toBeGreaterThan(94);
  });

  test("one agent has been silent for 25 minutes, on a machine that runs", () => {
    const machine = named(state, "a100-batch-01");
    expect(valueAt(machine.agent.modes, now - 26 * MINUTE)).toBe("running");
    expect(valueAt(machine.agent.modes, now - 24 * MINUTE)).toBe("stopped");
    expect(statusAt(machine, now)).toBe("active");
  });

  test("one training run starves, below 80 %", () => {
    const levels = Array.from({ length: 60 }, (_, i) => metricsOf(named(state, "gh-train-02"), now - i * 10_000));
    expect(levels.filter(({ utilizationPct }) => utilizationPct > 80).length).toBeLessThan(3);
  });

  test("one machine was started outside and nobody watches it; one was just terminated", () => {
    const stray = named(state, "tmp benchmark");
    expect([stray.tags, stray.agent.isInstalled, statusAt(stray, now)]).toEqual([[], false, "active"]);
    const launched = state.audit.find(
      ({ action, resourceIds }) => action === "launched" && resourceIds[0] === stray.id,
    );
    expect(launched?.actor.apiKeyLrn).toBeNull();
    const gone = named(state, "a100-sweep-07").terminateRequestedAt ?? 0;
    expect(now - gone).toBeLessThan(HOUR);
  });

  test("a notebook was forgotten and is empty", () => {
    const machine = named(state, "a10-dev-omar");
    expect(statusAt(machine, now)).toBe("active");
    expect(metricsOf(machine, now)).toMatchObject({ utilizationPct: 0, memoryUsedMib: 1 });
  });

  test("a whole weekend was idle, memory held", () => {
    const saturday = idleWeekend(now);
    expect(new Date(saturday).getUTCDay()).toBe(6);
    for (let at = saturday; at < saturday + 2 * DAY; at += HOUR) {
      expect(metricsOf(named(state, "gh-train-01"), at)).toMatchObject({ utilizationPct: 0 });
      expect(metricsOf(named(state, "gh-train-01"), at).memoryPct).toBeGreaterThan(60);
    }
  });

  test("the GH200 and one other type have become dearer 25 days ago", () => {
    const changed = Object.entries(state.prices).filter(([, steps]) => steps.length > 1);
    expect(changed.map(([name]) => name)).toEqual(["gpu_1x_gh200", "gpu_1x_a10"]);
    expect(state.prices.gpu_1x_gh200?.map(({ value }) => value)).toEqual([149, 229]);
    expect(Math.round((now - (state.prices.gpu_1x_gh200?.[1]?.from ?? 0)) / DAY)).toBe(25);
  });

  test("everyone's machines say whose they are", () => {
    const teams = new Set<string>();
    for (const machine of state.machines) {
      if (!machine.agent.isInstalled) continue;
      expect(machine.tags.map(({ key }) => key)).toEqual(["team", "project", "owner", "environment", "workload"]);
      teams.add(machine.tags[0]?.value ?? "");
    }
    expect([...teams].toSorted()).toEqual(["data", "finetune", "platform", "research", "serving"]);
  });

  test("two file systems exist, one of them attached to nothing", () => {
    expect(state.fileSystems.length).toBe(2);
    const mounted = new Set(running.flatMap(({ mounts }) => mounts.map(({ name }) => name)));
    expect([...mounted]).toEqual(["datasets"]);
  });
});

test.each([1, 3, 10, 30, 120])("a past of %i days holds together too", (days) => {
  const state = demoScenario(5, NOW, days);
  for (const machine of state.machines) {
    const starts = machine.workloads.map(({ from }) => from);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  }
  expect(named(state, "gh-train-01").launchedAt).toBeGreaterThan(NOW - days * DAY);
});
