/** How the series of one metric make one line: added up, their mean, or the highest of them. */
export type Across = "sum" | "mean" | "max";

export type WorkloadUnit = "seconds" | "perSecond" | "percent" | "count";

type Entry = {
  /** For people. */
  label: string;
  unit: WorkloadUnit;
  /** counter: only rises, begins anew after a restart. histogram: cumulative buckets, or one plain value. */
  kind: "gauge" | "counter" | "histogram";
  /** A value outside is refused. Of a counter: the count; of a histogram: the plain value. */
  min: number;
  max: number;
  across: Across;
  /** Of a counter: what its increase per second is called; null: it is told as a count. */
  rate: string | null;
};

const COUNTER_MAX = Number.MAX_SAFE_INTEGER;
const DAY_SECONDS = 86_400;
const COUNT = { unit: "count", min: 0, max: COUNTER_MAX, across: "sum" } as const;
const SECONDS = { unit: "seconds", min: 0, max: 30 * DAY_SECONDS, across: "mean" } as const;

/** What a job or a service says of itself. The key, with `hopperdeck_` before it or without, is our own name. */
export const WORKLOAD_METRICS = {
  task_latency_seconds: { ...SECONDS, kind: "histogram", label: "Latency", rate: null },
  task_latency_p95_seconds: { ...SECONDS, kind: "gauge", label: "Latency, p95 as sent", across: "max", rate: null },
  time_to_first_token_seconds: { ...SECONDS, kind: "histogram", label: "Time to first token", rate: null },
  batch_seconds: { ...SECONDS, kind: "histogram", label: "Batch time", rate: null },
  tasks_total: { ...COUNT, kind: "counter", label: "Tasks", rate: "Throughput" },
  task_success_ratio: {
    kind: "gauge",
    label: "Success, as sent",
    unit: "percent",
    min: 0,
    max: 1,
    across: "mean",
    rate: null,
  },
  samples_total: { ...COUNT, kind: "counter", label: "Samples", rate: "Samples per second" },
  samples_per_second: { ...COUNT, unit: "perSecond", kind: "gauge", label: "Samples per second", rate: null },
  tokens_total: { ...COUNT, kind: "counter", label: "Tokens", rate: "Tokens per second" },
  tokens_per_second: { ...COUNT, unit: "perSecond", kind: "gauge", label: "Tokens per second", rate: null },
  prompt_tokens_total: { ...COUNT, kind: "counter", label: "Prompt tokens", rate: "Prompt tokens per second" },
  epoch: { ...COUNT, kind: "gauge", label: "Epoch", across: "max", rate: null },
  epochs_planned: { ...COUNT, kind: "gauge", label: "Epochs planned", across: "max", rate: null },
  exports_total: { ...COUNT, kind: "counter", label: "Exports", rate: null },
  queue_depth: { ...COUNT, kind: "gauge", label: "Queue", rate: null },
} as const satisfies Record<string, Entry>;

export type WorkloadMetric = keyof typeof WORKLOAD_METRICS;

/** Of a histogram: a cumulative bucket, its sum, its count; or one value as it is. */
export type Part = "value" | "bucket" | "sum" | "count";

export type Recognised = {
  metric: WorkloadMetric;
  part: Part;
  /** Brings the sender's number into our unit. */
  scale: number;
  /** What the name says and no label does. */
  labels: Readonly<Record<string, string>>;
};

/** `outcome` of tasks and exports; what is neither (the caller hung up) counts for no rate of success. */
export const OUTCOMES = ["success", "failure"] as const;
export type Outcome = (typeof OUTCOMES)[number];

type Alias = { metric: WorkloadMetric; scale?: number; outcome?: Outcome; part?: Part };

