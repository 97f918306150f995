import { randomUUID } from "node:crypto";
import { listApprovalsOver } from "@/lib/db/approvals";
import { transact } from "@/lib/db/client";
import { now } from "@/lib/db/clock";
import { currentPrice } from "@/lib/db/cost/prices";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import type { Connection } from "@/lib/db/fleet/connection";
import {
  claimIntent,
  type Intent,
  listLookedFor,
  listLostInFlight,
  listNeverSent,
  listSendable,
  listTerminatesOfGone,
  moveIntent,
  settleIntent,
} from "@/lib/db/intents";
import { writeAudit } from "@/lib/db/mutate";
import { nextAt } from "@/lib/db/rate-limit";
import type { Ctx } from "@/lib/domain/access";
import { formatUsdRate } from "@/lib/domain/format";
import type { AutomaticPlan } from "@/lib/domain/intents/automatic";
import {
  afterSend,
  EXPIRES_MS,
  IN_FLIGHT_MS,
  INTENT_TAG,
  isEndCertain,
  type LaunchRequest,
  LOOK_MS,
  type Next,
  type SendOutcome,
  type TargetRequest,
} from "@/lib/domain/intents/intent";
import { planHash } from "@/lib/domain/intents/plan";
import { env } from "@/lib/env";
import type { LambdaClient } from "@/lib/integrations/lambda/client";
import { isOutcomeUnknown, LambdaError } from "@/lib/integrations/lambda/errors";
import { lambdaConnection, lambdaOf, launchKey, slowDown } from "@/lib/services/fleet/lambda";
import { seenInstance } from "@/lib/services/fleet/translate";
import { bootData } from "./boot-data";
import { hashBytes, sameBytes } from "./hash";
import { judgePolicyEnd, judgePolicyLaunch } from "./judge";
import { freezeChanges, isKeyAccepted, isRefusalOfKey } from "./key";

/** Sends what is ready, one request at a time. The only place from which the cloud is changed. */
export async function sendIntents(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  if (connection.mutationsFrozenAt || !(await isKeyAccepted(ctx, connection))) return;
  const holder = randomUUID();
  const launchWaits = (await nextAt(launchKey(connection.id))) !== null;
  for (const intent of await listSendable(ctx.now)) {
    if (signal?.aborted) return;
    if (intent.kind === "launch" && launchWaits) continue;
    // A slow answer to the one before must not make this one look as if it had been sent long ago.
    const turn = { ...ctx, now: await now() };
    const claimed = await claimIntent(intent, holder, turn.now);
    if (!claimed) continue;
    const isFrozen = await send(turn, connection, claimed);
    // One launch per 12 s: the next one has its own turn. And with a refused key, nothing else is tried.
    if (claimed.kind === "launch" || isFrozen) break;
  }
}

/** Whether the key for changes was refused by this request. */
async function send(ctx: Ctx, connection: Connection, intent: Intent): Promise<boolean> {
  const { outcome, isKeyRefused } = await request(ctx, connection, intent);
  const at = await now();
  const facts = {
    kind: intent.kind,
    unsent: intent.unsent,
    sends: intent.sends,
    sentAt: (intent.sentAt ?? ctx.now).getTime(),
  };
  const next = afterSend(facts, outcome, at.getTime());
  const then = { ...ctx, now: at };
  await transact(async (tx) => {
    if (!(await moveIntent(tx, intent, next, at))) return;
    const entry = said(intent, next);
    if (entry) await writeAudit(tx, then, { ...entry, ...subjectOf(intent) });
  });
  if (isKeyRefused) await freezeChanges(then, connection);
  return isKeyRefused;
}

type Requested = { outcome: SendOutcome; isKeyRefused: boolean };

async function request(ctx: Ctx, connection: Connection, intent: Intent): Promise<Requested> {
  try {
    const lambda = lambdaOf(connection, "change");
    const outcome = intent.kind === "launch" ? await launch(ctx, lambda, intent) : await change(lambda, intent);
    return { outcome, isKeyRefused: false };
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    return { outcome: outcomeOf(intent, error), isKeyRefused: isRefusalOfKey(error) };
  }
}

function outcomeOf(intent: Intent, error: LambdaError): SendOutcome {
  const message = error.message;
  if (error instanceof NotAllowedToLook) return { kind: "withheld", message, isFinal: false };
  if (error.kind === "not_sent") return { kind: "not_sent", message };
  if (error.kind === "throttled") return { kind: "throttled", message };
  if (isOutcomeUnknown(error)) return { kind: "unknown", message };
  // A terminate of a booting machine, beside another action, or with a key that is refused, is refused for now; the next try
  // may be heard.
  const isPassing =
    error.status === 409 ||
    (intent.kind === "terminate" && (error.status === 404 || isRefusalOfKey(error))) ||
    (error.status === 400 && error.code === "global/conflict");
  return { kind: "refused", code: error.code ?? error.kind, message, isFinal: !isPassing };
}

