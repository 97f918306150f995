import { randomUUID } from "node:crypto";
import { type Client, transact } from "@/lib/db/client";
import { type Entry, writeAudit } from "@/lib/db/mutate";
import { countRefusals } from "@/lib/db/telemetry/identity";
import type { Token } from "@/lib/db/tokens";
import {
  countPushed,
  findPlaces,
  insertRun,
  lockRun,
  type PlaceFacts,
  pushSender,
  type RunEdit,
  type StoredRun,
  updateRun,
} from "@/lib/db/workload/runs";
import type { Ctx } from "@/lib/domain/access";
import type { GpuPlace } from "@/lib/domain/telemetry/report";
import { readPush } from "@/lib/domain/workload/push";
import { expectedMsOf, type PushedRun, timeProblems } from "@/lib/domain/workload/run";
import { AppError } from "@/lib/errors";
import { machineOf } from "@/lib/services/telemetry/senders";
import { type LabelledRefusal, recordLabelled } from "./record";

export type PushAnswer = {
  run: { id: string; externalId: string; outcome: "created" | "changed" | "unchanged" } | null;
  /** Values stored now. */
  accepted: number;
  /** Values of an instant that was stored before. */
  duplicates: number;
  /** Values under names that mean nothing here. */
  ignored: number;
  refused: LabelledRefusal[];
  /** What could not be read, by field. */
  problems: Record<string, string>;
  /** True while nobody knows on which instance this is. */
  isUnassigned: boolean;
};

const RUNS_PER_DAY = 200;
const DAY_MS = 24 * 3_600_000;

/** Takes in what a program says of its run: the run itself, made or changed by its own id, and values that hang on it. */
export async function pushWorkload(token: Token, body: string, receivedAt: Date): Promise<PushAnswer> {
  const push = readPush(body, receivedAt.getTime());
  const problems = Object.fromEntries(push.problems);
  const told = Object.entries(problems);
  // Values of a run that cannot be read would hang on nothing.
  const isRunUnread = told.some(([field]) => field.split(".")[0] === "run");
  if (told.length > 0 && (isRunUnread || (push.run === null && push.values.length === 0)))
    throw new AppError("invalid", `${sentence(told[0])} Nothing was stored.`, problems);

  const place = await placeOf(token, push.run, receivedAt);
  const run = push.run ? await writeRun(token, push.run, place, receivedAt) : null;
  const sender = await pushSender(token.id, senderName(push.run, place), place?.id ?? null, receivedAt);
  const taken = await recordLabelled(sender, push.values, gpuFinder(place), receivedAt);
  const malformed: LabelledRefusal[] =
    push.malformed === 0
      ? []
      : [{ reason: "malformed", count: push.malformed, example: sentence(told[0]).slice(0, 200) }];
  const refused = [...malformed, ...taken.refused];
  await countRefusals(
    sender.id,
    receivedAt,
    refused.map((one) => ({ ...one, gpuId: 0 })),
  );
  const [first] = refused;
  if (run === null && taken.accepted + taken.duplicates === 0 && first)
    throw new AppError("invalid", `No value could be stored (${first.reason}: ${first.example ?? ""}).`, problems);
  return { run, ...taken, refused, problems, isUnassigned: sender.resourceId === null };
}

function sentence(problem: [field: string, message: string] | undefined): string {
  if (!problem) return "";
  const [field, message] = problem;
  return field === "form" ? `${message}.` : `${field} ${message}.`;
}

/** On which instance it is: the one that the token speaks for, that is named, or that has the host's name. */
async function placeOf(token: Token, run: PushedRun | null, now: Date): Promise<PlaceFacts | null> {
  const isBound = token.resourceId !== null || token.intentId !== null;
  const own = isBound ? await machineOf(token, "", null, now) : null;
  if (run?.instance !== undefined) {
    const [found, ...others] = await findPlaces(run.instance);
    if (!found || others.length > 0)
      throw new AppError(
        "invalid",
        `run.instance ${found ? "means several instances" : "means no instance here"}. Nothing was stored.`,
        {
          "run.instance": found
            ? "means several instances; give the instance’s id"
            : "means no instance here; give its name or id",
        },
      );
    if (own !== null && found.id !== own)
      throw new AppError("forbidden", "This token speaks for another instance. Nothing was stored.", {
        "run.instance": "is not the instance of this token",
      });
    return found;
  }
  const id = own ?? (isBound || run?.host === undefined ? null : await machineOf(token, run.host, run.host, now));
  return id === null ? null : ((await findPlaces(id))[0] ?? null);
}

function senderName(run: PushedRun | null, place: PlaceFacts | null): string {
  return run?.host ?? place?.name ?? "workload pushes";
}

function gpuFinder(place: PlaceFacts | null): (where: GpuPlace) => number | null {
  return ({ uuid, index }) =>
    place?.gpus.find((gpu) => (uuid === null ? gpu.position === index : gpu.uuid === uuid))?.id ?? null;
}

