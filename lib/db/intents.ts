import type { IntentKind, IntentState, LaunchRequest, Next, TargetRequest } from "@/lib/domain/intents/intent";
import { SETTLED, WATCH_MS } from "@/lib/domain/intents/intent";
import { type Client, prisma } from "./client";
import type { Prisma } from "./generated/client";
import type { Tx } from "./mutate";

export type Intent = {
  id: string;
  kind: IntentKind;
  state: IntentState;
  connectionId: string;
  targetId: string | null;
  request: LaunchRequest | TargetRequest;
  plan: Record<string, unknown>;
  planHash: Uint8Array;
  reason: string | null;
  requestedById: string | null;
  requestedBy: string;
  createdAt: Date;
  queuedAt: Date | null;
  sentAt: Date | null;
  acceptedAt: Date | null;
  externalId: string | null;
  sends: number;
  unsent: number;
  nextSendAt: Date | null;
  lookUntil: Date | null;
  watchUntil: Date | null;
  settledAt: Date | null;
  errorCode: string | null;
  error: string | null;
  /** Those that were asked for in one act. */
  batchId: string | null;
  policyId: string | null;
  approvedById: string | null;
  approvedAt: Date | null;
  approvalExpiresAt: Date | null;
  breakGlassReason: string | null;
};

export type Row = Omit<Intent, "request" | "plan"> & { request: unknown; plan: unknown };

// The JSON columns hold what this module wrote into them.
export const toIntent = (row: Row): Intent => ({
  ...row,
  request: row.request as Intent["request"],
  plan: row.plan as Intent["plan"],
});

export type NewIntent = Pick<
  Intent,
  | "id"
  | "kind"
  | "connectionId"
  | "targetId"
  | "request"
  | "plan"
  | "reason"
  | "requestedById"
  | "requestedBy"
  | "createdAt"
> & {
  planHash: Uint8Array<ArrayBuffer>;
  batchId?: string | null;
  policyId?: string | null;
  /** Given where a second person must agree first: until when. */
  approvalExpiresAt?: Date | null;
};

/**
 * Writes an intent that is ready to be sent, or waits for a second person where its approval expires. The same id again is the
 * same intent: null says that it was there already.
 */
export async function insertIntent(tx: Tx, intent: NewIntent): Promise<Intent | null> {
  const { request, plan, ...rest } = intent;
  const waits = intent.approvalExpiresAt != null;
  const data = {
    ...rest,
    token: intent.id,
    state: waits ? ("awaiting_approval" as const) : ("ready" as const),
    queuedAt: waits ? null : intent.createdAt,
    request: request as Prisma.InputJsonObject,
    plan: plan as Prisma.InputJsonObject,
  };
  const { count } = await tx.intent.createMany({ data: [data], skipDuplicates: true });
  return count === 0 ? null : toIntent(await tx.intent.findUniqueOrThrow({ where: { id: intent.id } }));
}

export async function findIntent(id: string): Promise<Intent | null> {
  const row = await prisma.intent.findUnique({ where: { id } });
  return row && toIntent(row);
}

/** The unsettled terminate or restart of a machine, if there is one. */
export async function openIntentOf(targetId: string, kind: IntentKind): Promise<Intent | null> {
  const row = await prisma.intent.findFirst({ where: { targetId, kind, settledAt: null } });
  return row && toIntent(row);
}

/** The same of many machines, by machine. */
export async function openIntentsOf(targetIds: string[], kind: IntentKind): Promise<Map<string, Intent>> {
  const rows = await prisma.intent.findMany({ where: { targetId: { in: targetIds }, kind, settledAt: null } });
  return new Map(rows.flatMap((row) => (row.targetId === null ? [] : [[row.targetId, toIntent(row)] as const])));
}

