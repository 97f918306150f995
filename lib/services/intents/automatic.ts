import { findStanding } from "@/lib/db/automation";
import { findConnection } from "@/lib/db/fleet/connection";
import { findIntent, insertIntent, lockOpenIntentOf } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { readSettingNow } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import type { AutomaticPlan } from "@/lib/domain/intents/automatic";
import type { ChangeEvidence } from "@/lib/domain/intents/change";
import { approvalExpiresAt, approvalNeeded } from "@/lib/domain/intents/guardrails";
import type { NewLaunch } from "@/lib/domain/intents/launch";
import { preflight } from "@/lib/domain/intents/preflight";
import { AppError } from "@/lib/errors";
import { readChangeEvidence } from "./evidence";
import { policyIntentId } from "./hash";
import { judgePolicyEnd, judgePolicyLaunch } from "./judge";
import { requestLaunch } from "./launch";
import { readLaunchOffers } from "./offers";

/**
 * What became of an act of a policy. `asked`: there is an intent for this policy, target and slot; the same act again is the
 * same intent, whatever has become of it. `held`: nothing was written, in words; it may be asked again later.
 */
export type Asked = { kind: "asked"; id: string; isNew: boolean } | { kind: "held"; why: string };

export type PolicyEnd = {
  policyId: string;
  resourceId: string;
  /** The occasion: the evening, the end of the lease, the hour. One end per policy, machine and slot, ever. */
  slot: Date;
  reason: string;
  /** What the policy saw, kept beside what is read here. */
  evidence: Record<string, unknown>;
  /** Judged again when it is sent: only while nothing is computed on it. */
  whileIdle?: boolean;
  /** It is asked for because it is idle: judged again when it is sent, by whether that went on. */
  isForIdleness?: boolean;
  /** Also a machine that was not launched from here. */
  includesOutside?: boolean;
};

/**
 * Asks for the end of a machine in the name of a policy. Now and again when it is sent: the stop switch, the policy's mode,
 * protection, telemetry that is heard, a fleet that is up to date, a pace; what fails then ends the intent as cancelled with
 * its reason. Where the guardrails want a second person, it waits for one.
 */
export async function terminateByPolicy(ctx: Ctx, end: PolicyEnd): Promise<Asked> {
  const { policyId, resourceId, slot, reason } = end;
  const id = policyIntentId(policyId, "terminate", resourceId, slot);
  if (await findIntent(id)) return { kind: "asked", id, isNew: false };
  const question = {
    policyId,
    resourceId,
    whileIdle: end.whileIdle ?? false,
    idleAskedAt: null,
    includesOutside: end.includesOutside ?? false,
  };
  const judgement = await judgePolicyEnd(question, ctx.now);
  if (judgement.kind !== "send") return { kind: "held", why: judgement.why };
  const evidence = await evidenceOf(ctx, resourceId);
  if ("why" in evidence) return { kind: "held", why: evidence.why };
  if (evidence.open) return { kind: "held", why: `Its end was asked for already, by ${evidence.open.by}.` };
  const [connection, policy, guardrails] = await Promise.all([
    findConnection(),
    findStanding(policyId),
    readSettingNow("guardrails"),
  ]);
  if (!connection || !policy) return { kind: "held", why: "Lambda was not looked at yet." };
  const concerns = evidence.concerns.map(({ key }) => key);
  const isAsked = approvalNeeded(
    { kind: "terminate", actor: { kind: "system" }, concerns, isProtected: false },
    guardrails,
  );
  const plan: AutomaticPlan = {
    target: resourceId,
    slot: slot.toISOString(),
    whileIdle: question.whileIdle,
    isForIdleness: end.isForIdleness ?? false,
    includesOutside: question.includesOutside,
    maxMicrosPerHour: null,
    evidence: { ...end.evidence, use: evidence.use, concerns, approval: isAsked },
  };
  try {
    const isNew = await mutate(ctx, "intent:terminate", async (tx) => {
      if (await lockOpenIntentOf(tx, resourceId, "terminate")) throw new Overtaken();
      const intent = await insertIntent(tx, {
        id,
        kind: "terminate",
        connectionId: connection.id,
        targetId: resourceId,
        request: { externalId: evidence.externalId, name: evidence.name },
        plan,
        planHash: new Uint8Array(Buffer.from(evidence.planHash, "hex")),
        reason,
        requestedById: null,
        requestedBy: `Policy ${policy.name}`,
        createdAt: ctx.now,
        policyId,
        approvalExpiresAt: isAsked === null ? null : new Date(approvalExpiresAt(ctx.now.getTime(), guardrails)),
      });
      if (!intent) throw new Overtaken();
      return {
        action: "terminate.requested" as const,
        subjectKind: "instance",
        subjectId: resourceId,
        subject: evidence.name,
        after: { externalId: evidence.externalId, policy: policy.name, slot: plan.slot, concerns: concerns.join(", ") },
        reason: isAsked === null ? reason : `${reason} ${isAsked}`,
        result: true,
      };
    });
    return { kind: "asked", id, isNew };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    if (await findIntent(id)) return { kind: "asked", id, isNew: false };
    return { kind: "held", why: "Its end was asked for already." };
  }
}

