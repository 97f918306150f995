export const METRIC_TYPES = [
  "counter",
  "gauge",
  "histogram",
  "gaugehistogram",
  "summary",
  "info",
  "stateset",
  "unknown",
] as const;

export type MetricType = (typeof METRIC_TYPES)[number];

/** Names and values by turns: `["gpu", "0", "UUID", "GPU-…"]`. Empty values are left out, as they say nothing. */
export type Labels = readonly string[];

/** One line of a metrics page, or one point of remote write. */
export type Sample = {
  name: string;
  labels: Labels;
  /** NaN and the infinities included. */
  value: number;
  /** Epoch milliseconds as the line says; null where it carries no time. */
  at: number | null;
};

/** Why a page is refused: the line, from 1, and what is wrong with it. `tooLarge`: a limit of ours, not a fault of the format. */
export type PageProblem = { kind: "malformed" | "tooLarge"; line: number; message: string };

export type Page = {
  samples: Sample[];
  /** What `# TYPE` says, by the name of the family. */
  types: ReadonlyMap<string, MetricType>;
  /** Empty for a good page. */
  problems: PageProblem[];
};

/** Bounds of one page. Samples of a page of one machine: some hundreds; of a whole Kubernetes cluster: tens of thousands. */
export const PAGE_LIMITS = {
  /** More would hold up everything else for too long. */
  chars: 4_194_304,
  samples: 100_000,
  labels: 64,
  name: 512,
  labelValue: 4096,
  types: 20_000,
  /** Comments and empty lines. */
  remarks: 500_000,
  number: 512,
  /** In a row. */
  blanks: 65_536,
  /** Bad lines that a forgiving reader reports before it gives up. */
  problems: 20,
};

/** The value of a label; null where the sample does not have it. */
export function labelOf(labels: Labels, name: string): string | null {
  for (let i = 0; i < labels.length; i += 2) if (labels[i] === name) return labels[i + 1] ?? null;
  return null;
}

/** The latest instant that a `Date` can hold: what lies beyond is as far away as that. */
const LAST_INSTANT = 8.64e15;

export function boundedInstant(ms: number): number {
  return Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, Math.trunc(ms)));
}
