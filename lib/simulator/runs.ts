import { isSampling } from "./beats";
import { between, hashText } from "./random";
import { type Machine, valueAt } from "./types";
import type { WorkloadKind, WorkloadSpan } from "./workloads";

/* The jobs and services that ran on a machine, and what they count. Any instant can be asked for alone. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Kind = "training" | "inference" | "batch";

/** A run as its program pushes it. `endedAt` null: it goes on, or its machine was taken away under it. */
export type SimulatedRun = {
  id: string;
  name: string;
  workload: Kind;
  startedAt: number;
  endedAt: number | null;
  /** When it stops counting. */
  until: number;
  expectedHours: number | null;
};

const WORK: Partial<Record<WorkloadKind, Kind>> = {
  training: "training",
  thermal: "training",
  "power-capped": "training",
  "memory-climb": "training",
  inference: "inference",
  batch: "batch",
};

/** How long a run of a kind takes: hours, at least and at most. A service goes on. */
const LENGTH: Record<Kind, readonly [number, number] | null> = {
  training: [34, 96],
  inference: null,
  batch: [150, 190],
};

/** The runs on a machine up to an instant, the oldest first. */
export function runsOf(machine: Machine, now: number): SimulatedRun[] {
  const name = valueAt(machine.names, now) ?? machine.hostname;
  const project = machine.tags.find(({ key }) => key === "project")?.value ?? name;
  const runs: SimulatedRun[] = [];
  for (const { kind, from, to } of stretches(machine)) {
    const length = LENGTH[kind];
    for (let start = from, part = 0; start < Math.min(to, now) && part < 100; part++) {
      const number = runs.length + 1;
      const took =
        length === null ? Number.POSITIVE_INFINITY : between(machine.seed, 500 + number, length[0], length[1]) * HOUR;
      const end = Math.min(to, start + took);
      const isTakenAway = end === machine.terminateRequestedAt;
      runs.push({
        id: `${name}-${new Date(start).toISOString().slice(0, 10)}-${number}`,
        name: `${project} ${kind === "inference" ? "service" : kind === "batch" ? "nightly" : "run"} ${number}`,
        workload: kind,
        startedAt: start,
        endedAt: end <= now && !isTakenAway ? end : null,
        until: end,
        expectedHours: length === null ? null : plannedHours(machine, start, took / HOUR, number),
      });
      // A few minutes to look at the outcome and start the next.
      start = end + between(machine.seed, 700 + number, 4, 22) * MINUTE;
    }
  }
  return runs;
}

/** As somebody planned it: sometimes too short. */
function plannedHours(machine: Machine, start: number, hours: number, number: number): number {
  const said = wholeSpans(machine).find(({ from }) => from === start)?.params.plannedHours;
  return said ?? Math.round(hours * (0.86 + 0.03 * between(machine.seed, 900 + number, 0, 9)));
}

/** When a machine worked at something of one kind, without a break. */
function stretches(machine: Machine): { kind: Kind; from: number; to: number }[] {
  const end = machine.terminateRequestedAt ?? Number.POSITIVE_INFINITY;
  const spans = wholeSpans(machine);
  const found: { kind: Kind; from: number; to: number }[] = [];
  for (const [i, span] of spans.entries()) {
    const kind = WORK[span.kind];
    const to = Math.min(end, spans[i + 1]?.from ?? end);
    if (!kind || to <= span.from) continue;
    const last = found.at(-1);
    if (last && last.kind === kind && last.to === span.from) last.to = to;
    else found.push({ kind, from: span.from, to });
  }
  return found;
}

function wholeSpans(machine: Machine): WorkloadSpan[] {
  return machine.workloads.filter(({ gpu }) => gpu === null);
}

export type WorkValue = { name: string; labels: Record<string, string>; value: number };

/** What a run says of itself at an instant: counters since its start, and a few values of now. */
export function workAt(machine: Machine, run: SimulatedRun, at: number): WorkValue[] {
  const to = Math.min(at, run.until);
  if (run.workload === "inference") return service(machine, run, to);
  return run.workload === "training" ? training(machine, run, to) : batch(machine, run, to);
}

