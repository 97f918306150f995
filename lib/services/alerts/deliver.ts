import { randomUUID } from "node:crypto";
import { type Claimed, claimDue, finishAttempt } from "@/lib/db/alerts/outbox";
import { now } from "@/lib/db/clock";
import type { Ctx } from "@/lib/domain/access";
import { slackMessage, webhookBody } from "@/lib/domain/alerts/message";
import { afterAttempt } from "@/lib/domain/alerts/retry";
import { env } from "@/lib/env";
import { OutboundError, postJson } from "@/lib/integrations/outbound";
import { openSecret } from "@/lib/services/secrets";
import { restored } from "./news";

const AT_ONCE = 100;

/** Sends what is due. Each message at least once, with a key by which the receiver can drop repeats. */
export async function sendNotifications(_ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const holder = randomUUID();
  for (let sent = 0; sent < AT_ONCE && !signal?.aborted; sent++) {
    const item = await claimDue(holder);
    if (!item) return;
    await deliver(item, holder);
  }
}

async function deliver(item: Claimed, holder: string): Promise<void> {
  const startedAt = await now();
  // A late retry must not open an incident for something that is over (B38).
  if (item.kind === "fired" && item.isOver) {
    await finishAttempt(item, holder, {
      state: "dropped",
      statusCode: null,
      error: null,
      startedAt,
      finishedAt: startedAt,
    });
    return;
  }
  const outcome = await attempt(item);
  const finishedAt = await now();
  const next = afterAttempt({
    firstAt: item.createdAt.getTime(),
    now: finishedAt.getTime(),
    attempts: item.attempts,
    statusCode: outcome.statusCode,
    retryAfterMs: outcome.retryAfterMs,
    random: Math.random(),
  });
  const { statusCode } = outcome;
  const times = { startedAt, finishedAt, statusCode };
  if (outcome.isFinal || next.kind === "dead")
    await finishAttempt(item, holder, {
      ...times,
      state: "dead",
      error: outcome.error ?? (next.kind === "dead" ? next.reason : null),
    });
  else if (next.kind === "retry")
    await finishAttempt(item, holder, {
      ...times,
      state: "queued",
      nextAt: new Date(next.at),
      error: outcome.error ?? `HTTP ${statusCode}`,
    });
  else await finishAttempt(item, holder, { ...times, state: "delivered", error: null });
}

type Outcome = { statusCode: number | null; retryAfterMs: number | null; error: string | null; isFinal?: boolean };

async function attempt(item: Claimed): Promise<Outcome> {
  const url = await openSecret(item.secretId);
  if (url === null)
    return {
      statusCode: null,
      retryAfterMs: null,
      error: "The channel's address cannot be read with this SECRETS_KEY; enter it again",
      isFinal: true,
    };
  const body =
    item.kind === "test"
      ? testBody(item)
      : item.channelKind === "slack"
        ? slackMessage(restored(item.body))
        : webhookBody(restored(item.body));
  try {
    const answer = await postJson(
      url,
      body,
      { "idempotency-key": item.id },
      { allowedCidrs: env.outboundPrivateCidrs },
    );
    const isGood = answer.statusCode >= 200 && answer.statusCode < 300;
    return {
      statusCode: answer.statusCode,
      retryAfterMs: answer.retryAfterMs,
      error: isGood ? null : `HTTP ${answer.statusCode}`,
    };
  } catch (error) {
    if (error instanceof OutboundError)
      return { statusCode: null, retryAfterMs: null, error: error.message, isFinal: true };
    return {
      statusCode: null,
      retryAfterMs: null,
      error: `Not reached: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    };
  }
}

function testBody(item: Claimed) {
  const text = "Test from Hopperdeck: this channel works.";
  return item.channelKind === "slack"
    ? { text }
    : { version: 1, event: "test", at: item.createdAt.toISOString(), headline: text };
}
