import { z } from "zod";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/workloads";
import { parseIsoInstant } from "@/lib/domain/telemetry/instant";
import { cleanName } from "@/lib/domain/text";

const HOUR_MS = 3_600_000;
/** A clock may be a little ahead; a run that begins later has not begun. */
export const START_AHEAD_MS = 60_000;
const EARLIEST = Date.UTC(2015, 0, 1);
const EXPECTED_HOURS_MOST = 24 * 366;
const GPUS_MOST = 64;

/** running: goes on. ended: somebody or something said so. machine_gone: nobody said so, but its machine is not there any more. */
export type RunState = "running" | "ended" | "machine_gone";

export type RunTimes = {
  startedAt: number;
  endedAt: number | null;
  expectedMs: number | null;
  machineGoneAt: number | null;
};

/** When the run ended, as far as it can be known: it cannot outlive its machine. */
export function endOf({ startedAt, endedAt, machineGoneAt }: RunTimes): { state: RunState; endedAt: number | null } {
  if (machineGoneAt !== null && (endedAt === null || machineGoneAt < endedAt))
    return { state: "machine_gone", endedAt: Math.max(startedAt, machineGoneAt) };
  return endedAt === null ? { state: "running", endedAt: null } : { state: "ended", endedAt };
}

/** How far it is, against the hours it was planned to take. */
export function progressOf(times: RunTimes, now: number) {
  const { state, endedAt } = endOf(times);
  const tookMs = Math.max(0, (endedAt ?? now) - times.startedAt);
  const { expectedMs } = times;
  const overMs = expectedMs === null ? null : Math.max(0, tookMs - expectedMs);
  return {
    state,
    endedAt,
    tookMs,
    /** Past its expected hours and not over. */
    isOverdue: state === "running" && overMs !== null && overMs > 0,
    overMs,
    leftMs: state === "running" && expectedMs !== null ? Math.max(0, expectedMs - tookMs) : null,
  };
}

/* ── What people type ── */

const name = z
  .string({ error: "Give it a name" })
  .max(120, "is longer than 120 characters")
  .transform((text) => cleanName(text, 120))
  .refine((text) => text !== "", "Give it a name");
const note = z
  .string()
  .max(500, "is longer than 500 characters")
  .transform((text) => cleanName(text, 500) || null)
  .nullish()
  .transform((text) => text ?? null);
const instant = z.coerce
  .number({ error: "Give a time" })
  .int("Give a time")
  .min(EARLIEST, "is before any GPU here was rented")
  .max(8.64e15, "is not a time");
const blank = (value: unknown) => (value === "" || value === undefined ? null : value);
const expectedHours = z.preprocess(
  blank,
  z.coerce
    .number({ error: "Give a number of hours" })
    .positive("Give more than 0 hours")
    .max(EXPECTED_HOURS_MOST, "is longer than a year")
    .nullable(),
);
const gpuIds = z.array(z.coerce.number().int().positive()).max(GPUS_MOST);

const what = {
  name,
  workload: z.enum(WORKLOADS),
  startedAt: instant,
  endedAt: z.preprocess(blank, instant.nullable()),
  expectedHours,
  note,
};

export const NewRun = z.object({ ...what, instanceId: z.uuid("Choose an instance"), gpuIds: gpuIds.default([]) });
export type NewRun = z.output<typeof NewRun>;

export const RunChange = z.object({ ...what, runId: z.uuid() });
export type RunChange = z.output<typeof RunChange>;

export const RunId = z.object({ runId: z.uuid() });
export type RunId = z.output<typeof RunId>;

export const RemoveRun = z.object({
  runId: z.uuid(),
  reason: z
    .string({ error: "Say why" })
    .max(300, "is longer than 300 characters")
    .transform((text) => cleanName(text, 300))
    .refine((text) => text.length >= 3, "Say why"),
});
export type RemoveRun = z.output<typeof RemoveRun>;

/** What is wrong with the times of a run, by field; empty: nothing. */
export function timeProblems(
  { startedAt, endedAt }: { startedAt: number; endedAt: number | null },
  now: number,
): Record<string, string> {
  if (startedAt > now + START_AHEAD_MS)
    return { startedAt: "lies in the future; a run is written down once it has begun" };
  if (endedAt !== null && endedAt < startedAt) return { endedAt: "lies before the start" };
  if (endedAt !== null && endedAt > now + START_AHEAD_MS)
    return { endedAt: "lies in the future; leave it empty while the run goes on" };
  return {};
}

export function expectedMsOf(hours: number | null): number | null {
  return hours === null ? null : Math.max(1, Math.round(hours * HOUR_MS));
}

/* ── What programs push ── */

const said = z.union([z.number(), z.string()]).transform((value, issues): number => {
  const at = typeof value === "number" ? inMs(value) : readInstant(value);
  if (Number.isSafeInteger(at) && at >= EARLIEST && at <= 8.64e15) return at;
  issues.addIssue("is not an instant: give epoch milliseconds, epoch seconds or 2026-11-21T09:00:00Z");
  return z.NEVER;
});

/** ISO 8601 in UTC or with an offset. */
function readInstant(text: string): number {
  const [, local = text, sign, hours, minutes] = /^(.{19,29})([+-])(\d\d):?(\d\d)$/.exec(text) ?? [];
  const at = parseIsoInstant(sign === undefined ? text : `${local}Z`) ?? Number.NaN;
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === "-" ? at + offsetMs : at - offsetMs;
}

/** Ten digits are seconds: as milliseconds they would lie in 1970. */
function inMs(value: number): number {
  return Math.round(value < 1e11 ? value * 1_000 : value);
}

const id = z
  .string({ error: "is missing: the id by which your program knows the run" })
  .min(1, "is empty")
  .max(128, "is longer than 128 characters")
  .regex(/^[\w.:@/+-]+$/, "may hold letters, digits and . _ : @ / + - only");

export const PushedRun = z.object({
  id,
  name: name.optional(),
  workload: z.enum(WORKLOADS, { error: `is none of ${WORKLOADS.join(", ")}` }).optional(),
  host: z.string().max(253, "is longer than 253 characters").optional(),
  instance: z.string().max(253, "is longer than 253 characters").optional(),
  gpus: z
    .array(z.union([z.number().int().min(0).max(1024), z.string().max(80)]), {
      error: "is not a list of GPU numbers or UUIDs",
    })
    .max(GPUS_MOST, `holds more than ${GPUS_MOST} GPUs`)
    .optional(),
  startedAt: said.optional(),
  endedAt: said.nullable().optional(),
  expectedHours: z
    .number({ error: "is not a number of hours" })
    .positive("is not more than 0 hours")
    .max(EXPECTED_HOURS_MOST, "is longer than a year")
    .nullable()
    .optional(),
  note: z.string().max(500, "is longer than 500 characters").optional(),
});
export type PushedRun = z.output<typeof PushedRun>;

export const PushedMetric = z.object({
  name: z.string({ error: "is missing" }).min(1, "is empty").max(200, "is longer than 200 characters"),
  at: said.optional(),
  value: z.number({ error: "is not a number" }),
  labels: z.record(z.string(), z.string({ error: "is not a text" })).optional(),
});
export type PushedMetric = z.output<typeof PushedMetric>;

export const PUSH_METRICS_MOST = 5_000;

export const WORKLOAD_WORDS: Record<Workload, string> = {
  training: "Training",
  inference: "Inference",
  batch: "Batch",
  dev: "Development",
  unknown: "Not said",
};
