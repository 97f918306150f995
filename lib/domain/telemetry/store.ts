import type { Buckets } from "./buckets";
import type { Metric, WideMetric } from "./catalogue";
import type { Distribution } from "./distribution";
import type { Range, SeriesColumns } from "./series";

/** One stored sample of a GPU. */
export type SampleRow = {
  gpuId: number;
  /** Epoch milliseconds. */
  at: number;
  values: Record<WideMetric, number | null>;
  throttleReasons: number | null;
  eccUncorrected: number | null;
  /** Why values are missing (`encodeMissing`). */
  missing: number | null;
  /** Bits of `QUALITY`. */
  quality: number | null;
};

/** What one sender sent. */
export type Sent = { sourceId: string; rows: readonly SampleRow[] };

/** What became of the rows of a GPU; those in none of these were stored before with the same values. */
export type Outcome = {
  /** Rows that were new. */
  inserted: number;
  /** Rows that were there in part: what they lacked was filled in. */
  completed: number;
  /** Rows that were there with other values: the first ones stay (alerts B22). */
  conflicts: number;
};

/** Null: every row was new. */
export type Written = ReadonlyMap<number, Outcome> | null;

/** What a store of telemetry can do beyond what all of them must. Pages ask here before they offer something. */
export type StoreCapabilities = {
  name: string;
  /** Percentiles over many GPUs come from every sample, not from means. */
  hasExactDistributions: boolean;
  /** A late sample changes everything that was derived before it came. */
  correctsLateSamples: boolean;
  /** Each GPU and instant is stored once, however often it is sent. */
  isExactlyOnce: boolean;
  /** From about so many GPUs on another store is the better home, at ten-second samples. */
  fitsGpus: number;
};

/** How long each level is kept: everything that ends before goes. */
export type Retention = {
  /** Rows as they came; they go once their hours are sealed. */
  hot: Date;
  /** Sealed hours. */
  samples: Date;
  distributions: Date;
  hours: Date;
};

/** What the telemetry services ask of the place where samples are kept. */
export type TelemetryStore = {
  capabilities: StoreCapabilities;
  /** Acknowledged means durable: all of it, with the newest of each GPU and what is to be derived. */
  append(parts: readonly Sent[], receivedAt: Date): Promise<Written>;
  /** Of GPUs together, with their spread, at the resolution of the range. */
  buckets(
    gpuIds: readonly number[],
    metric: Metric,
    range: Range,
    keptFrom?: number,
  ): Promise<Buckets & { isFromHours: boolean }>;
  /** Mean, lowest and highest alone. */
  series(gpuIds: readonly number[], metric: Metric, range: Range): Promise<SeriesColumns>;
  /** Of the fleet or a group (`scopeOf`), per step; null: nobody reported. */
  distribution(scope: string, metric: Metric, range: Range): Promise<(Distribution | null)[]>;
  /** Derives what is marked, in a bounded piece; true: more is left of what was marked before. */
  derive(): Promise<boolean>;
  /** Seals the oldest hour that ended before an instant; null: there is none. */
  sealNext(before: Date): Promise<Date | null>;
  /** Drops what is older than its retention. */
  drop(retention: Retention): Promise<number>;
};
