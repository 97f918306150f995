import type { TelemetryStore } from "@/lib/domain/telemetry/store";
import { dropPartitions } from "./partitions";
import { readBuckets, readDistribution, readSeries } from "./read";
import { rollUpMarked } from "./rollup";
import { sealNextHour } from "./seal";
import { writeSamples } from "./write";

/** Telemetry in PostgreSQL: hot rows by day, hours sealed into packed columns, distributions and hourly sums. */
export const store: TelemetryStore = {
  capabilities: {
    name: "PostgreSQL",
    hasExactDistributions: true,
    correctsLateSamples: true,
    isExactlyOnce: true,
    fitsGpus: 10_000,
  },
  append: writeSamples,
  buckets: readBuckets,
  series: readSeries,
  distribution: readDistribution,
  derive: rollUpMarked,
  sealNext: sealNextHour,
  drop: dropPartitions,
};
