/** How a card names itself and behaves; null where nvidia-smi prints `N/A`. */
export type GpuModel = {
  name: string;
  memoryTotalMib: number;
  memoryReservedMib: number;
  /** What the driver holds with no process running. */
  memoryIdleMib: number;
  powerLimitW: number;
  idlePowerW: number;
  /** More than at idle while a process holds a context without working. */
  contextPowerW: number;
  idleSmClockMhz: number;
  maxSmClockMhz: number;
  idleMemoryClockMhz: number;
  maxMemoryClockMhz: number;
  idleTemperatureC: number;
  loadTemperatureC: number;
  idleMemoryTemperatureC: number | null;
  loadMemoryTemperatureC: number | null;
  idlePstate: "P0" | "P8";
  migMode: "Disabled" | null;
  hasRowRemapping: boolean;
  driverVersion: string;
  busIds: string[];
};

const sxmBuses = ["18", "2A", "3A", "5D", "9A", "AB", "BA", "DB"].map((bus) => `00000000:${bus}:00.0`);
const guestBuses = ["07", "08", "09", "0A", "0B", "0C", "0D", "0E"].map((bus) => `00000000:${bus}:00.0`);

const hopper = {
  memoryReservedMib: 479,
  memoryIdleMib: 1,
  powerLimitW: 700,
  idlePowerW: 70,
  contextPowerW: 43,
  idleSmClockMhz: 345,
  maxSmClockMhz: 1980,
  idleMemoryClockMhz: 2619,
  maxMemoryClockMhz: 2619,
  idleTemperatureC: 28,
  loadTemperatureC: 62,
  idleMemoryTemperatureC: 40,
  loadMemoryTemperatureC: 68,
  idlePstate: "P0",
  migMode: "Disabled",
  hasRowRemapping: true,
  driverVersion: "570.148.08",
} as const;

const ampere = {
  memoryReservedMib: 526,
  memoryIdleMib: 1,
  contextPowerW: 22,
  idleSmClockMhz: 210,
  maxSmClockMhz: 1410,
  idleMemoryClockMhz: 1215,
  maxMemoryClockMhz: 1215,
  idleTemperatureC: 30,
  loadTemperatureC: 64,
  idleMemoryTemperatureC: 34,
  loadMemoryTemperatureC: 66,
  idlePstate: "P0",
  migMode: "Disabled",
  hasRowRemapping: true,
  driverVersion: "570.148.08",
} as const;

const workstation = {
  ...ampere,
  contextPowerW: 38,
  idleMemoryClockMhz: 405,
  idleMemoryTemperatureC: null,
  loadMemoryTemperatureC: null,
  idlePstate: "P8",
  migMode: null,
} as const;

