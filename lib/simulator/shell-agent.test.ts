import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import { gpuMetrics } from "./gpu";
import { gpusOf } from "./machine";
import { admin, advance, launch, sampledAt, startDashboard, startTestCloud, userData } from "./testing";

const script = path.resolve("agent/hopperdeck-agent");
const searchPath = process.env.PATH ?? "";
const hasCurl = (() => {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();
const skipped = !existsSync(script) ? " (skipped: the agent's script is absent)" : hasCurl ? "" : " (skipped: no curl)";

test.skipIf(skipped)(
  `the real script runs on a machine: it asks its nvidia-smi, sends, and sends later what it could not${skipped}`,
  async () => {
    const dashboard = await startDashboard();
    const simulator = await startTestCloud({ agentScript: script, searchPath });
    const id = await launch(simulator, {
      user_data: userData(dashboard.url, "hd_shell"),
      tags: [{ key: "workload", value: "training" }],
    });
    await admin(simulator, "POST", `/machines/${id}/agent`, { kind: "shell" });
    await advance(simulator, 70_000);
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "offline" });
    const cut = sampledAt(dashboard.received).length;
    expect(cut).toBeGreaterThan(0);
    await advance(simulator, 20_000);
    expect(sampledAt(dashboard.received).length).toBe(cut);
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "running" });
    await advance(simulator, 10_000);

    const instants = sampledAt(dashboard.received).toSorted((a, b) => a - b);
    expect(instants.length).toBe(cut + 3);
    expect(new Set(instants).size).toBe(instants.length);
    const facts = dashboard.received.map(({ text }) => parseReport(text, simulator.cloud.now()).facts ?? {});
    expect(Object.assign({}, ...facts.toReversed())).toMatchObject({
      mounts: { found: [{ path: "/", device: "/dev/vda1" }] },
      clockOffsetMs: { found: -0.412 },
      cudaVersion: { found: "12.8" },
      driverVersion: { found: expect.stringMatching(/^570/) },
      kernelLog: { found: "journalctl" },
    });
    const [machine] = simulator.cloud.state.machines;
    const [gpu] = machine ? gpusOf(machine) : [];
    if (!machine || !gpu) throw new Error("no machine");
    for (const { text, authorization } of dashboard.received) {
      expect(authorization).toBe("Bearer hd_shell");
      const report = parseReport(text, simulator.cloud.now());
      expect(report.problems).toEqual([]);
      expect(report.agent).toMatchObject({ hostname: machine.hostname, machine: "aarch64", ip: machine.privateIp });
      for (const { at, readings } of report.batches) {
        const truth = gpuMetrics(gpu, machine.workloads, at);
        expect(readings[0]?.uuid).toBe(gpu.uuid);
        expect(readings[0]?.values).toMatchObject({ powerW: truth?.powerW, memoryUsedMib: truth?.memoryUsedMib });
      }
    }
    await simulator.close();
    await dashboard.close();
  },
  30_000,
);
