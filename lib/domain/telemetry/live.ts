import { METRICS, memoryUsedPct, type WideMetric } from "./catalogue";
import { effectiveUtilization } from "./idle";
import { silentAfterMs } from "./sample";

/*
 * The newest sample of every GPU in few bytes: columns of whole numbers, in the order of a roster that is fetched once and
 * named by its version. A missing value is null; a GPU that is silent is in `silent`, and its last values stay.
 */

type LiveEntry = { label: string; unit: string; scale: 1 | 10 };

const PERCENT_TENTHS = { unit: "%", scale: 10 } as const;

/** What the heat map paints. Whole per cents stay whole: tenths would only be noise that does not compress. */
const HEAT = {
  utilizationPct: { label: "Utilisation", unit: "%", scale: 1 },
  effectivePct: { label: "Effective utilisation", ...PERCENT_TENTHS },
  memoryUsedPct: { label: "VRAM", ...PERCENT_TENTHS },
  temperatureC: { label: "Temperature", unit: "°C", scale: 1 },
  powerW: { label: "Power", unit: "W", scale: 1 },
} as const satisfies Record<string, LiveEntry>;

export type HeatMetric = keyof typeof HEAT;

export const HEAT_METRICS = Object.keys(HEAT) as readonly HeatMetric[];

/** The other metrics of the catalogue, for programs. */
const OTHERS = [
  "memoryUsedMib",
  "memoryBusyPct",
  "memoryTemperatureC",
  "smClockMhz",
  "memoryClockMhz",
  "smActivePct",
  "tensorActivePct",
  "dramActivePct",
  "memoryReservedMib",
] as const satisfies readonly WideMetric[];

export type LiveMetric = HeatMetric | (typeof OTHERS)[number];

export const LIVE_METRICS: readonly LiveMetric[] = [...HEAT_METRICS, ...OTHERS];

export function liveEntry(metric: LiveMetric): LiveEntry {
  if (metric in HEAT) return HEAT[metric as HeatMetric];
  const { label, unit } = METRICS[metric as WideMetric];
  return unit === "percent" ? { label, ...PERCENT_TENTHS } : { label, unit, scale: 1 };
}

export const LIVE_SETS = { heat: HEAT_METRICS, all: LIVE_METRICS } as const;
export type LiveSet = keyof typeof LIVE_SETS;

/** Which metric the effective utilisation is read from, by its place here. */
const EFFECTIVE_BY: readonly WideMetric[] = ["utilizationPct", "smActivePct", "tensorActivePct", "dramActivePct"];

/** One GPU as it reported last. */
export type LiveRow = {
  gpuId: number;
  at: number | null;
  intervalMs: number;
  memoryMib: number | null;
  values: Readonly<Record<WideMetric, number | null>>;
};

export type Live = {
  /** The roster whose order the columns follow. */
  roster: string;
  /** When the newest sample of all was measured, epoch milliseconds; null: none ever was. */
  at: number | null;
  /** Seconds that each GPU's newest sample is older than that; null: it never sent one. */
  behindS: (number | null)[];
  /** Places of GPUs that are silent. */
  silent: number[];
  /** Which metric the effective utilisation is read from: GPU utilisation, SM, tensor or DRAM activity; null: none. */
  effectiveBy: (number | null)[];
  /** Values times the scale of their metric. */
  columns: Partial<Record<LiveMetric, (number | null)[]>>;
  scales: Partial<Record<LiveMetric, number>>;
};

/** The newest samples in the order of the roster's GPUs; `now` decides who is silent. */
export function encodeLive(
  roster: Pick<Roster, "version" | "gpuIds">,
  rows: readonly LiveRow[],
  metrics: readonly LiveMetric[],
  now: number,
): Live {
  const byId = new Map(rows.map((row) => [row.gpuId, row]));
  const ordered = roster.gpuIds.map((id) => byId.get(id) ?? null);
  const at = rows.reduce<number | null>(
    (most, row) => (row.at === null ? most : Math.max(most ?? row.at, row.at)),
    null,
  );
  const effective = ordered.map((row) => row && effectiveUtilization(row.values));
  return {
    roster: roster.version,
    at,
    behindS: ordered.map((row) => (row?.at == null || at === null ? null : Math.round((at - row.at) / 1000))),
    silent: ordered.flatMap((row, place) => (isSilent(row, now) ? [place] : [])),
    effectiveBy: effective.map((one) => (one ? EFFECTIVE_BY.indexOf(one.by) : null)),
    columns: Object.fromEntries(
      metrics.map((metric) => {
        const { scale } = liveEntry(metric);
        return [
          metric,
          ordered.map((row, place) => {
            const value = row && measured(row, metric, effective[place]?.pct ?? null);
            return value === null || !Number.isFinite(value) ? null : Math.round(value * scale);
          }),
        ];
      }),
    ),
    scales: Object.fromEntries(metrics.map((metric) => [metric, liveEntry(metric).scale])),
  };
}

function isSilent(row: LiveRow | null, now: number): boolean {
  return row?.at == null || now - row.at > silentAfterMs(row.intervalMs);
}

