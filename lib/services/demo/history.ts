import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { z } from "zod";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { AuditEvent, Filesystem, Instance, InstanceTypes } from "@/lib/integrations/lambda/contract";

/* What the demo's cloud remembers of its past, read from its admin port: listings as the API would have answered, and samples. */

const Line = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("instances"), at: z.number(), data: z.array(Instance) }),
  z.object({ kind: z.literal("instance-types"), at: z.number(), data: InstanceTypes }),
  z.object({ kind: z.literal("file-systems"), at: z.number(), data: z.array(Filesystem) }),
  z.object({ kind: z.literal("audit-event"), at: z.number(), data: AuditEvent }),
]);
export type HistoryLine = z.output<typeof Line>;

const column = z.array(z.number().nullable());
const Chunk = z.object({
  instanceId: z.string(),
  hostname: z.string(),
  gpu: z.object({
    uuid: z.string(),
    index: z.number(),
    busId: z.string(),
    name: z.string(),
    driverVersion: z.string(),
    memoryTotalMib: z.number(),
    powerLimitW: z.number(),
    migMode: z.string().nullable(),
  }),
  at: z.array(z.number()),
  columns: z.record(z.string(), column),
});
export type SampleChunk = z.output<typeof Chunk>;

const State = z.object({
  startedAt: z.number(),
  machines: z.array(
    z.object({ id: z.string(), terminatedAt: z.number().nullable(), agent: z.object({ isInstalled: z.boolean() }) }),
  ),
});
export type CloudState = z.output<typeof State>;

export async function readCloudState(adminUrl: string): Promise<CloudState> {
  return State.parse(await (await fetch(`${adminUrl}/state`)).json());
}

export async function* readListings(adminUrl: string, from: number, to: number): AsyncGenerator<HistoryLine> {
  for await (const line of linesOf(`${adminUrl}/history/listings?from=${from}&to=${to}`))
    yield Line.parse(JSON.parse(line));
}

const KernelLine = z.object({ instanceId: z.string(), hostname: z.string(), line: z.string() });

/** What the driver wrote to the kernel's log of each machine, a machine after the other. */
export async function readKernelLogs(
  adminUrl: string,
  from: number,
  to: number,
): Promise<z.output<typeof KernelLine>[]> {
  const lines: z.output<typeof KernelLine>[] = [];
  for await (const line of linesOf(`${adminUrl}/history/kernel?from=${from}&to=${to}`))
    lines.push(KernelLine.parse(JSON.parse(line)));
  return lines;
}

const WorkChunk = z.object({
  instanceId: z.string(),
  hostname: z.string(),
  run: z.object({
    id: z.string(),
    name: z.string(),
    workload: z.enum(WORKLOADS),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
    expectedHours: z.number().nullable(),
  }),
  at: z.array(z.number()),
  series: z.array(
    z.object({ name: z.string(), labels: z.record(z.string(), z.string()), values: z.array(z.number()) }),
  ),
});
export type WorkChunk = z.output<typeof WorkChunk>;

/** What runs said of themselves, every `stepMs`. */
export async function* readWork(adminUrl: string, from: number, to: number, stepMs: number): AsyncGenerator<WorkChunk> {
  for await (const line of linesOf(`${adminUrl}/history/work?from=${from}&to=${to}&stepMs=${stepMs}`))
    yield WorkChunk.parse(JSON.parse(line));
}

export async function* readSamples(
  adminUrl: string,
  from: number,
  to: number,
  stepMs: number,
): AsyncGenerator<SampleChunk> {
  for await (const line of linesOf(`${adminUrl}/history/samples?from=${from}&to=${to}&stepMs=${stepMs}`))
    yield Chunk.parse(JSON.parse(line));
}

/** Lets a machine's agent report here with its own token. */
export async function enrol(adminUrl: string, machineId: string, url: string, token: string): Promise<void> {
  const response = await fetch(`${adminUrl}/machines/${machineId}/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, token }),
  });
  if (!response.ok) throw new Error(`The demo's cloud did not enrol ${machineId}: ${response.status}`);
}

async function* linesOf(url: string): AsyncGenerator<string> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`The demo's cloud answered ${response.status}`);
  yield* createInterface({
    input: Readable.fromWeb(response.body as import("node:stream/web").ReadableStream),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
}

/** One value per metric at a place of a chunk; columns that it lacks are null. */
export function valuesAt(chunk: SampleChunk, i: number): Record<WideMetric, number | null> {
  return Object.fromEntries(WIDE_METRICS.map((metric) => [metric, chunk.columns[metric]?.[i] ?? null])) as Record<
    WideMetric,
    number | null
  >;
}
