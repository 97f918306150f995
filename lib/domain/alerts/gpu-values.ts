import { isMetric, METRICS, memoryUsedPct, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { effectiveUtilization } from "@/lib/domain/telemetry/idle";

/** A column of a sample that rules read. */
export type JudgedColumn = WideMetric | "throttleReasons" | "eccUncorrected";

/** What a card says of itself that is no series. */
export type GpuFacts = {
  memoryMib: number | null;
  powerLimitW: number | null;
  slowdownTemperatureC: number | null;
  remapped: { uncorrectable: number; isPending: boolean; isFailed: boolean } | null;
};

export const NO_FACTS: GpuFacts = { memoryMib: null, powerLimitW: null, slowdownTemperatureC: null, remapped: null };

type Read = (column: JudgedColumn) => number | null;
type Derived = {
  columns: readonly JudgedColumn[];
  value: (read: Read, facts: GpuFacts, fallbackC: number) => number | null;
};

// Bits of the mask: 0x8, 0x40 and 0x80 are the hardware's own, 0x20 and 0x40 are heat, 0x4 is the power cap.
const throttle = (bits: number): Derived => ({
  columns: ["throttleReasons"],
  value: (read) => {
    const mask = read("throttleReasons");
    return mask === null ? null : (mask & bits) !== 0 ? 1 : 0;
  },
});

const ACTIVITY = ["utilizationPct", "smActivePct", "tensorActivePct", "dramActivePct"] as const;

const DERIVED: Readonly<Record<string, Derived>> = {
  effectiveUtilizationPct: {
    columns: ACTIVITY,
    value: (read) =>
      effectiveUtilization(Object.fromEntries(ACTIVITY.map((column) => [column, read(column)])))?.pct ?? null,
  },
  memoryUsedPct: {
    columns: ["memoryUsedMib"],
    value: (read, { memoryMib }) => memoryUsedPct(read("memoryUsedMib"), memoryMib),
  },
  slowdownMarginC: {
    columns: ["temperatureC"],
    value: (read, { slowdownTemperatureC }, fallbackC) => {
      const temperature = read("temperatureC");
      return temperature === null ? null : (slowdownTemperatureC ?? fallbackC) - temperature;
    },
  },
  powerOfLimitPct: {
    columns: ["powerW"],
    value: (read, { powerLimitW }) => {
      const power = read("powerW");
      return power === null || powerLimitW === null || powerLimitW <= 0 ? null : (power / powerLimitW) * 100;
    },
  },
  hardwareThrottled: throttle(0x8 | 0x40 | 0x80),
  thermalThrottled: throttle(0x20 | 0x40),
  powerCapped: throttle(0x4),
  eccUncorrected: { columns: ["eccUncorrected"], value: (read) => read("eccUncorrected") },
};

const FACTS: Readonly<Record<string, (facts: GpuFacts) => number | null>> = {
  remapFailed: ({ remapped }) => remapped && Number(remapped.isFailed),
  remapPending: ({ remapped }) => remapped && Number(remapped.isPending),
  remappedUncorrectable: ({ remapped }) => remapped?.uncorrectable ?? null,
};

/** The columns that a rule about GPUs reads; none: what it looks at is no series. */
export function columnsOf(metric: string): readonly JudgedColumn[] {
  const derived = Object.hasOwn(DERIVED, metric) ? DERIVED[metric] : undefined;
  if (derived) return derived.columns;
  return isMetric(metric) && METRICS[metric].kind === "wide" ? [metric as WideMetric] : [];
}

export type GpuValue = (read: Read, facts: GpuFacts) => number | null;

/** How a rule's metric is made of one sample; null: this sample does not say. */
export function gpuValueOf(metric: string, fallbackC: number): GpuValue {
  const derived = Object.hasOwn(DERIVED, metric) ? DERIVED[metric] : undefined;
  if (derived) return (read, facts) => derived.value(read, facts, fallbackC);
  const [column] = columnsOf(metric);
  return column === undefined ? () => null : (read) => read(column);
}

/** A rule's metric from what the card last said of itself; undefined: it is measured, not said. */
export function factValue(metric: string, facts: GpuFacts): number | null | undefined {
  return Object.hasOwn(FACTS, metric) ? (FACTS[metric]?.(facts) ?? null) : undefined;
}

/** What a card says of itself, from the attributes as they are kept. */
export function factsOf(gpu: {
  memoryMib: number | null;
  powerLimitW: number | null;
  slowdownTemperatureC: unknown;
  remappedRows: unknown;
}): GpuFacts {
  const { memoryMib, powerLimitW, slowdownTemperatureC, remappedRows } = gpu;
  const rows: Record<string, unknown> | null =
    typeof remappedRows === "object" && remappedRows !== null ? { ...remappedRows } : null;
  return {
    memoryMib,
    powerLimitW,
    slowdownTemperatureC: typeof slowdownTemperatureC === "number" ? slowdownTemperatureC : null,
    remapped: rows && {
      uncorrectable: typeof rows.uncorrectable === "number" ? rows.uncorrectable : 0,
      isPending: rows.isPending === true,
      isFailed: rows.isFailed === true,
    },
  };
}
