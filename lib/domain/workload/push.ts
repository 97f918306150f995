import type { ZodError } from "zod";
import type { LabelledValue } from "@/lib/domain/telemetry/report";
import { isCounter, recogniseWorkloadMetric } from "./catalogue";
import { PUSH_METRICS_MOST, PushedMetric, PushedRun } from "./run";

/** A body of POST /api/v1/ingest/workload as it could be read. */
export type Push = {
  run: PushedRun | null;
  values: LabelledValue[];
  /** What could not be read, by field: `run.startedAt`, `metrics.3.value`. */
  problems: Map<string, string>;
  /** Of them, values that are left out. */
  malformed: number;
};

/** Problems beyond these are counted and not told one by one. */
const PROBLEMS_TOLD = 20;

/** Reads a pushed body: a run, values, or both. Values that cannot be read are left out, each with its field and why. */
export function readPush(text: string, receivedAt: number): Push {
  const push: Push = { run: null, values: [], problems: new Map(), malformed: 0 };
  const body = jsonObject(text);
  if (body === null) {
    push.problems.set("form", 'The body is not a JSON object such as {"run": {…}, "metrics": […]}');
    return push;
  }
  const { run, metrics, ...others } = body;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) tell(push, stranger.slice(0, 40), "is not known here; a body has run and metrics");
  if (run !== undefined && run !== null) {
    const read = PushedRun.safeParse(run);
    if (read.success) push.run = read.data;
    else tellAll(push, "run", read.error);
  }
  if (metrics !== undefined && metrics !== null) readMetrics(push, metrics, receivedAt);
  if (run == null && metrics == null) tell(push, "form", "The body has neither run nor metrics");
  return push;
}

function readMetrics(push: Push, metrics: unknown, receivedAt: number): void {
  if (!Array.isArray(metrics)) {
    tell(push, "metrics", "is not a list");
    return;
  }
  if (metrics.length > PUSH_METRICS_MOST) {
    tell(
      push,
      "metrics",
      `holds ${metrics.length} values; at most ${PUSH_METRICS_MOST} are taken at once, send it in parts`,
    );
    return;
  }
  const run = push.run?.id;
  for (const [i, given] of metrics.entries()) {
    const read = PushedMetric.safeParse(given);
    if (!read.success) {
      push.malformed++;
      tellAll(push, `metrics.${i}`, read.error);
      continue;
    }
    const { name, at, value, labels } = read.data;
    const known = recogniseWorkloadMetric(name);
    push.values.push({
      at: at ?? receivedAt,
      metric: name,
      labels: { ...labels, ...(run !== undefined && { run }) },
      value,
      isCounter: known !== null && isCounter(known),
    });
  }
}

function tellAll(push: Push, where: string, error: ZodError): void {
  for (const issue of error.issues) tell(push, [where, ...issue.path.map(String)].join("."), issue.message);
}

function tell(push: Push, field: string, message: string): void {
  if (push.problems.size < PROBLEMS_TOLD && !push.problems.has(field)) push.problems.set(field, message);
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
