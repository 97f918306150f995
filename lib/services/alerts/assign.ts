import { addAct } from "@/lib/db/alerts/episodes";
import { mutate } from "@/lib/db/mutate";
import { findPerson, listPeople } from "@/lib/db/people";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { type AssignAlert, type AssignAlerts, LONGEST_SNOOZE_MS, type SnoozeAlert } from "@/lib/domain/alerts/acts";
import type { PeopleToAsk } from "@/lib/domain/alerts/view";
import { AppError } from "@/lib/errors";
import { existing, personId, refusal, subject } from "./acknowledge";

/** Names who looks after an alert. Who has it already keeps it; nothing is written then. */
export async function assignAlert(ctx: Ctx, { alertId, assigneeId }: AssignAlert): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  const alert = await existing(alertId);
  const person = assigneeId === null ? null : await findPerson(assigneeId);
  if (assigneeId !== null && !mayTake(person))
    throw new AppError("invalid", "The alert was not assigned.", {
      assigneeId: person ? `${person.name} may not take alerts` : "There is no such person",
    });
  const name = person?.name ?? null;
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const note = name === null ? "to nobody any more" : `to ${name}`;
    const act = { kind: "assigned" as const, at: ctx.now, actorId: personId(ctx), actor: ctx.actor.name, note };
    if (!(await addAct(tx, alertId, act, { assigneeId }, "assigned to another")))
      throw (await refusal(tx, alertId)) ?? already(name);
    return {
      action: "alert.assigned",
      ...subject(alert),
      before: { assignee: alert.assignee?.name ?? null },
      after: { assignee: name },
      result: { id: alertId },
    };
  });
}

function already(name: string | null): AppError {
  const words = name === null ? "It is assigned to nobody already." : `${name} has it already.`;
  return new AppError("conflict", `${words} Nothing was changed.`);
}

/** Assigns several, each for itself: what cannot be assigned keeps none of the others from it. */
export async function assignAlerts(
  ctx: Ctx,
  { alertIds, assigneeId }: AssignAlerts,
): Promise<{ assigned: string[]; refused: { id: string; message: string }[] }> {
  authorize(ctx, "alert:acknowledge");
  const assigned: string[] = [];
  const refused: { id: string; message: string }[] = [];
  for (const alertId of new Set(alertIds)) {
    try {
      await assignAlert(ctx, { alertId, assigneeId });
      assigned.push(alertId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "invalid") throw error;
      refused.push({ id: alertId, message: error.message });
    }
  }
  return { assigned, refused };
}

/** Holds back what would be told of an alert until an instant; its state, its meter and the page go on. */
export async function snoozeAlert(ctx: Ctx, { alertId, until, note }: SnoozeAlert): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  const alert = await existing(alertId);
  const now = ctx.now.getTime();
  if (until !== null && (until <= now || until > now + LONGEST_SNOOZE_MS))
    throw new AppError("invalid", "The alert was not snoozed.", { until: "Choose a time within the next 7 days" });
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const snoozedUntil = until === null ? null : new Date(until);
    const words =
      snoozedUntil === null ? "no longer" : `until ${snoozedUntil.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const said = [words, note].filter(Boolean).join(": ");
    const act = { kind: "snoozed" as const, at: ctx.now, actorId: personId(ctx), actor: ctx.actor.name, note: said };
    const condition = until === null ? "snoozed" : "open";
    if (!(await addAct(tx, alertId, act, { snoozedUntil }, condition)))
      throw (
        (await refusal(tx, alertId)) ??
        new AppError("conflict", "It is not snoozed, or somebody woke it a moment ago. Nothing was changed.")
      );
    return {
      action: until === null ? "alert.woken" : "alert.snoozed",
      ...subject(alert),
      after: { until: snoozedUntil, note },
      result: { id: alertId },
    };
  });
}

/** People to whom an alert may be given. */
export async function readAssignable(ctx: Ctx): Promise<PeopleToAsk> {
  authorize(ctx, "alert:acknowledge");
  const people = await listPeople();
  const own = personId(ctx);
  return {
    now: ctx.now.getTime(),
    people: people
      .filter(mayTake)
      .map(({ id, name }) => ({ id, name, isMe: id === own }))
      .sort((a, b) => Number(b.isMe) - Number(a.isMe) || a.name.localeCompare(b.name)),
  };
}

type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

function mayTake(person: Pick<Person, "id" | "name" | "role" | "disabledAt"> | null): boolean {
  if (!person || person.disabledAt !== null) return false;
  return can({ kind: "token", id: person.id, name: person.name, role: person.role }, "alert:acknowledge");
}
