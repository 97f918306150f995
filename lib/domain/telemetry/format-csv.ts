import type { ProcessesByUuid } from "./parse-processes";
import type { GpuReading, Missing, MissingReason } from "./sample";

/** How nvidia-smi writes each reason; the last ones are what a broken driver would print. */
const WORDS: Readonly<Record<MissingReason, string>> = {
  not_reported: "",
  not_applicable: "[N/A]",
  not_supported: "[Not Supported]",
  unknown_error: "[Unknown Error]",
  deprecated: "[Requested functionality has been deprecated]",
  function_not_found: "[Function Not Found]",
  error: "ERR!",
  gpu_lost: "[GPU is lost]",
  no_permission: "[Insufficient Permissions]",
  sentinel: "9223372036854775794",
  out_of_range: "-999999",
  malformed: "?",
};

type Cell = (reading: GpuReading) => string;

/** The columns that the agent asks for, in its order, with their headers and cells. */
const COLUMNS: readonly [header: string, cell: Cell][] = [
  ["index", (gpu) => plain(gpu.index)],
  ["uuid", (gpu) => gpu.uuid],
  ["pci.bus_id", (gpu) => plain(gpu.busId)],
  ["name", (gpu) => plain(gpu.name)],
  ["driver_version", (gpu) => plain(gpu.driverVersion)],
  [
    "mig.mode.current",
    (gpu) => (gpu.migMode === null ? "[N/A]" : yes(gpu.migMode === "enabled", "Enabled", "Disabled")),
  ],
  ["utilization.gpu [%]", wide("utilizationPct", 0, " %")],
  ["utilization.memory [%]", wide("memoryBusyPct", 0, " %")],
  ["memory.total [MiB]", (gpu) => plain(gpu.memoryTotalMib, " MiB")],
  ["memory.used [MiB]", wide("memoryUsedMib", 0, " MiB")],
  ["memory.free [MiB]", memoryFree],
  ["memory.reserved [MiB]", wide("memoryReservedMib", 0, " MiB")],
  ["temperature.gpu", wide("temperatureC", 0, "")],
  ["temperature.memory", wide("memoryTemperatureC", 0, "")],
  ["power.draw [W]", wide("powerW", 2, " W")],
  ["enforced.power.limit [W]", (gpu) => (gpu.powerLimitW === null ? "[N/A]" : `${gpu.powerLimitW.toFixed(2)} W`)],
  ["clocks.current.sm [MHz]", wide("smClockMhz", 0, " MHz")],
  ["clocks.current.memory [MHz]", wide("memoryClockMhz", 0, " MHz")],
  ["clocks_event_reasons.active", throttle],
  ["pstate", (gpu) => plain(gpu.pstate)],
  ["ecc.errors.uncorrected.aggregate.dram", (gpu) => plain(gpu.eccUncorrected, "", gpu.missing.eccUncorrected)],
  ["remapped_rows.correctable", (gpu) => plain(gpu.remappedRows?.correctable ?? null)],
  ["remapped_rows.uncorrectable", (gpu) => plain(gpu.remappedRows?.uncorrectable ?? null)],
  ["remapped_rows.pending", (gpu) => (gpu.remappedRows ? yes(gpu.remappedRows.isPending, "Yes", "No") : "[N/A]")],
  ["remapped_rows.failure", (gpu) => (gpu.remappedRows ? yes(gpu.remappedRows.isFailed, "Yes", "No") : "[N/A]")],
];

/** Readings as `nvidia-smi --query-gpu=… --format=csv` prints them; MIG slices are left out, as nvidia-smi does. */
export function formatQueryGpu(readings: readonly GpuReading[]): string {
  const rows = readings
    .filter((reading) => reading.mig === "")
    .map((reading) => COLUMNS.map(([, cell]) => cell(reading)).join(", "));
  return [COLUMNS.map(([header]) => header).join(", "), ...rows].map((line) => `${line}\n`).join("");
}

/** Processes as `nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory --format=csv` prints them, and users as the agent adds them. */
export function formatComputeApps(byUuid: ProcessesByUuid): string {
  const lines = ["gpu_uuid, pid, process_name, used_gpu_memory [MiB], user"];
  for (const [uuid, processes] of byUuid) {
    for (const { pid, name, usedMib, user } of processes) {
      lines.push(`${uuid}, ${pid}, ${name ?? "[Not Found]"}, ${plain(usedMib, " MiB")}, ${user ?? "[Not Found]"}`);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function plain(value: string | number | null, unit = "", missing?: MissingReason): string {
  return value === null ? WORDS[missing ?? "not_applicable"] : `${value}${unit}`;
}

function yes(is: boolean, then: string, otherwise: string): string {
  return is ? then : otherwise;
}

function wide(metric: keyof GpuReading["values"], decimals: number, unit: string): Cell {
  return ({ values, missing }) => number(values[metric], decimals, unit, missing, metric);
}

function number(value: number | null, decimals: number, unit: string, missing: Missing, metric: keyof Missing): string {
  return value === null ? WORDS[missing[metric] ?? "not_reported"] : `${value.toFixed(decimals)}${unit}`;
}

function memoryFree({ memoryTotalMib, values }: GpuReading): string {
  if (memoryTotalMib === null || values.memoryUsedMib === null) return "[N/A]";
  return `${Math.max(0, memoryTotalMib - values.memoryUsedMib - (values.memoryReservedMib ?? 0)).toFixed(0)} MiB`;
}

function throttle({ throttleReasons, missing }: GpuReading): string {
  if (throttleReasons === null) return WORDS[missing.throttleReasons ?? "not_reported"];
  return `0x${throttleReasons.toString(16).toUpperCase().padStart(16, "0")}`;
}