/** Whether its program could send anything then: the machine is up, and somebody installed an agent there. */
export function canTell(machine: Machine, run: SimulatedRun, at: number): boolean {
  return at >= run.startedAt && at <= run.until && isSampling(machine, at);
}

const plain = (name: string, value: number): WorkValue => ({ name, labels: {}, value });

/** GPU-hours of full speed in [from, to): slower where the work is. */
function effort(machine: Machine, from: number, to: number): number {
  const spans = wholeSpans(machine);
  let sum = 0;
  for (const [i, { from: begins, kind, params }] of spans.entries()) {
    const start = Math.max(from, begins);
    const end = Math.min(to, spans[i + 1]?.from ?? to);
    if (end <= start || !WORK[kind]) continue;
    const speed = kind === "thermal" ? 0.63 : kind === "power-capped" ? 0.82 : (params.targetPct ?? 96) / 96;
    sum += (end - start) * speed;
  }
  return sum / HOUR;
}

const SAMPLES_PER_HOUR = 218_000;
const TOKENS_PER_SAMPLE = 1_024;
const BATCH = 64;
const EPOCHS_PER_EXPORT = 8;

function training(machine: Machine, run: SimulatedRun, to: number): WorkValue[] {
  const size = 0.6 + (hashText(machine.typeName) % 100) / 100;
  const done = effort(machine, run.startedAt, to) * SAMPLES_PER_HOUR * size;
  const lately = effort(machine, Math.max(run.startedAt, to - 5 * MINUTE), to) * SAMPLES_PER_HOUR * size;
  const seconds = Math.max(1, Math.min(300, (to - run.startedAt) / 1_000));
  const epochMinutes = wholeSpans(machine).find(({ from }) => from <= run.startedAt)?.params.epochMinutes ?? 53;
  const epoch = (effort(machine, run.startedAt, to) * 60) / epochMinutes;
  const exports = Math.floor(epoch / EPOCHS_PER_EXPORT);
  const failed = exports > 4 ? 1 : 0;
  const rate = Math.max(0.1, lately / seconds);
  return [
    plain("hopperdeck_samples_total", Math.floor(done)),
    plain("hopperdeck_tokens_total", Math.floor(done) * TOKENS_PER_SAMPLE),
    plain("hopperdeck_epoch", Math.round(epoch * 100) / 100),
    plain("hopperdeck_epochs_planned", Math.max(1, Math.round(((run.expectedHours ?? 24) * 60) / epochMinutes))),
    plain("hopperdeck_batch_seconds", Math.round((BATCH / rate) * 1_000) / 1_000),
    { name: "hopperdeck_exports_total", labels: { outcome: "success" }, value: exports - failed },
    { name: "hopperdeck_exports_total", labels: { outcome: "failure" }, value: failed },
  ];
}

function batch(machine: Machine, run: SimulatedRun, to: number): WorkValue[] {
  const done = effort(machine, run.startedAt, to) * 11_400;
  return [
    { name: "hopperdeck_tasks_total", labels: { outcome: "success" }, value: Math.floor(done * 0.9985) },
    { name: "hopperdeck_tasks_total", labels: { outcome: "failure" }, value: Math.floor(done * 0.0015) },
    plain("hopperdeck_samples_total", Math.floor(done) * 32),
  ];
}

/** Requests per second over the day, and how many of them end within a bound: fewer when there is much to do. */
const RATE = 11;
const SWING = 0.68;
const PEAK_HOUR = 15;
const BOUNDS: readonly (readonly [le: string, share: number, drop: number])[] = [
  ["0.05", 0.08, 0.03],
  ["0.1", 0.28, 0.08],
  ["0.25", 0.72, 0.1],
  ["0.5", 0.91, 0.05],
  ["1", 0.975, 0.015],
  ["2.5", 0.996, 0.002],
  ["5", 0.9995, 0.0003],
  ["+Inf", 1, 0],
];
const FAILS = 0.0061;
const TOKENS_PER_REQUEST = 186;

