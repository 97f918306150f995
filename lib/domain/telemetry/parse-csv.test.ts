import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METRICS, WIDE_METRICS } from "./catalogue";
import { parseQueryGpu } from "./parse-csv";
import type { GpuReading } from "./sample";

function only(text: string): GpuReading {
  const { readings, problems } = parseQueryGpu(text);
  expect(problems).toEqual([]);
  const [reading] = readings;
  if (readings.length !== 1 || reading === undefined) throw new Error(`${readings.length} readings`);
  return reading;
}

const kinds = (text: string) => parseQueryGpu(text).problems.map((problem) => problem.kind);

describe("columns", () => {
  const expected = { uuid: "GPU-a", index: 0, values: { utilizationPct: 37, memoryUsedMib: 463, powerW: 87.5 } };

  test.each([
    [
      "units in the header and in the cell",
      "index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W]\n0, GPU-a, 37 %, 463 MiB, 87.50 W\n",
    ],
    [
      "units in the header only (nounits)",
      "index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W]\n0, GPU-a, 37, 463, 87.50\n",
    ],
    [
      "units in the cell only",
      "index, uuid, utilization.gpu, memory.used, power.draw\n0, GPU-a, 37 %, 463 MiB, 87.50 W\n",
    ],
    ["units nowhere", "index, uuid, utilization.gpu, memory.used, power.draw\n0, GPU-a, 37, 463, 87.5\n"],
    [
      "another order, and columns that nobody knows",
      "power.draw [W], x.y.z, memory.used [MiB], uuid, fan.speed [%], utilization.gpu [%], index\n87.5 W, 1, 463 MiB, GPU-a, [N/A], 37 %, 0\n",
    ],
    [
      "Windows line ends",
      "index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W]\r\n0, GPU-a, 37 %, 463 MiB, 87.50 W\r\n",
    ],
    [
      "no space after the comma, blank lines, no last line end, a byte order mark",
      "\ufeff\n\nindex,uuid,utilization.gpu [%],memory.used [MiB],power.draw [W]\n\n0,GPU-a,37 %,463 MiB,87.50 W",
    ],
    [
      "the names of the question",
      "index, gpu_uuid, utilization.gpu, memory.used, gpu.power.draw.average\n0, GPU-a, 37 %, 463 MiB, 87.50 W\n",
    ],
    [
      "capital letters",
      "INDEX, UUID, Utilization.GPU [%], memory.used [MiB], power.draw [W]\n0, GPU-a, 37 %, 463 MiB, 87.50 W\n",
    ],
  ])("%s", (_, text) => {
    expect(only(text)).toMatchObject(expected);
  });

  test("what has no column is not reported", () => {
    const { values, missing, throttleReasons, memoryTotalMib } = only("index, uuid\n0, GPU-a\n");
    expect(WIDE_METRICS.map((metric) => values[metric])).toEqual(WIDE_METRICS.map(() => null));
    expect(WIDE_METRICS.map((metric) => missing[metric])).toEqual(WIDE_METRICS.map(() => "not_reported"));
    expect([throttleReasons, missing.throttleReasons, memoryTotalMib]).toEqual([null, "not_reported", null]);
  });

  test("a second header in the stream takes over", () => {
    const text = "index, uuid, power.draw [W]\n0, GPU-a, 50 W\nuuid, power.draw [W]\nGPU-b, 60 W\n";
    expect(parseQueryGpu(text).readings.map(({ uuid, values }) => [uuid, values.powerW])).toEqual([
      ["GPU-a", 50],
      ["GPU-b", 60],
    ]);
  });

  test.each([
    ["2026/11/20 14:32:10.123", Date.UTC(2026, 10, 20, 14, 32, 10, 123)],
    ["[N/A]", null],
    ["yesterday", null],
  ])("the time %s is %s", (timestamp, at) => {
    expect(only(`timestamp, uuid\n${timestamp}, GPU-a\n`).at).toBe(at);
  });

  test("a card without UUID is known by its place", () => {
    expect(only("index, pci.bus_id, power.draw [W]\n1, 00000009:01:00.0, 5 W\n").uuid).toBe("bus:00000009:01:00.0");
    expect(only("index, power.draw [W]\n1, 5 W\n").uuid).toBe("index:1");
    expect(kinds("power.draw [W]\n5 W\n")).toEqual(["no_identity"]);
    expect(only("uuid, index\n<script>, 3\n").uuid).toBe("index:3");
  });
});

