import { findConnection } from "@/lib/db/fleet/connection";
import { findIntent, insertIntent, lockOpenIntentOf, openIntentOf, settleIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import { missingKeys, type RequestRestart, type RequestTerminate } from "@/lib/domain/intents/change";
import type { LaunchRequest, TargetRequest } from "@/lib/domain/intents/intent";
import { AppError } from "@/lib/errors";
import { readChangeEvidence } from "./evidence";
import { sameRequest } from "./same";

export const requestTerminate = (ctx: Ctx, input: RequestTerminate) => requestChange(ctx, "terminate", input);
export const requestRestart = (ctx: Ctx, input: RequestRestart) => requestChange(ctx, "restart", input);

/**
 * Asks for the end or the restart of one machine; the worker sends it. What was confirmed must still be what is there, by its
 * plan hash. A request that is open already is answered instead of a second one.
 */
async function requestChange(
  ctx: Ctx,
  kind: "terminate" | "restart",
  input: RequestTerminate,
): Promise<{ id: string }> {
  authorize(ctx, `intent:${kind}`);
  const known = await findIntent(input.intentId);
  if (known) return sameRequest(known, { kind, targetId: input.instanceId });
  const evidence = await readChangeEvidence(ctx, { instanceId: input.instanceId, kind });
  if (evidence.denied) throw new AppError("forbidden", `${evidence.denied} Nothing was sent.`);
  if (evidence.open) return { id: evidence.open.id };
  if (evidence.frozen)
    throw new AppError(
      "unavailable",
      `Lambda refuses our key, so nothing can be ${kind === "terminate" ? "terminated" : "restarted"} from here until it is accepted again. In a hurry, use Lambda's console. Nothing was sent.`,
    );
  if (input.planHash !== evidence.planHash)
    throw new AppError(
      "conflict",
      "The instance changed since you looked: its name, type, region or tags differ. Look again; nothing was sent.",
    );
  const { text, isName } = evidence.confirmation;
  if (input.confirmation.trim() !== text)
    throw new AppError("invalid", "What was typed does not match. Nothing was sent.", {
      confirmation: `Type ${isName ? "the name" : "the last six characters of the id"}, ${text}.`,
    });
  const [unread] = missingKeys(evidence.concerns, input.accepted);
  if (unread !== undefined) {
    const concern = evidence.concerns.find((one) => one.key === unread);
    throw new AppError("conflict", `Confirm this as well: ${concern?.title} ${concern?.detail} Nothing was sent.`, {
      accepted: unread,
    });
  }
  const connection = await findConnection();
  if (!connection) throw new AppError("unavailable", "Lambda was not looked at yet. Try again in a moment.");

  const request: TargetRequest = { externalId: evidence.externalId, name: evidence.name };
  try {
    return await mutate(ctx, `intent:${kind}`, async (tx) => {
      if (await lockOpenIntentOf(tx, input.instanceId, kind)) throw new Overtaken();
      const intent = await insertIntent(tx, {
        id: input.intentId,
        kind,
        connectionId: connection.id,
        targetId: input.instanceId,
        request,
        plan: { use: evidence.use, concerns: evidence.concerns.map(({ key }) => key), accepted: input.accepted },
        planHash: new Uint8Array(Buffer.from(evidence.planHash, "hex")),
        reason: input.reason || null,
        requestedById: ctx.actor.kind === "user" ? ctx.actor.id : null,
        requestedBy: ctx.actor.name,
        createdAt: ctx.now,
      });
      // Another request of the same kind was quicker; its row is the one that counts.
      if (!intent) throw new Overtaken();
      return {
        action: `${kind}.requested` as const,
        subjectKind: "instance",
        subjectId: input.instanceId,
        subject: evidence.name,
        after: {
          externalId: evidence.externalId,
          utilizationPct: evidence.use.utilizationPct,
          peakPct: evidence.use.peakPct,
          confirmed: input.accepted.join(", "),
        },
        reason: input.reason || null,
        result: { id: intent.id },
      };
    });
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    const winner = (await openIntentOf(input.instanceId, kind)) ?? (await findIntent(input.intentId));
    if (!winner) throw error;
    return sameRequest(winner, { kind, targetId: input.instanceId });
  }
}

class Overtaken extends Error {}

/** Takes back what was not sent yet. */
export async function cancelIntent(ctx: Ctx, { intentId }: { intentId: string }): Promise<{ id: string }> {
  const intent = await findIntent(intentId);
  if (!intent) throw new AppError("not-found", "There is no such request.");
  return mutate(ctx, `intent:${intent.kind}`, async (tx) => {
    const isCancelled = await settleIntent(tx, intent.id, "cancelled", ctx.now, null);
    if (!isCancelled)
      throw new AppError("conflict", "It was sent already, or is settled; it cannot be taken back any more.");
    return {
      action: `${intent.kind}.cancelled` as const,
      subjectKind: intent.targetId === null ? "intent" : "instance",
      subjectId: intent.targetId ?? intent.id,
      subject: (intent.request as LaunchRequest | TargetRequest).name ?? intent.id,
      result: { id: intent.id },
    };
  });
}
