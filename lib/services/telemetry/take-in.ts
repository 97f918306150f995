import {
  countRefusals,
  type GpuIdentity,
  gpuKey,
  listCards,
  type ProcessLook,
  type Refusal,
  type RefusalReason,
  recordProcesses,
  type Source,
  touchSources,
  UNKNOWN_MODEL,
} from "@/lib/db/telemetry/identity";
import { store } from "@/lib/db/telemetry/store";
import type { Token } from "@/lib/db/tokens";
import { hostRecord } from "@/lib/domain/telemetry/host";
import type { GpuPlace, Report } from "@/lib/domain/telemetry/report";
import {
  clockSkewMs,
  encodeMissing,
  type GpuReading,
  isSkewed,
  judgeTime,
  qualityOf,
} from "@/lib/domain/telemetry/sample";
import type { SampleRow, Sent, Written } from "@/lib/domain/telemetry/store";
import { findPlace } from "@/lib/domain/xid/place";
import { AppError } from "@/lib/errors";
import { recordSightings } from "@/lib/services/events/record";
import { recordLabelled } from "@/lib/services/workload/record";
import { gpusOf, machineOf } from "./senders";

/** Who sends: a token with a host name, or a page that is fetched. */
export type Sender = {
  kind: "agent" | "scrape" | "remote_write" | "push";
  token: Token | null;
  /** Of a page that is fetched. */
  sourceId?: string;
  hostname: string;
  privateIp: string | null;
  /** How often it sends, where the report does not say. */
  intervalMs?: number;
};

export type IngestAnswer = {
  /** Samples stored now. */
  accepted: number;
  /** Samples that were stored before, with the same values. */
  duplicates: number;
  refused: { reason: string; count: number; example: string | null }[];
  /** True while nobody knows which machine this sender is. */
  isUnassigned: boolean;
  problems: string[];
};

/** A Prometheus looks once a minute where nobody says otherwise. */
const DEFAULT_INTERVAL_MS = { agent: 10_000, scrape: 60_000, remote_write: 60_000, push: 60_000 } as const;
const PROBLEMS_SHOWN = 20;

type Part = {
  sender: Sender;
  report: Report;
  source: Source;
  gpus: ReadonlyMap<string, number>;
  rows: SampleRow[];
  refusals: Refusals;
};

/**
 * Takes reports of some senders in: each GPU and instant once, what cannot be true refused and counted, the newest shown at
 * once. The samples of all of them are one transaction (of each its own where two speak of one card); what hangs on them (processes, events, other metrics) follows, and a
 * repetition of the whole is harmless.
 */
export async function takeIn(
  given: readonly { sender: Sender; report: Report }[],
  receivedAt: Date,
): Promise<IngestAnswer[]> {
  const sources = await touchSources(
    await Promise.all(given.map(({ sender, report }) => sourceFacts(sender, report, receivedAt))),
  );
  const parts: Part[] = [];
  for (const [i, { sender, report: said }] of given.entries()) {
    const source = sources[i];
    if (!source) throw new Error("a sender was not written down");
    const report = separateTwins(await namedByPlace(said, source));
    const gpus = await gpusOf(source, newestIdentities(report), receivedAt);
    const refusals = new Refusals();
    parts.push({ sender, report, source, gpus, refusals, rows: toRows(report, gpus, receivedAt, refusals) });
  }

  const written = new Map<Part, Written>();
  for (const group of groupsOf(parts)) {
    const sent: Sent[] = group.map(({ source, rows }) => ({ sourceId: source.id, rows }));
    const outcome = await store.append(sent, receivedAt);
    for (const part of group) written.set(part, outcome);
  }
  await recordProcesses(parts.flatMap(looksOf));
  return Promise.all(parts.map((part) => settle(part, written.get(part) ?? null, receivedAt)));
}

