import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { METRICS, WIDE_METRICS } from "./catalogue";
import { isUnderstood } from "./describe";
import { parseOutput } from "./output";
import type { Report } from "./report";
import type { GpuReading } from "./sample";

const folder = join(process.env.SHARED_DIR ?? "../shared", "fixtures");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;
const files = (within: string) =>
  skipped === ""
    ? readdirSync(join(folder, within), { recursive: true, encoding: "utf8", withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : [];
const NOW = Date.UTC(2026, 10, 21, 10);
const parsed = (path: string) => parseOutput(readFileSync(join(folder, path), "utf8"), NOW);
const readingsOf = (report: Report) => report.batches.flatMap(({ readings }) => readings);
const problemsOf = (report: Report) => [...report.problems, ...report.batches.flatMap(({ problems }) => problems)];
const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, one) => total + (one ?? 0), 0);

/** What each folder of recordings holds, by name: what it is told to be, and how many cards and lists of processes are in it. */
const KINDS: readonly [path: RegExp, format: string, cards: number, lists: number][] = [
  [/sections\/.*\.query-gpu\.csv$/, "nvidia-smi --query-gpu", 1, 0],
  [/sections\/.*\.compute-apps\.csv$/, "nvidia-smi --query-compute-apps", 0, 1],
  [/sections\/.*\.q\.txt$/, "nvidia-smi -q", 1, 1],
  [/sections\/.*\.table\.txt$/, "nvidia-smi", 1, 1],
  [/captures\/[^/]*\.txt$/, "nvidia-smi -q", 2, 2],
  [/gls\/(V100_x8|H100SXMx8)__q\.txt$/, "nvidia-smi -q", 8, 1],
  [/gls\/(V100_x8|H100SXMx8)__table\.txt$/, "nvidia-smi", 8, 1],
  [/gls\/A100SXMx4__q\.txt$/, "nvidia-smi -q", 4, 1],
  [/gls\/A100SXMx4__table\.txt$/, "nvidia-smi", 4, 1],
  [/gls\/RTX3090__q\.txt$/, "nvidia-smi -q", 2, 1],
  [/gls\/RTX3090__table\.txt$/, "nvidia-smi", 2, 1],
  [/gls\/(GH200|A10|L4|RTX3070)__q\.txt$/, "nvidia-smi -q", 1, 1],
  [/gls\/(GH200|A10|L4|RTX3070)__table\.txt$/, "nvidia-smi", 1, 1],
  [/gpud\/nvidia-smi-query\.535\.129.*\.txt$/, "nvidia-smi -q", 1, 1],
  [/gpud\/nvidia-smi-query\.535\.1(54|61).*\.txt$/, "nvidia-smi -q", 8, 1],
  [/gpud\/nvidia-smi\.550.*\.txt$/, "nvidia-smi", 8, 1],
  [/gh200\/.*\.md$/, "nvidia-smi", 1, 1],
  [/telegraf\/dual_2080-v13\.xml$/, "nvidia-smi -q -x", 2, 1],
  [/telegraf\/(?!dual).*\.xml$/, "nvidia-smi -q -x", 1, 1],
];

/** What is refused, and the words that say why. */
const REFUSED: readonly [path: RegExp, format: string, words: string][] = [
  [/\.dmon\.txt$/, "nvidia-smi dmon", "neither time nor UUID"],
  [/\.pmon\.txt$/, "nvidia-smi pmon", "neither time nor UUID"],
  [/errors\/driver-not-loaded/, "message of nvidia-smi", "NVIDIA-SMI has failed because it couldn't communicate"],
  [/errors\/no-devices/, "message of nvidia-smi", "No devices were found"],
];

function expectSound(reading: GpuReading): void {
  for (const metric of WIDE_METRICS) {
    const value = reading.values[metric];
    expect(reading.missing[metric] === undefined, `${metric} of ${reading.name}`).toBe(value !== null);
    if (value === null) continue;
    expect(value).toBeGreaterThanOrEqual(METRICS[metric].min);
    expect(value).toBeLessThanOrEqual(METRICS[metric].max);
  }
}

