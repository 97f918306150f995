import { findConnection } from "@/lib/db/fleet/connection";
import { findIntent, insertIntent, lockOpenIntentOf, openIntentOf, settleIntent } from "@/lib/db/intents";
import { type Entry, mutate, type Tx } from "@/lib/db/mutate";
import { authorize, type Ctx, can, requireFreshSignIn } from "@/lib/domain/access";
import {
  type ChangeEvidence,
  missingKeys,
  type RequestRestart,
  type RequestTerminate,
} from "@/lib/domain/intents/change";
import { unticked } from "@/lib/domain/intents/checklist";
import { whatChanged } from "@/lib/domain/intents/evidence";
import { INTENT_KINDS, type LaunchRequest, type TargetRequest } from "@/lib/domain/intents/intent";
import { AppError } from "@/lib/errors";
import { readChangeEvidence } from "./evidence";
import { personBehind } from "./person";
import { sameRequest } from "./same";

export const requestTerminate = (ctx: Ctx, input: RequestTerminate) => requestChange(ctx, "terminate", input);
export const requestRestart = (ctx: Ctx, input: RequestRestart) => requestChange(ctx, "restart", input);

type Kind = "terminate" | "restart";

/**
 * Asks for the end or the restart of one machine; the worker sends it, after a second person agreed where one is asked for. The
 * evidence is read again here: what was seen must still be what is there. A request that is open already is answered instead of
 * a second one.
 */
async function requestChange(ctx: Ctx, kind: Kind, input: RequestTerminate): Promise<{ id: string }> {
  authorize(ctx, `intent:${kind}`);
  const known = await findIntent(input.intentId);
  if (known) return sameRequest(known, { kind, targetId: input.instanceId });
  const evidence = await readChangeEvidence(ctx, { instanceId: input.instanceId, kind });
  if (evidence.denied) throw new AppError("forbidden", `${evidence.denied} Nothing was sent.`);
  if (evidence.open) return { id: evidence.open.id };
  if (evidence.protection && kind === "terminate") requireFreshSignIn(ctx);
  const { text, isName } = evidence.confirmation;
  const refusal = refusalOf(kind, evidence, input);
  if (refusal) throw refusal;
  if (input.confirmation.trim() !== text)
    throw new AppError("invalid", "What was typed does not match. Nothing was sent.", {
      confirmation: `Type ${isName ? "the name" : "the last six characters of the id"}, ${text}.`,
    });
  const house = await houseOf(ctx);
  try {
    return await mutate(ctx, `intent:${kind}`, async (tx) => {
      const entry = await writeChange(tx, ctx, kind, evidence, { ...input, ...house, batchId: null });
      // Another request of the same kind was quicker; its row is the one that counts.
      if (!entry) throw new Overtaken();
      return { ...entry, result: { id: input.intentId } };
    });
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    const winner = (await openIntentOf(input.instanceId, kind)) ?? (await findIntent(input.intentId));
    if (!winner) throw error;
    return sameRequest(winner, { kind, targetId: input.instanceId });
  }
}

class Overtaken extends Error {}

type Judged = Pick<RequestTerminate, "planHash" | "seen" | "accepted" | "ticked">;

