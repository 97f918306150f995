import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { METRICS, memoryUsedPct, WIDE_METRICS } from "./catalogue";
import { effectiveUtilization } from "./idle";
import { modelOf, nominalGb } from "./models";
import { parseQueryGpu } from "./parse-csv";
import { parseComputeApps } from "./parse-processes";
import { parseNvidiaSmiXml } from "./parse-xml";
import type { GpuReading } from "./sample";
import { bucketise, resolveRange } from "./series";

const shared = process.env.SHARED_DIR ?? "../shared";
const folder = join(shared, "fixtures");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;
const read = (path: string) => readFileSync(join(folder, path), "utf8");

const SECTIONS = "nvidia-smi/captures/sections";
const H100 = "linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01";
const RTX_2080_SUPER = "linux-x86_64__nvidia-geforce-rtx-2080-super__595.71.05";
const RTX_4080_SUPER = "linux-x86_64__nvidia-geforce-rtx-4080-super__595.71.05";
const WINDOWS = "windows-x86_64__nvidia-geforce-rtx-2080-super__591.86";

function recorded(host: string, load: "idle" | "load"): GpuReading {
  const { readings, problems } = parseQueryGpu(read(`${SECTIONS}/${host}/${load}.query-gpu.csv`));
  expect(problems).toEqual([]);
  const [reading] = readings;
  if (readings.length !== 1 || reading === undefined) throw new Error("one GPU expected");
  return reading;
}

/** Every number finite and in its range; every null with its reason, and only nulls with one. */
function expectSound(reading: GpuReading): void {
  for (const metric of WIDE_METRICS) {
    const value = reading.values[metric];
    expect(reading.missing[metric] === undefined, `${metric} of ${reading.name}`).toBe(value !== null);
    if (value === null) continue;
    expect(value).toBeGreaterThanOrEqual(METRICS[metric].min);
    expect(value).toBeLessThanOrEqual(METRICS[metric].max);
  }
}

