import { describe, expect, test } from "vitest";
import {
  AGENT_PRINT,
  APPS_PRINT,
  CSV_PRINT,
  DMON_PRINT,
  KERNEL_PRINT,
  METRICS_PRINT,
  OLD_TABLE_PRINT,
  Q_MIG_PRINT,
  Q_PRINT,
  TABLE_PRINT,
  XML_PRINT,
} from "@/lib/testing/prints";
import { parseReport } from "./agent-report";
import { parseOutput } from "./output";
import type { Report } from "./report";

const NOW = Date.UTC(2026, 10, 21, 10, 0, 5);
const PRINTED = NOW - 5000;

const problemsOf = (report: Report) => [...report.problems, ...report.batches.flatMap(({ problems }) => problems)];
const readingsOf = (report: Report) => report.batches.flatMap(({ readings }) => readings);

test.each([
  ["agent report", AGENT_PRINT, 2],
  ["nvidia-smi --query-gpu", CSV_PRINT, 2],
  ["nvidia-smi --query-compute-apps", APPS_PRINT, 0],
  ["nvidia-smi -q -x", XML_PRINT, 1],
  ["nvidia-smi -q", Q_PRINT, 1],
  ["nvidia-smi -q", Q_MIG_PRINT, 4],
  ["nvidia-smi", TABLE_PRINT, 2],
  ["nvidia-smi", OLD_TABLE_PRINT, 3],
  ["kernel log", KERNEL_PRINT, 0],
  ["metrics page", METRICS_PRINT, 1],
])("%s is known by what it holds", (format, text, cards) => {
  const report = parseOutput(text, NOW);
  expect(report.format).toBe(format);
  expect(problemsOf(report)).toEqual([]);
  expect(readingsOf(report)).toHaveLength(cards);
});

test.each([
  ["CSV", CSV_PRINT],
  ["XML", XML_PRINT],
  ["-q", Q_PRINT],
  ["the table", TABLE_PRINT],
])("%s tells the same of the same card, at its own time", (name, text) => {
  const report = parseOutput(text, NOW);
  expect(report.batches).toMatchObject([{ at: PRINTED }]);
  expect(readingsOf(report)[0]).toMatchObject({
    busId: "00000009:01:00.0",
    name: "NVIDIA GH200 480GB",
    driverVersion: "570.124.06",
    memoryTotalMib: 97_871,
    at: PRINTED,
    values: { utilizationPct: 93, memoryUsedMib: 41_000, powerW: name === "the table" ? 512 : 512.34 },
  });
});

test("what carries no time counts at the time of arrival", () => {
  const [, ...rows] = TABLE_PRINT.split("\n");
  expect(parseOutput(rows.join("\n"), NOW).batches).toMatchObject([{ at: NOW, readings: [{ at: NOW }, { at: NOW }] }]);
  expect(parseOutput(APPS_PRINT, NOW).processes.map(({ at }) => at)).toEqual([NOW]);
});

test("the door of the agent takes the same texts without its sections", () => {
  for (const text of [CSV_PRINT, XML_PRINT, Q_PRINT, TABLE_PRINT, APPS_PRINT, KERNEL_PRINT, METRICS_PRINT]) {
    const { format: _, ...report } = parseOutput(text, NOW);
    expect(parseReport(text, NOW)).toEqual(report);
  }
});

test("the kernel's log beside a print is read as well", () => {
  const report = parseOutput(`${TABLE_PRINT}\n${KERNEL_PRINT}`, NOW);
  expect(report.format).toBe("nvidia-smi");
  expect(report.sightings.map(({ code }) => code)).toEqual([79, 94]);
});

test("a loop of -q -x is one document after the other", () => {
  const report = parseOutput(XML_PRINT + XML_PRINT.replace("10:00:00", "10:00:05"), NOW);
  expect(report.batches.map(({ at }) => at)).toEqual([PRINTED, NOW]);
  expect(report.processes).toHaveLength(2);
  expect(problemsOf(report)).toEqual([]);
});