class Overtaken extends Error {}

async function evidenceOf(ctx: Ctx, instanceId: string): Promise<ChangeEvidence | { why: string }> {
  try {
    return await readChangeEvidence(ctx, { instanceId, kind: "terminate" });
  } catch (error) {
    if (error instanceof AppError) return { why: error.message };
    throw error;
  }
}

export type PolicyLaunch = {
  policyId: string;
  /** What is launched, told apart from other things that this policy launches: a name, or a number within a count. */
  target: string;
  /** The occasion. One launch per policy, target and slot, ever. */
  slot: Date;
  launch: Omit<NewLaunch, "intentId" | "priceMicros" | "accepted">;
  /** What it may cost per hour, judged again when it is sent; null: what it costs now. */
  maxMicrosPerHour: string | null;
  reason: string;
};

/**
 * Asks for a machine in the name of a policy: the same pre-flight, guardrails and approval as for a person, with every warning
 * read by nobody and written into the plan. Held where a check blocks.
 */
export async function launchByPolicy(ctx: Ctx, order: PolicyLaunch): Promise<Asked> {
  const { policyId, target, slot, launch, maxMicrosPerHour } = order;
  const id = policyIntentId(policyId, "launch", target, slot);
  if (await findIntent(id)) return { kind: "asked", id, isNew: false };
  const [offers, policy] = await Promise.all([readLaunchOffers(ctx), findStanding(policyId)]);
  const priceMicros = offers.offers.find((one) => one.typeName === launch.typeName)?.priceMicros ?? null;
  const judgement = await judgePolicyLaunch(
    {
      policyId,
      priceMicros: priceMicros === null ? null : BigInt(priceMicros),
      maxMicros: maxMicrosPerHour === null ? null : BigInt(maxMicrosPerHour),
    },
    ctx.now,
  );
  if (judgement.kind !== "send") return { kind: "held", why: judgement.why };
  if (priceMicros === null || !policy) return { kind: "held", why: "Its price is not known." };
  const plan: AutomaticPlan = {
    target,
    slot: slot.toISOString(),
    whileIdle: false,
    includesOutside: false,
    maxMicrosPerHour,
    evidence: {},
  };
  try {
    const accepted = preflight(launch, offers)
      .filter(({ level }) => level === "warning")
      .map(({ key }) => key);
    await requestLaunch(
      ctx,
      { ...launch, intentId: id, priceMicros, accepted },
      { policyId, requestedBy: `Policy ${policy.name}`, reason: order.reason, plan },
    );
    return { kind: "asked", id, isNew: true };
  } catch (error) {
    if (error instanceof AppError) return { kind: "held", why: error.message };
    throw error;
  }
}
