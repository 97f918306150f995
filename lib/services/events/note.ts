import { randomUUID } from "node:crypto";
import { insertNote } from "@/lib/db/events";
import { listInstances } from "@/lib/db/fleet/read";
import { mutate } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import type { NewNote } from "@/lib/domain/events/view";
import { AppError } from "@/lib/errors";

/** Clocks differ; beyond this a note would speak of what has not happened. */
const AHEAD_MS = 60_000;

/** Puts a note of a person on the time axis of an instance. */
export async function addNote(ctx: Ctx, { instanceId, at, text }: NewNote): Promise<{ id: string }> {
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    const today = ctx.now.toISOString().slice(0, 10);
    const [instance] = await listInstances(today, { ids: [instanceId] });
    if (!instance) throw new AppError("not-found", "There is no such instance; the note was not kept.");
    const when = at ?? ctx.now.getTime();
    if (when > ctx.now.getTime() + AHEAD_MS)
      throw new AppError("invalid", "A note tells what has happened; this time lies ahead. It was not kept.", {
        at: "Choose a time that has passed",
      });
    const id = randomUUID();
    await insertNote(tx, { id, resourceId: instanceId, at: when, text, by: ctx.actor.name }, ctx.now);
    return {
      action: "note.added" as const,
      subjectKind: "instance",
      subjectId: instanceId,
      subject: instance.name ?? instance.externalId,
      after: { text, at: new Date(when).toISOString() },
      result: { id },
    };
  });
}