describe("CSV", () => {
  test("columns as loggers of others call them", () => {
    const text =
      "timestamp,gpu_index,temperature_C,utilization_gpu_percent,power_W\n2026-11-21T10:00:00.250Z,3, 38, 100, 387.26\n";
    expect(parseOutput(text, NOW).batches).toMatchObject([
      {
        at: PRINTED + 250,
        readings: [{ index: 3, values: { temperatureC: 38, utilizationPct: 100, powerW: 387.26 } }],
      },
    ]);
  });

  test("without a header, what a cell can only be is read, and what it may be is not", () => {
    const rows = CSV_PRINT.split("\n").slice(1).join("\n");
    const report = parseOutput(rows, NOW);
    expect(report.format).toBe("nvidia-smi --query-gpu");
    expect(readingsOf(report)).toMatchObject([
      {
        name: "NVIDIA GH200 480GB",
        busId: "00000009:01:00.0",
        at: PRINTED,
        values: { utilizationPct: 93, memoryUsedMib: null, powerW: null },
      },
      {
        values: { utilizationPct: null },
        missing: { utilizationPct: "not_applicable", memoryUsedMib: "not_reported" },
      },
    ]);
    const [problem] = problemsOf(report);
    expect(problem?.kind).toBe("no_header");
    expect(problem?.message).toContain("7 (utilization.gpu)");
    expect(problem?.message).toContain("2, 8, 9, 10, 11, 12, 13 could be several");
  });

  test.each([
    ["bare numbers could be anything", "2026-11-20 14:32:10,45,20148\n2026-11-20 14:32:12,46,20147\n"],
    ["nothing says which card or when", "45 %, 20148 MiB\n45 %, 20148 MiB\n"],
  ])("without a header %s", (_, text) => {
    const report = parseOutput(text, NOW);
    expect(readingsOf(report)).toEqual([]);
    expect(problemsOf(report).map(({ kind }) => kind)).toEqual(["no_header", "unknown_format"]);
  });

  test("rows that do not say which card: the only one, unless an instant has two", () => {
    const head = "timestamp, name, utilization.gpu [%]\n";
    const row = "2026/11/21 10:00:00.000, NVIDIA L4, 5 %\n";
    const one = parseOutput(`${head}${row}${row.replace("00.000", "05.000")}`, NOW);
    expect(readingsOf(one).map(({ uuid, index }) => [uuid, index])).toEqual([
      ["index:0", 0],
      ["index:0", 0],
    ]);
    expect(problemsOf(one)).toMatchObject([{ kind: "no_identity" }]);
    const two = parseOutput(`${head}${row}${row}`, NOW);
    expect(readingsOf(two)).toEqual([]);
    expect(problemsOf(two)).toMatchObject([{ kind: "no_identity" }]);
  });

  test("a table of something else is not of GPUs for having a time", () => {
    expect(parseOutput("timestamp,value\n2014-02-14 14:30:00,0.132\n", NOW)).toMatchObject({ format: "unknown" });
  });
});

test.each([
  ["nvidia-smi dmon", DMON_PRINT, "unknown_format"],
  [
    "nvidia-smi pmon",
    "# gpu         pid   type     sm    mem    enc    dec    command\n    0      11327     C      -      -      -      -    memhog\n",
    "unknown_format",
  ],
  ["nvidia-smi -L", "GPU 0: NVIDIA GH200 480GB (UUID: GPU-aa000000-0000-0000-0000-000000000001)\n", "unknown_format"],
  ["message of nvidia-smi", "No devices were found\n", "nvidia_smi"],
  [
    "message of nvidia-smi",
    "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.124\n",
    "nvidia_smi",
  ],
  ["unknown", "<html><body>502</body></html>", "not_xml"],
  ["unknown", "", "empty"],
  ["unknown", "\0\0\0", "unknown_format"],
  ["unknown", '{"status":"success","data":[]}', "unknown_format"],
  ["unknown", "Lorem ipsum\n", "unknown_format"],
  ["unknown", "x".repeat(16_777_217), "too_large"],
])("%s is refused in a sentence: %j", (format, text, kind) => {
  const report = parseOutput(text, NOW);
  expect(report.format).toBe(format);
  expect(readingsOf(report)).toEqual([]);
  expect(problemsOf(report).at(-1)).toMatchObject({ kind, message: expect.stringMatching(/\w{3}/) });
});
