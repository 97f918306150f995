import { randomUUID } from "node:crypto";
import { transact } from "@/lib/db/client";
import type { Connection } from "@/lib/db/fleet/connection";
import {
  claimIntent,
  type Intent,
  listLookedFor,
  listLostInFlight,
  listNeverSent,
  listOpenTerminates,
  listSendable,
  moveIntent,
  settleIntent,
} from "@/lib/db/intents";
import { writeAudit } from "@/lib/db/mutate";
import { nextAt } from "@/lib/db/rate-limit";
import type { Ctx } from "@/lib/domain/access";
import {
  afterSend,
  EXPIRES_MS,
  IN_FLIGHT_MS,
  INTENT_TAG,
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
import { launchUserData } from "@/lib/services/agent/user-data";
import { lambdaConnection, lambdaOf, launchKey, slowDown } from "@/lib/services/fleet/lambda";
import { seenInstance } from "@/lib/services/fleet/translate";
import { enrolmentToken } from "@/lib/services/tokens";
import { hashBytes, sameBytes } from "./hash";

/** Sends what is ready, one request at a time. The only place from which the cloud is changed. */
export async function sendIntents(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  if (connection.mutationsFrozenAt) return;
  const holder = randomUUID();
  const launchWaits = (await nextAt(launchKey(connection.id))) !== null;
  for (const intent of await listSendable(ctx.now)) {
    if (signal?.aborted) return;
    if (intent.kind === "launch" && launchWaits) continue;
    const claimed = await claimIntent(intent, holder, ctx.now);
    if (!claimed) continue;
    await send(ctx, connection, claimed);
    // One launch per 12 s: the next one has its own turn.
    if (claimed.kind === "launch") break;
  }
}

async function send(ctx: Ctx, connection: Connection, intent: Intent): Promise<void> {
  const outcome = await request(connection, intent);
  const facts = { kind: intent.kind, unsent: intent.unsent, sentAt: (intent.sentAt ?? ctx.now).getTime() };
  const next = afterSend(facts, outcome, ctx.now.getTime());
  await transact(async (tx) => {
    if (!(await moveIntent(tx, intent, next, ctx.now))) return;
    const entry = said(intent, next);
    if (entry) await writeAudit(tx, ctx, { ...entry, ...subjectOf(intent) });
  });
}

async function request(connection: Connection, intent: Intent): Promise<SendOutcome> {
  try {
    const lambda = lambdaOf(connection, "change");
    if (intent.kind === "launch") return await launch(lambda, intent);
    return await change(lambda, intent);
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    const message = error.message;
    if (error.kind === "not_sent") return { kind: "not_sent", message };
    if (error.kind === "throttled") return { kind: "throttled", message };
    if (isOutcomeUnknown(error)) return { kind: "unknown", message };
    // A terminate of a booting machine, or beside another action, is refused for now; the next try may be heard.
    const isPassing =
      error.status === 409 ||
      (error.status === 404 && intent.kind === "terminate") ||
      (error.status === 400 && error.code === "global/conflict");
    return { kind: "refused", code: error.code ?? error.kind, message, isFinal: !isPassing };
  }
}

async function launch(lambda: LambdaClient, intent: Intent): Promise<SendOutcome> {
  const plan = intent.request as LaunchRequest;
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
    userData: launchUserData(env.publicUrl, enrolmentToken(intent.id).secret),
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
  const isDone = intent.kind === "terminate" ? await lambda.terminate(externalId) : await lambda.restart(externalId);
  return isDone
    ? { kind: "accepted", externalIds: [externalId] }
    : { kind: "unknown", message: "Lambda's answer does not name the machine" };
}

/** A read before the act that fails leaves the act unsent; a refusal of the read stays a refusal. */
function nothingSent(error: unknown): never {
  if (error instanceof LambdaError && error.kind !== "refused" && error.kind !== "unauthorised")
    throw new LambdaError("not_sent", error.message);
  throw error;
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
  for (const intent of await listNeverSent(new Date(ctx.now.getTime() - EXPIRES_MS))) {
    await settle(ctx, intent, "expired", "intent.expired", "Half an hour has passed, and nothing was sent.");
  }
  for (const intent of await listOpenTerminates()) {
    if (!intent.isGone) continue;
    if (intent.sentAt) await settle(ctx, intent, "confirmed", "instance.terminated", null);
    else await settle(ctx, intent, "cancelled", "intent.cancelled", "The machine was gone before anything was sent.");
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
