import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KERNEL_LOG_LIMITS, parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS, untrustedTexts, withoutStall } from "@/lib/testing/mutate";
import * as prints from "@/lib/testing/prints";
import { parseReport, REPORT_LIMITS } from "./agent-report";
import { METRICS, WIDE_METRICS } from "./catalogue";
import { describeReport } from "./describe";
import { parseOutput } from "./output";
import { parseQueryGpu } from "./parse-csv";
import { MAX_PROCESSES, type ParsedProcesses, parseComputeApps } from "./parse-processes";
import { parseNvidiaSmiQ } from "./parse-q";
import { parseNvidiaSmiTable } from "./parse-table";
import { parseNvidiaSmiXml } from "./parse-xml";
import { PRINT_LIMITS } from "./print-lines";
import type { GpuReading, Problem } from "./sample";

const NOW = Date.UTC(2026, 10, 21, 10);

const folder = join(process.env.SHARED_DIR ?? "../shared", "fixtures");
/** Recordings of one kind, beside the project's own prints; none where the folder is absent. */
const recorded = (within: string, name: RegExp) =>
  existsSync(join(folder, within))
    ? readdirSync(join(folder, within), { recursive: true, encoding: "utf8" })
        .filter((path) => name.test(path))
        .map((path) => readFileSync(join(folder, within, path), "utf8"))
        .filter((text) => text.length < 90_000)
    : [];

const { Q_PRINT, Q_MIG_PRINT, TABLE_PRINT, OLD_TABLE_PRINT, CSV_PRINT, XML_PRINT, APPS_PRINT } = prints;
const ORIGINALS = {
  csv: [CSV_PRINT, ...recorded("nvidia-smi", /query-gpu\.csv$/)],
  apps: [APPS_PRINT, ...recorded("nvidia-smi", /compute-apps\.csv$/)],
  xml: [XML_PRINT, ...recorded("nvidia-smi", /\.xml$/)],
  q: [Q_PRINT, Q_MIG_PRINT, ...recorded("nvidia-smi", /(__q|\.q|query.*valid.*)\.txt$/)],
  table: [TABLE_PRINT, OLD_TABLE_PRINT, ...recorded("nvidia-smi", /(table\.txt|\.md|smi\.550.*\.txt)$/)],
  agent: [prints.AGENT_PRINT],
  kernel: [prints.KERNEL_PRINT, ...recorded("xid", /\.log$/)],
  metrics: [prints.METRICS_PRINT, prints.DMON_PRINT],
};

/** Every value in its range or missing with a reason, and no text longer than people are shown. */
function expectSound(readings: readonly GpuReading[], problems: readonly Problem[]): void {
  for (const reading of readings) {
    const { values, missing, throttleReasons, eccUncorrected } = reading;
    for (const metric of WIDE_METRICS) expectValue(metric, values[metric], missing[metric]);
    expectValue("throttleReasons", throttleReasons, missing.throttleReasons);
    expectValue("eccUncorrected", eccUncorrected, missing.eccUncorrected);
    expect(reading.uuid).toMatch(/^[\w:./-]{1,126}$/);
    expect(reading.mig).toMatch(/^(?:\d{1,4}(?:\/\d{1,4})?)?$/);
    for (const text of [reading.name, reading.driverVersion, reading.busId, reading.pstate])
      expect(text?.length ?? 0).toBeLessThanOrEqual(200);
    for (const number of [reading.at, reading.index, reading.memoryTotalMib, reading.powerLimitW])
      expect(number === null || Number.isFinite(number)).toBe(true);
  }
  expect(problems.length).toBeLessThanOrEqual(110);
  for (const { message } of problems) expect(message.length).toBeLessThanOrEqual(1000);
}

function expectValue(metric: keyof typeof METRICS, value: number | null, reason: string | undefined): void {
  expect(reason === undefined, `${metric} is ${value}, ${reason}`).toBe(value !== null);
  if (value === null) return;
  expect(value).toBeGreaterThanOrEqual(METRICS[metric].min);
  expect(value).toBeLessThanOrEqual(METRICS[metric].max);
}

function expectBounded({ byUuid }: ParsedProcesses): void {
  expect(byUuid.size).toBeLessThanOrEqual(256);
  for (const list of byUuid.values()) {
    expect(list.length).toBeLessThanOrEqual(MAX_PROCESSES);
    for (const { pid, name, usedMib } of list) {
      expect(pid > 0 && Number.isInteger(pid) && (name?.length ?? 0) <= 200).toBe(true);
      expect(usedMib === null || (usedMib >= 0 && usedMib <= 1_000_000)).toBe(true);
    }
  }
}

function fuzz(name: string, originals: readonly string[], check: (text: string) => void): void {
  test(name, { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(fc.property(untrustedTexts(originals), check), { numRuns: FUZZ_RUNS });
  });
}

