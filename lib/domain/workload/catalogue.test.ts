import { describe, expect, test } from "vitest";
import { isCounter, outcomeOf, recogniseWorkloadMetric, WORKLOAD_METRICS } from "./catalogue";
import { canonicalLabels, labelProblem, runLabelOf, SERIES_LIMITS } from "./labels";

describe("names", () => {
  test.each([
    ["hopperdeck_task_latency_seconds", "task_latency_seconds", "value", 1, {}],
    ["hopperdeck_task_latency_seconds_bucket", "task_latency_seconds", "bucket", 1, {}],
    ["task_latency_seconds_sum", "task_latency_seconds", "sum", 1, {}],
    ["hopperdeck_tokens_total", "tokens_total", "value", 1, {}],
    ["vllm:e2e_request_latency_seconds_bucket", "task_latency_seconds", "bucket", 1, {}],
    ["vllm:e2e_request_latency_seconds_count", "task_latency_seconds", "count", 1, {}],
    ["vllm:generation_tokens_total", "tokens_total", "value", 1, {}],
    ["vllm:request_success_total", "tasks_total", "value", 1, {}],
    ["sglang:gen_throughput", "tokens_per_second", "value", 1, {}],
    ["tgi_request_duration_bucket", "task_latency_seconds", "bucket", 1, {}],
    ["tgi_request_failure", "tasks_total", "value", 1, { outcome: "failure" }],
    ["tgi_request_generated_tokens_sum", "tokens_total", "value", 1, {}],
    ["nv_inference_request_success", "tasks_total", "value", 1, { outcome: "success" }],
    ["nv_inference_request_duration_us", "task_latency_seconds", "sum", 1e-6, {}],
    ["nv_inference_first_response_histogram_ms_bucket", "time_to_first_token_seconds", "bucket", 1e-3, {}],
    ["nv_inference_first_response_histogram_ms_count", "time_to_first_token_seconds", "count", 1, {}],
    ["request_latency_seconds_bucket", "task_latency_seconds", "bucket", 1, {}],
    ["inference_latency_ms", "task_latency_seconds", "value", 1e-3, {}],
    ["training_throughput", "samples_per_second", "value", 1, {}],
    ["onnx_export_failure_total", "exports_total", "value", 1, { outcome: "failure" }],
  ])("%s is %s", (name, metric, part, scale, labels) => {
    expect(recogniseWorkloadMetric(name)).toEqual({ metric, part, scale, labels });
  });

  test.each([
    "node_load1",
    "DCGM_FI_DEV_GPU_UTIL",
    "vllm:cache_config_info",
    "tokens_total_bucket",
    "tgi_request_generated_tokens_bucket",
    "hopperdeck_",
    "constructor",
    "__proto__",
    "toString_bucket",
    "",
    "x".repeat(10_000),
  ])("%.40s is nothing that is kept", (name) => {
    expect(recogniseWorkloadMetric(name)).toBeNull();
  });

  test("buckets, sums and counters only rise; values do not", () => {
    const rises = (name: string) => {
      const found = recogniseWorkloadMetric(name);
      return found && isCounter(found);
    };
    expect(rises("vllm:e2e_request_latency_seconds_bucket")).toBe(true);
    expect(rises("vllm:generation_tokens_total")).toBe(true);
    expect(rises("nv_inference_request_duration_us")).toBe(true);
    expect(rises("hopperdeck_epoch")).toBe(false);
    expect(rises("task_latency_seconds")).toBe(false);
  });

  test("every metric has an open range and a label", () => {
    for (const [name, { min, max, label }] of Object.entries(WORKLOAD_METRICS)) {
      expect(max, name).toBeGreaterThan(min);
      expect(label).not.toBe("");
    }
  });
});

test.each([
  [{ outcome: "success" }, "success"],
  [{ finished_reason: "length" }, "success"],
  [{ finished_reason: "abort" }, null],
  [{ finished_reason: "error" }, "failure"],
  [{ status: "200" }, "success"],
  [{ status: "503" }, "failure"],
  [{ status: "404" }, null],
  [{}, null],
])("a task that ended as %o is a %s", (labels, outcome) => {
  expect(outcomeOf(labels)).toBe(outcome);
});

describe("labels", () => {
  const many = Object.fromEntries(Array.from({ length: SERIES_LIMITS.labels + 1 }, (_, i) => [`l${i}`, "x"]));
  test.each<[string, Record<string, string>, boolean | null]>([
    ["none", {}, null],
    ["plain ones", { model_name: "llama-3.1-8b", le: "+Inf" }, null],
    ["too many", many, true],
    ["too long a value", { prompt: "x".repeat(SERIES_LIMITS.labelValue + 1) }, true],
    ["too long a name", { ["n".repeat(SERIES_LIMITS.labelName + 1)]: "x" }, true],
    ["a name that is no name", { "a b": "x" }, false],
    ["what cannot be seen", { model: "a\u202eb" }, false],
    ["a line break", { model: "a\nb" }, false],
  ])("%s", (_, labels, limit) => {
    expect(labelProblem(labels)?.limit ?? null).toBe(limit);
  });

  test("order and empty labels make no other series", () => {
    expect(JSON.stringify(canonicalLabels({ b: "2", a: "1", c: "" }))).toBe('{"a":"1","b":"2"}');
  });

  test("the run is named by the first of its labels", () => {
    expect(runLabelOf({ run_id: "b", run: "a" })).toBe("a");
    expect(runLabelOf({ run: "", hopperdeck_run: "c" })).toBe("c");
    expect(runLabelOf({ job: "x" })).toBeNull();
  });
});
