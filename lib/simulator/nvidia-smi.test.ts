import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import { parseQueryGpu } from "@/lib/domain/telemetry/parse-csv";
import { parseComputeApps } from "@/lib/domain/telemetry/parse-processes";
import { instanceTypes } from "./catalogue";
import { gpuMetrics } from "./gpu";
import { createMachine, gpusOf } from "./machine";
import { agentFields, nvidiaSmi, queryApps, queryGpu } from "./nvidia-smi";
import { hex } from "./random";
import { agentReport } from "./report";
import { NOON } from "./testing";
import type { Machine } from "./types";
import type { WorkloadKind } from "./workloads";

function machineOf(typeName: string, kind: WorkloadKind): Machine {
  const machine = createMachine({
    id: hex(1, typeName + kind),
    typeName,
    regionName: "us-east-3",
    name: null,
    hostname: "gh-1",
    sshKeyNames: [],
    mounts: [],
    tags: [],
    imageId: "",
    userData: null,
    launchedAt: NOON,
    listedAt: NOON,
    launchCents: 229,
    bootMs: 60_000,
    isUnhealthy: false,
    isInStep: true,
  });
  return { ...machine, workloads: [{ from: NOON, kind, params: {}, gpu: null }] };
}

const LATER = NOON + 3_600_000;

test("a GH200 prints its row as nvidia-smi does: canonical names in the header, units in both", () => {
  const fields =
    "index,name,memory.total,memory.used,temperature.gpu,power.limit,clocks.sm,clocks_throttle_reasons.active";
  const printed = nvidiaSmi(machineOf("gpu_1x_gh200", "idle-empty"), `--query-gpu=${fields} --format=csv`, LATER);
  expect(printed.status).toBe(0);
  expect(printed.text).toMatch(
    /^index, name, memory\.total \[MiB\], memory\.used \[MiB\], temperature\.gpu, power\.limit \[W\], clocks\.current\.sm \[MHz\], clocks_event_reasons\.active\n0, NVIDIA GH200 480GB, 97871 MiB, 2 MiB, \d\d, 700\.00 W, 345 MHz, 0x0000000000000001\n$/,
  );
});

test("an A10 has no memory temperature and no MIG", () => {
  const printed = nvidiaSmi(
    machineOf("gpu_1x_a10", "dev"),
    "--query-gpu=temperature.memory,mig.mode.current --format=csv",
    LATER,
  );
  expect(printed.text).toBe("temperature.memory, mig.mode.current\nN/A, [N/A]\n");
});

test("a field that no driver knows is refused with status 2 and its name", () => {
  expect(nvidiaSmi(machineOf("gpu_1x_gh200", "dev"), "--query-gpu=index,gpu.mood --format=csv", LATER)).toEqual({
    text: 'Field "gpu.mood" is not a valid field to query.\n\n',
    status: 2,
  });
});

test("a machine without GPUs, and one whose driver is gone, say so", () => {
  expect(queryGpu(machineOf("cpu_4x_general", "idle-empty"), LATER)).toMatchObject({ status: 6 });
  const gone = queryGpu(machineOf("gpu_1x_gh200", "driver-error"), LATER);
  expect(gone.status).toBe(9);
  expect(gone.text).toContain("couldn't communicate with the NVIDIA driver");
});

test("the product reads of every card exactly what it does", () => {
  for (const { name: typeName, gpus } of instanceTypes.values()) {
    if (gpus === 0) continue;
    const machine = machineOf(typeName, "training");
    const { readings, problems } = parseQueryGpu(queryGpu(machine, LATER).text);
    expect(problems, typeName).toEqual([]);
    expect(readings.length).toBe(gpus);
    for (const [i, gpu] of gpusOf(machine).entries()) {
      const metrics = gpuMetrics(gpu, machine.workloads, LATER);
      if (!metrics) throw new Error("no metrics");
      const { throttleReasons, eccUncorrected, pstate, ...values } = metrics;
      expect(readings[i]).toMatchObject({
        uuid: gpu.uuid,
        busId: gpu.busId,
        name: gpu.model.name,
        memoryTotalMib: gpu.model.memoryTotalMib,
        powerLimitW: gpu.model.powerLimitW,
        values,
        throttleReasons,
        eccUncorrected,
        pstate,
      });
    }
  }
});

test("the product reads the processes", () => {
  const machine = machineOf("gpu_1x_gh200", "inference");
  const { byUuid } = parseComputeApps(queryApps(machine, LATER).text);
  const [gpu] = gpusOf(machine);
  const [process] = byUuid.get(gpu?.uuid ?? "") ?? [];
  expect(process?.name).toBe("VLLM::EngineCore");
  expect(process?.usedMib).toBeGreaterThan(85_000);
});

test("a report is one that the product reads without a complaint", () => {
  const machine = machineOf("gpu_8x_h100_sxm5", "training");
  const instants = [LATER, LATER + 10_000, LATER + 60_000];
  const report = parseReport(agentReport(machine, instants, LATER + 61_000), LATER + 62_000);
  expect(report.problems).toEqual([]);
  expect(report.agent).toMatchObject({
    protocol: 2,
    hostname: "gh-1",
    intervalMs: 10_000,
    sentAt: LATER + 61_000,
    dropped: 0,
  });
  expect(report.batches.map(({ at, readings }) => [at, readings.length])).toEqual(instants.map((at) => [at, 8]));
  expect(report.processes.map(({ at }) => at)).toEqual([LATER, LATER + 60_000]);
  expect(report.batches.flatMap(({ problems }) => problems)).toEqual([]);
});

test("a driver that is gone is reported as an error with its own words", () => {
  const report = parseReport(agentReport(machineOf("gpu_1x_gh200", "driver-error"), [LATER], LATER), LATER);
  expect(report.errors).toMatchObject([{ at: LATER, status: 9 }]);
});

const script = "agent/hopperdeck-agent";
const skipped = existsSync(script) ? "" : ` (skipped: ${script} is absent)`;

test.skipIf(skipped)(`the simulated agents ask for what the real one asks for${skipped}`, () => {
  const wanted = /^COLUMNS_WANTED=(\S+)$/m.exec(readFileSync(script, "utf8"))?.[1] ?? "";
  const canonical = wanted.replace("clocks.sm", "clocks.current.sm").replace("clocks.mem", "clocks.current.memory");
  expect(agentFields.toSorted()).toEqual(canonical.split(",").toSorted());
});
