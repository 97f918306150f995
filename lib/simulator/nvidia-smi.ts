import { type Gpu, type GpuMetrics, gpuMetrics, gpuProcesses } from "./gpu";
import { gpusOf } from "./machine";
import type { Machine } from "./types";

/** What nvidia-smi prints, and its exit status: 2 for a wrong argument, 9 without a driver. */
export type Printed = { text: string; status: number };

type Cell = (gpu: Gpu, metrics: GpuMetrics) => string;

const NOT_AVAILABLE = "[N/A]";
const rows =
  (value: string): Cell =>
  ({ model }) =>
    model.hasRowRemapping ? value : NOT_AVAILABLE;

/** Column header → cell, in the words of driver 570. `temperature.memory` alone writes N/A without brackets. */
const columns: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ["index", ({ index }) => `${index}`],
  ["uuid", ({ uuid }) => uuid],
  ["pci.bus_id", ({ busId }) => busId],
  ["name", ({ model }) => model.name],
  ["driver_version", ({ model }) => model.driverVersion],
  ["compute_mode", () => "Default"],
  ["mig.mode.current", ({ model }) => model.migMode ?? NOT_AVAILABLE],
  ["utilization.gpu [%]", (_, { utilizationPct }) => `${utilizationPct} %`],
  ["utilization.memory [%]", (_, { memoryBusyPct }) => `${memoryBusyPct} %`],
  ["memory.total [MiB]", ({ model }) => `${model.memoryTotalMib} MiB`],
  ["memory.used [MiB]", (_, { memoryUsedMib }) => `${memoryUsedMib} MiB`],
  [
    "memory.free [MiB]",
    ({ model }, { memoryUsedMib, memoryReservedMib }) =>
      `${model.memoryTotalMib - memoryUsedMib - memoryReservedMib} MiB`,
  ],
  ["memory.reserved [MiB]", (_, { memoryReservedMib }) => `${memoryReservedMib} MiB`],
  ["temperature.gpu", (_, { temperatureC }) => `${temperatureC}`],
  [
    "temperature.memory",
    (_, { memoryTemperatureC }) => (memoryTemperatureC === null ? "N/A" : `${memoryTemperatureC}`),
  ],
  ["power.draw [W]", (_, { powerW }) => `${powerW.toFixed(2)} W`],
  ["power.draw.average [W]", (_, { powerW }) => `${powerW.toFixed(2)} W`],
  ["power.draw.instant [W]", (_, { powerW }) => `${powerW.toFixed(2)} W`],
  ["enforced.power.limit [W]", ({ model }) => `${model.powerLimitW.toFixed(2)} W`],
  ["power.limit [W]", ({ model }) => `${model.powerLimitW.toFixed(2)} W`],
  ["clocks.current.sm [MHz]", (_, { smClockMhz }) => `${smClockMhz} MHz`],
  ["clocks.current.memory [MHz]", (_, { memoryClockMhz }) => `${memoryClockMhz} MHz`],
  [
    "clocks_event_reasons.active",
    (_, { throttleReasons }) => `0x${throttleReasons.toString(16).toUpperCase().padStart(16, "0")}`,
  ],
  ["pstate", (_, { pstate }) => pstate],
  ["ecc.errors.uncorrected.aggregate.dram", (_, { eccUncorrected }) => `${eccUncorrected}`],
  ["ecc.errors.uncorrected.volatile.total", (_, { eccUncorrected }) => `${eccUncorrected}`],
  ["ecc.errors.uncorrected.aggregate.total", (_, { eccUncorrected }) => `${eccUncorrected}`],
  ["remapped_rows.correctable", rows("0")],
  ["remapped_rows.uncorrectable", rows("0")],
  ["remapped_rows.pending", rows("No")],
  ["remapped_rows.failure", rows("No")],
]);

const aliases: Readonly<Record<string, string>> = {
  gpu_name: "name",
  gpu_uuid: "uuid",
  gpu_bus_id: "pci.bus_id",
  "clocks.sm": "clocks.current.sm",
  "clocks.mem": "clocks.current.memory",
  "clocks_throttle_reasons.active": "clocks_event_reasons.active",
};