/** Why a change is not asked for, by the evidence as it is now; null: nothing stands against it. */
export function refusalOf(kind: Kind, evidence: ChangeEvidence, asked: Judged): AppError | null {
  if (evidence.frozen)
    return new AppError(
      "unavailable",
      `Lambda refuses our key, so nothing can be ${kind === "terminate" ? "terminated" : "restarted"} from here until it is accepted again. In a hurry, use Lambda's console. Nothing was sent.`,
    );
  const changed = whatChanged(asked.seen, evidence.seen, evidence.concerns, asked.accepted);
  // The words lack what the hash alone sees: tags beyond those that are shown.
  if (changed.length === 0 && asked.planHash !== evidence.planHash)
    changed.push("its name, type, region or tags differ");
  if (changed.length > 0) {
    const fresh = missingKeys(evidence.concerns, asked.accepted).filter((key) => !asked.seen.concerns.includes(key));
    return new AppError(
      "conflict",
      `The instance changed since you looked: ${changed.join("; ")}. Look again; nothing was sent.`,
      fresh[0] === undefined ? {} : { accepted: fresh[0] },
    );
  }
  const [unread] = missingKeys(evidence.concerns, asked.accepted);
  if (unread !== undefined) {
    const concern = evidence.concerns.find((one) => one.key === unread);
    return new AppError("conflict", `Confirm this as well: ${concern?.title} ${concern?.detail} Nothing was sent.`, {
      accepted: unread,
    });
  }
  const [point] = unticked(evidence.checklist.items, asked.ticked);
  if (point !== undefined)
    return new AppError("invalid", `The checklist asks for this first: ${point}. Nothing was sent.`, { ticked: point });
  return null;
}

/** What every request of somebody is written with; read before the transaction, which holds a connection of its own. */
export async function houseOf(ctx: Ctx): Promise<{ connectionId: string; requestedById: string | null }> {
  const [connection, requestedById] = await Promise.all([findConnection(), personBehind(ctx)]);
  if (!connection) throw new AppError("unavailable", "Lambda was not looked at yet. Try again in a moment.");
  return { connectionId: connection.id, requestedById };
}

type Written = Pick<RequestTerminate, "intentId" | "accepted" | "ticked" | "reason"> &
  Awaited<ReturnType<typeof houseOf>> & { batchId: string | null };

/** Writes the intent with what was known when it was asked for; null: there is one already, and nothing was written. */
export async function writeChange(
  tx: Tx,
  ctx: Ctx,
  kind: Kind,
  evidence: ChangeEvidence,
  { intentId, accepted, ticked, reason, batchId, connectionId, requestedById }: Written,
): Promise<Entry | null> {
  if (await lockOpenIntentOf(tx, evidence.instanceId, kind)) return null;
  const request: TargetRequest = { externalId: evidence.externalId, name: evidence.name };
  const { utilizationPct, peakPct, hour, day, processes, lastProcess } = evidence.use;
  const intent = await insertIntent(tx, {
    id: intentId,
    kind,
    connectionId,
    targetId: evidence.instanceId,
    request,
    plan: {
      use: { utilizationPct, peakPct, hour, day, processes, lastProcess },
      concerns: evidence.concerns.map(({ key }) => key),
      accepted,
      seen: evidence.seen,
      priceMicros: evidence.priceMicros,
      checklist: evidence.checklist.items.map(({ text }) => ({ text, isTicked: ticked.includes(text) })),
      approval: evidence.approval?.reason ?? null,
    },
    planHash: new Uint8Array(Buffer.from(evidence.planHash, "hex")),
    reason: reason || null,
    requestedById,
    requestedBy: ctx.actor.name,
    createdAt: ctx.now,
    batchId,
    approvalExpiresAt: evidence.approval && new Date(ctx.now.getTime() + evidence.approval.expiresMs),
  });
  if (!intent) return null;
  return {
    action: `${kind}.requested` as const,
    subjectKind: "instance",
    subjectId: evidence.instanceId,
    subject: evidence.name,
    after: {
      externalId: evidence.externalId,
      utilizationPct,
      peakPct,
      confirmed: accepted.join(", "),
      ...(evidence.checklist.items.length > 0 && { checked: ticked.join(", ") }),
      ...(evidence.approval && { waitsFor: evidence.approval.reason }),
      ...(batchId && { batch: batchId }),
    },
    reason: reason || null,
  };
}

/** Takes back what was not sent yet. */
export async function cancelIntent(ctx: Ctx, { intentId }: { intentId: string }): Promise<{ id: string }> {
  if (!INTENT_KINDS.some((kind) => can(ctx.actor, `intent:${kind}`))) authorize(ctx, "intent:restart");
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