describe(`${FUZZ_RUNS} spoilt texts are never thrown at, waited for or believed`, () => {
  fuzz("--query-gpu", ORIGINALS.csv, (text) => {
    const { readings, problems } = withoutStall(() => parseQueryGpu(text));
    expect(readings.length).toBeLessThanOrEqual(1000);
    expectSound(readings, problems);
  });

  fuzz("--query-compute-apps", ORIGINALS.apps, (text) => {
    expectBounded(withoutStall(() => parseComputeApps(text)));
  });

  fuzz("-q -x", ORIGINALS.xml, (text) => {
    const { readings, problems, processes } = withoutStall(() => parseNvidiaSmiXml(text));
    expectSound(readings, problems);
    expectBounded(processes);
  });

  for (const [name, originals, parse] of [
    ["-q", ORIGINALS.q, parseNvidiaSmiQ],
    ["the table", ORIGINALS.table, parseNvidiaSmiTable],
  ] as const)
    fuzz(name, originals, (text) => {
      const { looks, problems } = withoutStall(() => parse(text));
      expect(looks.length).toBeLessThanOrEqual(PRINT_LIMITS.looks);
      for (const look of looks) {
        expectSound(look.readings, problems);
        expectBounded(look.processes);
      }
    });

  fuzz("the agent's report", ORIGINALS.agent, (text) => {
    const { batches, problems, sightings } = withoutStall(() => parseReport(text, NOW));
    for (const batch of batches) expectSound(batch.readings, [...problems, ...batch.problems]);
    expect(sightings.length).toBeLessThanOrEqual(REPORT_LIMITS.sightings);
  });

  fuzz("the kernel's log", ORIGINALS.kernel, (text) => {
    const sightings = withoutStall(() => parseKernelLog(text, NOW));
    expect(sightings.length).toBeLessThanOrEqual(KERNEL_LOG_LIMITS.sightings);
    for (const { at, code, text: line } of sightings) {
      expect(Number.isFinite(at) && Number.isInteger(code) && code > 0).toBe(true);
      expect(line.length).toBeLessThanOrEqual(KERNEL_LOG_LIMITS.lineChars);
    }
  });

  fuzz("any of them, told by its content, and as JSON", Object.values(ORIGINALS).flat(), (text) => {
    const report = withoutStall(() => parseOutput(text, NOW));
    for (const { readings, problems } of report.batches) expectSound(readings, problems);
    expect(() => JSON.stringify(describeReport(report))).not.toThrow();
  });
});

describe("texts of 2 MiB that are made to be slow", () => {
  const FULL = PRINT_LIMITS.chars;
  const fill = (part: string) => part.repeat(Math.ceil(FULL / part.length)).slice(0, FULL);
  const below = (head: string, part: string) => (head + fill(part)).slice(0, FULL);
  const Q = "=NVSMI LOG=\nGPU 00000000:DD:00.0\n";
  const TABLE = "| NVIDIA-SMI 570\n";

  test.each([
    ["spaces", fill(" ")],
    ["line ends", fill("\n")],
    ["carriage returns", fill("\r")],
    ["commas", fill(",")],
    ["bars", fill("|\n")],
    ["one word", fill("x")],
    ["one message over and over", fill("No devices were found\n")],
    ["many prints of -q", fill(Q_PRINT)],
    ["GPUs and nothing of them", below("=NVSMI LOG=\n", "GPU 00000000:DD:00.0\n")],
    ["a GPU of a hundred thousand sections", below(Q, "    a\n")],
    ["slices without end", below(Q, "    MIG Device\n        Index : 0\n")],
    ["processes without end", below(`${Q}    Processes\n`, "        Process ID : 1\n")],
    ["words that nearly are a prefix", below("=NVSMI LOG=\n", `${"x".repeat(79)} | `)],
    ["many tables", fill(TABLE_PRINT)],
    ["tables that only begin", fill(TABLE)],
    ["rows of spaces", below(TABLE, `|${" ".repeat(480)}|\n`)],
    ["processes of one letter", below(`${TABLE}| Processes: |\n`, `|  0  N/A N/A 1 C ${"a ".repeat(200)}|\n`)],
    ["headers", fill("timestamp, uuid, utilization.gpu [%]\n")],
    ["a header as wide as the text", below("uuid", ",utilization.gpu")],
    ["rows without a header", fill("2026/11/21 10:00:00.000, GPU-abcdef, 5 %, 1 W\n")],
    ["many documents", fill(XML_PRINT)],
    ["elements in elements", below("<nvidia_smi_log>", "<a>")],
    ["attributes", below("<nvidia_smi_log ", 'a="1" ')],
    ["Xid lines", fill("2026-11-21T10:00:00,000000+00:00 NVRM: Xid (PCI:0009:01:00): 94, pid=1\n")],
    ["the driver's name", fill("NVRM: ")],
    ["sections of the agent", below("#agent protocol=2\n", "#gpu\n")],
    ["JSON", fill('{"a":[1,2]},')],
  ])("%s", (_, text) => {
    expect(text.length).toBeLessThanOrEqual(FULL);
    withoutStall(() => parseOutput(text, NOW));
  });
});