/** An inference server, in the names of vLLM. */
function service(machine: Machine, run: SimulatedRun, to: number): WorkValue[] {
  const since = lastRestart(machine, run, to);
  const labels = { model_name: "chat-8b" };
  const requests = counted(since, to, 1, 0);
  const failed = Math.floor(requests * FAILS);
  const now = Math.cos(phase(to));
  return [
    ...BOUNDS.map(([le, share, drop]) => ({
      name: "vllm:e2e_request_latency_seconds_bucket",
      labels: { ...labels, le },
      value: Math.floor(counted(since, to, share, drop)),
    })),
    {
      name: "vllm:e2e_request_latency_seconds_sum",
      labels,
      value: Math.round(counted(since, to, 0.232, -0.07) * 1_000) / 1_000,
    },
    { name: "vllm:e2e_request_latency_seconds_count", labels, value: Math.floor(requests) },
    {
      name: "vllm:request_success_total",
      labels: { ...labels, finished_reason: "stop" },
      value: Math.floor(requests) - failed,
    },
    { name: "vllm:request_success_total", labels: { ...labels, finished_reason: "error" }, value: failed },
    { name: "vllm:generation_tokens_total", labels, value: Math.floor(requests * TOKENS_PER_REQUEST) },
    { name: "vllm:num_requests_waiting", labels, value: Math.max(0, Math.round(1.5 + 4 * now)) },
  ];
}

/** A server that begins anew counts anew. */
function lastRestart(machine: Machine, run: SimulatedRun, at: number): number {
  return Math.max(run.startedAt, ...machine.restarts.filter(({ to }) => to <= at).map(({ to }) => to));
}

const OMEGA = (2 * Math.PI) / DAY;
const phase = (at: number) => OMEGA * (at - PEAK_HOUR * HOUR);

/** Requests of [from, to) that end within a bound: the integral of rate × share, where both follow the hour of the day. */
function counted(from: number, to: number, share: number, drop: number): number {
  const upTo = (at: number) => {
    const angle = phase(at);
    const even = share * at;
    const wave = ((SWING * share - drop) * Math.sin(angle)) / OMEGA;
    const square = -SWING * drop * (at / 2 + Math.sin(2 * angle) / (4 * OMEGA));
    return even + wave + square;
  };
  return (RATE * (upTo(to) - upTo(from))) / 1_000;
}

/** As a program pushes it to the ingest door. */
export function workBody(machine: Machine, run: SimulatedRun, at: number): string {
  const { id, name, workload, startedAt, endedAt, expectedHours } = run;
  const metrics = workAt(machine, run, at).map((value) => ({ ...value, at }));
  return JSON.stringify({
    run: { id, name, workload, host: machine.hostname, startedAt, endedAt, expectedHours },
    metrics,
  });
}

/** The values of one run, at most a day of them, in columns. */
export type WorkChunk = {
  instanceId: string;
  hostname: string;
  run: Omit<SimulatedRun, "until">;
  at: number[];
  series: { name: string; labels: Record<string, string>; values: number[] }[];
};

/** What runs said of themselves in [from, to), every `stepMs`, run by run and day by day; how each ended is as of `now`. */
export function* historyOfWork(
  machines: readonly Machine[],
  from: number,
  to: number,
  stepMs: number,
  now = to,
): Generator<WorkChunk> {
  for (const machine of machines) {
    if (!machine.agent.isInstalled) continue;
    for (const run of runsOf(machine, now)) {
      const { until, ...told } = run;
      for (let day = Math.floor(from / DAY) * DAY; day < to; day += DAY) {
        const at: number[] = [];
        const series = new Map<string, WorkChunk["series"][number]>();
        const start = Math.max(from, day, run.startedAt);
        for (let t = Math.ceil(start / stepMs) * stepMs; t < Math.min(to, day + DAY); t += stepMs) {
          if (!canTell(machine, run, t)) continue;
          at.push(t);
          for (const { name, labels, value } of workAt(machine, run, t)) {
            const key = `${name} ${JSON.stringify(labels)}`;
            const column = series.get(key) ?? { name, labels, values: [] };
            column.values.push(value);
            series.set(key, column);
          }
        }
        if (at.length > 0)
          yield { instanceId: machine.id, hostname: machine.hostname, run: told, at, series: [...series.values()] };
      }
    }
  }
}
