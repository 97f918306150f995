import { addAct, findAlert } from "@/lib/db/alerts/episodes";
import { lockAlerts } from "@/lib/db/alerts/incidents";
import { mutate, type Tx } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { AcknowledgeAlert, AcknowledgeAlerts, CommentOnAlert } from "@/lib/domain/alerts/acts";
import { AppError } from "@/lib/errors";

/** Takes an alert in hand: repeats stop for this episode, until its timer or its end (B36). Of two people one is first. */
export async function acknowledgeAlert(
  ctx: Ctx,
  { alertId, note, minutes }: AcknowledgeAlert,
): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  return (await takeInHand(ctx, { alertId, note, minutes })).lead;
}

/** With an incident's lead those that it leads are taken; who has one of them keeps it. */
async function takeInHand(
  ctx: Ctx,
  { alertId, note, minutes }: AcknowledgeAlert,
): Promise<{ lead: { id: string }; led: string[] }> {
  const alert = await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const reraiseAt = minutes === null ? null : new Date(ctx.now.getTime() + minutes * 60_000);
    const actorId = personId(ctx);
    const change = { acknowledgedAt: ctx.now, acknowledgedById: actorId, acknowledgeNote: note || null, reraiseAt };
    const act = { kind: "acknowledged" as const, at: ctx.now, actorId, actor: ctx.actor.name, note: note || null };
    if (!(await addAct(tx, alertId, act, change, "unacknowledged"))) throw await refused(tx, alertId);
    const led: string[] = [];
    for (const { id } of await lockAlerts(tx, [], [alertId]))
      if (await addAct(tx, id, act, change, "unacknowledged")) led.push(id);
    return {
      action: "alert.acknowledged",
      ...subject(alert),
      after: { until: reraiseAt, note, ...(led.length > 0 && { merged: led.length }) },
      result: { lead: { id: alertId }, led },
    };
  });
}

/** Takes several in hand, each for itself: what cannot be acknowledged keeps none of the others from it. */
export async function acknowledgeAlerts(
  ctx: Ctx,
  { alertIds }: AcknowledgeAlerts,
): Promise<{ acknowledged: string[]; refused: { id: string; message: string }[] }> {
  authorize(ctx, "alert:acknowledge");
  const acknowledged: string[] = [];
  const refused: { id: string; message: string }[] = [];
  const withLead = new Set<string>();
  for (const alertId of new Set(alertIds)) {
    if (withLead.has(alertId)) continue;
    try {
      const { led } = await takeInHand(ctx, { alertId, note: "", minutes: null });
      for (const id of led) withLead.add(id);
      acknowledged.push(alertId, ...led);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ id: alertId, message: error.message });
    }
  }
  return { acknowledged: [...new Set(acknowledged)], refused };
}

/** Gives an alert back: it needs somebody again, and its repeats go on. */
export async function unacknowledgeAlert(ctx: Ctx, { alertId }: { alertId: string }): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
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
    if (!(await addAct(tx, alertId, act, change, "acknowledged"))) throw await refused(tx, alertId);
    return { action: "alert.unacknowledged", ...subject(alert), result: { id: alertId } };
  });
}

export async function commentOnAlert(ctx: Ctx, { alertId, note }: CommentOnAlert): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  const alert = await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const act = { kind: "commented" as const, at: ctx.now, actorId: personId(ctx), actor: ctx.actor.name, note };
    if (!(await addAct(tx, alertId, act, {}, "any"))) throw await refused(tx, alertId);
    return { action: "alert.commented", ...subject(alert), after: { note }, result: { id: alertId } };
  });
}

export async function existing(alertId: string) {
  const alert = await findAlert(alertId);
  if (!alert) throw new AppError("not-found", "There is no such alert.");
  return alert;
}

/** Why nothing was written, as it stands now: of two people who press at once, the second reads who was first. */
async function refused(tx: Tx, alertId: string): Promise<AppError> {
  const known = await refusal(tx, alertId);
  if (known) return known;
  const alert = await findAlert(alertId, tx);
  const by = alert?.acknowledgedBy?.name ?? "Somebody";
  return alert?.acknowledgedAt === null
    ? new AppError("conflict", "Nobody has acknowledged this alert, or somebody took it back a moment ago.")
    : new AppError("conflict", `${by} has acknowledged this alert already. Nothing was changed.`);
}

/** Why nobody can do anything about it; null: it fires. */
export async function refusal(tx: Tx, alertId: string): Promise<AppError | null> {
  const alert = await findAlert(alertId, tx);
  if (!alert) return new AppError("not-found", "There is no such alert.");
  if (alert.firedAt === null)
    return new AppError("conflict", "This alert is still pending; nobody has been told of it. Wait until it fires.");
  if (alert.resolvedAt !== null)
    return new AppError("conflict", "This alert has resolved meanwhile; there is nothing left to take in hand.");
  return null;
}

export function personId(ctx: Ctx): string | null {
  return ctx.actor.kind === "user" ? ctx.actor.id : null;
}

export function subject(alert: { id: string; rule: { name: string }; targetName: string }) {
  return { subjectKind: "alert", subjectId: alert.id, subject: `${alert.rule.name}, ${alert.targetName}` };
}
