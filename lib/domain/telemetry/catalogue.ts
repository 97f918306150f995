/** A unit as code names it, as people read it and as nvidia-smi writes it beside a number. */
export const UNITS = {
  percent: { short: "%", written: ["%"] },
  mebibytes: { short: "MiB", written: ["MiB"] },
  celsius: { short: "°C", written: ["C"] },
  watts: { short: "W", written: ["W"] },
  megahertz: { short: "MHz", written: ["MHz"] },
  count: { short: "", written: [] },
  bits: { short: "", written: [] },
} as const satisfies Record<string, { short: string; written: readonly string[] }>;

export type Unit = keyof typeof UNITS;

/** Where a fact stands at each door, the best name first; a later name counts where the earlier ones hold no value. */
export type Source = {
  /** `nvidia-smi --query-gpu` column names, as printed in the header and as asked for. */
  nvidiaSmi: readonly string[];
  /** Paths below `<gpu>` in `nvidia-smi -q -x`, formats v10 to v13. */
  xml: readonly string[];
  /** Paths below `GPU 00000000:…` in `nvidia-smi -q`, drivers 515 to 610; the plain table is read into them too. */
  query: readonly string[];
};

/** A DCGM field, by its classic and its 4.6 name; `scale` brings its number into our unit. */
export type DcgmField = { field: string; scale: number; isZeroMissing: boolean };

/** Equal bins for a fleet distribution: bin i holds [lower + i × width, lower + (i + 1) × width). `id` is what storage keeps. */
export type BinSpec = { id: number; lower: number; width: number; count: number };

export type MetricEntry = Source & {
  /** wide: a `real` column of the sample tables; count: an integer column; derived: computed from the others when read. */
  kind: "wide" | "count" | "derived";
  /** In SQL; for a derived metric its name in the API. */
  column: string;
  /** For people. */
  label: string;
  unit: Unit;
  /** A value outside [min, max] is missing, with the reason `out_of_range`. */
  min: number;
  max: number;
  /** Digits after the point that a person is shown. */
  decimals: number;
  distribution: BinSpec | null;
  dcgm: readonly DcgmField[];
};

type Reading = Pick<MetricEntry, "unit" | "min" | "max" | "decimals">;
type Where = Partial<Pick<MetricEntry, "nvidiaSmi" | "xml" | "query" | "dcgm" | "distribution">>;

const PERCENT: Reading = { unit: "percent", min: 0, max: 100, decimals: 0 };
const MEMORY: Reading = { unit: "mebibytes", min: 0, max: 1_000_000, decimals: 0 };
const TEMPERATURE: Reading = { unit: "celsius", min: -20, max: 150, decimals: 0 };
const POWER: Reading = { unit: "watts", min: 0, max: 2000, decimals: 0 };
const CLOCK: Reading = { unit: "megahertz", min: 0, max: 10_000, decimals: 0 };
// GDDR6X runs at 11.25 GHz (RTX 4080 SUPER), GDDR7 above that.
const MEMORY_CLOCK: Reading = { ...CLOCK, max: 40_000 };
const COUNT: Reading = { unit: "count", min: 0, max: 0x7fffffff, decimals: 0 };

function entry<K extends MetricEntry["kind"]>(
  kind: K,
  column: string,
  label: string,
  reading: Reading,
  where: Where,
): MetricEntry & { kind: K } {
  return { kind, column, label, ...reading, nvidiaSmi: [], xml: [], query: [], dcgm: [], distribution: null, ...where };
}

function wide(column: string, label: string, reading: Reading, where: Where) {
  return entry("wide", column, label, reading, where);
}

function dcgm(scale: number, ...fields: string[]): DcgmField[] {
  return fields.map((field) => ({ field, scale, isZeroMissing: false }));
}

/** One bin per whole per cent; 100 % has its own. */
function perCents(id: number): BinSpec {
  return { id, lower: 0, width: 1, count: 101 };
}

/** One bin per degree. */
function degrees(id: number): BinSpec {
  return { id, lower: -20, width: 1, count: 171 };
}

