import { findMachine, resourcesOfIntents } from "@/lib/db/fleet/resources";
import { adoptLate, bindEnrolment, findIntent, type Intent, linkLaunched } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { listCandidates, listQueue } from "@/lib/db/queue";
import { nextAt } from "@/lib/db/rate-limit";
import { assignSources } from "@/lib/db/telemetry/identity";
import { authorize, type Ctx } from "@/lib/domain/access";
import { providerActor } from "@/lib/domain/fleet/provider-actor";
import { INTENT_TAG, type LaunchRequest } from "@/lib/domain/intents/intent";
import {
  type AdoptMachine,
  etasOf,
  type QueueAnswer,
  type QueueRow,
  storyOf,
  type WatchedRow,
} from "@/lib/domain/intents/queue";
import { AppError } from "@/lib/errors";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { LAUNCH_SPACING_MS, launchKey, SPACING_MS } from "@/lib/services/fleet/lambda";

const SETTLED_MS = 24 * 3_600_000;
const SETTLED_MOST = 100;
const ORDER = { terminate: 0, restart: 1, launch: 2 } as const;
const ms = (date: Date | null) => date?.getTime() ?? null;

/** Everything that was asked of Lambda and is not done, in the order of its turns; what is on watch; and what was settled lately. */
export async function readQueue(ctx: Ctx): Promise<QueueAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [intents, { isFrozen }] = await Promise.all([
    listQueue(ctx.now, new Date(now - SETTLED_MS)),
    readFreshness(ctx.now),
  ]);
  const open = intents.filter(({ settledAt }) => settledAt === null).sort(byTurn);
  const settled = intents
    .filter(({ settledAt }) => settledAt !== null)
    .sort((a, b) => (b.settledAt?.getTime() ?? 0) - (a.settledAt?.getTime() ?? 0))
    .slice(0, SETTLED_MOST);
  const [first] = intents;
  const [turn, launched, watched] = await Promise.all([
    first ? nextAt(launchKey(first.connectionId)) : null,
    resourcesOfIntents(intents.filter(({ kind }) => kind === "launch").map(({ id }) => id)),
    Promise.all(intents.filter((one) => isWatched(one, ctx.now)).map(watchedRow)),
  ]);
  const waiting = open.filter(({ state }) => state === "ready");
  const etas = etasOf(
    waiting.map(({ id, kind, nextSendAt }) => ({ id, kind, nextSendAt: ms(nextSendAt) })),
    { callMs: SPACING_MS, launchMs: LAUNCH_SPACING_MS },
    now,
    ms(turn),
  );
  const places = new Map(waiting.map(({ id }, index) => [id, index + 1]));
  const row = (intent: Intent): QueueRow => {
    const etaAt = isFrozen ? null : (etas.get(intent.id) ?? null);
    const launch = intent.kind === "launch" ? (intent.request as LaunchRequest) : null;
    const { kind, state, sends, error } = intent;
    return {
      id: intent.id,
      kind,
      state,
      name: intent.request.name ?? intent.id,
      typeName: launch?.typeName ?? null,
      region: launch?.region ?? null,
      by: intent.requestedBy,
      reason: intent.reason,
      isByPolicy: intent.policyId !== null,
      batchId: intent.batchId,
      instanceId: intent.targetId ?? launched.get(intent.id) ?? null,
      createdAt: intent.createdAt.getTime(),
      settledAt: ms(intent.settledAt),
      place: places.get(intent.id) ?? null,
      etaAt,
      story: storyOf({
        kind,
        state,
        sends,
        error,
        etaAt,
        acceptedAt: ms(intent.acceptedAt),
        sentAt: ms(intent.sentAt),
        nextSendAt: ms(intent.nextSendAt),
        lookUntil: ms(intent.lookUntil),
        watchUntil: isWatched(intent, ctx.now) ? ms(intent.watchUntil) : null,
        approvalExpiresAt: ms(intent.approvalExpiresAt),
        settledAt: ms(intent.settledAt),
      }),
      isCancellable: intent.settledAt === null && sends === 0,
    };
  };
  return { now, isFrozen, open: open.map(row), watched, settled: settled.map(row) };
}

/** As the worker takes them; what waits for a person, or was sent already, comes after. */
function byTurn(a: Intent, b: Intent): number {
  const isWaiting = ({ state }: Intent) => (state === "ready" ? 0 : state === "awaiting_approval" ? 2 : 1);
  const queued = ({ queuedAt, createdAt }: Intent) => (queuedAt ?? createdAt).getTime();
  return (
    isWaiting(a) - isWaiting(b) ||
    ORDER[a.kind] - ORDER[b.kind] ||
    a.sends - b.sends ||
    queued(a) - queued(b) ||
    (a.id < b.id ? -1 : 1)
  );
}

const isWatched = ({ kind, state, watchUntil }: Intent, now: Date) =>
  kind === "launch" && state === "closed_unconfirmed" && watchUntil !== null && watchUntil > now;

async function watchedRow(intent: Intent): Promise<WatchedRow> {
  const { typeName, region, name } = intent.request as LaunchRequest;
  const candidates = await listCandidates(typeName, region, intent.sentAt ?? intent.createdAt);
  return {
    id: intent.id,
    name,
    typeName,
    region,
    by: intent.requestedBy,
    sentAt: ms(intent.sentAt),
    watchUntil: (intent.watchUntil ?? intent.createdAt).getTime(),
    tag: `${INTENT_TAG}=${intent.id}`,
    candidates: candidates.map((one) => ({
      ...one,
      firstSeenAt: one.firstSeenAt.getTime(),
      launchedBy: one.launchedBy === null ? null : providerActor(one.launchedBy),
    })),
  };
}

/** A person knows that a machine without our mark is what a lost launch made. */
export async function adoptMachine(ctx: Ctx, { intentId, instanceId }: AdoptMachine): Promise<{ id: string }> {
  authorize(ctx, "intent:launch");
  const intent = await findIntent(intentId);
  if (!intent || !isWatched(intent, ctx.now))
    throw new AppError("not-found", "There is no such launch, or it is not on watch any more. Nothing was changed.");
  const { candidates } = await watchedRow(intent);
  const machine = candidates.find(({ id }) => id === instanceId);
  const known = machine && (await findMachine(instanceId));
  if (!machine || !known)
    throw new AppError(
      "conflict",
      "This machine cannot be the launch’s: of another type or region, older, or somebody else’s. Nothing was changed.",
    );
  return mutate(ctx, "intent:launch", async (tx) => {
    const isTied =
      (await linkLaunched(tx, instanceId, intentId)) && (await adoptLate(tx, intentId, known.externalId, ctx.now));
    if (!isTied) throw new AppError("conflict", "Somebody was quicker. Look again; nothing was changed.");
    await bindEnrolment(tx, intentId, instanceId);
    await assignSources(tx, intentId, instanceId);
    return {
      action: "intent.adopted" as const,
      subjectKind: "instance",
      subjectId: instanceId,
      subject: machine.name,
      after: { launch: intent.request.name ?? intentId },
      reason: "Somebody says that this machine is the one of a launch that nobody answered.",
      result: { id: intentId },
    };
  });
}