/** All that was asked for in one act, in the order of asking. */
export async function listBatch(batchId: string): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({ where: { batchId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return rows.map(toIntent);
}

/** Ends that wait to be sent for the first time, in the order of their turns. */
export async function listQueuedTerminates(): Promise<string[]> {
  const rows = await prisma.intent.findMany({
    where: { kind: "terminate", state: "ready", settledAt: null },
    orderBy: [{ queuedAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

export async function listIntents(where: { open?: boolean; since?: Date; limit?: number }): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: { ...(where.open && { settledAt: null }), ...(where.since && { createdAt: { gte: where.since } }) },
    orderBy: { createdAt: "desc" },
    take: where.limit ?? 100,
  });
  return rows.map(toIntent);
}

/** Machines that are expected but not listed yet: launches accepted or being looked for, and not linked to one. */
export async function listAwaited(since: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: {
      kind: "launch",
      state: { in: ["ready", "sending", "indeterminate", "confirmed"] },
      createdAt: { gte: since },
      launched: null,
    },
    orderBy: { createdAt: "asc" },
  });
  return rows.map(toIntent);
}

/** What may be sent now: terminates before restarts before launches, those never sent before those repeated, the oldest first. */
export async function listSendable(now: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: {
      settledAt: null,
      OR: [
        { state: "ready", OR: [{ nextSendAt: null }, { nextSendAt: { lte: now } }] },
        { state: "sending", kind: "terminate", nextSendAt: { lte: now } },
      ],
    },
    orderBy: [{ kind: "desc" }, { sends: "asc" }, { queuedAt: "asc" }, { id: "asc" }],
    take: 50,
  });
  const order: Record<IntentKind, number> = { terminate: 0, restart: 1, launch: 2 };
  return rows.map(toIntent).sort((a, b) => order[a.kind] - order[b.kind]);
}

/**
 * Takes an intent for sending and commits before the call. Of two workers one gets it; a launch only while no other is in
 * flight. A launch or restart that was ever sent is not given out again.
 */
export async function claimIntent(intent: Intent, holder: string, now: Date): Promise<Intent | null> {
  try {
    const { count } = await prisma.intent.updateMany({
      where: {
        id: intent.id,
        state: intent.state,
        sends: intent.sends,
        ...(intent.kind !== "terminate" && { sends: 0, state: "ready" as const }),
        ...(intent.state === "sending" && { nextSendAt: { lte: now } }),
      },
      data: {
        state: "sending",
        holder,
        sends: { increment: 1 },
        nextSendAt: null,
        sentAt: intent.sentAt ?? now,
        errorCode: null,
      },
    });
    if (count === 0) return null;
  } catch (error) {
    if ((error as { code?: string }).code === "P2002") return null;
    throw error;
  }
  return findIntent(intent.id);
}

/** Writes what came of a request, if the intent is still where we took it. */
export async function moveIntent(tx: Client, intent: Intent, next: Next, now: Date): Promise<boolean> {
  const isSettled = SETTLED.includes(next.state);
  const { count } = await tx.intent.updateMany({
    where: { id: intent.id, state: intent.state, settledAt: null },
    data: {
      state: next.state,
      nextSendAt: next.nextSendAt === undefined ? null : new Date(next.nextSendAt),
      lookUntil: next.lookUntil === undefined ? null : new Date(next.lookUntil),
      ...(next.acceptedAt !== undefined && { acceptedAt: intent.acceptedAt ?? new Date(next.acceptedAt) }),
      ...(next.externalId !== undefined && { externalId: next.externalId }),
      ...(next.state === "closed_unconfirmed" && { watchUntil: new Date(now.getTime() + WATCH_MS) }),
      ...(next.isUnsent && {
        sends: { decrement: 1 },
        unsent: { increment: 1 },
        ...(intent.sends <= 1 && { sentAt: null }),
      }),
      errorCode: next.errorCode ?? null,
      error: next.error?.slice(0, 1000) ?? null,
      settledAt: isSettled ? now : null,
    },
  });
  return count === 1;
}

export async function settleIntent(
  tx: Client,
  id: string,
  state: "confirmed" | "adopted" | "closed_unconfirmed" | "cancelled" | "expired" | "refused",
  now: Date,
  error: string | null,
  externalId?: string,
): Promise<boolean> {
  if (state === "adopted") await sentAfterAll(tx, id, now);
  const { count } = await tx.intent.updateMany({
    where: {
      id,
      settledAt: null,
      ...((state === "expired" || state === "cancelled") && { sends: 0 }),
      // Another worker may have learnt meanwhile that nothing had left us.
      ...((state === "confirmed" || state === "closed_unconfirmed") && { sentAt: { not: null } }),
    },
    data: {
      state,
      settledAt: now,
      nextSendAt: null,
      ...(error !== null && { error }),
      ...(externalId && { externalId }),
      ...(state === "closed_unconfirmed" && { watchUntil: new Date(now.getTime() + WATCH_MS) }),
    },
  });
  return count === 1;
}

