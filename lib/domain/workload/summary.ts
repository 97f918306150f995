import { OUTCOMES, type Outcome, outcomeOf, type WorkloadMetric } from "./catalogue";
import { type Bucket, histogramQuantile, isBeyondBuckets, readBound, successRatio } from "./histogram";

/** What the series of one stored name, bound and outcome say together in one step of a window. */
export type Aggregate = {
  /** A metric of the catalogue, with `_bucket`, `_sum` or `_count` after a histogram's. */
  name: string;
  /** The bucket's bound, as its label says it. */
  le: string | null;
  /** How tasks ended, as a label says it. */
  outcome: string | null;
  stepAt: number;
  /** Of plain values: per series the mean in the step, then over series. */
  sumOfMeans: number;
  meanOfMeans: number;
  highest: number;
  /** Of counters, over series; null: only one value is known, or a step of it is cut off. */
  increase: number | null;
  ratePerSecond: number | null;
};

export type Latency = { p50Ms: number | null; p95Ms: number | null; meanMs: number | null; isAtLeast: boolean };

/** What a job or a service said of itself over a window; null where it did not say. */
export type WorkloadSummary = {
  latency: Latency | null;
  firstTokenP95Ms: number | null;
  batch: Latency | null;
  tasks: { count: number; perSecond: number | null } | null;
  successRatio: number | null;
  samples: { count: number | null; perSecond: number | null } | null;
  tokens: { count: number | null; perSecond: number | null } | null;
  promptTokens: number | null;
  epoch: { reached: number; planned: number | null } | null;
  exports: { succeeded: number; failed: number } | null;
  queueDepth: { mean: number; highest: number } | null;
};

const MS = 1_000;

/** Rows of one step, whole window or a piece of it. */
export function summarise(rows: readonly Aggregate[]): WorkloadSummary {
  const read = reader(rows);
  const tasks = read.rate("tasks_total");
  return {
    latency: read.latency("task_latency_seconds"),
    firstTokenP95Ms: read.latency("time_to_first_token_seconds")?.p95Ms ?? null,
    batch: read.latency("batch_seconds"),
    tasks: tasks?.count == null ? null : { count: tasks.count, perSecond: tasks.perSecond },
    successRatio:
      successRatio(read.ended("tasks_total", "success"), read.ended("tasks_total", "failure")) ??
      read.gauge("task_success_ratio")?.mean ??
      null,
    samples: read.either("samples_total", "samples_per_second"),
    tokens: read.either("tokens_total", "tokens_per_second"),
    promptTokens: read.rate("prompt_tokens_total")?.count ?? null,
    epoch: read.epoch(),
    exports: read.exports(),
    queueDepth: queueOf(read.gauge("queue_depth")),
  };
}

function reader(rows: readonly Aggregate[]) {
  const named = (name: string) => rows.filter((row) => row.name === name);
  const increaseOf = (found: readonly Aggregate[]): number | null => {
    const known = found.flatMap(({ increase }) => (increase === null ? [] : [increase]));
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };

  const gauge = (metric: WorkloadMetric) => {
    const found = named(metric);
    if (found.length === 0) return null;
    const total = found.reduce((all, row) => all + row.sumOfMeans, 0);
    const mean = found.reduce((all, row) => all + row.meanOfMeans, 0) / found.length;
    return { total, mean, highest: Math.max(...found.map((row) => row.highest)) };
  };
  const rate = (metric: WorkloadMetric) => {
    const found = named(metric);
    if (found.length === 0) return null;
    const known = found.flatMap(({ ratePerSecond }) => (ratePerSecond === null ? [] : [ratePerSecond]));
    return {
      count: increaseOf(found),
      perSecond: known.length === 0 ? null : known.reduce((total, one) => total + one, 0),
    };
  };
  const ended = (metric: WorkloadMetric, outcome: Outcome) =>
    increaseOf(
      named(metric).filter((row) => outcomeOf(row.outcome === null ? {} : { outcome: row.outcome }) === outcome),
    );

  const latency = (metric: WorkloadMetric): Latency | null => {
    const buckets = named(`${metric}_bucket`).flatMap((row): Bucket[] => {
      const le = readBound(row.le ?? undefined);
      return le === null || row.increase === null ? [] : [{ le, count: row.increase }];
    });
    const p95 = histogramQuantile(0.95, buckets);
    const sum = increaseOf(named(`${metric}_sum`));
    const count =
      increaseOf(named(`${metric}_count`)) ??
      buckets.find(({ le }) => le === Number.POSITIVE_INFINITY)?.count ??
      (metric === "task_latency_seconds" ? increaseOf(named("tasks_total")) : null);
    const plain = gauge(metric);
    const sent = metric === "task_latency_seconds" ? gauge("task_latency_p95_seconds") : null;
    const meanS = sum !== null && count !== null && count > 0 ? sum / count : (plain?.mean ?? null);
    const p95S = p95 ?? sent?.highest ?? null;
    if (p95S === null && meanS === null) return null;
    return {
      p50Ms: ms(histogramQuantile(0.5, buckets)),
      p95Ms: ms(p95S),
      meanMs: ms(meanS),
      isAtLeast: p95 !== null && isBeyondBuckets(0.95, buckets),
    };
  };

  return {
    gauge,
    rate,
    ended,
    latency,
    either(counter: WorkloadMetric, plain: WorkloadMetric) {
      const counted = rate(counter);
      const said = gauge(plain);
      if (counted === null && said === null) return null;
      return { count: counted?.count ?? null, perSecond: counted?.perSecond ?? said?.total ?? null };
    },
    epoch() {
      const reached = gauge("epoch");
      return reached && { reached: reached.highest, planned: gauge("epochs_planned")?.highest ?? null };
    },
    exports() {
      const [succeeded, failed] = OUTCOMES.map((outcome) => ended("exports_total", outcome));
      return succeeded == null && failed == null ? null : { succeeded: succeeded ?? 0, failed: failed ?? 0 };
    },
  };
}

