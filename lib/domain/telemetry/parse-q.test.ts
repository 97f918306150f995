import { describe, expect, test } from "vitest";
import { Q_MIG_PRINT, Q_PRINT } from "@/lib/testing/prints";
import { isNvidiaSmiQ, parseNvidiaSmiQ } from "./parse-q";

const at = Date.UTC(2026, 10, 21, 10);

function only(text: string) {
  const { looks, problems } = parseNvidiaSmiQ(text);
  const [reading, ...more] = looks.flatMap(({ readings }) => readings);
  if (!reading || more.length > 0) throw new Error(`${more.length + 1} readings`);
  return { reading, problems, processes: looks[0]?.processes };
}

const GH200 = {
  uuid: "GPU-aa000000-0000-0000-0000-000000000001",
  mig: "",
  index: 0,
  busId: "00000009:01:00.0",
  name: "NVIDIA GH200 480GB",
  driverVersion: "570.124.06",
  memoryTotalMib: 97_871,
  powerLimitW: 700,
  pstate: "P0",
  migMode: "disabled",
  remappedRows: { correctable: 1, uncorrectable: 2, isPending: true, isFailed: false },
  slowdownTemperatureC: null,
  at,
  values: {
    utilizationPct: 93,
    memoryUsedMib: 41_000,
    memoryBusyPct: 41,
    temperatureC: 61,
    memoryTemperatureC: 70,
    powerW: 512.34,
    smClockMhz: 1975,
    memoryClockMhz: 2619,
    memoryReservedMib: 1103,
  },
  throttleReasons: 0x84,
  eccUncorrected: 2,
};

test("a card: its own power, the instant where the average is N/A; memory never of the BAR; the count of its life", () => {
  const { reading, problems, processes } = only(Q_PRINT);
  expect(problems).toEqual([]);
  expect(reading).toMatchObject(GH200);
  expect(processes?.isAnswered).toBe(true);
  expect([...(processes?.byUuid ?? [])]).toEqual([
    [
      GH200.uuid,
      [
        { pid: 4242, name: "/usr/bin/python3 -c a:b", usedMib: 40_960, user: null },
        { pid: 4243, name: "C:\\tools\\burn.exe", usedMib: null, user: null },
      ],
    ],
  ]);
});

describe("wherever it stands", () => {
  const prefixed = (prefix: string) => Q_PRINT.replace(/^/gm, prefix);

  test.each([
    ["Windows line ends", Q_PRINT.replaceAll("\n", "\r\n")],
    [
      "after and before other text",
      `+ nvidia-smi -q\nstarting\n${Q_PRINT}\n########\n# dmesg\n    Total : 5 MiB\n    Used : 1 MiB\n`,
    ],
    ["in a list of another program", prefixed("      ")],
    ["quoted", prefixed("> ")],
    ["from docker compose", prefixed("trainer-1  | ")],
    [
      "from kubectl, with times",
      Q_PRINT.split("\n")
        .map((line, i) => `2026-11-21T10:00:00.${"1".repeat(3 + (i % 7))}Z ${line}`)
        .join("\n"),
    ],
    ["from a container runtime", prefixed("2026-11-21T10:00:00.123456789Z stdout F ")],
    ["from syslog", prefixed("Nov 21 10:00:00 gh-1 check[812]: ")],
    ["with colours", Q_PRINT.replace("93 %", `${String.fromCharCode(27)}[31m93 %${String.fromCharCode(27)}[0m`)],
    [
      "with a warning in its middle",
      Q_PRINT.replace(/(?= {8}Used .*41000 MiB)/, "WARNING: infoROM is corrupted at gpu 0009:01:00.0\n"),
    ],
  ])("%s", (_, text) => {
    expect(isNvidiaSmiQ(text)).toBe(true);
    expect(only(text).reading).toMatchObject(GH200);
  });
});

test("slices have memory of their own, and never give theirs to the card", () => {
  const { looks, problems } = parseNvidiaSmiQ(Q_MIG_PRINT);
  expect(problems).toEqual([]);
  const readings = looks[0]?.readings ?? [];
  expect(
    readings.map(({ uuid, mig, index, memoryTotalMib, values }) => [
      uuid.slice(-1),
      mig,
      index,
      memoryTotalMib,
      values.memoryUsedMib,
      values.utilizationPct,
    ]),
  ).toEqual([
    ["2", "", 0, 40_960, 4017, null],
    ["2", "2", 0, 20_096, 3892, null],
    ["2", "3/1", 0, 9984, 62, null],
    ["3", "", 1, 16_384, 1, null],
  ]);
  expect(readings[0]?.missing.utilizationPct).toBe("not_applicable");
  expect(readings[1]).toMatchObject({ migMode: "enabled", name: "NVIDIA A100-SXM4-40GB", busId: "00000000:07:00.0" });
});

test("the older layout: throttle reasons, power and errors under their earlier names", () => {
  expect(parseNvidiaSmiQ(Q_MIG_PRINT).looks[0]?.readings.at(-1)).toMatchObject({
    throttleReasons: 1,
    eccUncorrected: 4,
    slowdownTemperatureC: 87,
    powerLimitW: 250,
    values: { powerW: 44.5, temperatureC: 37 },
  });
});

test("of several prints each counts at its own time", () => {
  const later = Q_PRINT.replace("10:00:00", "10:00:15").replace("93 %", "0 %");
  const { looks, problems } = parseNvidiaSmiQ(Q_PRINT + later);
  expect(problems).toEqual([]);
  expect(looks.map((look) => [look.at, look.readings[0]?.values.utilizationPct])).toEqual([
    [at, 93],
    [at + 15_000, 0],
  ]);
});

test("with -i the place in the list is no index: the minor number is", () => {
  expect(
    only(
      Q_PRINT.replace("Attached GPUs                             : 1", "Attached GPUs                             : 8"),
    ).reading.index,
  ).toBe(3);
});

test("a part, as -d prints it, is known by its place on the bus", () => {
  const text =
    "==============NVSMI LOG==============\n\nGPU 00000000:DD:00.0\n    GPU Power Readings\n        Power Draw                        : 87.88 W\n";
  expect(only(text).reading).toMatchObject({
    uuid: "bus:00000000:DD:00.0",
    values: { powerW: 87.88, memoryUsedMib: null },
  });
});

test("a number that the end of the text cut short is none", () => {
  const { reading, problems } = only(Q_PRINT.slice(0, Q_PRINT.indexOf("41000 MiB") + 3));
  expect(reading.values.memoryUsedMib).toBeNull();
  expect(reading.missing.memoryUsedMib).toBe("not_reported");
  expect(problems.map(({ kind }) => kind)).toEqual(["truncated"]);
});

test.each([
  ["nothing below the head", "==============NVSMI LOG==============\n\nAttached GPUs : 0\n", ["empty"]],
  ["no device", "==============NVSMI LOG==============\n\nNo devices were found\n", ["nvidia_smi"]],
  ["too much", "x".repeat(2_097_153), ["too_large"]],
])("%s is a problem", (_, text, kinds) => {
  const { looks, problems } = parseNvidiaSmiQ(text);
  expect(looks.flatMap(({ readings }) => readings)).toEqual([]);
  expect(problems.map(({ kind }) => kind)).toEqual(kinds);
});