function measured(row: LiveRow, metric: LiveMetric, effectivePct: number | null): number | null {
  if (metric === "effectivePct") return effectivePct;
  if (metric === "memoryUsedPct") return memoryUsedPct(row.values.memoryUsedMib, row.memoryMib);
  return row.values[metric];
}

/** A GPU of a live view: what it measured last, when, and whether it has fallen silent. */
export type LiveGpu = { at: number | null; isSilent: boolean; effectiveBy: WideMetric | null };

/** Reads a live view: values by place, NaN where there is none. */
export class LiveView {
  private readonly silent: ReadonlySet<number>;

  constructor(private readonly live: Live) {
    this.silent = new Set(live.silent);
  }

  get size(): number {
    return this.live.behindS.length;
  }

  values(metric: LiveMetric): Float64Array {
    const column = this.live.columns[metric];
    const scale = this.live.scales[metric] ?? 1;
    return Float64Array.from(this.live.behindS, (_, place) => {
      const value = column?.[place] ?? null;
      return value === null ? Number.NaN : value / scale;
    });
  }

  isSilent(place: number): boolean {
    return this.silent.has(place);
  }

  gpu(place: number): LiveGpu {
    const { at, behindS, effectiveBy } = this.live;
    const behind = behindS[place] ?? null;
    const by = effectiveBy[place] ?? null;
    return {
      at: at === null || behind === null ? null : at - behind * 1000,
      isSilent: this.silent.has(place),
      effectiveBy: by === null ? null : (EFFECTIVE_BY[by] ?? null),
    };
  }
}

/** A column of words that repeat: each word once, and which one stands at each place. */
export type Words = { words: string[]; at: number[] };

export const FACETS = ["type", "region", "team", "project", "environment", "workload"] as const;
export type Facet = (typeof FACETS)[number];

/** Who is where in a live view. Columns of `gpuIds`' length are per GPU, the others per instance. */
export type Roster = {
  version: string;
  gpuIds: number[];
  /** Which instance each GPU belongs to, by its place below. */
  instanceAt: number[];
  /** Its number on its machine, and its MIG slice where it is one. */
  positions: number[];
  mig: Words;
  model: Words;
  memoryMib: (number | null)[];
  instanceIds: string[];
  names: string[];
  facets: Record<Facet, Words>;
};

export type RosterGpu = {
  gpuId: number;
  resourceId: string;
  name: string;
  position: number;
  mig: string;
  model: string;
  memoryMib: number | null;
} & Record<Facet, string>;

/** The GPUs in the order given; those of one machine stand together. `versionOf` makes a name of the content. */
export function encodeRoster(gpus: readonly RosterGpu[], versionOf: (content: string) => string): Roster {
  const instances = new Map<string, { place: number; gpu: RosterGpu }>();
  for (const gpu of gpus) {
    if (!instances.has(gpu.resourceId)) instances.set(gpu.resourceId, { place: instances.size, gpu });
  }
  const firsts = [...instances.values()].map(({ gpu }) => gpu);
  const content = {
    gpuIds: gpus.map((gpu) => gpu.gpuId),
    instanceAt: gpus.map((gpu) => instances.get(gpu.resourceId)?.place ?? 0),
    positions: gpus.map((gpu) => gpu.position),
    mig: wordsOf(gpus.map((gpu) => gpu.mig)),
    model: wordsOf(gpus.map((gpu) => gpu.model)),
    memoryMib: gpus.map((gpu) => gpu.memoryMib),
    instanceIds: firsts.map((gpu) => gpu.resourceId),
    names: firsts.map((gpu) => gpu.name),
    // Object.fromEntries forgets which keys it was given.
    facets: Object.fromEntries(FACETS.map((facet) => [facet, wordsOf(firsts.map((gpu) => gpu[facet]))])) as Record<
      Facet,
      Words
    >,
  };
  return { version: versionOf(JSON.stringify(content)), ...content };
}

/** The inverse of `encodeRoster`. */
export function decodeRoster(roster: Roster): RosterGpu[] {
  return roster.gpuIds.map((gpuId, place) => {
    const instance = roster.instanceAt[place] ?? 0;
    return {
      gpuId,
      resourceId: roster.instanceIds[instance] ?? "",
      name: roster.names[instance] ?? "",
      position: roster.positions[place] ?? 0,
      mig: wordAt(roster.mig, place),
      model: wordAt(roster.model, place),
      memoryMib: roster.memoryMib[place] ?? null,
      type: wordAt(roster.facets.type, instance),
      region: wordAt(roster.facets.region, instance),
      team: wordAt(roster.facets.team, instance),
      project: wordAt(roster.facets.project, instance),
      environment: wordAt(roster.facets.environment, instance),
      workload: wordAt(roster.facets.workload, instance),
    };
  });
}

function wordsOf(column: readonly string[]): Words {
  const places = new Map<string, number>();
  const at = column.map((word) => {
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    return place;
  });
  return { words: [...places.keys()], at };
}

function wordAt({ words, at }: Words, place: number): string {
  return words[at[place] ?? 0] ?? "";
}