function queueOf(found: { total: number; highest: number } | null): WorkloadSummary["queueDepth"] {
  return found && { mean: found.total, highest: found.highest };
}

function ms(seconds: number | null): number | null {
  return seconds === null ? null : seconds * MS;
}

export const WORKLOAD_CHARTS = [
  { id: "latency", title: "Latency", unit: "ms" },
  { id: "firstToken", title: "Time to first token, p95", unit: "ms" },
  { id: "throughput", title: "Throughput", unit: "tasks/s" },
  { id: "success", title: "Task success", unit: "%" },
  { id: "tokens", title: "Tokens", unit: "tokens/s" },
  { id: "samples", title: "Samples", unit: "samples/s" },
  { id: "epoch", title: "Epoch", unit: "" },
  { id: "batch", title: "Batch time", unit: "ms" },
  { id: "queue", title: "Queue", unit: "waiting" },
] as const;
export type WorkloadChartId = (typeof WORKLOAD_CHARTS)[number]["id"];

export type WorkloadLine = { label: string; values: (number | null)[] };
export type WorkloadChart = { id: WorkloadChartId; lines: WorkloadLine[] };

/** One entry per step, a step in which nothing came null; charts of which nothing is known are left out. */
export function chartsOf(rows: readonly Aggregate[], at: readonly number[]): WorkloadChart[] {
  const byStep = new Map<number, Aggregate[]>();
  for (const row of rows) {
    const known = byStep.get(row.stepAt);
    if (known) known.push(row);
    else byStep.set(row.stepAt, [row]);
  }
  const steps = at.map((step) => {
    const found = byStep.get(step);
    return found ? summarise(found) : null;
  });
  const line = (label: string, of: (step: WorkloadSummary) => number | null | undefined): WorkloadLine => ({
    label,
    values: steps.map((step) => rounded(step === null ? null : (of(step) ?? null))),
  });
  const lines: Record<WorkloadChartId, WorkloadLine[]> = {
    latency: [
      line("p95", (step) => step.latency?.p95Ms),
      line("p50", (step) => step.latency?.p50Ms),
      line("Mean", (step) => (step.latency?.p95Ms == null ? step.latency?.meanMs : null)),
    ],
    firstToken: [line("p95", (step) => step.firstTokenP95Ms)],
    throughput: [line("Tasks", (step) => step.tasks?.perSecond)],
    success: [line("Succeeded", (step) => (step.successRatio === null ? null : step.successRatio * 100))],
    tokens: [line("Tokens", (step) => step.tokens?.perSecond)],
    samples: [line("Samples", (step) => step.samples?.perSecond)],
    epoch: [line("Epoch", (step) => step.epoch?.reached)],
    batch: [
      line("p95", (step) => step.batch?.p95Ms),
      line("Mean", (step) => (step.batch?.p95Ms == null ? step.batch?.meanMs : null)),
    ],
    queue: [line("Waiting", (step) => step.queueDepth?.mean)],
  };
  return WORKLOAD_CHARTS.map(({ id }) => ({
    id,
    lines: lines[id].filter(({ values }) => values.some((value) => value !== null)),
  })).filter((chart) => chart.lines.length > 0);
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}