describe.skipIf(skipped !== "")(`every recorded print of nvidia-smi${skipped}`, () => {
  test.each(files("nvidia-smi"))("%s", (path) => {
    const report = parsed(path);
    const refused = REFUSED.filter(([pattern]) => pattern.test(path));
    const kinds = KINDS.filter(([pattern]) => pattern.test(path));
    expect(refused.length + kinds.length, "a kind for each file, and one only").toBe(1);

    for (const [, format, words] of refused) {
      expect({ format: report.format, readings: readingsOf(report) }).toEqual({ format, readings: [] });
      expect(problemsOf(report).map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
    }
    for (const [, format, cards, lists] of kinds) {
      expect({ format: report.format, cards: readingsOf(report).length, lists: report.processes.length }).toEqual({
        format,
        cards,
        lists,
      });
      // The two cards of that file carry one UUID.
      const expected = path.endsWith("dual_2080-v13.xml") ? ["duplicate_gpu"] : [];
      expect(problemsOf(report).map(({ kind }) => kind)).toEqual(expected);
      expect(isUnderstood(report)).toBe(true);
    }
    for (const reading of readingsOf(report)) expectSound(reading);
  });

  test("GH200, -q: its own power of three, its cap in force, the errors of its life, no fan and no BAR", () => {
    expect(readingsOf(parsed("nvidia-smi/gls/GH200__q.txt"))).toMatchObject([
      {
        name: "NVIDIA GH200 480GB",
        busId: "00000000:DD:00.0",
        driverVersion: "550.127.05",
        memoryTotalMib: 97_871,
        powerLimitW: 700,
        migMode: "disabled",
        eccUncorrected: 1,
        remappedRows: { correctable: 0, uncorrectable: 1, isPending: false, isFailed: false },
        slowdownTemperatureC: null,
        values: { memoryUsedMib: 2, utilizationPct: 0, temperatureC: 31, memoryTemperatureC: 39, powerW: 87.88 },
      },
    ]);
  });

  test.each([
    [
      "nvidia-smi/gls/GH200__table.txt",
      { driverVersion: "550.127.05", powerLimitW: 700, at: NOW },
      { memoryUsedMib: 3, temperatureC: 31, powerW: 87 },
    ],
    [
      "nvidia-smi/gh200/lambda-gh200-container-specs_2025-04.md",
      { driverVersion: "570.124.06", powerLimitW: 700, at: Date.UTC(2025, 3, 14, 16, 31, 56) },
      { memoryUsedMib: 1, temperatureC: 33, powerW: 86 },
    ],
  ])("GH200 as a table: %s", (path, attributes, values) => {
    const [reading, ...more] = readingsOf(parsed(path));
    expect(more).toEqual([]);
    expect(reading).toMatchObject({
      name: "NVIDIA GH200 480GB",
      memoryTotalMib: 97_871,
      migMode: "disabled",
      ...attributes,
      values: { utilizationPct: 0, ...values },
    });
  });

  test.each([
    ["gls/H100SXMx8__q.txt", 8, 81_559, 700, 686.51],
    ["gls/A100SXMx4__q.txt", 4, 81_920, 500, 241.07],
    ["gls/V100_x8__q.txt", 8, 16_384, 300, 340.85],
    ["gls/A10__q.txt", 1, 23_028, 150, 15.65],
    ["gls/L4__q.txt", 1, 23_034, 72, 16.47],
    ["gls/RTX3090__q.txt", 2, 24_576, 350, 66.98],
    ["gls/RTX3070__q.txt", 1, 8192, 220, 48.37],
    ["gpud/nvidia-smi-query.535.154.05.out.1.valid.txt", 8, 24_564, 450, 1024.09],
  ])("%s: %i cards of %i MiB and %i W, together %d W", (path, count, mib, capW, powerW) => {
    const readings = readingsOf(parsed(`nvidia-smi/${path}`));
    expect(readings.map(({ index, memoryTotalMib, powerLimitW }) => [index, memoryTotalMib, powerLimitW])).toEqual(
      Array.from({ length: count }, (_, i) => [i, mib, capW]),
    );
    expect(new Set(readings.map(({ uuid }) => uuid)).size).toBe(count);
    expect(sum(readings.map(({ values }) => values.powerW))).toBeCloseTo(powerW, 2);
  });

  test("8 x RTX 4090: two at work, near their caps; the fleet's mean is 24.6 %", () => {
    const report = parsed("nvidia-smi/gpud/nvidia-smi-query.535.154.05.out.1.valid.txt");
    const readings = readingsOf(report);
    expect(readings.map(({ values }) => values.utilizationPct)).toEqual([0, 97, 0, 0, 100, 0, 0, 0]);
    expect(readings[1]?.values).toMatchObject({ powerW: 445.38, temperatureC: 72 });
    expect(readings[4]?.values).toMatchObject({ powerW: 446.36, temperatureC: 76 });
    expect((sum(readings.map(({ values }) => values.utilizationPct)) / 8).toFixed(1)).toBe("24.6");
    expect(report.processes[0]?.byUuid.size).toBe(2);
  });

  test.each([
    ["load", 100, 19_818, 59, 629.45, 3],
    ["idle", 0, 0, 41, 69.85, 0],
  ] as const)(
    "H100 of driver 590, %s, the average power first",
    (load, utilizationPct, memoryUsedMib, temperatureC, powerW, count) => {
      const report = parsed(
        `nvidia-smi/captures/sections/linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01/${load}.q.txt`,
      );
      expect(readingsOf(report)).toMatchObject([
        { powerLimitW: 700, values: { utilizationPct, memoryUsedMib, temperatureC, powerW } },
      ]);
      expect([...(report.processes[0]?.byUuid.values() ?? [])].flat()).toHaveLength(count);
    },
  );

  test("Turing's average power is N/A, so the instant counts", () => {
    const path = "nvidia-smi/captures/sections/linux-x86_64__nvidia-geforce-rtx-2080-super__595.71.05/load.q.txt";
    expect(readingsOf(parsed(path))).toMatchObject([
      { values: { powerW: 98.55 }, remappedRows: null, slowdownTemperatureC: 97 },
    ]);
  });

  test("Windows: the paths of processes, without their memory", () => {
    const path = "nvidia-smi/captures/sections/windows-x86_64__nvidia-geforce-rtx-2080-super__591.86/load";
    for (const print of ["q", "table"]) {
      const [processes] = parsed(`${path}.${print}.txt`).processes;
      const list = [...(processes?.byUuid.values() ?? [])].flat();
      expect(list).toHaveLength(12);
      expect(list).toContainEqual({ pid: 2056, name: "C:\\Windows\\System32\\dwm.exe", usedMib: null, user: null });
    }
  });

  test.each([
    ["-q", "q.txt"],
    ["the table", "table.txt"],
  ])("%s and the CSV of the same seconds agree", (_, ending) => {
    for (const host of new Set(files("nvidia-smi/captures/sections").map((path) => path.split("/").at(-2) ?? ""))) {
      const path = `nvidia-smi/captures/sections/${host}/idle`;
      const [csv] = readingsOf(parsed(`${path}.query-gpu.csv`));
      const [print] = readingsOf(parsed(`${path}.${ending}`));
      expect(print?.memoryTotalMib).toBe(csv?.memoryTotalMib);
      expect(print?.busId).toBe(csv?.busId);
      expect(print?.index).toBe(csv?.index);
      expect(print?.driverVersion).toBe(csv?.driverVersion);
      expect(print?.powerLimitW).toBe(csv?.powerLimitW);
      expect(Math.abs((print?.values.memoryUsedMib ?? 0) - (csv?.values.memoryUsedMib ?? 99))).toBeLessThanOrEqual(30);
    }
  });
});

describe.skipIf(skipped !== "")("other recordings, by the same door", () => {
  test("a kernel's log with one incident: 11 Xid lines of one card", () => {
    const report = parsed("xid/dmesg-iso_xid48-63-94.log");
    expect(report.format).toBe("kernel log");
    expect(report.sightings).toHaveLength(11);
    expect(new Set(report.sightings.map(({ code }) => code))).toEqual(new Set([48, 63, 94]));
  });

  test.each(["xid/kmsg-raw_peermem.log", "xid/kmsg-raw_no-xid.log"])(
    "%s is a kernel's log without an event",
    (path) => {
      const report = parsed(path);
      expect(report).toMatchObject({ format: "kernel log", sightings: [], batches: [] });
      expect(isUnderstood(report)).toBe(true);
    },
  );

  test.each(files("dcgm").filter((path) => /\.(prom|metrics)$/.test(path)))("%s is a metrics page", (path) => {
    const report = parsed(path);
    expect(report.format).toBe("metrics page");
    expect(readingsOf(report).length).toBeGreaterThan(0);
    for (const reading of readingsOf(report)) expectSound(reading);
  });

  test("a training run of 8 GPUs that another logger wrote: 12,576 rows, the peak of 426.51 W among them", () => {
    const report = parsed("traces/nanogpt-8gpu/8gpu_train_7min.csv");
    const readings = readingsOf(report);
    expect(problemsOf(report)).toEqual([]);
    expect(readings).toHaveLength(12_576);
    expect(new Set(readings.map(({ uuid }) => uuid)).size).toBe(8);
    expect(Math.max(...readings.map(({ values }) => values.powerW ?? 0))).toBe(426.51);
  });

  test.each([...files("traces/nab"), ...files("lambda")])("%s is not of GPUs, and says so", (path) => {
    const report = parsed(path);
    expect(isUnderstood(report)).toBe(false);
    expect(problemsOf(report).at(-1)?.kind).toBe("unknown_format");
  });
});