/** An intent that was settled without a machine, and whose machine has turned up after all. */
export async function adoptLate(tx: Client, id: string, externalId: string, now: Date): Promise<boolean> {
  await sentAfterAll(tx, id, now);
  const { count } = await tx.intent.updateMany({
    where: { id, kind: "launch", state: { in: ["closed_unconfirmed", "refused", "cancelled", "expired"] } },
    data: { state: "adopted", externalId, watchUntil: null },
  });
  return count === 1;
}

/** There is a machine, so a request left us, whatever we believed. */
async function sentAfterAll(tx: Client, id: string, now: Date): Promise<void> {
  await tx.intent.updateMany({ where: { id, sentAt: null }, data: { sentAt: now } });
}

/** Sent, and nobody came back with an answer: our own process died over it. */
export async function listLostInFlight(before: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({ where: { state: "sending", nextSendAt: null, sentAt: { lt: before } } });
  return rows.map(toIntent);
}

export async function listLookedFor(now: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({ where: { state: "indeterminate", lookUntil: { lte: now } } });
  return rows.map(toIntent);
}

/** Launches and restarts that were asked for before an instant and never sent. */
export async function listNeverSent(before: Date): Promise<Intent[]> {
  const rows = await prisma.intent.findMany({
    where: {
      state: "ready",
      sends: 0,
      queuedAt: { lt: before },
      // What a person wants ended is tried until it is; what automation could not end for so long is judged anew.
      OR: [{ kind: { not: "terminate" } }, { policyId: { not: null } }],
    },
  });
  return rows.map(toIntent);
}

/** Terminates that are open although their machine is gone; `lastListedAt` is when the last good listing was read. */
export async function listTerminatesOfGone(): Promise<(Intent & { goneAt: Date; lastListedAt: Date | null })[]> {
  const rows = await prisma.intent.findMany({
    where: { kind: "terminate", settledAt: null, target: { goneAt: { not: null } } },
    include: { target: { select: { goneAt: true } }, connection: { select: { lastOkAt: true } } },
  });
  return rows.flatMap(({ target, connection, ...row }) =>
    target?.goneAt ? [{ ...toIntent(row), goneAt: target.goneAt, lastListedAt: connection.lastOkAt }] : [],
  );
}

/** Launch intents by their ids (a machine's tag) or by the machine that the provider's answer named. */
export async function findLaunches(
  ids: string[],
  externalIds: string[],
): Promise<(Intent & { launchedId: string | null })[]> {
  const rows = await prisma.intent.findMany({
    where: { kind: "launch", OR: [{ id: { in: ids } }, { externalId: { in: externalIds } }] },
    include: { launched: { select: { id: true } } },
  });
  return rows.map(({ launched, ...row }) => ({ ...toIntent(row), launchedId: launched?.id ?? null }));
}

/** Ties a machine to the launch that made it, with its lease and purpose; false when the launch has one already. */
export async function linkLaunched(tx: Client, resourceId: string, intentId: string): Promise<boolean> {
  const linked = await tx.$executeRaw`
    UPDATE resource r SET launch_intent_id = i.id, purpose = coalesce(i.request ->> 'purpose', r.purpose),
      lease_until = coalesce(to_timestamp((i.request ->> 'leaseUntil')::float8 / 1000), r.lease_until)
    FROM intent i
    WHERE r.id = ${resourceId}::uuid AND i.id = ${intentId}::uuid AND r.launch_intent_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM resource WHERE launch_intent_id = ${intentId}::uuid)`;
  return linked === 1;
}

/** The enrolment token of the intent speaks for its machine from now on. */
export async function bindEnrolment(tx: Client, intentId: string, resourceId: string): Promise<void> {
  await tx.token.updateMany({ where: { intentId, kind: "enrolment" }, data: { resourceId } });
}

/** The same as `openIntentOf` inside a transaction that nobody else can be in for this machine. */
export async function lockOpenIntentOf(tx: Client, targetId: string, kind: IntentKind): Promise<Intent | null> {
  await tx.$queryRaw`SELECT 1 FROM resource WHERE id = ${targetId}::uuid FOR NO KEY UPDATE`;
  const row = await tx.intent.findFirst({ where: { targetId, kind, settledAt: null } });
  return row && toIntent(row);
}

/** How many requests of a kind a person made since then. */
export async function countLately(requestedById: string, kind: IntentKind, since: Date): Promise<number> {
  return prisma.intent.count({ where: { requestedById, kind, createdAt: { gte: since } } });
}