describe.skipIf(skipped !== "")(`recorded outputs of nvidia-smi${skipped}`, () => {
  test("an idle H100 of driver 590: 212 columns read by name", () => {
    const gpu = recorded(H100, "idle");
    expect(gpu).toMatchObject({
      name: "NVIDIA H100 80GB HBM3",
      driverVersion: "590.48.01",
      memoryTotalMib: 81_559,
      powerLimitW: 700,
      migMode: "disabled",
      at: Date.UTC(2026, 6, 14, 8, 12, 38, 696),
      values: { memoryUsedMib: 0, utilizationPct: 0, temperatureC: 41, powerW: 69.85, memoryTemperatureC: 48 },
      throttleReasons: 1,
      eccUncorrected: 0,
    });
    expectSound(gpu);
  });

  test("the same H100 at full load: 24.3 % of its memory and 90.3 % of its power cap", () => {
    const gpu = recorded(H100, "load");
    expect(gpu.values).toMatchObject({ utilizationPct: 100, memoryUsedMib: 19_818, temperatureC: 59, powerW: 631.95 });
    expect(memoryUsedPct(gpu.values.memoryUsedMib, gpu.memoryTotalMib)?.toFixed(1)).toBe("24.3");
    expect((((gpu.values.powerW ?? 0) / (gpu.powerLimitW ?? 1)) * 100).toFixed(1)).toBe("90.3");
    expect(effectiveUtilization(gpu.values)).toEqual({ pct: 100, by: "utilizationPct" });
  });

  test("202 columns of an RTX 2080 SUPER at work", () => {
    const gpu = recorded(RTX_2080_SUPER, "load");
    expect(gpu.values).toMatchObject({ utilizationPct: 8, memoryUsedMib: 819, temperatureC: 45, powerW: 111.5 });
    expect(gpu.missing).toMatchObject({ memoryTemperatureC: "not_applicable", eccUncorrected: "not_applicable" });
  });

  test("a memory clock of 11 GHz is true", () => {
    expect(recorded(RTX_4080_SUPER, "load").values.memoryClockMhz).toBe(11_251);
    expect(recorded(RTX_4080_SUPER, "idle").values).toMatchObject({ utilizationPct: 0, memoryBusyPct: 23 });
  });

  test("210 columns from Windows", () => {
    expect(recorded(WINDOWS, "load").values).toMatchObject({ utilizationPct: 7, memoryUsedMib: 1296, powerW: 97.43 });
  });

  const sections = skipped === "" ? readdirSync(join(folder, SECTIONS)) : [];
  test.each(sections.flatMap((host) => [`${host}/idle`, `${host}/load`]))("%s is sound throughout", (path) => {
    const { readings, problems } = parseQueryGpu(read(`${SECTIONS}/${path}.query-gpu.csv`));
    expect(problems).toEqual([]);
    expect(readings).toHaveLength(1);
    for (const reading of readings) expectSound(reading);
  });

  test.each([
    [`${H100}/load`, 3, { pid: 11_345, name: "./gpu_burn", usedMib: 15_690, user: null }],
    [`${RTX_4080_SUPER}/load`, 3, { pid: 2165, name: "/usr/bin/kwin_wayland", usedMib: 25, user: null }],
    [`${WINDOWS}/idle`, 10, { pid: 2056, name: "C:\\Windows\\System32\\dwm.exe", usedMib: null, user: null }],
    [
      `${WINDOWS}/idle`,
      10,
      { pid: 20_372, name: "C:\\Program Files\\NZXT CAM\\NZXT CAM.exe", usedMib: null, user: null },
    ],
  ])("the processes of %s", (path, count, one) => {
    const { byUuid, isAnswered, problems } = parseComputeApps(read(`${SECTIONS}/${path}.compute-apps.csv`));
    const processes = byUuid.get("GPU-00000000-0000-0000-0000-000000000000") ?? [];
    expect({ isAnswered, problems, count: processes.length }).toEqual({ isAnswered: true, problems: [], count });
    expect(processes).toContainEqual(one);
  });

  test("a header without a process says that none runs", () => {
    const { byUuid, isAnswered } = parseComputeApps(read(`${SECTIONS}/${H100}/idle.compute-apps.csv`));
    expect(isAnswered).toBe(true);
    expect(byUuid.size).toBe(0);
  });

  test.each([
    ["driver-not-loaded", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure"],
    ["no-devices-were-found", "No devices were found"],
  ])("%s: no GPU, and nvidia-smi's own words as the reason", (name, words) => {
    const text = read(`nvidia-smi/errors/${name}.stdout.txt`);
    for (const { readings, problems } of [parseQueryGpu(text), parseNvidiaSmiXml(text)]) {
      expect(readings).toEqual([]);
      expect(problems).toHaveLength(1);
      expect(problems[0]?.kind).toBe("nvidia_smi");
      expect(problems[0]?.message).toContain(words);
    }
  });
});

describe.skipIf(skipped !== "")("recorded nvidia-smi XML", () => {
  const xml = (name: string) => parseNvidiaSmiXml(read(`nvidia-smi/telegraf/${name}.xml`));

  test.each([
    [
      "tesla-t4",
      {
        name: "Tesla T4",
        driverVersion: "515.105.01",
        memoryTotalMib: 15_360,
        powerLimitW: 70,
        pstate: "P0",
        slowdownTemperatureC: 93,
        eccUncorrected: 0,
        throttleReasons: 0,
        at: Date.UTC(2023, 3, 24, 16, 22, 39),
      },
      { memoryUsedMib: 1032, temperatureC: 40, powerW: 26.78, memoryReservedMib: 388, memoryTemperatureC: null },
    ],
    [
      "a10g",
      {
        name: "NVIDIA A10G",
        memoryTotalMib: 23_028,
        powerLimitW: 300,
        remappedRows: { correctable: 0, uncorrectable: 0, isPending: false, isFailed: false },
        throttleReasons: 1,
      },
      { temperatureC: 17, powerW: 25.58 },
    ],
    [
      "gtx-1660-ti",
      {
        name: "Graphics Device",
        driverVersion: "418.43",
        memoryTotalMib: 5912,
        remappedRows: null,
        eccUncorrected: null,
      },
      { memoryUsedMib: 0, powerW: 8.93, memoryReservedMib: null },
    ],
    [
      "quadro-p2000-v12",
      { name: "Quadro P2000", memoryTotalMib: 5120, powerLimitW: 75 },
      { powerW: 4.61, smClockMhz: 139 },
    ],
    [
      "rtx-3060-v12",
      { name: "NVIDIA GeForce RTX 3060", memoryTotalMib: 12_288, powerLimitW: 170 },
      { memoryUsedMib: 116, powerW: 11.6 },
    ],
    [
      "rtx-3080-v12",
      { name: "NVIDIA GeForce RTX 3080", driverVersion: "536.40", powerLimitW: 336 },
      { utilizationPct: 0, memoryBusyPct: 37, powerW: 22.78 },
    ],
    ["rtx-3090-v12", { name: "NVIDIA GeForce RTX 3090", powerLimitW: 200 }, { powerW: 27.23, memoryUsedMib: 1 }],
  ])("%s", (name, attributes, values) => {
    const { readings, problems } = xml(name);
    expect(problems).toEqual([]);
    expect(readings).toHaveLength(1);
    expect(readings[0]).toMatchObject({ ...attributes, values });
    for (const reading of readings) expectSound(reading);
  });

  test("two RTX 2080 of driver 590: the average power is N/A, so the instant counts", () => {
    const { readings } = xml("dual_2080-v13");
    expect(readings.map(({ index, busId, values }) => [index, busId, values.powerW])).toEqual([
      [0, "00000000:01:00.0", 1],
      [1, "00000000:02:00.0", 1.62],
    ]);
  });

  test("the two processes of the T4", () => {
    const { byUuid, isAnswered } = xml("tesla-t4").processes;
    expect(isAnswered).toBe(true);
    expect([...byUuid.values()]).toEqual([
      [
        { pid: 675, name: "/usr/lib/xorg/Xorg", usedMib: 22, user: null },
        { pid: 5762, name: "python", usedMib: 1005, user: null },
      ],
    ]);
  });

  test("a card that lists no process has none", () => {
    expect(xml("rtx-3060-v12").processes).toMatchObject({ isAnswered: true, byUuid: new Map() });
  });
});

describe.skipIf(skipped !== "")("what the recorded cards say of themselves", () => {
  const cards = new Map<string, Set<number>>();
  const text = skipped === "" ? readdirSync(join(folder, "nvidia-smi"), { recursive: true, encoding: "utf8" }) : [];
  for (const path of text.filter((one) => /q(uery)?[^/]*\.txt$/.test(one))) {
    for (const [, name = "", mib] of read(`nvidia-smi/${path}`).matchAll(
      /Product Name +: (.+)$[\s\S]*?FB Memory Usage\s+Total +: (\d+) MiB/gm,
    )) {
      cards.set(name, (cards.get(name) ?? new Set()).add(Number(mib)));
    }
  }

  test.each([
    ["NVIDIA GH200 480GB", 97_871, 96],
    ["NVIDIA H100 80GB HBM3", 81_559, 80],
    ["NVIDIA A100-SXM4-80GB", 81_920, 80],
    ["NVIDIA A10", 23_028, 24],
    ["NVIDIA L4", 23_034, 24],
    ["Tesla V100-SXM2-16GB", 16_384, 16],
    ["NVIDIA GeForce RTX 4090", 24_564, 24],
  ])("%s reports %i MiB and is sold as %i GB", (name, mib, gb) => {
    expect([...(cards.get(name) ?? [])]).toEqual([mib]);
    expect(nominalGb(name, mib)).toBe(gb);
    expect(modelOf(name)?.memory.some((size) => size.reportedMib.includes(mib))).toBe(true);
  });
});

describe.skipIf(skipped !== "")("a recorded training run", () => {
  test("12,576 rows keep their peak of 426.51 W, their 3.1 s hole when near, and their energy of 386.7 Wh", () => {
    const rows = read("traces/nanogpt-8gpu/8gpu_train_7min.csv").trim().split("\n").slice(1);
    const points = rows.map((row) => {
      const cells = row.split(",");
      return { at: Date.parse(cells[0] ?? ""), value: Number(cells[4]) };
    });
    expect(points).toHaveLength(12_576);
    const first = points[0]?.at ?? 0;
    const last = points.at(-1)?.at ?? 0;

    const day = bucketise(points, resolveRange(first - 12 * 3_600_000, last + 12 * 3_600_000));
    expect(Math.max(...day.max.map((value) => value ?? 0))).toBe(426.51);
    expect(day.n.reduce((sum, n) => sum + n, 0)).toBe(12_576);

    const seconds = bucketise(points, resolveRange(first, last, 600, 1000));
    expect(seconds.n.map((n) => (n === 0 ? "." : "x")).join("")).toContain("x...x");

    const near = bucketise(points, resolveRange(first, last));
    expect(near.n.every((n) => n > 0)).toBe(true);
    const means = near.mean.filter((value) => value !== null);
    const meanW = means.reduce((sum, value) => sum + value, 0) / means.length;
    expect(((meanW * 8 * (last - first)) / 3_600_000).toFixed(0)).toBe("387");
  });
});
