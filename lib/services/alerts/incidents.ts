import { addAct, findAlert } from "@/lib/db/alerts/episodes";
import { lockAlerts, lockIncidents } from "@/lib/db/alerts/incidents";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { MergeAlerts } from "@/lib/domain/alerts/acts";
import { formatCount } from "@/lib/domain/format";
import { AppError } from "@/lib/errors";
import { existing, personId, subject } from "./acknowledge";

const nameOf = (alert: { rule: { name: string }; targetName: string }) => `${alert.rule.name}, ${alert.targetName}`;

/**
 * Makes one incident of several alerts that have fired. What the others lead comes along; whoever is merged already is led by its
 * own lead, so that an incident has one lead and no chain. Of two merges at once the second sees what the first has made.
 */
export async function mergeAlerts(ctx: Ctx, { alertId, alertIds }: MergeAlerts): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    await lockIncidents(tx);
    const locked = await lockAlerts(tx, [alertId, ...alertIds]);
    const found = new Map(locked.map((alert) => [alert.id, alert]));
    const leadId = found.get(alertId)?.leadId ?? alertId;
    const lead = await findAlert(leadId, tx);
    if (!lead) throw new AppError("not-found", "There is no such alert.");
    if (lead.firedAt === null || lead.resolvedAt !== null)
      throw new AppError("conflict", `${nameOf(lead)} does not fire, so it can lead no incident. Nothing was merged.`);
    const others = locked.filter(({ id }) => alertIds.includes(id) && id !== leadId);
    const joining = others.filter((one) => one.leadId !== leadId);
    if (joining.length === 0)
      throw new AppError(
        "conflict",
        `These alerts are one incident already, led by ${nameOf(lead)}. Nothing was changed.`,
      );
    const pending = joining.find(({ firedAt }) => firedAt === null);
    if (pending)
      throw new AppError(
        "conflict",
        `${pending.targetName} is still pending. Merge what has fired; nothing was changed.`,
      );
    const followers = await lockAlerts(
      tx,
      [],
      joining.map(({ id }) => id),
    );
    const by = { kind: "merged" as const, at: ctx.now, actorId: personId(ctx), actor: ctx.actor.name };
    for (const { id } of [...joining, ...followers])
      await addAct(tx, id, { ...by, note: `into the incident of ${nameOf(lead)}` }, { leadId }, "any");
    const count = joining.length + followers.length;
    await addAct(tx, leadId, { ...by, note: `${formatCount(count, "alert")} joined this incident` }, {}, "any");
    return {
      action: "alert.merged",
      ...subject(lead),
      after: { joined: joining.map(({ id }) => id).join(", "), alerts: count },
      result: { id: leadId },
    };
  });
}

/** Takes an alert out of its incident; of one that leads, everybody else out of it. */
export async function unmergeAlert(ctx: Ctx, { alertId }: { alertId: string }): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  const asked = await existing(alertId);
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    await lockIncidents(tx);
    const followers = await lockAlerts(tx, [], [alertId]);
    const [own] = await lockAlerts(tx, [alertId]);
    const leaving = own?.leadId ? [own] : followers;
    if (leaving.length === 0)
      throw new AppError("conflict", "This alert is in no incident, or somebody took it out a moment ago.");
    const by = { kind: "merged" as const, at: ctx.now, actorId: personId(ctx), actor: ctx.actor.name };
    for (const { id } of leaving)
      await addAct(tx, id, { ...by, note: "taken out of the incident" }, { leadId: null }, "any");
    return {
      action: "alert.unmerged",
      ...subject(asked),
      after: { alerts: leaving.length },
      result: { id: alertId },
    };
  });
}