const gh200: GpuModel = {
  ...hopper,
  name: "NVIDIA GH200 480GB",
  memoryTotalMib: 97_871,
  memoryReservedMib: 1_103,
  memoryIdleMib: 2,
  idlePowerW: 87,
  contextPowerW: 38,
  idleTemperatureC: 31,
  loadTemperatureC: 63,
  idleMemoryTemperatureC: 39,
  busIds: ["00000000:DD:00.0"],
};
const h100Sxm: GpuModel = { ...hopper, name: "NVIDIA H100 80GB HBM3", memoryTotalMib: 81_559, busIds: sxmBuses };
const h100Pcie: GpuModel = {
  ...hopper,
  name: "NVIDIA H100 PCIe",
  memoryTotalMib: 81_559,
  powerLimitW: 350,
  idlePowerW: 48,
  contextPowerW: 30,
  maxSmClockMhz: 1755,
  idleMemoryClockMhz: 1593,
  maxMemoryClockMhz: 1593,
  busIds: guestBuses,
};
const b200: GpuModel = {
  ...hopper,
  name: "NVIDIA B200",
  memoryTotalMib: 183_359,
  memoryReservedMib: 615,
  powerLimitW: 1000,
  idlePowerW: 141,
  contextPowerW: 50,
  idleSmClockMhz: 120,
  maxSmClockMhz: 1965,
  idleMemoryClockMhz: 3996,
  maxMemoryClockMhz: 3996,
  loadTemperatureC: 66,
  busIds: sxmBuses,
};
const a100Sxm80: GpuModel = {
  ...ampere,
  name: "NVIDIA A100-SXM4-80GB",
  memoryTotalMib: 81_920,
  memoryReservedMib: 763,
  powerLimitW: 400,
  idlePowerW: 60,
  idleMemoryClockMhz: 1593,
  maxMemoryClockMhz: 1593,
  busIds: guestBuses,
};
const a100Sxm40: GpuModel = {
  ...ampere,
  name: "NVIDIA A100-SXM4-40GB",
  memoryTotalMib: 40_960,
  powerLimitW: 400,
  idlePowerW: 51,
  busIds: guestBuses,
};
const a100Pcie: GpuModel = {
  ...ampere,
  name: "NVIDIA A100-PCIE-40GB",
  memoryTotalMib: 40_960,
  powerLimitW: 250,
  idlePowerW: 36,
  busIds: guestBuses,
};
const a10: GpuModel = {
  ...workstation,
  name: "NVIDIA A10",
  memoryTotalMib: 23_028,
  powerLimitW: 150,
  idlePowerW: 16,
  maxSmClockMhz: 1695,
  maxMemoryClockMhz: 6251,
  idleTemperatureC: 33,
  loadTemperatureC: 68,
  busIds: guestBuses,
};
const a6000: GpuModel = {
  ...workstation,
  name: "NVIDIA RTX A6000",
  memoryTotalMib: 49_140,
  memoryReservedMib: 602,
  powerLimitW: 300,
  idlePowerW: 22,
  maxSmClockMhz: 2100,
  maxMemoryClockMhz: 8001,
  loadTemperatureC: 76,
  busIds: guestBuses,
};
const v100: GpuModel = {
  ...ampere,
  name: "Tesla V100-SXM2-16GB",
  memoryTotalMib: 16_384,
  memoryReservedMib: 229,
  memoryIdleMib: 0,
  powerLimitW: 300,
  idlePowerW: 42,
  idleSmClockMhz: 135,
  maxSmClockMhz: 1530,
  idleMemoryClockMhz: 877,
  maxMemoryClockMhz: 877,
  migMode: null,
  hasRowRemapping: false,
  busIds: guestBuses,
};
const rtx6000: GpuModel = {
  ...workstation,
  name: "Quadro RTX 6000",
  memoryTotalMib: 23_040,
  memoryReservedMib: 440,
  powerLimitW: 260,
  idlePowerW: 14,
  maxSmClockMhz: 2100,
  maxMemoryClockMhz: 7001,
  loadTemperatureC: 74,
  hasRowRemapping: false,
  busIds: guestBuses,
};

/**
 * The card inside an instance type. Names, MiB, caps and clocks as recorded (fixtures: GH200 on Lambda, 8x H100 SXM5,
 * A100 SXM4, A10, V100); for cards without a recording, as NVIDIA's data sheets and driver reports have them.
 */
export function gpuModelOf(typeName: string): GpuModel | null {
  if (typeName === "gpu_8x_a100") return a100Sxm40;
  const family = typeName.replace(/^(?:gpu|cpu)_\d+x_/, "");
  return byFamily.get(family) ?? null;
}

const byFamily: ReadonlyMap<string, GpuModel> = new Map([
  ["gh200", gh200],
  ["b200_sxm6", b200],
  ["h100_sxm5", h100Sxm],
  ["h100_pcie", h100Pcie],
  ["a100_80gb_sxm4", a100Sxm80],
  ["a100_sxm4", a100Sxm40],
  ["a100", a100Pcie],
  ["a10", a10],
  ["a6000", a6000],
  ["v100", v100],
  ["rtx6000", rtx6000],
]);
