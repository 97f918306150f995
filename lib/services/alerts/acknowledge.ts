import { addAct, findAlert } from "@/lib/db/alerts/episodes";
import { mutate } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import type { AcknowledgeAlert, CommentOnAlert } from "@/lib/domain/alerts/acts";
import { AppError } from "@/lib/errors";

/** Takes an alert in hand: repeats stop for this episode, until its timer or its end (B36). Of two people one is first. */
export async function acknowledgeAlert(
  ctx: Ctx,
  { alertId, note, minutes }: AcknowledgeAlert,
): Promise<{ id: string }> {
  const alert = await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const reraiseAt = minutes === null ? null : new Date(ctx.now.getTime() + minutes * 60_000);
    const actorId = personId(ctx);
    const change = { acknowledgedAt: ctx.now, acknowledgedById: actorId, acknowledgeNote: note || null, reraiseAt };
    const act = { kind: "acknowledged" as const, at: ctx.now, actorId, actor: ctx.actor.name, note: note || null };
    if (!(await addAct(tx, alertId, act, change, "unacknowledged"))) {
      throw new AppError(
        "conflict",
        alert.resolvedAt
          ? "This alert has resolved meanwhile; there is nothing to acknowledge."
          : "Somebody acknowledged this alert a moment ago.",
      );
    }
    return {
      action: "alert.acknowledged",
      ...subject(alert),
      after: { until: reraiseAt, note },
      result: { id: alertId },
    };
  });
}

export async function unacknowledgeAlert(ctx: Ctx, { alertId }: { alertId: string }): Promise<{ id: string }> {
  const alert = await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const act = {
      kind: "unacknowledged" as const,
      at: ctx.now,
      actorId: personId(ctx),
      actor: ctx.actor.name,
      note: null,
    };
    const change = { acknowledgedAt: null, acknowledgedById: null, acknowledgeNote: null, reraiseAt: null };
    if (!(await addAct(tx, alertId, act, change, "open")))
      throw new AppError("conflict", "This alert has resolved meanwhile.");
    return { action: "alert.unacknowledged", ...subject(alert), result: { id: alertId } };
  });
}

export async function commentOnAlert(ctx: Ctx, { alertId, note }: CommentOnAlert): Promise<{ id: string }> {
  const alert = await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    await addAct(
      tx,
      alertId,
      { kind: "commented", at: ctx.now, actorId: personId(ctx), actor: ctx.actor.name, note },
      {},
      "any",
    );
    return { action: "alert.commented", ...subject(alert), after: { note }, result: { id: alertId } };
  });
}

async function existing(alertId: string) {
  const alert = await findAlert(alertId);
  if (!alert) throw new AppError("not-found", "There is no such alert.");
  return alert;
}

function personId(ctx: Ctx): string | null {
  return ctx.actor.kind === "user" ? ctx.actor.id : null;
}

function subject(alert: { id: string; rule: { name: string }; targetName: string }) {
  return { subjectKind: "alert", subjectId: alert.id, subject: `${alert.rule.name}, ${alert.targetName}` };
}
