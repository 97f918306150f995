import { resourceOfIntent } from "@/lib/db/fleet/resources";
import type { SampleRow } from "@/lib/db/telemetry/columns";
import {
  countRefusals,
  type GpuIdentity,
  gpuKey,
  matchResources,
  type Refusal,
  type RefusalReason,
  recordProcesses,
  touchGpus,
  touchSource,
} from "@/lib/db/telemetry/identity";
import { writeSamples } from "@/lib/db/telemetry/write";
import { markUsed, type Token } from "@/lib/db/tokens";
import { type AgentHeader, parseReport, type Report } from "@/lib/domain/telemetry/agent-report";
import {
  clockSkewMs,
  encodeMissing,
  type GpuReading,
  isSkewed,
  judgeTime,
  qualityOf,
} from "@/lib/domain/telemetry/sample";
import { AppError } from "@/lib/errors";
import { findToken } from "@/lib/services/tokens";

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

const DEFAULT_INTERVAL_MS = 10_000;
const PROBLEMS_SHOWN = 20;

/** The sender's credential, if it may write telemetry. */
export async function senderToken(bearer: string | null, now: Date): Promise<Token> {
  const token = bearer ? await findToken(bearer, now) : null;
  if (!token) throw new AppError("unauthenticated", "The token is missing, wrong, revoked or has run out.");
  if (token.kind !== "ingest" && token.kind !== "enrolment")
    throw new AppError("forbidden", "This token may not write telemetry.");
  return token;
}

/** Takes one report in: each GPU and instant once, what cannot be true refused and counted, the newest shown at once. */
export async function ingest(token: Token, body: string, receivedAt: Date): Promise<IngestAnswer> {
  await markUsed(token.id, receivedAt);
  const report = separateTwins(parseReport(body, receivedAt.getTime()));
  const tooLarge = report.problems.find((problem) => problem.kind === "too_large");
  if (tooLarge)
    throw new AppError(
      "too-large",
      `The report is too large: ${tooLarge.message}. Send it in parts; nothing was stored.`,
    );

  const source = await touchSource(await sourceFacts(token, report, receivedAt));
  const identities = newestIdentities(report);
  const gpus = await touchGpus(source, [...identities.values()], receivedAt);
  const { rows, refusals } = toRows(report, gpus, receivedAt);
  const { inserted, conflicts } = await writeSamples(rows, receivedAt);
  for (const { gpuId, n } of conflicts)
    refusals.add("conflict", gpuId, n, "a different value was stored for this instant before");
  await recordReportedProcesses(report, gpus);
  await countRefusals(source.id, receivedAt, refusals.list());

  const conflicting = conflicts.reduce((sum, { n }) => sum + n, 0);
  const answer: IngestAnswer = {
    accepted: inserted,
    duplicates: rows.length - inserted - conflicting,
    refused: refusals.summary(),
    isUnassigned: source.resourceId === null,
    problems: [...report.problems, ...report.batches.flatMap((batch) => batch.problems)]
      .slice(0, PROBLEMS_SHOWN)
      .map((problem) => problem.message),
  };
  const isAllBad =
    answer.accepted + answer.duplicates === 0 && report.errors.length === 0 && report.processes.length === 0;
  if (isAllBad && (answer.refused.length > 0 || answer.problems.length > 0)) {
    const why = answer.refused[0]
      ? `${answer.refused[0].reason}: ${answer.refused[0].example ?? ""}`
      : answer.problems[0];
    throw new AppError("invalid", `Nothing in this report could be stored (${why}).`);
  }
  return answer;
}

async function sourceFacts(token: Token, report: Report, at: Date) {
  const agent: Partial<AgentHeader> = report.agent ?? {};
  const hostname = agent.hostname || "unnamed";
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
    tokenId: token.id,
    hostname,
    resourceId: await machineOf(token, hostname, agent.ip ?? null),
    intervalMs: agent.intervalMs ?? DEFAULT_INTERVAL_MS,
    agentVersion: agent.version ?? null,
    host: Object.fromEntries(
      Object.entries({
        machine: agent.machine,
        kernel: agent.kernel,
        ip: agent.ip,
        dropped: agent.dropped?.toString(),
      }).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
    clockSkewMs: agent.sentAt == null ? null : clockSkewMs(agent.sentAt, at.getTime()),
    lastError: (failing ?? saidInstead ?? null)?.slice(0, 500) ?? null,
    at,
  };
}

/** The machine that a token was made for; for a shared token, the one machine with the sender's address or host name. */
async function machineOf(token: Token, hostname: string, privateIp: string | null): Promise<string | null> {
  if (token.resourceId) return token.resourceId;
  if (token.intentId) return resourceOfIntent(token.intentId);
  const [only, ...others] = await matchResources(hostname, privateIp);
  return only && others.length === 0 ? only : null;
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
  const {
    uuid,
    mig,
    index,
    name,
    driverVersion,
    memoryTotalMib,
    powerLimitW,
    busId,
    pstate,
    migMode,
    remappedRows,
    slowdownTemperatureC,
  } = reading;
  return {
    uuid,
    mig,
    position: index ?? 0,
    model: name ?? "unknown GPU",
    driverVersion,
    memoryMib: memoryTotalMib === null ? null : Math.round(memoryTotalMib),
    powerLimitW,
    attrs: { busId, pstate, migMode, remappedRows, slowdownTemperatureC },
  };
}

type Gpus = Map<string, { id: number; memoryMib: number | null }>;

function toRows(report: Report, gpus: Gpus, receivedAt: Date): { rows: SampleRow[]; refusals: Refusals } {
  const refusals = new Refusals();
  const isSenderSkewed =
    report.agent?.sentAt != null && isSkewed(clockSkewMs(report.agent.sentAt, receivedAt.getTime()));
  const rows = new Map<string, SampleRow>();
  for (const { at, readings, problems } of report.batches) {
    for (const problem of problems)
      if (problem.kind === "no_identity" || problem.kind === "failed_gpu")
        refusals.add("no_gpu", 0, 1, problem.message);
    const verdict = judgeTime(at, receivedAt.getTime());
    for (const reading of readings) {
      const gpu = gpus.get(gpuKey(reading));
      if (!gpu) continue;
      if (verdict === "too_old" || verdict === "future") {
        refusals.add(verdict, gpu.id, 1, new Date(at).toISOString());
        continue;
      }
      const key = `${gpu.id} ${at}`;
      if (rows.has(key)) continue;
      const { values, throttleReasons, eccUncorrected, missing } = reading;
      rows.set(key, {
        gpuId: gpu.id,
        at,
        values,
        throttleReasons,
        eccUncorrected,
        missing: encodeMissing(missing),
        quality: qualityOf(verdict, isSenderSkewed),
      });
    }
  }
  return { rows: [...rows.values()], refusals };
}

async function recordReportedProcesses(report: Report, gpus: Gpus): Promise<void> {
  for (const { at, byUuid } of report.processes) {
    for (const [key, { id }] of gpus)
      await recordProcesses(id, new Date(at), byUuid.get(key.split(" ")[0] ?? "") ?? []);
  }
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
