import { randomUUID } from "node:crypto";
import { type Change, mutate, type Tx } from "@/lib/db/mutate";
import { deleteRun, findPlaces, insertRun, lockRun, type StoredRun, updateRun } from "@/lib/db/workload/runs";
import type { Ctx } from "@/lib/domain/access";
import {
  expectedMsOf,
  type NewRun,
  type RemoveRun,
  type RunChange,
  type RunId,
  timeProblems,
} from "@/lib/domain/workload/run";
import { AppError } from "@/lib/errors";
import { entry, shown } from "./push";

/** Writes down a run by hand. Its own id can be given to programs, so that their values hang on it. */
export async function createRun(ctx: Ctx, input: NewRun): Promise<{ id: string; externalId: string }> {
  checkTimes(input, ctx.now);
  return mutate(ctx, "run:write", async (tx) => {
    const [place] = await findPlaces(input.instanceId);
    if (!place)
      throw new AppError("not-found", "There is no such instance; nothing was written down.", {
        instanceId: "is not known",
      });
    const strangers = input.gpuIds.filter((id) => !place.gpus.some((gpu) => gpu.id === id));
    if (strangers.length > 0)
      throw new AppError("invalid", `A chosen GPU is not one of ${place.name}; nothing was written down.`, {
        gpuIds: `is not a GPU of ${place.name}`,
      });
    const id = randomUUID();
    const isWhole = input.gpuIds.length === 0 || input.gpuIds.length === place.gpus.length;
    const run: StoredRun = {
      id,
      externalId: `run-${id.slice(0, 8)}`,
      name: input.name,
      workload: input.workload,
      resourceId: place.id,
      gpuIds: isWhole ? [] : [...new Set(input.gpuIds)].sort((a, b) => a - b),
      startedAt: new Date(input.startedAt),
      endedAt: input.endedAt === null ? null : new Date(input.endedAt),
      expectedMs: bigMs(expectedMsOf(input.expectedHours)),
      note: input.note,
      createdById: ctx.actor.kind === "user" ? ctx.actor.id : null,
      tokenId: null,
    };
    const made = await insertRun(tx, { ...run, createdAt: ctx.now });
    if (!made)
      throw new AppError(
        "conflict",
        "The run’s id was taken at this very moment. Try again; nothing was written down.",
      );
    return {
      ...entry(run.endedAt === null ? "run.started" : "run.recorded", run, null, shown(run)),
      result: { id, externalId: run.externalId },
    };
  });
}

/** Corrects what is known of a run. Where it runs stays: the money hangs on it. */
export async function changeRun(ctx: Ctx, { runId, ...input }: RunChange): Promise<{ id: string }> {
  checkTimes(input, ctx.now);
  return mutate(ctx, "run:write", async (tx) => {
    const run = await existing(tx, runId);
    const edit = {
      name: input.name,
      workload: input.workload,
      startedAt: new Date(input.startedAt),
      endedAt: input.endedAt === null ? null : new Date(input.endedAt),
      expectedMs: bigMs(expectedMsOf(input.expectedHours)),
      note: input.note,
    };
    await updateRun(tx, runId, edit, ctx.now);
    return changed("run.changed", run, { ...run, ...edit });
  });
}

/** Ends a run now. */
export async function endRun(ctx: Ctx, { runId }: RunId): Promise<{ id: string }> {
  return mutate(ctx, "run:write", async (tx) => {
    const run = await existing(tx, runId);
    if (run.endedAt !== null) throw new AppError("conflict", "This run has ended already; nothing was changed.");
    const endedAt = new Date(Math.max(ctx.now.getTime(), run.startedAt.getTime()));
    await updateRun(tx, runId, { endedAt }, ctx.now);
    return changed("run.ended", run, { ...run, endedAt });
  });
}

/** Takes away a run that should not be there. Its values stay with their instance, and the reason stays in Activity. */
export async function removeRun(ctx: Ctx, { runId, reason }: RemoveRun): Promise<{ id: string }> {
  return mutate(ctx, "run:write", async (tx) => {
    const run = await existing(tx, runId);
    await deleteRun(tx, runId);
    return { ...entry("run.removed", run, shown(run), null), reason, result: { id: runId } };
  });
}

async function existing(tx: Tx, id: string): Promise<StoredRun> {
  const run = await lockRun(tx, { id });
  if (!run) throw new AppError("not-found", "There is no such run, or it was removed meanwhile; nothing was changed.");
  return run;
}

function changed(action: "run.changed" | "run.ended", before: StoredRun, after: StoredRun): Change<{ id: string }> {
  return { ...entry(action, after, shown(before), shown(after)), result: { id: after.id } };
}

function checkTimes(input: { startedAt: number; endedAt: number | null }, now: Date): void {
  const problems = timeProblems(input, now.getTime());
  const [first] = Object.values(problems);
  if (first !== undefined) throw new AppError("invalid", `The time ${first}. Nothing was changed.`, problems);
}

function bigMs(ms: number | null): bigint | null {
  return ms === null ? null : BigInt(ms);
}
