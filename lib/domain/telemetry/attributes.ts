import type { Source } from "./catalogue";

/** What a card says about itself that is no time series, and where it says it. */
export const ATTRIBUTES = {
  uuid: { nvidiaSmi: ["uuid", "gpu_uuid"], xml: ["uuid"], query: ["GPU UUID"] },
  index: { nvidiaSmi: ["index"], xml: [], query: [] },
  minorNumber: { nvidiaSmi: [], xml: ["minor_number"], query: ["Minor Number"] },
  busId: { nvidiaSmi: ["pci.bus_id", "gpu_bus_id"], xml: ["pci/pci_bus_id", "@id"], query: ["PCI/Bus Id", "@"] },
  name: { nvidiaSmi: ["name", "gpu_name"], xml: ["product_name"], query: ["Product Name"] },
  driverVersion: { nvidiaSmi: ["driver_version"], xml: [], query: [] },
  memoryTotalMib: {
    nvidiaSmi: ["memory.total"],
    xml: ["fb_memory_usage/total"],
    query: ["FB Memory Usage/Total", "Shared FB Memory Usage/Total"],
    dcgm: ["DCGM_FI_DEV_FB_TOTAL"],
  },
  // The cap in force; the requested one may be higher (GH200 at Lambda: 700 W in force, 900 W requested).
  powerLimitW: {
    nvidiaSmi: ["enforced.power.limit", "gpu.power.current_limit", "power.limit", "gpu.power.requested_limit"],
    xml: [
      "gpu_power_readings/current_power_limit",
      "power_readings/enforced_power_limit",
      "power_readings/power_limit",
      "gpu_power_readings/requested_power_limit",
    ],
    query: [
      "GPU Power Readings/Current Power Limit",
      "Power Readings/Enforced Power Limit",
      "Power Readings/Power Limit",
      "GPU Power Readings/Requested Power Limit",
    ],
    dcgm: [
      "DCGM_FI_DEV_ENFORCED_POWER_LIMIT",
      "DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS",
      "DCGM_FI_DEV_POWER_MGMT_LIMIT",
      "DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS",
    ],
  },
  pstate: {
    nvidiaSmi: ["pstate"],
    xml: ["performance_state"],
    query: ["Performance State"],
    dcgm: ["DCGM_FI_DEV_PSTATE", "DCGM_FI_DEV_GPU_PSTATE"],
  },
  migMode: {
    nvidiaSmi: ["mig.mode.current"],
    xml: ["mig_mode/current_mig"],
    query: ["MIG Mode/Current"],
    dcgm: ["DCGM_FI_DEV_MIG_MODE"],
  },
  remappedCorrectable: {
    nvidiaSmi: ["remapped_rows.correctable"],
    xml: ["remapped_rows/remapped_row_corr"],
    query: ["Remapped Rows/Correctable Error"],
    dcgm: ["DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL"],
  },
  remappedUncorrectable: {
    nvidiaSmi: ["remapped_rows.uncorrectable"],
    xml: ["remapped_rows/remapped_row_unc"],
    query: ["Remapped Rows/Uncorrectable Error"],
    dcgm: ["DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL"],
  },
  remappedPending: {
    nvidiaSmi: ["remapped_rows.pending"],
    xml: ["remapped_rows/remapped_row_pending"],
    query: ["Remapped Rows/Pending"],
    dcgm: ["DCGM_FI_DEV_ROW_REMAP_PENDING"],
  },
  remappedFailure: {
    nvidiaSmi: ["remapped_rows.failure"],
    xml: ["remapped_rows/remapped_row_failure"],
    query: ["Remapped Rows/Remapping Failure Occurred"],
    dcgm: ["DCGM_FI_DEV_ROW_REMAP_FAILURE", "DCGM_FI_DEV_ROW_REMAP_FAILED"],
  },
  // `…_tlimit_threshold`, in `-q` `… T.Limit Temp`, is a distance to a limit, not a temperature.
  slowdownTemperatureC: {
    nvidiaSmi: [],
    xml: ["temperature/gpu_temp_slow_threshold"],
    query: ["Temperature/GPU Slowdown Temp"],
    dcgm: ["DCGM_FI_DEV_SLOWDOWN_TEMP", "DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS"],
  },
  timestamp: { nvidiaSmi: ["timestamp"], xml: [], query: [] },
} as const satisfies Record<string, Source & { dcgm?: readonly string[] }>;
