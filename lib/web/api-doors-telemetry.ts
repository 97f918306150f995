import { z } from "zod";
import { type MarkedDeploy, NewDeploy } from "@/lib/domain/events/deploy";
import { type EventsAnswer, EventsQuestion, NewNote } from "@/lib/domain/events/view";
import type { SourcesAnswer } from "@/lib/domain/sources";
import { NewTarget, TargetChange, TargetId, type TargetsAnswer, type TargetTest } from "@/lib/domain/targets";
import type { Live, Roster } from "@/lib/domain/telemetry/live";
import type { QualityAnswer, RefusalsAnswer } from "@/lib/domain/telemetry/quality";
import { LiveQuestion, QualityQuestion, SeriesAnswer, SeriesQuestion } from "@/lib/domain/telemetry/view";
import { PUSH_METRICS_MOST, PushedMetric, PushedRun } from "@/lib/domain/workload/run";
import {
  type RunAnswer,
  type RunPlacesAnswer,
  RunQuestion,
  type RunSeriesAnswer,
  type RunsAnswer,
  RunsQuestion,
} from "@/lib/domain/workload/view";
import type { IngestAnswer } from "@/lib/services/telemetry/take-in";
import type { PushAnswer } from "@/lib/services/workload/push";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** What takes telemetry in, and what reads it. */
export const TELEMETRY_DOORS: readonly ApiDoor[] = [
  read("/api/v1/series", "A metric over time: of a GPU, an instance, a label group or the fleet.", {
    question: { SeriesQuestion },
    answer: SeriesAnswer,
    isTagged: true,
  }),
  read(
    "/api/v1/live",
    "The newest sample of every GPU, column by column, in the order of the roster. `Accept: application/gzip` gives it packed.",
    {
      question: { LiveQuestion },
      answer: shape<Live>({
        roster: "string",
        at: "number?",
        behindS: "array",
        silent: "array",
        effectiveBy: "array",
        columns: "object",
        scales: "object",
      }),
      isTagged: true,
    },
  ),
  read("/api/v1/live/roster", "Which GPU stands where in the live view.", {
    answer: shape<Roster>({
      version: "string",
      gpuIds: "array",
      instanceAt: "array",
      positions: "array",
      mig: "object",
      model: "object",
      memoryMib: "array",
      instanceIds: "array",
      names: "array",
      facets: "object",
    }),
    isTagged: true,
  }),
  read(
    "/api/v1/events",
    "Xid incidents of the fleet, an instance or a GPU, newest first, each with its verdict; the notes and deploys of an instance.",
    {
      question: { EventsQuestion },
      answer: shape<EventsAnswer>({
        now: "number",
        from: "number",
        to: "number",
        incidents: "array",
        next: "string?",
        cutAt: "number?",
        notes: "array",
        deploys: "array",
        codes: "object",
      }),
    },
  ),
  act("/api/v1/events", "Puts a note on the time axis of an instance.", "alert:acknowledge", { NewNote }),
  {
    ...act(
      "/api/v1/deploys",
      "Marks a deploy on the time axes of its instances, or of all. The same id again changes nothing.",
      "deploy:write",
      { NewDeploy },
    ),
    answer: shape<MarkedDeploy>({ id: "string", outcome: "string", instances: "array" }),
  },
  {
    path: "/api/v1/ingest/nvidia-smi",
    method: "post",
    summary: "Takes in what nvidia-smi printed, as the agent sends it or as it is.",
    body: {
      types: ["text/plain"],
      about: "Any print of nvidia-smi, at most 4 MiB as sent and 16 MiB unpacked; Content-Encoding gzip is taken.",
    },
    answer: shape<IngestAnswer>({
      accepted: "number",
      duplicates: "number",
      refused: "array",
      isUnassigned: "boolean",
      problems: "array",
    }),
    right: "ingest",
  },
  {
    path: "/api/v1/ingest/metrics",
    method: "post",
    summary: "Takes in a metrics page of one machine. Bad lines are named and left out. ?host= names the machine.",
    body: {
      types: ["text/plain", "application/openmetrics-text"],
      about: "Prometheus text 0.0.4 or OpenMetrics 1.0, at most 4 MiB; Content-Encoding gzip is taken.",
    },
    answer: shape<IngestAnswer>({
      accepted: "number",
      duplicates: "number",
      refused: "array",
      isUnassigned: "boolean",
      problems: "array",
    }),
    right: "ingest",
  },
  {
    path: "/api/v1/write",
    method: "post",
    summary: "Prometheus remote write 1.0. 400 names what is refused for good; the rest is stored.",
    body: {
      types: ["application/x-protobuf"],
      about: "A WriteRequest in a snappy block, at most 4 MiB as sent and 32 MiB unpacked.",
    },
    answer: { type: "text/plain", about: "Taken: stored now, stored before, or of no use here." },
    right: "ingest",
    status: 204,
  },
  read("/api/v1/targets", "The metrics pages that are fetched from here, and what came of the last try.", {
    answer: shape<TargetsAnswer>({ now: "number", targets: "array", instances: "array" }),
  }),
  act("/api/v1/targets", "Adds a metrics page to fetch.", "token:ingest", { NewTarget }),
  act("/api/v1/targets/{targetId}", "Changes a target.", "token:ingest", { TargetChange }),
  act("/api/v1/targets/{targetId}/remove", "Fetches a target no more; what came from it stays.", "token:ingest", {
    TargetId,
  }),
  {
    ...act("/api/v1/targets/{targetId}/test", "Fetches a target once and says what is on it.", "token:ingest", {
      TargetId,
    }),
    answer: shape<TargetTest>({ gpus: "number", otherMetrics: "number", ignored: "number", problem: "string?" }),
  },
  read("/api/v1/sources", "Who sends telemetry: the agents of the fleet, and senders that belong to nobody yet.", {
    answer: shape<SourcesAnswer>({ now: "number", senders: "array", agents: "array", instances: "array" }),
  }),
  read("/api/v1/refusals", "What senders sent in vain since yesterday, by sender, GPU and reason.", {
    answer: shape<RefusalsAnswer>({ now: "number", since: "number", rows: "array", dropped: "array" }),
  }),
  read("/api/v1/fleet/{instanceId}/quality", "What the last day's samples of a machine lack, and why.", {
    question: { QualityQuestion },
    answer: shape<QualityAnswer>({
      now: "number",
      from: "number",
      to: "number",
      refusedSince: "number",
      expected: "number",
      gpus: "array",
      rows: "array",
      dropped: "array",
    }),
  }),
  {
    path: "/api/v1/ingest/workload",
    method: "post",
    summary: "Takes in a run, and what a program says of it.",
    body: {
      types: ["application/json"],
      about: "Instants are RFC 3339 texts or epoch seconds or milliseconds. Content-Encoding gzip is taken.",
      schema: z.object({ run: PushedRun.optional(), metrics: z.array(PushedMetric).max(PUSH_METRICS_MOST).optional() }),
    },
    answer: shape<PushAnswer>({
      run: "object?",
      accepted: "number",
      duplicates: "number",
      ignored: "number",
      refused: "array",
      problems: "object",
      isUnassigned: "boolean",
    }),
    right: "ingest",
  },
  read("/api/v1/runs", "The runs, newest first; `?format=csv|xlsx` as a file.", {
    question: { RunsQuestion },
    answer: shape<RunsAnswer>({ now: "number", rows: "array", totals: "object", isCut: "boolean" }),
  }),
  read("/api/v1/runs/places", "The instances and GPUs on which a run may be.", {
    answer: shape<RunPlacesAnswer>({ now: "number", instances: "array" }),
  }),
  read("/api/v1/runs/{runId}", "One run: its use of the GPUs, its metrics, its cost.", {
    question: { RunQuestion },
    answer: shape<RunAnswer>({
      now: "number",
      run: "object",
      use: "object",
      metrics: "object",
      isByInstance: "boolean",
      unitPrices: "array",
      lastValueAt: "number?",
    }),
  }),
  read("/api/v1/runs/{runId}/series", "The metrics of a run over its time.", {
    question: { RunQuestion },
    answer: shape<RunSeriesAnswer>({
      from: "number",
      to: "number",
      stepMs: "number",
      at: "array",
      utilization: "object",
      charts: "array",
    }),
  }),
];
