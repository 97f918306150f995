import { firstSamplesAt, listInstances } from "@/lib/db/fleet/read";
import { resourcesOfIntents } from "@/lib/db/fleet/resources";
import { findIntent, type Intent, listIntents } from "@/lib/db/intents";
import { nextAt } from "@/lib/db/rate-limit";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import type { LaunchRequest } from "@/lib/domain/intents/intent";
import type { IntentAnswer, IntentQuestion, IntentRow, IntentsAnswer } from "@/lib/domain/intents/view";
import { AppError } from "@/lib/errors";
import { launchKey } from "@/lib/services/fleet/lambda";

const SHOWN = 100;

/** One request and its machine, as far as both came. */
export async function readIntent(ctx: Ctx, { intentId }: IntentQuestion): Promise<IntentAnswer> {
  authorize(ctx, "fleet:read");
  const intent = await findIntent(intentId);
  if (!intent) throw new AppError("not-found", "There is no such request.");
  const [row] = await rowsOf([intent], ctx.now);
  if (!row) throw new AppError("not-found", "There is no such request.");
  return { now: ctx.now.getTime(), row };
}

/** The newest requests, settled or not. */
export async function readIntents(ctx: Ctx): Promise<IntentsAnswer> {
  authorize(ctx, "fleet:read");
  return { now: ctx.now.getTime(), rows: await rowsOf(await listIntents({ limit: SHOWN }), ctx.now) };
}

async function rowsOf(intents: Intent[], now: Date): Promise<IntentRow[]> {
  const { zone } = await readSetting("accounting");
  const launched = await resourcesOfIntents(intents.map(({ id }) => id));
  const machineOf = (intent: Intent) => intent.targetId ?? launched.get(intent.id);
  const ids = [...new Set(intents.flatMap((intent) => machineOf(intent) ?? []))];
  const waiting = intents.find((intent) => intent.kind === "launch" && intent.state === "ready");
  const [machines, samples, turn] = await Promise.all([
    listInstances(dayOf(now.getTime(), zone), { ids }),
    firstSamplesAt(ids),
    waiting ? nextAt(launchKey(waiting.connectionId)) : null,
  ]);
  return intents.map((intent) => {
    const facts = machines.find(({ id }) => id === machineOf(intent));
    const launch = intent.kind === "launch" ? (intent.request as LaunchRequest) : null;
    const isWaiting = intent.kind === "launch" && intent.state === "ready";
    return {
      id: intent.id,
      kind: intent.kind,
      state: intent.state,
      name: intent.request.name ?? intent.id,
      typeName: launch?.typeName ?? facts?.typeName ?? null,
      region: launch?.region ?? facts?.region ?? null,
      by: intent.requestedBy,
      reason: intent.reason,
      createdAt: intent.createdAt.getTime(),
      etaAt: isWaiting ? (turn ?? now).getTime() : null,
      sentAt: intent.sentAt?.getTime() ?? null,
      acceptedAt: intent.acceptedAt?.getTime() ?? null,
      settledAt: intent.settledAt?.getTime() ?? null,
      error: intent.error,
      isCancellable: intent.settledAt === null && intent.sends === 0,
      instance: facts
        ? {
            id: facts.id,
            status: facts.status,
            activeAt: facts.activeSince?.getTime() ?? null,
            firstSampleAt: samples.get(facts.id)?.getTime() ?? null,
          }
        : null,
    };
  });
}