const withheld = (message: string, isFinal = true): SendOutcome => ({ kind: "withheld", message, isFinal });

/** The price may rise so far between what was seen and what is sent. */
const PRICE_MOVE_PCT = 5n;

async function launch(ctx: Ctx, lambda: LambdaClient, intent: Intent): Promise<SendOutcome> {
  const plan = intent.request as LaunchRequest;
  const veto = await vetoLaunch(ctx, intent, plan);
  if (veto) return veto;
  const { labels } = plan;
  const tags = Object.fromEntries(
    Object.entries({
      [INTENT_TAG]: intent.id,
      "hopperdeck-env": env.mode,
      owner: labels.owner,
      team: labels.team,
      project: labels.project,
      environment: labels.environment,
      // A launch asked for by an older version has none.
      cost_center: labels.costCenter ?? "",
      workload: labels.workload,
      purpose: plan.purpose ?? "",
    }).filter(([, value]) => value !== ""),
  );
  const externalIds = await lambda.launch({
    regionName: plan.region,
    typeName: plan.typeName,
    sshKeyName: plan.sshKeyName,
    name: plan.name,
    imageFamily: plan.imageFamily,
    fileSystemNames: plan.fileSystemName ? [plan.fileSystemName] : [],
    tags,
    userData: await bootData(intent.id, plan),
  });
  return { kind: "accepted", externalIds };
}

/** Terminate and restart act on what the person saw: a fresh read must still show the same machine. */
async function change(lambda: LambdaClient, intent: Intent): Promise<SendOutcome> {
  const { externalId } = intent.request as TargetRequest;
  const fresh = seenInstance(await lambda.getInstance(externalId).catch(nothingSent));
  if (intent.kind === "terminate" && (fresh.status === "terminating" || fresh.status === "terminated")) {
    return { kind: "accepted", externalIds: [externalId] };
  }
  if (!sameBytes(hashBytes(planHash(fresh)), intent.planHash)) {
    return {
      kind: "refused",
      code: "changed",
      message: "The machine is no longer what was confirmed: its name, type, region or tags differ",
      isFinal: true,
    };
  }
  const veto = await vetoEnd(intent);
  if (veto) return veto;
  const isDone = intent.kind === "terminate" ? await lambda.terminate(externalId) : await lambda.restart(externalId);
  return isDone
    ? { kind: "accepted", externalIds: [externalId] }
    : { kind: "unknown", message: "Lambda's answer does not name the machine" };
}

/** What automation asked for is judged once more, by what is true at this moment; a person's word stands. */
async function vetoEnd(intent: Intent): Promise<SendOutcome | null> {
  if (intent.policyId === null && !isAutomatic(intent)) return null;
  if (intent.acceptedAt !== null || intent.kind !== "terminate") return null;
  if (intent.targetId === null || intent.policyId === null) return withheld("The policy was removed.");
  const { whileIdle, isForIdleness, includesOutside } = intent.plan as AutomaticPlan;
  const judgement = await judgePolicyEnd(
    {
      policyId: intent.policyId,
      resourceId: intent.targetId,
      whileIdle,
      idleAskedAt: isForIdleness ? intent.createdAt : null,
      includesOutside,
    },
    await now(),
  );
  return judgement.kind === "send" ? null : withheld(judgement.why, judgement.kind === "drop");
}

async function vetoLaunch(ctx: Ctx, intent: Intent, request: LaunchRequest): Promise<SendOutcome | null> {
  const price = await currentPrice({
    provider: "lambda",
    sku: request.typeName,
    region: EVERY_REGION,
    unit: "instance_hour",
  });
  const seen = intent.plan.priceMicros;
  if (price && typeof seen === "string" && price.micros * 100n > BigInt(seen) * (100n + PRICE_MOVE_PCT))
    return withheld(
      `The price rose from ${formatUsdRate(seen)} to ${formatUsdRate(price.micros.toString())} before it was sent.`,
    );
  if (intent.policyId === null && !isAutomatic(intent)) return null;
  if (intent.policyId === null) return withheld("The policy was removed.");
  const { maxMicrosPerHour } = intent.plan as AutomaticPlan;
  const judgement = await judgePolicyLaunch(
    {
      policyId: intent.policyId,
      priceMicros: price?.micros ?? null,
      maxMicros: maxMicrosPerHour === null ? null : BigInt(maxMicrosPerHour),
    },
    ctx.now,
  );
  return judgement.kind === "send" ? null : withheld(judgement.why, judgement.kind === "drop");
}

