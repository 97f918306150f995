import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METRICS, WIDE_METRICS } from "./catalogue";
import { parseNvidiaSmiXml } from "./parse-xml";
import type { GpuReading } from "./sample";

const gpu = (inner: string, id = "00000000:0A:00.0") =>
  `<gpu id="${id}"><product_name>NVIDIA H100 80GB HBM3</product_name><uuid>GPU-${id.slice(9, 11)}</uuid>${inner}</gpu>`;
const log = (...gpus: string[]) =>
  `<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">\n<nvidia_smi_log>
<timestamp>Mon Nov 18 09:29:52 2024</timestamp><driver_version>550.127.05</driver_version>
<attached_gpus>${gpus.length}</attached_gpus>${gpus.join("")}</nvidia_smi_log>`;

function only(inner: string): GpuReading {
  const { readings, problems } = parseNvidiaSmiXml(log(gpu(inner)));
  expect(problems).toEqual([]);
  const [reading] = readings;
  if (readings.length !== 1 || reading === undefined) throw new Error(`${readings.length} readings`);
  return reading;
}

describe("a card", () => {
  test("says who it is and when", () => {
    expect(only("<mig_mode><current_mig>Disabled</current_mig></mig_mode>")).toMatchObject({
      uuid: "GPU-0A",
      mig: "",
      index: 0,
      busId: "00000000:0A:00.0",
      name: "NVIDIA H100 80GB HBM3",
      driverVersion: "550.127.05",
      migMode: "disabled",
      at: Date.UTC(2024, 10, 18, 9, 29, 52),
    });
  });

  test("its own power, not that of its memory or module (GH200: three readings)", () => {
    const power = `<gpu_power_readings><average_power_draw>N/A</average_power_draw><instant_power_draw>87.88 W</instant_power_draw>
      <current_power_limit>700.00 W</current_power_limit><requested_power_limit>900.00 W</requested_power_limit></gpu_power_readings>
      <gpu_memory_power_readings><power_draw>18.51 W</power_draw></gpu_memory_power_readings>
      <module_power_readings><power_draw>169.77 W</power_draw><current_power_limit>1000.00 W</current_power_limit></module_power_readings>`;
    expect(only(power)).toMatchObject({ powerLimitW: 700, values: { powerW: 87.88 } });
    const module = power.slice(power.indexOf("<gpu_memory"));
    expect(only(module)).toMatchObject({ powerLimitW: null, missing: { powerW: "not_reported" } });
  });

  test.each([
    ["<gpu_temp_slow_threshold>95 C</gpu_temp_slow_threshold>", 95],
    ["<gpu_temp_slow_tlimit_threshold>-2 C</gpu_temp_slow_tlimit_threshold>", null],
    ["<gpu_temp_slow_threshold>-2 C</gpu_temp_slow_threshold>", null],
    ["<gpu_temp_slow_threshold>N/A</gpu_temp_slow_threshold>", null],
  ])("slows down at: %s is %s", (inner, slowdownTemperatureC) => {
    expect(only(`<temperature>${inner}</temperature>`).slowdownTemperatureC).toBe(slowdownTemperatureC);
  });

  test.each([
    ["<aggregate><dram_uncorrectable>1</dram_uncorrectable><sram_uncorrectable>5</sram_uncorrectable></aggregate>", 1],
    ["<aggregate><double_bit><device_memory>2</device_memory><total>3</total></double_bit></aggregate>", 2],
    ["<aggregate><dram_uncorrectable>N/A</dram_uncorrectable></aggregate>", null],
  ])("its uncorrected memory errors: %s is %s", (inner, eccUncorrected) => {
    expect(only(`<ecc_errors>${inner}</ecc_errors>`).eccUncorrected).toBe(eccUncorrected);
  });

  test.each(["event", "throttle"])("its clock %s reasons make the mask of the CSV", (word) => {
    const one = (name: string, text: string) =>
      `<clocks_${word}_reason_${name}>${text}</clocks_${word}_reason_${name}>`;
    const inner = [
      one("gpu_idle", "Not Active"),
      one("sw_power_cap", "Active"),
      one("hw_power_brake_slowdown", "Active"),
    ];
    expect(only(`<clocks_${word}_reasons>${inner.join("")}</clocks_${word}_reasons>`).throttleReasons).toBe(0x84);
    expect(only(`<clocks_${word}_reasons>${one("gpu_idle", "N/A")}</clocks_${word}_reasons>`)).toMatchObject({
      throttleReasons: null,
      missing: { throttleReasons: "not_applicable" },
    });
  });

  test("the list is in the order of the index when it is whole; otherwise the minor number stands for it", () => {
    const two = [gpu("<minor_number>7</minor_number>"), gpu("<minor_number>3</minor_number>", "00000000:0B:00.0")];
    expect(parseNvidiaSmiXml(log(...two)).readings.map((reading) => reading.index)).toEqual([0, 1]);
    const some = log(...two).replace("<attached_gpus>2", "<attached_gpus>8");
    expect(parseNvidiaSmiXml(some).readings.map((reading) => reading.index)).toEqual([7, 3]);
  });
});

