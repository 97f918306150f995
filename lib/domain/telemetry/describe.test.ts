import { expect, test } from "vitest";
import { AGENT_PRINT, KERNEL_PRINT, METRICS_PRINT, Q_PRINT } from "@/lib/testing/prints";
import { describeReport, isUnderstood } from "./describe";
import { parseOutput } from "./output";

const NOW = Date.UTC(2026, 10, 21, 10, 0, 5);
const described = (text: string) => describeReport(parseOutput(text, NOW));

test("a card: who it is, values with their units, what is missing with its reason", () => {
  const { gpus, processes, format } = described(Q_PRINT);
  expect(format).toBe("nvidia-smi -q");
  expect(gpus).toHaveLength(1);
  expect(gpus[0]).toMatchObject({
    uuid: "GPU-aa000000-0000-0000-0000-000000000001",
    name: "NVIDIA GH200 480GB",
    model: "GH200",
    busId: "00000009:01:00.0",
    index: 0,
    driver: "570.124.06",
    memoryTotalMib: 97_871,
    powerLimitW: 700,
    at: "2026-11-21T10:00:00.000Z",
    values: {
      powerW: { value: 512.34, unit: "W" },
      memoryUsedMib: { value: 41_000, unit: "MiB" },
      temperatureC: { value: 61, unit: "°C" },
      utilizationPct: { value: 93, unit: "%" },
      eccUncorrected: { value: 2, unit: "" },
    },
    throttleReasons: [{ key: "sw_power_cap" }, { key: "hw_power_brake", isProblem: true }],
    missing: { smActivePct: { reason: "not_reported", meaning: "the sender does not report it" } },
    earlier: [],
  });
  expect(gpus[0]?.values.memoryUsedPct?.value).toBeCloseTo(41.89, 2);
  expect(processes[0]?.gpus[0]?.processes[0]).toEqual({
    pid: 4242,
    name: "/usr/bin/python3 -c a:b",
    used: { value: 40_960, unit: "MiB" },
    user: null,
  });
});

test("of several readings of a card the newest stands in front, whatever their order", () => {
  const text = Q_PRINT.replace("10:00:00", "10:00:30").replace("93 %", "7 %") + Q_PRINT;
  const { gpus } = described(text);
  expect(gpus).toHaveLength(1);
  expect(gpus[0]?.values.utilizationPct?.value).toBe(7);
  expect(gpus[0]?.earlier.map(({ at, values }) => [at, values.utilizationPct?.value])).toEqual([
    ["2026-11-21T10:00:00.000Z", 93],
  ]);
});

test("events say what they mean, and how their time is known", () => {
  expect(described(KERNEL_PRINT).events).toMatchObject([
    {
      xid: 79,
      meaning: expect.stringMatching(/bus/i),
      atIs: "received",
      gpu: { uuid: "GPU-aa000000-0000-0000-0000-000000000001" },
    },
    { xid: 94, atIs: "written", at: "2026-11-21T10:00:00.000Z", pid: 4242, processName: "python" },
  ]);
});

test("a report of the agent: who sent it, and what nvidia-smi said instead", () => {
  expect(described(AGENT_PRINT)).toMatchObject({
    agent: { hostname: "gh-1" },
    gpus: [{ index: 0 }, { index: 1, missing: { powerW: { reason: "unknown_error" } } }],
    errors: [{ at: "2026-11-21T09:59:50.000Z", status: 9 }],
  });
});

test("a mark for blank is never a temperature", () => {
  expect(described(METRICS_PRINT).gpus).toMatchObject([{ missing: { memoryTemperatureC: { reason: "sentinel" } } }]);
});

test.each([
  [Q_PRINT, true],
  ["No devices were found\n", true],
  ["[ 1.000000] Linux version 6.8\n", true],
  ["Lorem ipsum\n", false],
  ["", false],
])("%j is understood: %s", (text, isKnown) => {
  expect(isUnderstood(parseOutput(text, NOW))).toBe(isKnown);
});