describe("values", () => {
  test("MIG: utilisation is not available, never 0 %", () => {
    const gpu = only(
      "uuid, mig.mode.current, utilization.gpu [%], memory.used [MiB]\nGPU-a, Enabled, [N/A], 500 MiB\n",
    );
    expect(gpu.migMode).toBe("enabled");
    expect(gpu.values.utilizationPct).toBeNull();
    expect(gpu.missing.utilizationPct).toBe("not_applicable");
  });

  test.each([
    ["power.draw [W], power.draw.average [W], power.draw.instant [W]", "87.88 W, 88.00 W, 89.00 W", 87.88],
    ["power.draw [W], power.draw.average [W], power.draw.instant [W]", "[N/A], [N/A], 1.62 W", 1.62],
    ["module.power.draw.average [W], power.draw.average [W]", "169.77 W, 87.88 W", 87.88],
    ["module.power.draw.average [W]", "169.77 W", null],
    ["power.draw [W]", "2500.00 W", null],
  ])("%s: %s is %s W of the GPU itself", (header, cells, powerW) => {
    expect(only(`uuid, ${header}\nGPU-a, ${cells}\n`).values.powerW).toBe(powerW);
  });

  test("the power cap in force, not the requested one", () => {
    const text = "uuid, power.limit [W], enforced.power.limit [W]\nGPU-a, 900.00 W, 700.00 W\n";
    expect(only(text).powerLimitW).toBe(700);
    expect(only("uuid, power.limit [W], enforced.power.limit [W]\nGPU-a, 900.00 W, [N/A]\n").powerLimitW).toBe(900);
  });

  test.each([
    ["clocks_event_reasons.active", "0x0000000000000104", 0x104],
    ["clocks_throttle_reasons.active", "0x0000000000000001", 1],
    ["clocks_event_reasons.active", "[N/A]", null],
    ["clocks_event_reasons.sw_power_cap, clocks_event_reasons.hw_slowdown", "Active, Not Active", 4],
    ["clocks_throttle_reasons.gpu_idle", "Not Active", 0],
    ["clocks_throttle_reasons.gpu_idle", "[N/A]", null],
  ])("%s %s is the mask %s", (header, cells, mask) => {
    expect(only(`uuid, ${header}\nGPU-a, ${cells}\n`).throttleReasons).toBe(mask);
  });

  test("the memory errors of the card's life, of its DRAM first", () => {
    const header = "uuid, ecc.errors.uncorrected.volatile.total, ecc.errors.uncorrected.aggregate.total";
    expect(only(`${header}\nGPU-a, 0, 3\n`).eccUncorrected).toBe(3);
    expect(only(`${header}, ecc.errors.uncorrected.aggregate.dram\nGPU-a, 0, 3, 1\n`).eccUncorrected).toBe(1);
    expect(only(`${header}\nGPU-a, 2, [N/A]\n`).eccUncorrected).toBe(2);
    expect(only(`${header}\nGPU-a, [N/A], [N/A]\n`).missing.eccUncorrected).toBe("not_applicable");
  });

  test("remapped rows", () => {
    const header =
      "uuid, remapped_rows.correctable, remapped_rows.uncorrectable, remapped_rows.pending, remapped_rows.failure";
    const { remappedRows } = only(`${header}\nGPU-a, 0, 4, Yes, No\n`);
    expect(remappedRows).toEqual({ correctable: 0, uncorrectable: 4, isPending: true, isFailed: false });
    expect(only(`${header}\nGPU-a, [N/A], [N/A], [N/A], [N/A]\n`).remappedRows).toBeNull();
  });

  test("more memory in use than there is cannot be true", () => {
    const header = "uuid, memory.total [MiB], memory.used [MiB]";
    const gpu = only(`${header}\nGPU-a, 15360 MiB, 97000 MiB\n`);
    expect([gpu.values.memoryUsedMib, gpu.missing.memoryUsedMib]).toEqual([null, "out_of_range"]);
    expect(only(`${header}\nGPU-a, 15360 MiB, 15360 MiB\n`).values.memoryUsedMib).toBe(15_360);
  });

  test("a unit that is not expected is no number", () => {
    const gpu = only("uuid, memory.used [GiB], power.draw\nGPU-a, 9, 0.5 kW\n");
    expect([gpu.missing.memoryUsedMib, gpu.missing.powerW]).toEqual(["malformed", "malformed"]);
  });

  test("a name loses what hides or reorders text, and what is too long", () => {
    const name = `A\u202eB\u0000C\u200b${"x".repeat(500)}`;
    expect(only(`uuid, name\nGPU-a, ${name}\n`).name).toBe(`ABC${"x".repeat(197)}`);
  });
});

