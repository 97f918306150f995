import { mutate, type Tx } from "@/lib/db/mutate";
import { cancelAllPlanned, cancelPlanned } from "@/lib/db/policies/acts";
import { insertPolicy, lockPolicy, removePolicy as remove, setMode, updatePolicy } from "@/lib/db/policies/policies";
import { authorize, type Ctx } from "@/lib/domain/access";
import { formatDuration } from "@/lib/domain/format-time";
import { armableAt, shadowAfterPause } from "@/lib/domain/policies/kinds";
import { isMaterial, type NewPolicy, type Policy, type PolicyChange } from "@/lib/domain/policies/policy";
import type { KeepTarget } from "@/lib/domain/policies/view";
import { AppError } from "@/lib/errors";
import { personBehind } from "@/lib/services/intents/person";

/** It touches nothing, so there is nothing to watch it for. */
function onlyTells(policy: NewPolicy): boolean {
  return policy.kind === "capacity_watch" && policy.params.act === "notify";
}

/** A new policy begins in shadow: for a week it says what it would have done. A watch that only tells begins at once. */
export async function createPolicy(ctx: Ctx, input: NewPolicy): Promise<{ id: string }> {
  authorize(ctx, "policy:write");
  const createdById = await personBehind(ctx);
  return mutate(ctx, "policy:write", async (tx) => {
    const { id } = await insertPolicy(tx, input, { createdById, at: ctx.now });
    if (onlyTells(input)) await setMode(tx, id, { mode: "armed", armedAt: ctx.now, armedById: createdById }, ctx.now);
    return { action: "policy.created", ...subject({ id, name: input.name }), after: input, result: { id } };
  });
}

/** Changes a policy. What it does has another shadow week then, and what it announced is taken back. */
export async function changePolicy(
  ctx: Ctx,
  { policyId, version, policy }: PolicyChange,
): Promise<{ id: string; restarted: boolean }> {
  authorize(ctx, "policy:write");
  return mutate(ctx, "policy:write", async (tx) => {
    const before = await standing(tx, policyId, version);
    if (before.kind !== policy.kind)
      throw new AppError("invalid", "What kind of policy it is cannot change; make a new one instead.", {
        kind: "cannot change",
      });
    const restarted = isMaterial(before, policy) && !onlyTells(policy);
    await updatePolicy(tx, policyId, policy, restarted ? { shadowSince: ctx.now } : null, ctx.now);
    if (restarted) await cancelAllPlanned(tx, policyId, "The policy was changed.", ctx.now);
    return {
      action: "policy.changed",
      ...subject({ id: policyId, name: policy.name }),
      before: shown(before),
      after: { ...policy, ...(restarted && { mode: "shadow" }) },
      result: { id: policyId, restarted },
    };
  });
}

/** From the next look on it acts. Nobody, an admin neither, arms one before its week in shadow is over. */
export async function armPolicy(ctx: Ctx, asked: { policyId: string; version: number }): Promise<{ id: string }> {
  authorize(ctx, "policy:arm");
  const armedById = await personBehind(ctx);
  return mutate(ctx, "policy:arm", async (tx) => {
    const before = await standing(tx, asked.policyId, asked.version);
    if (before.mode === "armed") throw new AppError("conflict", "It is armed already; nothing was changed.");
    if (before.mode === "paused") throw new AppError("conflict", "It is paused. Let it go on in shadow first.");
    const left = armableAt(before) - ctx.now.getTime();
    if (left > 0)
      throw new AppError(
        "conflict",
        `Its week in shadow is not over: ${formatDuration(left)} are left, and nobody may skip them. It stays in shadow; nothing was changed.`,
      );
    await setMode(tx, before.id, { mode: "armed", armedAt: ctx.now, armedById }, ctx.now);
    return {
      action: "policy.armed",
      ...subject(before),
      before: { mode: before.mode },
      after: { mode: "armed" },
      result: { id: before.id },
    };
  });
}