const headers = new Map([...columns.keys()].map((header) => [header.replace(/ \[.*/, ""), header]));
const headerOf = (field: string): string | undefined => headers.get(aliases[field] ?? field);

/** What the simulated agents ask for: the columns that the real agent wants. */
export const agentFields: readonly string[] = [...headers.keys()].filter(
  (field) => !/^power\.draw\.|^compute_mode$/.test(field),
);

/** `nvidia-smi --query-gpu=… --format=csv` on a machine at an instant. */
export function queryGpu(machine: Machine, at: number, fields: readonly string[] = agentFields): Printed {
  const gpus = gpusOf(machine);
  if (gpus.length === 0) return { text: "No devices were found\n", status: 6 };
  const known: string[] = [];
  for (const field of fields) {
    const header = headerOf(field);
    if (!header) return { text: `Field "${field}" is not a valid field to query.\n\n`, status: 2 };
    known.push(header);
  }
  const lines = [known.join(", ")];
  for (const gpu of gpus) {
    const metrics = gpuMetrics(gpu, machine.workloads, at);
    if (!metrics) return driverGone;
    lines.push(known.map((header) => columns.get(header)?.(gpu, metrics) ?? NOT_AVAILABLE).join(", "));
  }
  return { text: `${lines.join("\n")}\n`, status: 0 };
}

const driverGone: Printed = {
  text:
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. " +
    "Make sure that the latest NVIDIA driver is installed and running.\n\n",
  status: 9,
};

/** `nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory --format=csv`. */
export function queryApps(machine: Machine, at: number): Printed {
  const lines = ["gpu_uuid, pid, process_name, used_gpu_memory [MiB]"];
  for (const gpu of gpusOf(machine)) {
    for (const { pid, name, usedMib } of gpuProcesses(gpu, machine.workloads, at)) {
      lines.push(`${gpu.uuid}, ${pid}, ${name}, ${usedMib} MiB`);
    }
  }
  return { text: `${lines.join("\n")}\n`, status: 0 };
}

/** What every long answer begins with. */
function about(machine: Machine, at: number): Printed {
  const driver = queryGpu(machine, at, ["driver_version"]);
  if (driver.status !== 0) return driver;
  const version = driver.text.split("\n")[1] ?? "";
  return {
    text: `Driver Version                            : ${version}\nCUDA Version                              : 12.8\n`,
    status: 0,
  };
}

/** The list as the agent sends it: a column more, with the user that runs each. */
export function agentApps(machine: Machine, at: number): string {
  const [header = "", ...rows] = queryApps(machine, at).text.trimEnd().split("\n");
  return [`${header}, user`, ...rows.map((row) => `${row}, ${userOf(machine)}`), ""].join("\n");
}

/** Who works on a machine. */
export const userOf = (machine: Machine): string =>
  ["ubuntu", "ubuntu", "jupyter", "slurm"][machine.seed % 4] ?? "ubuntu";

/** Answers a command line as nvidia-smi would; `args` is what stood behind its name. */
export function nvidiaSmi(machine: Machine, args: string, at: number): Printed {
  if (/--query-compute-apps=pid /.test(args)) {
    const pids = gpusOf(machine).flatMap((gpu) =>
      gpuProcesses(gpu, machine.workloads, at).map(({ pid }) => `${pid}\n`),
    );
    return { text: pids.join(""), status: 0 };
  }
  if (/--query-compute-apps[= ]/.test(args)) return queryApps(machine, at);
  if (/^-q /.test(args)) return about(machine, at);
  const fields = /--query-gpu[= ](\S+)/.exec(args)?.[1];
  if (fields) {
    const printed = queryGpu(machine, at, fields.split(","));
    if (printed.status !== 0 || !/--format=\S*noheader/.test(args)) return printed;
    const text = printed.text.slice(printed.text.indexOf("\n") + 1);
    return { text: /nounits/.test(args) ? text.replace(/ (?:MiB|MHz|W|%)(?=[,\n])/g, "") : text, status: 0 };
  }
  return { text: `Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n`, status: 2 };
}
