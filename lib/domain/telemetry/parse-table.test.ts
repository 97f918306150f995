import { describe, expect, test } from "vitest";
import { OLD_TABLE_PRINT, TABLE_PRINT } from "@/lib/testing/prints";
import { isNvidiaSmiTable, parseNvidiaSmiTable } from "./parse-table";

const at = Date.UTC(2026, 10, 21, 10);
const readings = (text: string) => parseNvidiaSmiTable(text).looks.flatMap((look) => look.readings);

const GH200 = {
  uuid: "bus:00000009:01:00.0",
  mig: "",
  index: 0,
  busId: "00000009:01:00.0",
  name: "NVIDIA GH200 480GB",
  driverVersion: "570.124.06",
  memoryTotalMib: 97_871,
  powerLimitW: 700,
  pstate: "P0",
  migMode: "disabled",
  at,
  values: { utilizationPct: 93, memoryUsedMib: 41_000, temperatureC: 61, powerW: 512, memoryTemperatureC: null },
  eccUncorrected: 0,
  missing: { memoryTemperatureC: "not_reported" },
};

test("two cards: one at work, one that the driver cannot read", () => {
  const { looks, problems } = parseNvidiaSmiTable(TABLE_PRINT);
  expect(problems).toEqual([]);
  expect(looks).toHaveLength(1);
  expect(looks[0]?.readings).toMatchObject([
    GH200,
    {
      index: 1,
      name: "NVIDIA RTX 4000 Ada Gene...",
      busId: "00000000:0C:00.0",
      memoryTotalMib: null,
      powerLimitW: null,
      pstate: "P2",
      migMode: null,
      values: { utilizationPct: null, memoryUsedMib: null, temperatureC: 45, powerW: null },
      missing: {
        utilizationPct: "not_applicable",
        memoryUsedMib: "not_applicable",
        powerW: "not_applicable",
        eccUncorrected: "not_applicable",
      },
    },
  ]);
});

test("processes, with a bar in the name, and without their memory", () => {
  const { processes } = parseNvidiaSmiTable(TABLE_PRINT).looks[0] ?? {};
  expect(processes?.isAnswered).toBe(true);
  expect([...(processes?.byUuid ?? [])]).toEqual([
    ["bus:00000009:01:00.0", [{ pid: 4242, name: "python train.py | tee", usedMib: 40_960, user: null }]],
    ["bus:00000000:0C:00.0", [{ pid: 777, name: "...m Files\\NZXT CAM\\NZXT CAM.exe", usedMib: null, user: null }]],
  ]);
});

test("the older layout, with slices that have memory of their own", () => {
  const { looks, problems } = parseNvidiaSmiTable(OLD_TABLE_PRINT);
  expect(problems).toEqual([]);
  expect(looks[0]?.processes).toMatchObject({ isAnswered: true, byUuid: new Map() });
  expect(
    looks[0]?.readings.map(({ mig, index, name, migMode, memoryTotalMib, values, missing }) => [
      mig,
      index,
      name,
      migMode,
      memoryTotalMib,
      values.memoryUsedMib,
      missing.utilizationPct,
    ]),
  ).toEqual([
    ["", 7, "NVIDIA A100-SXM...", "enabled", 40_960, 4017, "not_applicable"],
    ["2", 7, "NVIDIA A100-SXM...", "enabled", 20_096, 3892, "not_reported"],
    ["3/1", 7, "NVIDIA A100-SXM...", "enabled", 9984, 62, "not_reported"],
  ]);
});

describe("wherever it stands", () => {
  const prefixed = (prefix: string) => TABLE_PRINT.replace(/^/gm, prefix);

  test.each([
    ["Windows line ends", TABLE_PRINT.replaceAll("\n", "\r\n")],
    ["indented", prefixed("    ")],
    ["quoted", prefixed("> ")],
    ["commented", prefixed("# ")],
    ["from docker compose", prefixed("trainer-1  | ")],
    ["from kubectl", prefixed("2026-11-21T10:00:00.123456789Z ")],
    ["from a logger with a bar of its own", prefixed("INFO | ")],
    ["in a container's log", `== CUDA ==\n\n${TABLE_PRINT}\nbash: ip: command not found\nstep 1 | loss 2.3 |\n`],
    [
      "a driver that names its parts anew",
      TABLE_PRINT.replace(
        "Driver Version: 570.124.06     CUDA Version: 12.8     |",
        "KMD Version: 570.124.06     CUDA UMD Version: 13.3     |",
      ),
    ],
  ])("%s", (_, text) => {
    expect(isNvidiaSmiTable(text)).toBe(true);
    const { looks, problems } = parseNvidiaSmiTable(text);
    expect(problems).toEqual([]);
    expect(looks).toHaveLength(1);
    expect(looks[0]?.readings).toHaveLength(2);
    expect(looks[0]?.readings[0]).toMatchObject({ ...GH200, at: looks[0]?.at });
    expect(looks[0]?.processes.isAnswered).toBe(true);
  });
});

test("each of several tables counts at its own time, and one without a time at none", () => {
  const bare = TABLE_PRINT.slice(TABLE_PRINT.indexOf("\n") + 1);
  const text = `${TABLE_PRINT}${TABLE_PRINT.replace("10:00:00", "10:00:15")}\n\n\n${bare}`;
  expect(parseNvidiaSmiTable(text).looks.map((look) => look.at)).toEqual([at, at + 15_000, null]);
});

test.each([
  [
    "ERR! in every place",
    TABLE_PRINT.replace("N/A   61C    P0            512W /  700W", "ERR!  ERR!  ERR!          ERR! /  ERR!"),
    { temperatureC: "error", powerW: "error" },
  ],
  ["something else in their place", TABLE_PRINT.replace("512W /  700W", "Unknown Error"), { powerW: "malformed" }],
  ["hotter than any", TABLE_PRINT.replace("61C", "999C"), { temperatureC: "out_of_range" }],
  ["more in use than there is", TABLE_PRINT.replace("41000MiB", "99000MiB"), { memoryUsedMib: "out_of_range" }],
])("%s is missing, with its reason", (_, text, missing) => {
  expect(readings(text)[0]?.missing).toMatchObject(missing);
});

test("a card that is gone is told beside the others", () => {
  const { looks, problems } = parseNvidiaSmiTable(
    `Unable to determine the device handle for GPU1: 0000:0C:00.0: Unknown Error\n${TABLE_PRINT}`,
  );
  expect(looks[0]?.readings).toHaveLength(2);
  expect(problems).toMatchObject([{ kind: "nvidia_smi", line: 1 }]);
});

test("a table that was cut off holds what it holds", () => {
  const cut = TABLE_PRINT.slice(0, TABLE_PRINT.indexOf("97871MiB"));
  expect(readings(cut)).toMatchObject([{ index: 0, values: { memoryUsedMib: null, powerW: null } }]);
  expect(parseNvidiaSmiTable(cut).looks[0]?.processes.isAnswered).toBe(false);
});

test.each([
  ["a table without a card", TABLE_PRINT.split("\n").slice(0, 8).join("\n"), "empty"],
  ["too much", "x".repeat(2_097_153), "too_large"],
])("%s is a problem", (_, text, kind) => {
  expect(parseNvidiaSmiTable(text)).toMatchObject({ problems: [{ kind }] });
  expect(readings(text)).toEqual([]);
});