/** Stops one policy at once; what it announced is taken back. */
export async function pausePolicy(ctx: Ctx, asked: { policyId: string; version: number }): Promise<{ id: string }> {
  authorize(ctx, "policy:write");
  return mutate(ctx, "policy:write", async (tx) => {
    const before = await standing(tx, asked.policyId, asked.version);
    if (before.mode === "paused") throw new AppError("conflict", "It is paused already; nothing was changed.");
    await setMode(tx, before.id, { mode: "paused" }, ctx.now);
    await cancelAllPlanned(tx, before.id, "The policy was paused.", ctx.now);
    return {
      action: "policy.paused",
      ...subject(before),
      before: { mode: before.mode },
      after: { mode: "paused" },
      result: { id: before.id },
    };
  });
}

/** Lets it look again, in shadow; a week that was not over begins anew. Out of arms it goes here as well. */
export async function shadowPolicy(ctx: Ctx, asked: { policyId: string; version: number }): Promise<{ id: string }> {
  authorize(ctx, "policy:write");
  return mutate(ctx, "policy:write", async (tx) => {
    const before = await standing(tx, asked.policyId, asked.version);
    if (before.mode === "shadow") throw new AppError("conflict", "It is in shadow already; nothing was changed.");
    const since = before.mode === "paused" ? shadowAfterPause(before, ctx.now.getTime()) : before.shadowSince;
    await setMode(tx, before.id, { mode: "shadow", shadowSince: new Date(since) }, ctx.now);
    await cancelAllPlanned(tx, before.id, "The policy was put into shadow.", ctx.now);
    return {
      action: before.mode === "armed" ? ("policy.disarmed" as const) : ("policy.resumed" as const),
      ...subject(before),
      before: { mode: before.mode },
      after: { mode: "shadow" },
      result: { id: before.id },
    };
  });
}

export async function removePolicy(ctx: Ctx, asked: { policyId: string; version: number }): Promise<{ id: string }> {
  authorize(ctx, "policy:write");
  return mutate(ctx, "policy:write", async (tx) => {
    const before = await standing(tx, asked.policyId, asked.version);
    await cancelAllPlanned(tx, before.id, "The policy was removed.", ctx.now);
    await remove(tx, before.id, ctx.now);
    return { action: "policy.removed", ...subject(before), before: shown(before), result: { id: before.id } };
  });
}

/** Keeps one machine from what was announced for it. The policy goes on; it may be wanted again at another occasion. */
export async function keepTarget(ctx: Ctx, { policyId, target, slot, reason }: KeepTarget): Promise<{ id: string }> {
  authorize(ctx, "automation:stop");
  return mutate(ctx, "automation:stop", async (tx) => {
    const policy = await lockPolicy(tx, policyId);
    if (!policy) throw notFound();
    const words = `Kept by ${ctx.actor.name}: ${reason}`;
    if (!(await cancelPlanned({ policyId, target, slot }, words, ctx.now, tx)))
      throw new AppError("conflict", "It is not announced any more: it was done, or taken back. Look again.");
    return {
      action: "policy.kept",
      ...subject(policy),
      after: { target },
      reason,
      result: { id: policyId },
    };
  });
}

async function standing(tx: Tx, id: string, version: number): Promise<Policy> {
  const policy = await lockPolicy(tx, id);
  if (!policy) throw notFound();
  if (policy.version !== version)
    throw new AppError("conflict", "Somebody changed this policy meanwhile. Look again; nothing was changed.");
  return policy;
}

function notFound(): AppError {
  return new AppError("not-found", "There is no such policy, or it was removed.");
}

function subject({ id, name }: { id: string; name: string }) {
  return { subjectKind: "policy", subjectId: id, subject: name };
}

function shown({ id: _, createdAt: __, updatedAt: ___, version: ____, ...policy }: Policy) {
  return policy;
}
