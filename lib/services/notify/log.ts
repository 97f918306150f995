import { countWaiting, type LoggedDelivery, listDeliveries } from "@/lib/db/alerts/delivery-log";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { DeliveryLogAnswer, DeliveryLogQuestion, DeliveryLogRow } from "@/lib/domain/notify/log-view";

/** Every try to hand a message over, with what the receiver said and what became of it. */
export async function readDeliveryLog(ctx: Ctx, question: DeliveryLogQuestion): Promise<DeliveryLogAnswer> {
  authorize(ctx, "fleet:read");
  const channelId = question.channelId ?? null;
  const [found, waiting] = await Promise.all([listDeliveries(channelId, question.limit + 1), countWaiting(channelId)]);
  return {
    now: ctx.now.getTime(),
    rows: found.slice(0, question.limit).map(logRow),
    isCut: found.length > question.limit,
    waiting: { count: waiting.count, nextAt: waiting.nextAt?.getTime() ?? null },
  };
}

function logRow({ at, finishedAt, isLast, state, nextAt, ...row }: LoggedDelivery): DeliveryLogRow {
  const outcome = outcomeOf(row.error, isLast, state);
  return {
    ...row,
    at: at.getTime(),
    tookMs: finishedAt === null ? null : finishedAt.getTime() - at.getTime(),
    outcome,
    nextAt: outcome === "waits" && state === "queued" ? nextAt.getTime() : null,
  };
}

function outcomeOf(error: string | null, isLast: boolean, state: LoggedDelivery["state"]): DeliveryLogRow["outcome"] {
  if (error === null) return "delivered";
  if (!isLast) return "again";
  return state === "queued" || state === "sending" ? "waits" : "given_up";
}
