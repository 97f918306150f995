import { countOthers, releaseIntent } from "@/lib/db/approvals";
import { findIntent, type Intent, settleIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx, PERMISSIONS, type Role } from "@/lib/domain/access";
import type { ApproveIntent, BreakGlass, RefuseIntent } from "@/lib/domain/intents/approval";
import { AppError } from "@/lib/errors";
import { personBehind } from "./person";

/**
 * A second person agrees to what was asked for; the worker sends it. The approver names the plan that was read, so that what
 * changed meanwhile is not waved through. Never one's own, nor what a token of one's own asked for.
 */
export async function approveIntent(ctx: Ctx, { intentId, planHash }: ApproveIntent): Promise<{ id: string }> {
  const intent = await waiting(ctx, intentId);
  const person = await personBehind(ctx);
  if (person === null) throw new AppError("forbidden", "An approval is a person's word. Nothing was approved or sent.");
  if (intent.requestedById === person)
    throw new AppError(
      "forbidden",
      "You asked for this yourself; a second person must agree. Nothing was approved or sent.",
    );
  if (planHash !== Buffer.from(intent.planHash).toString("hex"))
    throw new AppError("conflict", "This is not what you looked at. Look again; nothing was approved or sent.");
  return mutate(ctx, "intent:approve", async (tx) => {
    if (!(await releaseIntent(tx, intent, { id: person, breakGlassReason: null }, ctx.now))) throw tooLate();
    return {
      action: `${intent.kind}.approved` as const,
      ...subjectOf(intent),
      after: { askedBy: intent.requestedBy },
      result: { id: intent.id },
    };
  });
}

/** A second person says no: it ends as cancelled, with the reason. The one who asked may take it back by `cancelIntent`. */
export async function refuseIntent(ctx: Ctx, { intentId, reason }: RefuseIntent): Promise<{ id: string }> {
  const intent = await waiting(ctx, intentId);
  const words = `${ctx.actor.name} said no${reason && `: ${reason}`}`;
  return mutate(ctx, "intent:approve", async (tx) => {
    if (!(await settleIntent(tx, intent.id, "cancelled", ctx.now, words))) throw tooLate();
    return {
      action: `${intent.kind}.declined` as const,
      ...subjectOf(intent),
      after: { askedBy: intent.requestedBy },
      reason: reason || null,
      result: { id: intent.id },
    };
  });
}

/** Goes ahead without the second person. Takes a role, a fresh sign-in and a reason; raises an alert and stays in the trail. */
export async function breakGlass(ctx: Ctx, { intentId, reason }: BreakGlass): Promise<{ id: string }> {
  authorize(ctx, "intent:break-glass");
  const intent = await waiting(ctx, intentId, false);
  authorize(ctx, `intent:${intent.kind}`);
  return mutate(ctx, "intent:break-glass", async (tx) => {
    if (!(await releaseIntent(tx, intent, { id: null, breakGlassReason: reason }, ctx.now))) throw tooLate();
    return {
      action: `${intent.kind}.glass-broken` as const,
      ...subjectOf(intent),
      after: { askedBy: intent.requestedBy, withoutApproval: true },
      reason,
      result: { id: intent.id },
    };
  });
}

/** How many people besides the one who asked could say yes. */
export async function countApprovers(intent: Pick<Intent, "kind" | "requestedById">): Promise<number> {
  const roles = PERMISSIONS["intent:approve"].roles.filter(
    (role: Role) => intent.kind === "launch" || role !== "finance",
  );
  return countOthers([...roles], intent.requestedById);
}

async function waiting(ctx: Ctx, intentId: string, approves = true): Promise<Intent> {
  if (approves) authorize(ctx, "intent:approve");
  const intent = await findIntent(intentId);
  if (!intent) throw new AppError("not-found", "There is no such request.");
  if (approves && ctx.actor.kind !== "system" && ctx.actor.role === "finance" && intent.kind !== "launch")
    throw new AppError("forbidden", "Finance may approve launches only. Nothing was approved or sent.");
  if (intent.state !== "awaiting_approval") throw new AppError("conflict", WORDS[intent.state] ?? "It is settled.");
  if (intent.approvalExpiresAt && intent.approvalExpiresAt <= ctx.now) throw tooLate();
  return intent;
}

const WORDS: Partial<Record<Intent["state"], string>> = {
  ready: "It was approved already.",
  cancelled: "It was taken back or refused already.",
  expired: "Its time is up; it can be asked for anew.",
};

function tooLate(): AppError {
  return new AppError("conflict", "It waits no longer: somebody was quicker, or its time is up. Nothing was changed.");
}

function subjectOf(intent: Intent): { subjectKind: string; subjectId: string; subject: string } {
  return {
    subjectKind: intent.targetId === null ? "intent" : "instance",
    subjectId: intent.targetId ?? intent.id,
    subject: intent.request.name ?? intent.id,
  };
}