/** What became of samples is counted per GPU: reports that speak of the same card are written one after the other. */
function groupsOf(parts: readonly Part[]): Part[][] {
  const seen = new Set<number>();
  const isShared = parts.some(({ gpus }) => {
    const ids = [...new Set(gpus.values())];
    const found = ids.some((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    return found;
  });
  return isShared ? parts.map((part) => [part]) : [[...parts]];
}

/** What one report says beside its samples, and the answer to its sender. */
async function settle(part: Part, written: Written, receivedAt: Date): Promise<IngestAnswer> {
  const { report, source, gpus, refusals, rows } = part;
  const place = await placesOf(part);
  if (report.sightings.length > 0) await recordSightings(source, report.sightings, place, receivedAt);
  const labelled =
    report.labelled.length > 0
      ? await recordLabelled(source, report.labelled, place, receivedAt)
      : { accepted: 0, refused: [] };
  for (const { reason, count, example } of labelled.refused) refusals.add(reason, 0, count, example ?? "");
  for (const batch of report.batches) {
    for (const reading of batch.readings) {
      const gpuId = gpus.get(gpuKey(reading));
      if (gpuId === undefined) continue;
      for (const [metric, reason] of Object.entries(reading.missing))
        if (reason === "out_of_range") refusals.add("out_of_range", gpuId, 1, metric);
    }
  }
  const { accepted, duplicates } = countRows(rows, written, refusals);
  await countRefusals(source.id, receivedAt, refusals.list());
  return {
    accepted: accepted + labelled.accepted,
    duplicates,
    refused: refusals.summary().filter(({ reason }) => reason !== "duplicate" && reason !== "out_of_range"),
    isUnassigned: source.resourceId === null,
    problems: problemsOf(report),
  };
}

function countRows(
  rows: readonly SampleRow[],
  written: Written,
  refusals: Refusals,
): { accepted: number; duplicates: number } {
  if (written === null) return { accepted: rows.length, duplicates: 0 };
  const sent = new Map<number, number>();
  for (const { gpuId } of rows) sent.set(gpuId, (sent.get(gpuId) ?? 0) + 1);
  const total = { accepted: 0, duplicates: 0 };
  for (const [gpuId, n] of sent) {
    const { inserted, completed, conflicts } = written.get(gpuId) ?? { inserted: 0, completed: 0, conflicts: 0 };
    const same = Math.max(0, n - inserted - completed - conflicts);
    if (conflicts > 0) refusals.add("conflict", gpuId, conflicts, "another value was stored for this instant before");
    if (same > 0) refusals.add("duplicate", gpuId, same, "the same values were stored for this instant before");
    total.accepted += inserted + completed;
    total.duplicates += same;
  }
  return total;
}

function problemsOf(report: Report): string[] {
  return [...report.problems, ...report.batches.flatMap((batch) => batch.problems)]
    .slice(0, PROBLEMS_SHOWN)
    .map((problem) => problem.message);
}

/** Throws what the one sender of a report must hear: a report that cannot be read at all, or of which nothing could be stored. */
export function refuseUseless(report: Report, answer: IngestAnswer): void {
  const isAllBad =
    answer.accepted + answer.duplicates === 0 &&
    report.errors.length === 0 &&
    report.processes.length === 0 &&
    report.sightings.length === 0 &&
    report.facts === null;
  if (!isAllBad || (answer.refused.length === 0 && answer.problems.length === 0)) return;
  const why = answer.refused[0]
    ? `${answer.refused[0].reason}: ${answer.refused[0].example ?? ""}`
    : answer.problems[0];
  throw new AppError("invalid", `Nothing in this report could be stored (${why}).`);
}

async function sourceFacts(sender: Sender, report: Report, at: Date) {
  const { agent } = report;
  const newestError = report.errors.at(-1);
  const newestSample = Math.max(0, ...report.batches.map((batch) => batch.at));
  const failing = newestError && newestError.at >= newestSample ? newestError.message : null;
  const saidInstead =
    report.batches.length === 0
      ? report.problems[0]?.message
      : report.batches.at(-1)?.readings.length === 0
        ? report.batches.at(-1)?.problems[0]?.message
        : null;
  return {
    id: sender.sourceId ?? null,
    kind: sender.kind,
    tokenId: sender.token?.id ?? null,
    hostname: sender.hostname,
    resourceId: sender.token === null ? null : await machineOf(sender.token, sender.hostname, sender.privateIp, at),
    intervalMs: agent?.intervalMs ?? sender.intervalMs ?? DEFAULT_INTERVAL_MS[sender.kind],
    agentVersion: agent?.version ?? null,
    host: hostRecord(report),
    clockSkewMs: agent?.sentAt == null ? null : clockSkewMs(agent.sentAt, at.getTime()),
    lastError: (failing ?? saidInstead ?? null)?.slice(0, 500) ?? null,
    at,
  };
}

const NAMELESS = /^(?:bus|index):/;

/** Not every print tells a UUID: a card that is known by its place is the one that is known there by its UUID. */
async function namedByPlace(report: Report, source: Source): Promise<Report> {
  if (!report.batches.some(({ readings }) => readings.some(({ uuid }) => NAMELESS.test(uuid)))) return report;
  const cards = (await listCards(source)).filter(({ uuid }) => !NAMELESS.test(uuid));
  const names = new Map<string, string>();
  const batches = report.batches.map((batch) => ({
    ...batch,
    readings: batch.readings.map((reading) => {
      if (!NAMELESS.test(reading.uuid)) return reading;
      const uuid = findPlace({ ...placeOf(reading), uuid: null }, cards)?.uuid ?? reading.uuid;
      names.set(reading.uuid, uuid);
      return { ...reading, uuid };
    }),
  }));
  const processes = report.processes.map(({ at, byUuid }) => ({
    at,
    byUuid: new Map([...byUuid].map(([uuid, list]) => [names.get(uuid) ?? uuid, list])),
  }));
  return { ...report, batches, processes };
}

/** Two cards of one machine that tell the same UUID (a vendor's or an anonymiser's fault): the second is known by its place. */
function separateTwins(report: Report): Report {
  const batches = report.batches.map((batch) => {
    const seen = new Map<string, string | null>();
    const readings = batch.readings.map((reading) => {
      const key = gpuKey(reading);
      const isTwin = seen.has(key) && reading.busId !== null && seen.get(key) !== reading.busId;
      if (!seen.has(key)) seen.set(key, reading.busId);
      return isTwin ? { ...reading, uuid: `bus:${reading.busId}` } : reading;
    });
    return { ...batch, readings };
  });
  return { ...report, batches };
}

function newestIdentities(report: Report): Map<string, GpuIdentity> {
  const found = new Map<string, GpuIdentity>();
  for (const batch of [...report.batches].sort((a, b) => a.at - b.at)) {
    for (const reading of batch.readings) found.set(gpuKey(reading), identity(reading));
  }
  return found;
}

function identity(reading: GpuReading): GpuIdentity {
  const { uuid, mig, index, name, driverVersion, memoryTotalMib, powerLimitW } = reading;
  const { busId, pstate, migMode, remappedRows, slowdownTemperatureC } = reading;
  return {
    uuid,
    mig,
    position: index ?? 0,
    model: name ?? UNKNOWN_MODEL,
    driverVersion,
    memoryMib: memoryTotalMib === null ? null : Math.round(memoryTotalMib),
    powerLimitW,
    attrs: { busId, pstate, migMode, remappedRows, slowdownTemperatureC },
  };
}

function toRows(report: Report, gpus: ReadonlyMap<string, number>, receivedAt: Date, refusals: Refusals): SampleRow[] {
  const isSenderSkewed =
    report.agent?.sentAt != null && isSkewed(clockSkewMs(report.agent.sentAt, receivedAt.getTime()));
  const rows = new Map<string, SampleRow>();
  for (const { at, readings, problems } of report.batches) {
    for (const problem of problems)
      if (problem.kind === "no_identity" || problem.kind === "failed_gpu")
        refusals.add("no_gpu", 0, 1, problem.message);
    const verdict = judgeTime(at, receivedAt.getTime());
    for (const reading of readings) {
      const gpuId = gpus.get(gpuKey(reading));
      if (gpuId === undefined) continue;
      if (verdict === "too_old" || verdict === "future") {
        refusals.add(verdict, gpuId, 1, instantText(at));
        continue;
      }
      const key = `${gpuId} ${at}`;
      if (rows.has(key)) continue;
      const { values, throttleReasons, eccUncorrected, missing } = reading;
      rows.set(key, {
        gpuId,
        at,
        values,
        throttleReasons,
        eccUncorrected,
        missing: encodeMissing(missing),
        quality: qualityOf(verdict, isSenderSkewed),
      });
    }
  }
  return [...rows.values()];
}

function instantText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at} ms`;
}

/** Whose GPU a place on this machine is, by what is known of its cards; a card that fell off the bus is not in the report. */
async function placesOf({ report, source, gpus }: Part): Promise<(place: GpuPlace) => number | null> {
  if (report.sightings.length + report.labelled.length === 0) return () => null;
  const said = report.batches
    .flatMap((batch) => batch.readings)
    .map((reading) => ({ ...placeOf(reading), id: gpus.get(gpuKey(reading)) ?? null }));
  const known = await listCards(source);
  return (place) => findPlace(place, said)?.id ?? findPlace(place, known)?.id ?? null;
}

function placeOf({ uuid, mig, busId, index }: GpuReading): GpuPlace {
  return { uuid, mig, busId, index };
}

function looksOf({ report, gpus }: Part): ProcessLook[] {
  return report.processes.flatMap(({ at, byUuid }) =>
    [...gpus].map(([key, gpuId]) => ({
      gpuId,
      at: new Date(at),
      processes: byUuid.get(key.split(" ")[0] ?? "") ?? [],
    })),
  );
}

class Refusals {
  #found = new Map<string, Refusal>();

  add(reason: RefusalReason, gpuId: number, count: number, example: string): void {
    const key = `${reason} ${gpuId}`;
    const before = this.#found.get(key);
    this.#found.set(key, { reason, gpuId, count: (before?.count ?? 0) + count, example: before?.example ?? example });
  }

  list(): Refusal[] {
    return [...this.#found.values()];
  }

  summary(): { reason: string; count: number; example: string | null }[] {
    const byReason = new Map<string, { reason: string; count: number; example: string | null }>();
    for (const { reason, count, example } of this.#found.values()) {
      const before = byReason.get(reason);
      byReason.set(reason, { reason, count: (before?.count ?? 0) + count, example: before?.example ?? example });
    }
    return [...byReason.values()];
  }
}
