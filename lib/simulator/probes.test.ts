import { expect, test } from "vitest";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import type { HostFacts } from "@/lib/domain/telemetry/report";
import { agentReport } from "./report";
import { startTestCloud } from "./testing";
import type { Machine } from "./types";

const MINUTE = 60_000;

async function machines(): Promise<{ machines: Machine[]; now: number }> {
  const simulator = await startTestCloud({ scenario: "demo" });
  const { state } = simulator.cloud;
  const now = Math.floor(simulator.cloud.now() / MINUTE) * MINUTE;
  await simulator.close();
  return {
    machines: state.machines.filter(({ terminatedAt, guestAt }) => terminatedAt === null && guestAt !== null),
    now,
  };
}

test("machines of the demo speak protocol 2: their probes answer, and some lack a tool", async () => {
  const { machines: all, now } = await machines();
  const facts: HostFacts[] = [];
  for (const machine of all) {
    const report = parseReport(agentReport(machine, [now], now), now);
    expect(report.problems).toEqual([]);
    expect(report.agent).toMatchObject({ protocol: 2, version: "2.0.0" });
    facts.push(report.facts ?? {});
    for (const probe of Object.values(report.facts ?? {})) expect(probe.at).toBeLessThanOrEqual(now);
  }
  expect(facts.length).toBeGreaterThan(3);
  expect(facts.every(({ mounts, clockOffsetMs, kernelLog }) => mounts && clockOffsetMs && kernelLog)).toBe(true);
  const found = (key: keyof HostFacts) => facts.filter((one) => one[key] && "found" in one[key]).length;
  expect(found("mounts")).toBe(facts.length);
  expect(found("torchVersion")).toBeGreaterThan(0);
  expect(found("torchVersion") + found("clockOffsetMs")).toBeLessThan(2 * facts.length);
});

test("facts come with the newest sample of a minute, not with a backlog", async () => {
  const { machines: all, now } = await machines();
  const [machine] = all;
  if (!machine) throw new Error("no machine");
  const text = agentReport(machine, [now - MINUTE, now], now);
  expect(text.match(/^#mounts /gm)).toHaveLength(1);
  expect(agentReport(machine, [now - MINUTE, now + 10_000], now)).not.toContain("#mounts");
});
