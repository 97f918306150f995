import type { Source } from "./catalogue";

/** What a card says about itself that is no time series, and where it says it. */
export const ATTRIBUTES = {
  uuid: { nvidiaSmi: ["uuid", "gpu_uuid"], xml: ["uuid"] },
  index: { nvidiaSmi: ["index"], xml: [] },
  minorNumber: { nvidiaSmi: [], xml: ["minor_number"] },
  busId: { nvidiaSmi: ["pci.bus_id", "gpu_bus_id"], xml: ["pci/pci_bus_id", "@id"] },
  name: { nvidiaSmi: ["name", "gpu_name"], xml: ["product_name"] },
  driverVersion: { nvidiaSmi: ["driver_version"], xml: [] },
  memoryTotalMib: { nvidiaSmi: ["memory.total"], xml: ["fb_memory_usage/total"] },
  // The cap in force; the requested one may be higher (GH200 at Lambda: 700 W in force, 900 W requested).
  powerLimitW: {
    nvidiaSmi: ["enforced.power.limit", "gpu.power.current_limit", "power.limit", "gpu.power.requested_limit"],
    xml: [
      "gpu_power_readings/current_power_limit",
      "power_readings/enforced_power_limit",
      "power_readings/power_limit",
      "gpu_power_readings/requested_power_limit",
    ],
  },
  pstate: { nvidiaSmi: ["pstate"], xml: ["performance_state"] },
  migMode: { nvidiaSmi: ["mig.mode.current"], xml: ["mig_mode/current_mig"] },
  remappedCorrectable: { nvidiaSmi: ["remapped_rows.correctable"], xml: ["remapped_rows/remapped_row_corr"] },
  remappedUncorrectable: { nvidiaSmi: ["remapped_rows.uncorrectable"], xml: ["remapped_rows/remapped_row_unc"] },
  remappedPending: { nvidiaSmi: ["remapped_rows.pending"], xml: ["remapped_rows/remapped_row_pending"] },
  remappedFailure: { nvidiaSmi: ["remapped_rows.failure"], xml: ["remapped_rows/remapped_row_failure"] },
  // `…_tlimit_threshold` is a distance to a limit, not a temperature.
  slowdownTemperatureC: { nvidiaSmi: [], xml: ["temperature/gpu_temp_slow_threshold"] },
  timestamp: { nvidiaSmi: ["timestamp"], xml: [] },
} as const satisfies Record<string, Source>;