describe("what is no GPU", () => {
  test("a line of text between rows is a message, and the rows around it count", () => {
    const { readings, problems } = parseQueryGpu(
      "index, uuid, power.draw [W]\n0, GPU-a, 50 W\nUnable to determine the device handle for GPU 0000:65:00.0: Unknown Error\n2, GPU-c, 52 W\n",
    );
    expect(readings.map((reading) => reading.uuid)).toEqual(["GPU-a", "GPU-c"]);
    expect(problems).toEqual([
      {
        kind: "nvidia_smi",
        message: "Unable to determine the device handle for GPU 0000:65:00.0: Unknown Error",
        line: 3,
      },
    ]);
  });

  test("a row of nothing but errors is a failed GPU, not a reading", () => {
    const row = Array(4).fill("[Unknown Error]").join(", ");
    const { readings, problems } = parseQueryGpu(`index, uuid, name, power.draw [W]\n0, GPU-a, A, 5 W\n${row}\n`);
    expect(readings).toHaveLength(1);
    expect(problems).toMatchObject([{ kind: "failed_gpu", line: 3 }]);
  });

  test("a lost GPU that still says its name is a reading without values", () => {
    const gpu = only("index, uuid, power.draw [W], utilization.gpu [%]\n0, GPU-a, [GPU is lost], [GPU is lost]\n");
    expect([gpu.values.powerW, gpu.missing.powerW]).toEqual([null, "gpu_lost"]);
  });

  test("lines of one message are one problem", () => {
    const text = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.161\n";
    expect(parseQueryGpu(text).problems).toEqual([
      {
        kind: "nvidia_smi",
        message: "Failed to initialize NVML: Driver/library version mismatch NVML library version: 535.161",
        line: 1,
      },
    ]);
  });

  test.each([
    ["", ["empty"]],
    ["\n \n", ["empty"]],
    ["index, uuid\n", ["empty"]],
    ["0, GPU-a, 37 %\n1, GPU-b, 40 %\n", ["no_header"]],
    ["2026-11-20 14:32:10,45,20148\n", ["no_header"]],
    ["index, uuid\n0, GPU-a, 5\n", ["malformed"]],
    ["index, uuid, name\n0, GPU-a\n", ["malformed"]],
    ["index, uuid\n0, GPU-a\n0, GPU-a\n", ["duplicate_gpu"]],
    ["sh: 1: nvidia-smi: command not found\n", ["nvidia_smi"]],
    ['Field "x" is not a valid field to query.\n', ["nvidia_smi"]],
  ])("%j: %j", (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  test("bounds hold, and say so", () => {
    expect(kinds("x".repeat(1_048_577))).toEqual(["too_large"]);
    expect(kinds(`uuid${", a".repeat(400)}\n`)).toEqual(["too_large"]);
    const rows = Array.from({ length: 1001 }, (_, i) => `${i}, GPU-${i}\n`).join("");
    const { readings, problems } = parseQueryGpu(`index, uuid\n${rows}`);
    expect(readings).toHaveLength(1000);
    expect(problems).toMatchObject([{ kind: "too_large" }]);
    expect(parseQueryGpu(`index, uuid\n${"x, y, z\n".repeat(900)}`).problems).toHaveLength(50);
  });
});

test("whatever it is given, every number is finite and in its range, and every null has its reason", () => {
  const cell = fc.oneof(
    fc.constantFrom(
      "[N/A]",
      "N/A",
      "[Unknown Error]",
      "-",
      "ERR!",
      "",
      "0x1",
      "37 %",
      "463 MiB",
      "1e999",
      "NaN",
      "-0",
      "\0",
    ),
    fc.double().map(String),
    fc.bigInt().map(String),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  const header = fc.shuffledSubarray(
    ["index", "uuid", "name", "timestamp", ...Object.values(METRICS).flatMap((entry) => entry.nvidiaSmi)],
    { minLength: 1 },
  );
  const table = fc
    .tuple(header, fc.array(fc.array(cell, { minLength: 1, maxLength: 30 }), { maxLength: 5 }))
    .map(([columns, rows]) => [columns, ...rows.map((row) => columns.map((_, i) => row[i % row.length]))])
    .map((lines) => lines.map((line) => line.join(", ")).join("\n"));
  const text = fc.oneof(table, fc.string({ unit: "binary", maxLength: 300 }));
  fc.assert(
    fc.property(text, (some) => {
      for (const reading of parseQueryGpu(some).readings) {
        for (const metric of WIDE_METRICS) {
          const value = reading.values[metric];
          const { min, max } = METRICS[metric];
          expect(value === null || (Number.isFinite(value) && value >= min && value <= max)).toBe(true);
          expect(reading.missing[metric] === undefined).toBe(value !== null);
        }
        expect(reading.throttleReasons === null).toBe(reading.missing.throttleReasons !== undefined);
        expect(reading.eccUncorrected === null).toBe(reading.missing.eccUncorrected !== undefined);
      }
    }),
    { numRuns: 2000 },
  );
});