/*
 * One entry per metric; adding one is adding its entry (and, for a wide one, its column at the same place).
 * The order of the wide ones is the order of the columns and of the reasons in `missing`.
 * Names: `nvidia-smi --help-query-gpu` of driver 590 and the XML of drivers 515 to 590; DCGM 4.6 `dcgm_fields.h`.
 */
const ENTRIES = {
  utilizationPct: wide("utilization_pct", "GPU utilisation", PERCENT, {
    nvidiaSmi: ["utilization.gpu"],
    xml: ["utilization/gpu_util"],
    query: ["Utilization/GPU"],
    dcgm: dcgm(1, "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_UTIL_RATIO"),
    distribution: perCents(0),
  }),
  memoryUsedMib: wide("memory_used_mib", "GPU memory in use", MEMORY, {
    nvidiaSmi: ["memory.used"],
    xml: ["fb_memory_usage/used"],
    query: ["FB Memory Usage/Used", "Shared FB Memory Usage/Used"],
    dcgm: dcgm(1, "DCGM_FI_DEV_FB_USED"),
  }),
  memoryBusyPct: wide("memory_busy_pct", "Memory controller busy", PERCENT, {
    nvidiaSmi: ["utilization.memory"],
    xml: ["utilization/memory_util"],
    query: ["Utilization/Memory"],
    dcgm: dcgm(1, "DCGM_FI_DEV_MEM_COPY_UTIL"),
    distribution: perCents(2),
  }),
  temperatureC: wide("temperature_c", "GPU temperature", TEMPERATURE, {
    nvidiaSmi: ["temperature.gpu"],
    xml: ["temperature/gpu_temp"],
    query: ["Temperature/GPU Current Temp"],
    dcgm: dcgm(1, "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_TEMP_CELSIUS"),
    distribution: degrees(3),
  }),
  memoryTemperatureC: wide("memory_temperature_c", "Memory temperature", TEMPERATURE, {
    nvidiaSmi: ["temperature.memory"],
    xml: ["temperature/memory_temp"],
    query: ["Temperature/Memory Current Temp"],
    // 0 °C is how DCGM writes "no sensor" on L40S, L4 and T4.
    dcgm: ["DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS"].map((field) => ({
      field,
      scale: 1,
      isZeroMissing: true,
    })),
    distribution: degrees(4),
  }),
  powerW: wide("power_w", "Power draw", POWER, {
    nvidiaSmi: [
      "power.draw",
      "power.draw.average",
      "gpu.power.draw.average",
      "power.draw.instant",
      "gpu.power.draw.instant",
    ],
    // The GPU's own; `gpu_memory_power_readings` and `module_power_readings` are other things.
    xml: [
      "gpu_power_readings/average_power_draw",
      "gpu_power_readings/instant_power_draw",
      "gpu_power_readings/power_draw",
      "power_readings/power_draw",
    ],
    query: [
      "GPU Power Readings/Average Power Draw",
      "GPU Power Readings/Instantaneous Power Draw",
      "GPU Power Readings/Power Draw",
      "Power Readings/Power Draw",
    ],
    dcgm: dcgm(1, "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_BOARD_POWER_WATTS"),
    distribution: { id: 5, lower: 0, width: 5, count: 401 },
  }),
  smClockMhz: wide("sm_clock_mhz", "SM clock", CLOCK, {
    nvidiaSmi: ["clocks.current.sm", "clocks.sm"],
    xml: ["clocks/sm_clock"],
    query: ["Clocks/SM"],
    dcgm: dcgm(1, "DCGM_FI_DEV_SM_CLOCK"),
  }),
  memoryClockMhz: wide("memory_clock_mhz", "Memory clock", MEMORY_CLOCK, {
    nvidiaSmi: ["clocks.current.memory", "clocks.mem"],
    xml: ["clocks/mem_clock"],
    query: ["Clocks/Memory"],
    dcgm: dcgm(1, "DCGM_FI_DEV_MEM_CLOCK"),
  }),
  smActivePct: wide("sm_active_pct", "SM activity", PERCENT, {
    dcgm: dcgm(100, "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_SM_UTIL_RATIO"),
    distribution: perCents(6),
  }),
  tensorActivePct: wide("tensor_active_pct", "Tensor core activity", PERCENT, {
    dcgm: dcgm(100, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_PROF_TENSOR_UTIL_RATIO"),
    distribution: perCents(7),
  }),
  dramActivePct: wide("dram_active_pct", "Memory bandwidth in use", PERCENT, {
    dcgm: dcgm(100, "DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_DRAM_UTIL_RATIO"),
    distribution: perCents(8),
  }),
  memoryReservedMib: wide("memory_reserved_mib", "Memory reserved by the driver", MEMORY, {
    nvidiaSmi: ["memory.reserved"],
    xml: ["fb_memory_usage/reserved"],
    query: ["FB Memory Usage/Reserved", "Shared FB Memory Usage/Reserved"],
    dcgm: dcgm(1, "DCGM_FI_DEV_FB_RESERVED"),
  }),
  // XML has no mask; it is put together from the single reasons.
  throttleReasons: entry(
    "count",
    "throttle_reasons",
    "Throttle reasons",
    { ...COUNT, unit: "bits" },
    {
      nvidiaSmi: ["clocks_event_reasons.active", "clocks_throttle_reasons.active"],
      dcgm: dcgm(1, "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS"),
    },
  ),
  // Of the card's life; the volatile count, which starts anew with the driver, only where there is no other.
  eccUncorrected: entry("count", "ecc_uncorrected", "Uncorrected memory errors", COUNT, {
    nvidiaSmi: [
      "ecc.errors.uncorrected.aggregate.dram",
      "ecc.errors.uncorrected.aggregate.device_memory",
      "ecc.errors.uncorrected.aggregate.total",
      "ecc.errors.uncorrected.volatile.total",
    ],
    xml: [
      "ecc_errors/aggregate/dram_uncorrectable",
      "ecc_errors/aggregate/double_bit/device_memory",
      "ecc_errors/aggregate/double_bit/total",
    ],
    query: [
      "ECC Errors/Aggregate/DRAM Uncorrectable",
      "ECC Errors/Aggregate/Double Bit/Device Memory",
      "ECC Errors/Aggregate/Double Bit/Total",
    ],
    dcgm: dcgm(1, "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL"),
  }),
  memoryUsedPct: entry(
    "derived",
    "memory_used_pct",
    "GPU memory in use",
    { ...PERCENT, decimals: 1 },
    {
      distribution: perCents(1),
    },
  ),
} satisfies Record<string, MetricEntry>;

export type Metric = keyof typeof ENTRIES;

type OfKind<K extends MetricEntry["kind"]> = {
  [M in Metric]: (typeof ENTRIES)[M]["kind"] extends K ? M : never;
}[Metric];

/** A `real` column of gpu_sample, gpu_latest and gpu_hour. */
export type WideMetric = OfKind<"wide">;
export type CountMetric = OfKind<"count">;

/** The metric catalogue. */
export const METRICS: Readonly<Record<Metric, MetricEntry>> = ENTRIES;

const names = Object.keys(ENTRIES);

/** The wide metrics in the order of their columns. */
export const WIDE_METRICS: readonly WideMetric[] = names.filter(
  (name): name is WideMetric => isMetric(name) && METRICS[name].kind === "wide",
);

/** The metrics of which a fleet distribution is kept. */
export const DISTRIBUTED_METRICS: readonly Metric[] = names.filter(
  (name): name is Metric => isMetric(name) && METRICS[name].distribution !== null,
);

export function isMetric(name: string): name is Metric {
  return Object.hasOwn(ENTRIES, name);
}

/** Share of the memory that the card itself reports, in per cent; null where either number is missing. */
export function memoryUsedPct(memoryUsedMib: number | null, memoryTotalMib: number | null): number | null {
  if (memoryUsedMib === null || memoryTotalMib === null || memoryTotalMib <= 0) return null;
  return Math.min(100, (memoryUsedMib / memoryTotalMib) * 100);
}