describe("MIG", () => {
  const slice = (gi: number, ci: number, used: number) =>
    `<mig_device><index>0</index><gpu_instance_id>${gi}</gpu_instance_id><compute_instance_id>${ci}</compute_instance_id>
     <fb_memory_usage><total>40448 MiB</total><reserved>0 MiB</reserved><used>${used} MiB</used><free>1 MiB</free></fb_memory_usage></mig_device>`;
  const card = gpu(`<mig_mode><current_mig>Enabled</current_mig></mig_mode>
    <mig_devices>${slice(1, 0, 298)}${slice(2, 0, 5)}${slice(2, 1, 6)}</mig_devices>
    <fb_memory_usage><total>81559 MiB</total><used>N/A</used></fb_memory_usage>
    <utilization><gpu_util>N/A</gpu_util><memory_util>N/A</memory_util></utilization>
    <gpu_power_readings><power_draw>120 W</power_draw></gpu_power_readings>`);

  test("each slice is a reading of its own, by its parent's UUID and its instance", () => {
    const { readings, problems } = parseNvidiaSmiXml(log(card));
    expect(problems).toEqual([]);
    expect(
      readings.map(({ uuid, mig, memoryTotalMib, values }) => [uuid, mig, memoryTotalMib, values.memoryUsedMib]),
    ).toEqual([
      ["GPU-0A", "", 81_559, null],
      ["GPU-0A", "1", 40_448, 298],
      ["GPU-0A", "2", 40_448, 5],
      ["GPU-0A", "2/1", 40_448, 6],
    ]);
  });

  test("utilisation is not available, never 0 %; power belongs to the whole card", () => {
    const [whole, first] = parseNvidiaSmiXml(log(card)).readings;
    expect(whole).toMatchObject({
      values: { utilizationPct: null, powerW: 120 },
      missing: { utilizationPct: "not_applicable" },
    });
    expect(first).toMatchObject({
      values: { utilizationPct: null, powerW: null },
      missing: { powerW: "not_reported" },
    });
    expect(first).toMatchObject({ name: "NVIDIA H100 80GB HBM3", migMode: "enabled", at: whole?.at });
  });
});

describe("processes", () => {
  const info =
    "<process_info><pid>5762</pid><type>C</type><process_name>python</process_name><used_memory>1005 MiB</used_memory></process_info>";
  test.each([
    [`<processes>${info}</processes>`, true, [["GPU-0A", [{ pid: 5762, name: "python", usedMib: 1005, user: null }]]]],
    ["<processes>\n</processes>", true, []],
    ["<processes>None</processes>", true, []],
    ["<processes>N/A</processes>", false, []],
    ["", false, []],
  ])("%s", (inner, isAnswered, entries) => {
    const { processes } = parseNvidiaSmiXml(log(gpu(inner)));
    expect(processes.isAnswered).toBe(isAnswered);
    expect([...processes.byUuid]).toEqual(entries);
  });

  test("nothing is known of a machine where one card does not list its processes", () => {
    const other = gpu("<processes>N/A</processes>", "00000000:0B:00.0");
    expect(parseNvidiaSmiXml(log(gpu(`<processes>${info}</processes>`), other)).processes.isAnswered).toBe(false);
  });
});

describe("what is no such XML", () => {
  test.each([
    ["", "empty"],
    ["  \n", "empty"],
    ["No devices were found\n", "nvidia_smi"],
    ["hello", "not_xml"],
    ["<html><body>Sign in</body></html>", "not_xml"],
    ["<nvidia_smi_log><gpu", "not_xml"],
    ["<a>".repeat(500), "not_xml"],
    ["<nvidia_smi_log><__proto__/></nvidia_smi_log>", "not_xml"],
    ['<!DOCTYPE a [<!ENTITY x "y">]><nvidia_smi_log>&x;</nvidia_smi_log>', "not_xml"],
    ["<nvidia_smi_log></nvidia_smi_log>", "not_xml"],
    ["<nvidia_smi_log><driver_version>1</driver_version></nvidia_smi_log>", "empty"],
    [`<nvidia_smi_log>${"x".repeat(4_194_304)}`, "too_large"],
    [log("<gpu><product_name>A</product_name></gpu>"), "no_identity"],
    [log(gpu(""), gpu("")), "duplicate_gpu"],
    [log(gpu("")).replace("</nvidia_smi_log>", ""), "truncated"],
  ])("%.60s: %s", (text, kind) => {
    expect(parseNvidiaSmiXml(text).problems.map((problem) => problem.kind)).toEqual([kind]);
  });

  test("an entity is never expanded", () => {
    expect(only("<performance_state>&lt;P0&gt;</performance_state>").pstate).toBeNull();
  });
});

test("whatever it is given, every number is finite and in its range, and every null has its reason", () => {
  const value = fc.oneof(
    fc.constantFrom(
      "N/A",
      "[Unknown Error]",
      "9223372036854775794",
      "1e999",
      "463 MiB",
      "31 C",
      "Active",
      "",
      "&lt;",
      "]]>",
    ),
    fc.double().map((number) => `${number} W`),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const paths = Object.values(METRICS).flatMap((entry) => entry.xml);
  const leaf = fc.tuple(fc.constantFrom(...paths), value).map(([path, text]) => {
    const steps = path.split("/");
    return (
      steps.map((tag) => `<${tag}>`).join("") +
      text +
      steps
        .map((tag) => `</${tag}>`)
        .reverse()
        .join("")
    );
  });
  const whole = fc.array(leaf, { maxLength: 20 }).map((leaves) => log(gpu(leaves.join(""))));
  const cut = fc
    .tuple(whole, fc.nat(2000), fc.nat(50))
    .map(([text, at, size]) => text.slice(0, at) + text.slice(at + size));
  fc.assert(
    fc.property(fc.oneof(whole, cut, fc.string({ unit: "binary", maxLength: 200 })), (some) => {
      for (const reading of parseNvidiaSmiXml(some).readings) {
        for (const metric of WIDE_METRICS) {
          const number = reading.values[metric];
          const { min, max } = METRICS[metric];
          expect(number === null || (Number.isFinite(number) && number >= min && number <= max)).toBe(true);
          expect(reading.missing[metric] === undefined).toBe(number !== null);
        }
      }
    }),
    { numRuns: 2000 },
  );
});
