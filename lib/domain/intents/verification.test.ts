import { describe, expect, test } from "vitest";
import type { HostFacts } from "@/lib/domain/telemetry/report";
import {
  type Order,
  type Reported,
  readVerification,
  VERIFY_GRACE_MS,
  VERIFY_WITHIN_MS,
  type VerificationKey,
  verify,
} from "./verification";

const ACTIVE = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
/** Long enough after the first report for what is wrong to count. */
const LATER = ACTIVE + MINUTE + VERIFY_GRACE_MS;
const OVER = ACTIVE + VERIFY_WITHIN_MS;

const order = (more: Partial<Order> = {}): Order => ({
  gpus: 1,
  gpuModel: "GH200",
  gpuMemoryGb: 96,
  fileSystemName: "moe",
  minDriver: "570.86",
  ...more,
});
const gpu = { uuid: "GPU-1", model: "NVIDIA GH200 480GB", memoryMib: 97_871, driverVersion: "570.148.08" };
const facts: HostFacts = {
  driverVersion: { at: ACTIVE, found: "570.148.08" },
  cudaProbe: { at: ACTIVE, found: { isUsable: true, devices: 1, tookMs: 900, message: null } },
  mounts: {
    at: ACTIVE,
    found: [
      { path: "/lambda/nfs/moe", device: "10.0.0.1:/moe", type: "nfs4", sizeBytes: 1, usedBytes: 0, problem: null },
    ],
  },
  clockOffsetMs: { at: ACTIVE, found: 0.4 },
};
const reported = (more: Partial<Reported> = {}): Reported => ({
  activeAt: ACTIVE,
  heardAt: ACTIVE + MINUTE,
  gpus: [gpu],
  facts,
  clockSkewMs: 120,
  ...more,
});
const cuda = (found: { isUsable: boolean; devices: number; message?: string }): HostFacts => ({
  ...facts,
  cudaProbe: { at: ACTIVE, found: { tookMs: 9, ...found, message: found.message ?? null } },
});