async function writeRun(
  token: Token,
  said: PushedRun,
  place: PlaceFacts | null,
  at: Date,
): Promise<NonNullable<PushAnswer["run"]>> {
  const ctx: Ctx = { actor: { kind: "token", id: token.id, name: token.name, role: "viewer" }, now: at };
  const edit = editOf(said, place);
  return transact(async (tx) => {
    const known = await lockRun(tx, { externalId: said.id });
    if (known) return changeRun(tx, ctx, known, said, edit);
    checkTimes({ startedAt: edit.startedAt ?? at, endedAt: edit.endedAt ?? null }, at);
    if ((await countPushed(tx, token.id, new Date(at.getTime() - DAY_MS))) >= RUNS_PER_DAY)
      throw new AppError(
        "too-many",
        `This token has made ${RUNS_PER_DAY} runs in 24 h, and may make no more today. Use one id for one run; nothing was stored.`,
        {},
        DAY_MS / 24,
      );
    const made = await insertRun(tx, {
      id: randomUUID(),
      externalId: said.id,
      name: edit.name ?? said.id,
      workload: edit.workload ?? "unknown",
      resourceId: edit.resourceId ?? null,
      gpuIds: edit.gpuIds ?? [],
      startedAt: edit.startedAt ?? at,
      endedAt: edit.endedAt ?? null,
      expectedMs: edit.expectedMs ?? null,
      note: edit.note ?? null,
      createdById: null,
      tokenId: token.id,
      createdAt: at,
    });
    if (made) {
      await writeAudit(tx, ctx, entry(made.endedAt ? "run.recorded" : "run.started", made, null, shown(made)));
      return { id: made.id, externalId: made.externalId, outcome: "created" as const };
    }
    // Two requests met over a new run; the other one was faster.
    const other = await lockRun(tx, { externalId: said.id });
    if (!other) throw new AppError("conflict", "This run was made and removed at the same moment. Send it again.");
    return changeRun(tx, ctx, other, said, edit);
  });
}

/** What of a run the body says; the rest stays as it is. */
function editOf(said: PushedRun, place: PlaceFacts | null): RunEdit {
  const { name, workload, startedAt, endedAt, expectedHours, note } = said;
  return {
    ...(name !== undefined && { name }),
    ...(workload !== undefined && { workload }),
    ...(startedAt !== undefined && { startedAt: new Date(startedAt) }),
    ...(endedAt !== undefined && { endedAt: endedAt === null ? null : new Date(endedAt) }),
    ...(expectedHours !== undefined && { expectedMs: bigMs(expectedMsOf(expectedHours)) }),
    ...(note !== undefined && { note }),
    ...(place !== null && { resourceId: place.id }),
    ...(said.gpus !== undefined && { gpuIds: gpusAt(said.gpus, place) }),
  };
}

function bigMs(ms: number | null): bigint | null {
  return ms === null ? null : BigInt(ms);
}

function gpusAt(said: readonly (number | string)[], place: PlaceFacts | null): number[] {
  const ids = said.map((one) => {
    const gpu = place?.gpus.find(({ position, uuid }) => one === position || one === uuid || one === String(position));
    if (gpu) return gpu.id;
    const why = place
      ? `names GPU ${one}, which ${place.name} has not reported`
      : "names GPUs, and the instance is not known";
    throw new AppError("invalid", `run.gpus ${why}. Leave gpus out for the whole instance; nothing was stored.`, {
      "run.gpus": why,
    });
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}

function checkTimes({ startedAt, endedAt }: { startedAt: Date; endedAt: Date | null }, now: Date): void {
  const problems = timeProblems({ startedAt: startedAt.getTime(), endedAt: endedAt?.getTime() ?? null }, now.getTime());
  const [first] = Object.entries(problems);
  if (first)
    throw new AppError("invalid", `run.${first[0]} ${first[1]}. Nothing was stored.`, {
      [`run.${first[0]}`]: first[1],
    });
}

async function changeRun(
  tx: Client,
  ctx: Ctx,
  run: StoredRun,
  said: PushedRun,
  edit: RunEdit,
): Promise<NonNullable<PushAnswer["run"]>> {
  const known = { id: run.id, externalId: run.externalId };
  const isOwn = ctx.actor.kind === "token" && run.tokenId === ctx.actor.id;
  const isReference = Object.keys(said).every((field) => ["id", "host", "instance"].includes(field));
  if (!isOwn && isReference) return { ...known, outcome: "unchanged" };
  if (!isOwn)
    throw new AppError(
      "forbidden",
      `The run ${said.id} was not pushed with this token, so only its id may be given with values. Choose another id for a run of your own; nothing was stored.`,
      { "run.id": "belongs to somebody else" },
    );
  const next = { ...run, ...edit };
  checkTimes(next, ctx.now);
  const [before, after] = [shown(run), shown(next)];
  if (JSON.stringify(before) === JSON.stringify(after)) return { ...known, outcome: "unchanged" };
  await updateRun(tx, run.id, edit, ctx.now);
  await writeAudit(
    tx,
    ctx,
    entry(run.endedAt === null && next.endedAt !== null ? "run.ended" : "run.changed", next, before, after),
  );
  return { ...known, outcome: "changed" };
}

type RunAct = "run.started" | "run.recorded" | "run.changed" | "run.ended" | "run.removed";

/** What Activity is told of a run. */
export function entry(action: RunAct, run: StoredRun, before: object | null, after: object | null): Entry {
  return { action, subjectKind: "run", subjectId: run.id, subject: run.name, before, after };
}

/** The fields of a run that an audit entry compares. */
export function shown({ name, workload, resourceId, gpuIds, startedAt, endedAt, expectedMs, note }: StoredRun) {
  return {
    name,
    workload,
    instanceId: resourceId,
    gpus: gpuIds,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    expectedMs: expectedMs === null ? null : Number(expectedMs),
    note,
  };
}
