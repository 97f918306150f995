import { listInstances } from "@/lib/db/fleet/read";
import { type Intent, listBatch, listQueuedTerminates } from "@/lib/db/intents";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import type { BatchProgress, BatchQuestion, BatchRow } from "@/lib/domain/intents/batch";
import { AppError } from "@/lib/errors";
import { SPACING_MS } from "@/lib/services/fleet/lambda";

/** One look and one request each, in Lambda's one a second. */
const CALLS_EACH = 2;

/** How far the machines of one batch came, and when the turn of those that wait comes. */
export async function readBatch(ctx: Ctx, { batchId }: BatchQuestion): Promise<BatchProgress> {
  authorize(ctx, "fleet:read");
  const intents = (await listBatch(batchId)).filter(({ kind }) => kind === "terminate");
  const [first] = intents;
  if (!first) throw new AppError("not-found", "There is no such batch.");
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const ids = intents.flatMap(({ targetId }) => targetId ?? []);
  const [machines, queue] = await Promise.all([listInstances(dayOf(now, zone), { ids }), listQueuedTerminates()]);
  const byId = new Map(machines.map((one) => [one.id, one]));
  const places = new Map(queue.map((id, place) => [id, place]));
  const rows = intents.map((intent): BatchRow => {
    const machine = byId.get(intent.targetId ?? "");
    const place = places.get(intent.id);
    const etaAt =
      place === undefined ? null : Math.max(intent.nextSendAt?.getTime() ?? 0, now + place * CALLS_EACH * SPACING_MS);
    return {
      intentId: intent.id,
      instanceId: intent.targetId,
      name: intent.request.name ?? intent.id,
      state: intent.state,
      ...stageOf(intent, machine?.goneAt != null),
      etaAt,
      microsPerHour: machine?.priceMicros?.toString() ?? null,
      isCancellable: intent.settledAt === null && intent.sends === 0,
    };
  });
  const etas = rows.flatMap(({ etaAt }) => etaAt ?? []);
  return {
    now,
    id: batchId,
    by: first.requestedBy,
    at: first.createdAt.getTime(),
    reason: first.reason,
    rows,
    doneAt: etas.length === 0 ? null : Math.max(...etas),
  };
}

function stageOf(intent: Intent, isGone: boolean): Pick<BatchRow, "stage" | "words"> {
  const { state, error } = intent;
  if (state === "awaiting_approval")
    return { stage: "approval", words: "Nothing is sent before somebody else agrees." };
  if (state === "confirmed") return { stage: "gone", words: "Gone from Lambda's list; billing has stopped." };
  if (state === "cancelled" && isGone && error !== null) return { stage: "gone", words: error };
  if (state === "cancelled") return { stage: "failed", words: error ?? "Taken back before it was sent." };
  if (state === "expired") return { stage: "failed", words: error ?? "Nobody agreed in time; nothing was sent." };
  if (state === "refused") return { stage: "failed", words: error ?? "Lambda refused it." };
  if (state === "closed_unconfirmed") return { stage: "failed", words: error ?? "Nobody answered." };
  if (intent.acceptedAt !== null)
    return { stage: "accepted", words: "Lambda accepted it: billing stops, the machine is shutting down." };
  if (intent.sentAt !== null) return { stage: "sent", words: error ?? "Sent; repeated until Lambda agrees." };
  return { stage: "queued", words: error ?? "Waits for its turn at Lambda's limit." };
}