describe("what was ordered against what is reported", () => {
  test("all is well", () => {
    const found = verify(order(), reported(), null, LATER);
    expect(found.checks.filter(({ state }) => state !== "passed")).toEqual([]);
    expect(found).toMatchObject({ state: "passed", since: LATER, deadlineAt: OVER });
    expect(readVerification(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  test.each<[string, Partial<Order>, Partial<Reported>, VerificationKey, string, RegExp]>([
    ["too few GPUs", { gpus: 8 }, {}, "gpus", "failed", /1 GPU, 8 ordered/],
    ["the same card twice is one", { gpus: 2 }, { gpus: [gpu, gpu] }, "gpus", "failed", /1 GPU, 2 ordered/],
    ["no GPU ordered", { gpus: 0 }, { gpus: [] }, "gpus", "skipped", /names none/],
    ["another card", {}, { gpus: [{ ...gpu, model: "NVIDIA H100 PCIe" }] }, "model", "failed", /H100 PCIe, GH200/],
    [
      "the A6000 by its full name",
      { gpuModel: "A6000" },
      { gpus: [{ ...gpu, model: "NVIDIA RTX A6000" }] },
      "model",
      "passed",
      /A6000/,
    ],
    [
      "the Turing RTX 6000",
      { gpuModel: "RTX 6000" },
      { gpus: [{ ...gpu, model: "Quadro RTX 6000" }] },
      "model",
      "passed",
      /RTX 6000/,
    ],
    [
      "not the A6000 for it",
      { gpuModel: "RTX 6000" },
      { gpus: [{ ...gpu, model: "NVIDIA RTX A6000" }] },
      "model",
      "failed",
      /RTX A6000/,
    ],
    [
      "PCIe for SXM",
      { gpuModel: "H100 SXM" },
      { gpus: [{ ...gpu, model: "NVIDIA H100 PCIe" }] },
      "model",
      "failed",
      /PCIe/,
    ],
    [
      "SXM for SXM",
      { gpuModel: "H100 SXM" },
      { gpus: [{ ...gpu, model: "NVIDIA H100 80GB HBM3" }] },
      "model",
      "passed",
      /H100/,
    ],
    [
      "less memory",
      { gpuMemoryGb: 80, gpuModel: "A100" },
      { gpus: [{ ...gpu, model: "NVIDIA A100-SXM4-40GB", memoryMib: 40_960 }] },
      "memory",
      "failed",
      /40 GB .* 80 GB/,
    ],
    ["memory within 3 %", {}, { gpus: [{ ...gpu, memoryMib: 97_871 - 2_900 }] }, "memory", "passed", /96 GB/],
    ["memory of no size", {}, { gpus: [{ ...gpu, memoryMib: 60_000 }] }, "memory", "failed", /no size of this card/],
    ["a card that nobody knows", {}, { gpus: [{ ...gpu, model: "NVIDIA X9" }] }, "memory", "skipped", /not known here/],
    ["a driver just old enough", { minDriver: "570.148.08" }, {}, "driver", "passed", /570\.148\.08/],
    ["an older driver", { minDriver: "570.148.9" }, {}, "driver", "failed", /at least 570\.148\.9/],
    ["any driver", { minDriver: "" }, {}, "driver", "passed", /ask for none/],
    [
      "the driver by nvidia-smi alone",
      {},
      { facts: { ...facts, driverVersion: { at: ACTIVE, missing: "no" } } },
      "driver",
      "passed",
      /570/,
    ],
    [
      "CUDA that fails",
      {},
      { facts: cuda({ isUsable: false, devices: 0, message: "cuInit: 802" }) },
      "cuda",
      "failed",
      /802/,
    ],
    [
      "CUDA on fewer GPUs",
      { gpus: 2 },
      { facts: cuda({ isUsable: true, devices: 1 }) },
      "cuda",
      "failed",
      /1 GPU, 2 ordered/,
    ],
    [
      "CUDA in use",
      {},
      { facts: { cudaBusy: { at: ACTIVE, found: "a process computes" } } },
      "cuda",
      "passed",
      /in use by a job/,
    ],
    [
      "CUDA that failed and is put off since",
      {},
      { facts: { ...cuda({ isUsable: false, devices: 0 }), cudaBusy: { at: LATER, found: "x" } } },
      "cuda",
      "failed",
      /no context/,
    ],
    [
      "CUDA that cannot be probed",
      {},
      { facts: { cudaProbe: { at: ACTIVE, missing: "python3 is not installed" } } },
      "cuda",
      "skipped",
      /python3/,
    ],
    ["no file system ordered", { fileSystemName: null }, {}, "filesystem", "skipped", /none ordered/],
    ["a file system that is not there", { fileSystemName: "mo" }, {}, "filesystem", "failed", /mo is not mounted/],
    ["a clock that is off", {}, { clockSkewMs: -31_000 }, "clock", "failed", /31 s off/],
    [
      "a clock that is off by itself",
      {},
      { facts: { clockOffsetMs: { at: ACTIVE, found: 1_500 } } },
      "clock",
      "failed",
      /time service/,
    ],
  ])("%s", (_, ordered, seen, key, state, words) => {
    const check = verify(order(ordered), reported(seen), null, LATER).checks.find((one) => one.key === key);
    expect(check?.state).toBe(state);
    expect(check?.words.replaceAll(/\s/g, " ")).toMatch(words);
  });
});

describe("time", () => {
  const silent = reported({ heardAt: null, gpus: [], facts: {}, clockSkewMs: null });

  test("nothing heard is waited for, and fails at the deadline, once", () => {
    const early = verify(order(), silent, null, OVER - 1);
    expect(early.state).toBe("checking");
    const late = verify(order(), silent, early, OVER);
    expect(late.state).toBe("failed");
    expect(late.checks.filter(({ state }) => state === "failed").map(({ key }) => key)).toEqual(["agent"]);
  });

  test("what is wrong right after the first report gets a few minutes", () => {
    const bad = reported({ facts: cuda({ isUsable: false, devices: 0 }) });
    expect(verify(order(), bad, null, LATER - 1).state).toBe("checking");
    expect(verify(order(), bad, null, LATER).state).toBe("failed");
  });

  test("what the agent still owes fails at the deadline", () => {
    const { mounts: _, ...rest } = facts;
    const part = reported({ facts: rest });
    expect(verify(order(), part, null, LATER).state).toBe("checking");
    const late = verify(order(), part, null, OVER);
    expect(late.checks.find(({ key }) => key === "filesystem")).toMatchObject({ state: "failed" });
  });

  test("what a machine of old does not say is not held against it, what is wrong is", () => {
    const old = ACTIVE + 25 * 60 * MINUTE;
    expect(verify(order(), silent, null, old).state).toBe("passed");
    expect(verify(order(), reported({ facts: cuda({ isUsable: false, devices: 0 }) }), null, old).state).toBe("failed");
  });

  test("what comes right in the end has passed, and keeps since when", () => {
    const failed = verify(order(), silent, null, OVER);
    const well = verify(order(), reported(), failed, OVER + MINUTE);
    expect(well).toMatchObject({ state: "passed", since: OVER + MINUTE });
    expect(verify(order(), reported(), well, OVER + 2 * MINUTE).since).toBe(OVER + MINUTE);
  });
});

test("what another release wrote and cannot be read is nothing", () => {
  expect(readVerification(null)).toBeNull();
  expect(readVerification({ state: "odd" })).toBeNull();
});
