import { endSilence, findSilence, insertSilence } from "@/lib/db/alerts/silences";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx, can, type Permission } from "@/lib/domain/access";
import { formatDuration } from "@/lib/domain/format-time";
import { matcherText } from "@/lib/domain/silences/matchers";
import { type NewSilence, SILENCE_WORDS } from "@/lib/domain/silences/silence";
import { AppError } from "@/lib/errors";

/** Whoever may acknowledge may keep alerts back for a while; longer, or again and again, takes who may edit rules. */
export const SHORT_SILENCE_MS = 4 * 3_600_000;

/** Keeps the news of alerts back from now, or from a planned start; the alerts themselves keep their state (B34). */
export async function createSilence(ctx: Ctx, input: NewSilence): Promise<{ id: string }> {
  const personId = person(ctx);
  const now = ctx.now.getTime();
  // A silence that begins in the past would price what nobody kept back.
  const silence = { ...input, startsAt: Math.max(input.startsAt, now) };
  if (silence.endsAt <= silence.startsAt)
    throw new AppError("invalid", "Its end has passed already.", { endsAt: "lies in the past" });
  const isShort = silence.recurrence === null && silence.endsAt - now <= SHORT_SILENCE_MS;
  const permission: Permission = isShort ? "alert:acknowledge" : "rule:write";
  if (!isShort && can(ctx.actor, "alert:acknowledge") && !can(ctx.actor, "rule:write"))
    throw new AppError(
      "forbidden",
      `Your role keeps alerts back for at most ${formatDuration(SHORT_SILENCE_MS)}. Shorten it, or ask an operator.`,
      { endsAt: `may lie at most ${formatDuration(SHORT_SILENCE_MS)} ahead` },
    );
  return mutate(ctx, permission, async (tx) => {
    const id = await insertSilence(tx, silence, personId, ctx.now);
    const { reason, ...after } = silence;
    return {
      action: "silence.created",
      subjectKind: "silence",
      subjectId: id,
      subject: `${SILENCE_WORDS[silence.kind]}: ${matcherText(silence.matchers)}`,
      after: { ...after, startsAt: new Date(after.startsAt), endsAt: new Date(after.endsAt) },
      reason,
      result: { id },
    };
  });
}

/** Ends a silence now: what still fires is told with the next messages. Its maker may, and who may edit rules. */
export async function endSilenceNow(ctx: Ctx, { silenceId }: { silenceId: string }): Promise<{ id: string }> {
  authorize(ctx, "alert:acknowledge");
  const silence = await findSilence(silenceId);
  if (!silence) throw new AppError("not-found", "There is no such silence.");
  const permission = silence.createdById === personId(ctx) ? "alert:acknowledge" : "rule:write";
  return mutate(ctx, permission, async (tx) => {
    if (!(await endSilence(tx, silenceId, personId(ctx), ctx.now)))
      throw new AppError("conflict", "It is over already; nothing was changed.");
    return {
      action: "silence.ended",
      subjectKind: "silence",
      subjectId: silenceId,
      subject: `${SILENCE_WORDS[silence.kind]}: ${matcherText(silence.matchers)}`,
      result: { id: silenceId },
    };
  });
}

function personId(ctx: Ctx): string | null {
  return ctx.actor.kind === "user" ? ctx.actor.id : null;
}

function person(ctx: Ctx): string {
  const id = personId(ctx);
  if (id === null) throw new AppError("forbidden", "A silence belongs to a person. Sign in to make one.");
  return id;
}