/** What others call the same. Histograms are named without their `_bucket`, `_sum` and `_count`. */
const ALIASES: Readonly<Record<string, Alias>> = {
  // vLLM
  "vllm:e2e_request_latency_seconds": { metric: "task_latency_seconds" },
  "vllm:time_to_first_token_seconds": { metric: "time_to_first_token_seconds" },
  "vllm:generation_tokens_total": { metric: "tokens_total" },
  "vllm:prompt_tokens_total": { metric: "prompt_tokens_total" },
  "vllm:request_success_total": { metric: "tasks_total" },
  "vllm:num_requests_waiting": { metric: "queue_depth" },
  // SGLang
  "sglang:e2e_request_latency_seconds": { metric: "task_latency_seconds" },
  "sglang:time_to_first_token_seconds": { metric: "time_to_first_token_seconds" },
  "sglang:generation_tokens_total": { metric: "tokens_total" },
  "sglang:prompt_tokens_total": { metric: "prompt_tokens_total" },
  "sglang:num_requests_total": { metric: "tasks_total" },
  "sglang:gen_throughput": { metric: "tokens_per_second" },
  "sglang:num_queue_reqs": { metric: "queue_depth" },
  // Text Generation Inference; tokens are the sum of its histogram of tokens per request
  tgi_request_duration: { metric: "task_latency_seconds" },
  tgi_request_success: { metric: "tasks_total", outcome: "success" },
  tgi_request_failure: { metric: "tasks_total", outcome: "failure" },
  tgi_request_generated_tokens_sum: { metric: "tokens_total", part: "value" },
  tgi_request_input_length_sum: { metric: "prompt_tokens_total", part: "value" },
  tgi_batch_inference_duration: { metric: "batch_seconds" },
  tgi_queue_size: { metric: "queue_depth" },
  // Triton; it has no histogram of whole requests, and its durations are sums of microseconds
  nv_inference_request_success: { metric: "tasks_total", outcome: "success" },
  nv_inference_request_failure: { metric: "tasks_total", outcome: "failure" },
  nv_inference_request_duration_us: { metric: "task_latency_seconds", part: "sum", scale: 1e-6 },
  nv_inference_count: { metric: "samples_total" },
  nv_inference_first_response_histogram_ms: { metric: "time_to_first_token_seconds", scale: 1e-3 },
  nv_inference_pending_request_count: { metric: "queue_depth" },
  // Plain names
  request_latency_seconds: { metric: "task_latency_seconds" },
  request_duration_seconds: { metric: "task_latency_seconds" },
  http_request_duration_seconds: { metric: "task_latency_seconds" },
  inference_latency_seconds: { metric: "task_latency_seconds" },
  inference_latency_ms: { metric: "task_latency_seconds", scale: 1e-3 },
  batch_processing_time_seconds: { metric: "batch_seconds" },
  batch_duration_seconds: { metric: "batch_seconds" },
  training_throughput: { metric: "samples_per_second" },
  training_samples_per_second: { metric: "samples_per_second" },
  training_samples_total: { metric: "samples_total" },
  training_epoch: { metric: "epoch" },
  onnx_export_success_total: { metric: "exports_total", outcome: "success" },
  onnx_export_failure_total: { metric: "exports_total", outcome: "failure" },
};

const PARTS: readonly (readonly [suffix: string, part: Part])[] = [
  ["_bucket", "bucket"],
  ["_sum", "sum"],
  ["_count", "count"],
];

/** What a sender's name means; null: nothing that is kept here. */
export function recogniseWorkloadMetric(name: string): Recognised | null {
  const whole = lookUp(name);
  if (whole) return recognised(whole, whole.part ?? "value");
  for (const [suffix, part] of PARTS) {
    if (!name.endsWith(suffix)) continue;
    const alias = lookUp(name.slice(0, -suffix.length));
    if (alias && WORKLOAD_METRICS[alias.metric].kind === "histogram") return recognised(alias, part);
  }
  return null;
}

function lookUp(name: string): Alias | null {
  const own = name.startsWith("hopperdeck_") ? name.slice("hopperdeck_".length) : name;
  if (isWorkloadMetric(own)) return { metric: own };
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? null) : null;
}

function recognised({ metric, scale = 1, outcome }: Alias, part: Part): Recognised {
  return { metric, part, scale: part === "count" ? 1 : scale, labels: outcome ? { outcome } : {} };
}

export function isWorkloadMetric(name: string): name is WorkloadMetric {
  return Object.hasOwn(WORKLOAD_METRICS, name);
}

/** Whether the values of such a series only rise. */
export function isCounter({ metric, part }: Pick<Recognised, "metric" | "part">): boolean {
  return part !== "value" || WORKLOAD_METRICS[metric].kind === "counter";
}

/** How the task ended, as its labels say: our `outcome`, vLLM's `finished_reason`, a `status`. */
export function outcomeOf(labels: Readonly<Record<string, string>>): Outcome | null {
  const said = (labels.outcome ?? labels.finished_reason ?? labels.status ?? "").toLowerCase();
  if (["success", "succeeded", "ok", "stop", "length", "repetition"].includes(said) || /^2\d\d$/.test(said))
    return "success";
  if (["failure", "failed", "fail", "error"].includes(said) || /^5\d\d$/.test(said)) return "failure";
  return null;
}