/** A policy's intent whose policy is gone from the database is still not a person's. */
const isAutomatic = (intent: Intent) => typeof intent.plan.slot === "string" && intent.requestedById === null;

/** The read before the act was refused because of the key: nothing was sent, and it waits until the key is accepted. */
class NotAllowedToLook extends LambdaError {}

/** A read before the act that fails leaves the act unsent; that there is no such machine stays a refusal. */
function nothingSent(error: unknown): never {
  if (!(error instanceof LambdaError) || error.kind === "refused") throw error;
  if (error.kind === "unauthorised")
    throw new NotAllowedToLook(error.kind, error.message, error.code, error.status, error.retryAfterMs);
  throw new LambdaError("not_sent", error.message, null, null, error.retryAfterMs);
}

/** Brings intents whose outcome nobody told us to an end: after a crash, after five minutes without a trace, after a machine is gone. */
export async function settleIntents(ctx: Ctx): Promise<void> {
  for (const intent of await listLostInFlight(new Date(ctx.now.getTime() - IN_FLIGHT_MS))) {
    const sentAt = (intent.sentAt ?? ctx.now).getTime();
    const next: Next =
      intent.kind === "terminate"
        ? { state: "sending", nextSendAt: ctx.now.getTime() }
        : {
            state: "indeterminate",
            lookUntil: Math.max(sentAt, ctx.now.getTime() - IN_FLIGHT_MS) + LOOK_MS,
            error: "The worker stopped over the request",
          };
    await transact((tx) => moveIntent(tx, intent, next, ctx.now));
  }
  for (const intent of await listLookedFor(ctx.now)) {
    await settle(
      ctx,
      intent,
      "closed_unconfirmed",
      "intent.closed-unconfirmed",
      CLOSED[intent.kind === "restart" ? "restart" : "launch"],
    );
  }
  for (const intent of await listApprovalsOver(ctx.now)) {
    await settle(
      ctx,
      intent,
      "expired",
      "intent.approval-expired",
      "Nobody agreed to it in time, and nothing was sent.",
    );
  }
  for (const intent of await listNeverSent(new Date(ctx.now.getTime() - EXPIRES_MS))) {
    await settle(ctx, intent, "expired", "intent.expired", "Half an hour has passed, and nothing was sent.");
  }
  for (const intent of await listTerminatesOfGone()) {
    if (!intent.sentAt)
      await settle(ctx, intent, "cancelled", "intent.cancelled", "The machine was gone before anything was sent.");
    else if (isEndCertain(intent)) await settle(ctx, intent, "confirmed", "instance.terminated", null);
  }
}

const CLOSED = {
  launch:
    "No machine turned up within five minutes. Nothing is sent again; its mark stays on watch for a day, and a new launch may be made.",
  restart: "Nobody answered the restart. It is not repeated; look at the machine before restarting it again.",
};

async function settle(
  ctx: Ctx,
  intent: Intent,
  state: "confirmed" | "closed_unconfirmed" | "cancelled" | "expired",
  action: `${string}.${string}`,
  reason: string | null,
): Promise<void> {
  await transact(async (tx) => {
    if (!(await settleIntent(tx, intent.id, state, ctx.now, reason))) return;
    await writeAudit(tx, ctx, { action, reason, ...subjectOf(intent) });
  });
}

function said(intent: Intent, next: Next): { action: `${string}.${string}`; reason?: string | null } | null {
  const { kind } = intent;
  if (next.state === "cancelled") return { action: `${kind}.withheld`, reason: next.error ?? null };
  if (next.state === "closed_unconfirmed") return { action: "intent.closed-unconfirmed", reason: next.error ?? null };
  if (next.state === "refused") return { action: `${kind}.refused`, reason: next.error ?? null };
  if (next.state === "indeterminate") return { action: `${kind}.outcome-unknown`, reason: next.error ?? null };
  if (next.acceptedAt !== undefined && intent.acceptedAt === null) return { action: `${kind}.accepted` };
  return null;
}

function subjectOf(intent: Intent): { subjectKind: string; subjectId: string; subject: string } {
  const { name } = intent.request;
  return {
    subjectKind: intent.targetId ? "instance" : "intent",
    subjectId: intent.targetId ?? intent.id,
    subject: name ?? intent.id,
  };
}
