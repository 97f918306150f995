import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS, untrustedTexts, withoutStall } from "@/lib/testing/mutate";
import { METRICS, WIDE_METRICS } from "./catalogue";
import { type FromMetrics, parseMetricsPage } from "./from-metrics";
import { MetricMapping } from "./metric-mapping";
import { namesWith } from "./metric-names";
import { parseQueryGpu } from "./parse-csv";
import type { GpuReading } from "./sample";

const NOON = Date.UTC(2026, 10, 21, 12);
const UUID = "GPU-22dbdd79-f55a-92a8-aa39-322198e72ed6";
const CARD = `gpu="3",UUID="${UUID}",pci_bus_id="00000009:01:00.0",device="nvidia3",modelName="NVIDIA GH200 480GB",Hostname="gh-1",DCGM_FI_DRIVER_VERSION="580.105.08"`;

/** The lines of a page, each of the same card. */
function page(...lines: string[]): FromMetrics {
  const text = lines.map((line) => `${line.replace("{", `{${CARD},`).replace(/^(\w+) /, `$1{${CARD}} `)}\n`).join("");
  return parseMetricsPage(text, NOON);
}

function only({ batches, problems }: FromMetrics): GpuReading {
  expect(problems).toEqual([]);
  const [reading, ...others] = batches.flatMap((batch) => batch.readings);
  if (reading === undefined || others.length > 0) throw new Error("one reading expected");
  return reading;
}

/** Every number finite and in its range; every null with its reason, and only nulls with one. */
function expectSound(reading: GpuReading): void {
  for (const metric of WIDE_METRICS) {
    const value = reading.values[metric];
    expect(reading.missing[metric] === undefined, `${metric} of ${reading.uuid}`).toBe(value !== null);
    if (value === null) continue;
    expect(value).toBeGreaterThanOrEqual(METRICS[metric].min);
    expect(value).toBeLessThanOrEqual(METRICS[metric].max);
  }
}

describe("dcgm-exporter", () => {
  test("one card, its labels and its units", () => {
    const reading = only(
      page(
        "DCGM_FI_DEV_GPU_UTIL 97",
        "DCGM_FI_DEV_FB_USED 1103",
        "DCGM_FI_DEV_FB_FREE 96000",
        "DCGM_FI_DEV_FB_RESERVED 768",
        "DCGM_FI_DEV_POWER_USAGE 87.88",
        "DCGM_FI_PROF_SM_ACTIVE 0.29",
        "DCGM_FI_PROF_DRAM_ACTIVE 0.07",
        "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL 1",
        "DCGM_FI_DEV_CLOCKS_EVENT_REASONS 72",
        "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS 1",
        "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS 0",
        "DCGM_FI_DEV_ROW_REMAP_FAILURE 1",
        "DCGM_FI_DEV_ENFORCED_POWER_LIMIT 700",
        "DCGM_FI_DEV_PSTATE 0",
      ),
    );
    expect(reading).toMatchObject({
      uuid: UUID,
      mig: "",
      index: 3,
      busId: "00000009:01:00.0",
      name: "NVIDIA GH200 480GB",
      driverVersion: "580.105.08",
      memoryTotalMib: 97_871,
      powerLimitW: 700,
      pstate: "P0",
      at: NOON,
      throttleReasons: 0x48,
      eccUncorrected: 1,
      remappedRows: { correctable: 0, uncorrectable: 1, isPending: false, isFailed: true },
    });
    expect(reading.values).toMatchObject({ utilizationPct: 97, powerW: 87.88, smActivePct: 29, dramActivePct: 7 });
    expect(reading.missing).toMatchObject({ temperatureC: "not_reported", tensorActivePct: "not_reported" });
    expectSound(reading);
  });

  test.each([
    ["DCGM_FI_DEV_GPU_TEMP_CELSIUS 41", "temperatureC", 41],
    ["DCGM_FI_DEV_BOARD_POWER_WATTS 87.88", "powerW", 87.88],
    ["DCGM_FI_PROF_TENSOR_UTIL_RATIO 0.5", "tensorActivePct", 50],
    ["DCGM_FI_DEV_GPU_UTIL_RATIO 97", "utilizationPct", 97],
    ["DCGM_FI_DEV_GPU_UTIL_RATIO 0.97", "utilizationPct", 97],
    ["DCGM_FI_DEV_MEMORY_TEMP_CELSIUS 39", "memoryTemperatureC", 39],
  ] as const)("the names of DCGM 4.6: %s", (line, metric, value) => {
    expect(only(page(line)).values[metric]).toBe(value);
  });

  test.each([
    ["DCGM_FI_DEV_MEMORY_TEMP 9223372036854775794", "memoryTemperatureC", "sentinel"],
    ["DCGM_FI_DEV_MEMORY_TEMP 0", "memoryTemperatureC", "sentinel"],
    ["DCGM_FI_DEV_POWER_USAGE 140737488355328.0", "powerW", "sentinel"],
    ["DCGM_FI_DEV_GPU_TEMP 2147483632", "temperatureC", "sentinel"],
    ["DCGM_FI_PROF_SM_ACTIVE 140737488355330", "smActivePct", "sentinel"],
    ["DCGM_FI_DEV_GPU_TEMP NaN", "temperatureC", "malformed"],
    ["DCGM_FI_DEV_GPU_TEMP +Inf", "temperatureC", "out_of_range"],
    ["DCGM_FI_DEV_GPU_UTIL 1980", "utilizationPct", "out_of_range"],
    ["DCGM_FI_DEV_POWER_USAGE -1", "powerW", "out_of_range"],
    ["DCGM_FI_PROF_SM_ACTIVE 97", "smActivePct", "out_of_range"],
    ["DCGM_FI_DEV_SM_CLOCK 1e308", "smClockMhz", "sentinel"],
  ] as const)("%s is no number to store", (line, metric, reason) => {
    const reading = only(page(line));
    expect(reading.values[metric]).toBeNull();
    expect(reading.missing[metric]).toBe(reason);
  });

  test("0 degrees of the memory is no sensor, 0 % of the GPU is idle", () => {
    expect(only(page("DCGM_FI_DEV_GPU_UTIL 0")).values.utilizationPct).toBe(0);
  });

  test("slices of one card are told apart, and what MIG cannot say is missing, not 0", () => {
    const { batches } = page(
      'DCGM_FI_DEV_FB_USED{GPU_I_ID="1",GPU_I_PROFILE="1g.12gb"} 20',
      'DCGM_FI_DEV_FB_USED{GPU_I_ID="2",GPU_I_PROFILE="1g.12gb"} 30',
    );
    const readings = batches.flatMap((batch) => batch.readings);
    expect(readings.map(({ uuid, mig, migMode, values }) => [uuid, mig, migMode, values.memoryUsedMib])).toEqual([
      [UUID, "1", "enabled", 20],
      [UUID, "2", "enabled", 30],
    ]);
    for (const { values, missing } of readings) {
      expect(values.utilizationPct).toBeNull();
      expect(missing.utilizationPct).toBe("not_reported");
    }
  });

  test("the total needs its parts: two of them on a whole page, and a sum that is no blank", () => {
    const total = (...lines: string[]) => only(page(...lines)).memoryTotalMib;
    expect(total("DCGM_FI_DEV_FB_USED 100", "DCGM_FI_DEV_FB_FREE 900")).toBe(1000);
    expect(total("DCGM_FI_DEV_FB_USED 100")).toBeNull();
    expect(total("DCGM_FI_DEV_FB_USED 2147483632", "DCGM_FI_DEV_FB_FREE 900")).toBeNull();
    expect(total("DCGM_FI_DEV_FB_TOTAL 1024", "DCGM_FI_DEV_FB_FREE 900")).toBe(1024);
  });

  test("the gauge of the last Xid and the count of a window are told apart; neither is an event by itself", () => {
    const { sightings } = page(
      'DCGM_FI_DEV_XID_ERRORS{err_code="48",err_msg="Double Bit ECC Error"} 48',
      'DCGM_EXP_XID_ERRORS_COUNT{xid="43",window_size_in_ms="300000"} 2',
      'DCGM_EXP_XID_ERRORS_COUNT{xid="31",window_size_in_ms="300000"} 0',
    );
    expect(sightings).toMatchObject([
      { at: NOON, code: 48, seenBy: "gauge", text: "Double Bit ECC Error", place: { uuid: UUID, index: 3 } },
      { at: NOON, code: 43, seenBy: "count", text: "Xid 43, 2 in 5 min" },
    ]);
    expect(page("DCGM_FI_DEV_XID_ERRORS 0").sightings).toMatchObject([{ code: 0, seenBy: "gauge" }]);
    expect(page("DCGM_FI_DEV_XID_ERRORS 9223372036854775794").sightings).toEqual([]);
  });

  test("a card without UUID is known by its place; a line without a card is said to be one", () => {
    const text = 'DCGM_FI_DEV_GPU_UTIL{gpu="2"} 5\nDCGM_FI_DEV_GPU_TEMP{device="nvidia2"} 40\nDCGM_FI_DEV_GPU_UTIL 9\n';
    const { batches, problems } = parseMetricsPage(text, NOON);
    expect(batches.flatMap((batch) => batch.readings).map(({ uuid }) => uuid)).toEqual(["index:2"]);
    expect(problems.map(({ kind }) => kind)).toEqual(["no_identity"]);
  });

  test("a time on the line counts, each instant its own reading", () => {
    const { batches } = page(`DCGM_FI_DEV_GPU_UTIL 1 ${NOON - 60_000}`, `DCGM_FI_DEV_GPU_TEMP 40 ${NOON - 30_000}`);
    expect(batches.map(({ at }) => at)).toEqual([NOON - 60_000, NOON - 30_000]);
  });
});

describe("other pages", () => {
  const text =
    'vllm:generation_tokens_total{model_name="m"} 10\nvllm:e2e_request_latency_seconds_bucket{le="+Inf"} 4\nnode_load1 3\ngpu_busy{gpu="0",kind="sm"} 0.5\ngpu_busy{gpu="0",kind="copy"} 0.9\nDCGM_FI_DEV_FAN_SPEED{gpu="0"} 3\n';

  test("what a workload says of itself is kept beside, with its labels; what nobody knows is counted", () => {
    const { labelled, ignored, batches } = parseMetricsPage(text, NOON);
    expect(labelled).toEqual([
      { at: NOON, metric: "vllm:generation_tokens_total", labels: { model_name: "m" }, value: 10, isCounter: true },
      {
        at: NOON,
        metric: "vllm:e2e_request_latency_seconds_bucket",
        labels: { le: "+Inf" },
        value: 4,
        isCounter: true,
      },
    ]);
    expect([ignored, batches]).toEqual([4, []]);
  });

  test("a mapping says which series of an unknown exporter means what", () => {
    const mapping = MetricMapping.parse([
      { from: "gpu_busy", to: "utilizationPct", scale: 100, labels: { kind: "sm" } },
      { from: "node_load1", to: "queue_depth" },
    ]);
    const { batches, labelled, ignored } = parseMetricsPage(text, NOON, { names: namesWith(mapping) });
    expect(batches[0]?.readings).toMatchObject([{ uuid: "index:0", values: { utilizationPct: 50 } }]);
    expect(labelled.at(-1)).toMatchObject({ metric: "queue_depth", value: 3, isCounter: false });
    expect(ignored).toBe(2);
  });

  test.each([
    [[{ from: "a b", to: "powerW" }]],
    [[{ from: "a", to: "memoryUsedPct" }]],
    [[{ from: "a", to: "__proto__" }]],
    [[{ from: "a", to: "powerW", scale: 0 }]],
    [[{ from: "a", to: "powerW", scale: Number.POSITIVE_INFINITY }]],
    [[{ from: "a", to: "powerW", more: 1 }]],
    [Array.from({ length: 101 }, () => ({ from: "a", to: "powerW" }))],
  ])("%j is no mapping", (mapping) => {
    expect(MetricMapping.safeParse(mapping).success).toBe(false);
  });

  test("one bad line spoils a page; a forgiving reader keeps the others and names it", () => {
    const bad = 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 5\nDCGM_FI_DEV_GPU_TEMP{gpu="0" 4\nDCGM_FI_DEV_SM_CLOCK{gpu="0"} 100\n';
    const strict = parseMetricsPage(bad, NOON);
    expect(strict.batches).toEqual([]);
    expect(strict.problems).toMatchObject([{ kind: "malformed", line: 2 }]);
    const forgiving = parseMetricsPage(bad, NOON, { isForgiving: true });
    expect(forgiving.batches[0]?.readings[0]?.values).toMatchObject({ utilizationPct: 5, smClockMhz: 100 });
    expect(forgiving.problems).toMatchObject([{ kind: "malformed", line: 2 }]);
  });
});

const PAGES = [
  `DCGM_FI_DEV_GPU_UTIL{${CARD}} 97\nDCGM_FI_DEV_FB_USED{${CARD},GPU_I_ID="3"} 20\nDCGM_FI_PROF_SM_ACTIVE{${CARD}} 0.5 1763726400000\n`,
  `nvidia_smi_gpu_info{uuid="a",index="0",name="T4"} 1\nnvidia_smi_memory_used_bytes{uuid="a"} 2e+09\nnvidia_smi_compute_app_used_memory_bytes{uuid="a",pid="7"} 9\n`,
  `# TYPE DCGM_FI_DEV_XID_ERRORS gauge\nDCGM_FI_DEV_XID_ERRORS{gpu="1"} 48\nDCGM_FI_DEV_FB_FREE{gpu="1"} 9\nvllm:generation_tokens_total{a="b"} 1\n# EOF\n`,
];

test(
  "whatever comes becomes readings that are whole, or none",
  () => {
    fc.assert(
      fc.property(untrustedTexts(PAGES), fc.boolean(), (text, isForgiving) => {
        const { batches, problems, sightings, labelled } = withoutStall(() =>
          parseMetricsPage(text, NOON, { isForgiving }),
        );
        expect(problems.length).toBeLessThan(80);
        for (const { at, readings } of batches) {
          expect(Math.abs(at)).toBeLessThanOrEqual(8.64e15);
          for (const reading of readings) {
            expect(reading.uuid).not.toBe("");
            expectSound(reading);
          }
        }
        for (const { code } of sightings) expect(code).toBeLessThan(10_000);
        for (const { value } of labelled) expect(value).not.toBeNaN();
      }),
      { numRuns: FUZZ_RUNS },
    );
  },
  FUZZ_TIMEOUT_MS,
);

const shared = process.env.SHARED_DIR ?? "../shared";
const folder = join(shared, "fixtures");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const EXPORTER = "dcgm/nvidia_gpu_exporter";

describe.skipIf(skipped !== "")(`recorded pages${skipped}`, () => {
  test("eight idle H100 of one machine, 542.7 W together, no memory temperature", () => {
    const { batches, problems } = parseMetricsPage(read("dcgm/h100x8-eks_v5_dcgm-exporter.prom"), NOON);
    expect(problems).toEqual([]);
    const readings = batches.flatMap((batch) => batch.readings);
    expect(readings.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const powerW = readings.reduce((sum, { values }) => sum + (values.powerW ?? 0), 0);
    expect(powerW).toBeCloseTo(542.7, 1);
    for (const reading of readings) {
      expect(reading).toMatchObject({ name: "NVIDIA H100 80GB HBM3", driverVersion: "580.105.08" });
      expect(reading.values.memoryTemperatureC).toBeNull();
      expectSound(reading);
    }
    expect(readings.filter(({ values }) => values.memoryBusyPct !== null)).toHaveLength(6);
  });

  test("a memory temperature of 9.2e18 is none", () => {
    const { batches } = parseMetricsPage(read("dcgm/sentinel-value_dcgm-exporter.prom"), NOON);
    expect(batches[0]?.readings).toMatchObject([
      {
        uuid: "GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52",
        index: 0,
        values: { smClockMhz: 139, memoryClockMhz: 405, memoryTemperatureC: null },
        missing: { memoryTemperatureC: "sentinel" },
      },
    ]);
  });

  test.each(skipped ? [] : readdirSync(join(folder, EXPORTER)))(
    "%s says what the CSV of the same moment says",
    (file) => {
      const [, host, load] = /^(.+)__(idle|load)\.metrics$/.exec(file) ?? [];
      const reading = only(parseMetricsPage(read(`${EXPORTER}/${file}`), NOON));
      const [csv] = parseQueryGpu(read(`nvidia-smi/captures/sections/${host}/${load}.query-gpu.csv`)).readings;
      expectSound(reading);
      if (!csv) throw new Error("no row");
      expect(reading.values).toEqual(csv.values);
      const { missing, at, ...attributes } = csv;
      expect(reading).toMatchObject(attributes);
      expect(Object.keys(reading.missing)).toEqual(Object.keys(missing));
      expect(at).not.toBeNull();
    },
  );

  test("the processes of a page of nvidia_gpu_exporter", () => {
    const { processes } = parseMetricsPage(
      read(`${EXPORTER}/linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__load.metrics`),
      NOON,
    );
    expect([...(processes[0]?.byUuid.values() ?? [])]).toEqual([
      [
        { pid: 11327, name: "/root/tools/memhog", usedMib: 2566, user: null },
        { pid: 11328, name: "/root/tools/memhog", usedMib: 1542, user: null },
        { pid: 11345, name: "./gpu_burn", usedMib: 15_690, user: null },
      ],
    ]);
  });
});
