import { listAwaitingApproval, listDecided } from "@/lib/db/approvals";
import type { Intent } from "@/lib/db/intents";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { groupBy } from "@/lib/domain/group";
import type { ChangeEvidence } from "@/lib/domain/intents/change";
import { SeenEvidence, whatChanged } from "@/lib/domain/intents/evidence";
import type { LaunchRequest } from "@/lib/domain/intents/intent";
import type {
  ApprovalCount,
  ApprovalsAnswer,
  ApproveMany,
  BreakGlassMany,
  DecidedAct,
  DecisionAnswer,
  RefuseMany,
  WaitingAct,
  WaitingIntent,
} from "@/lib/domain/intents/waiting";
import { AppError } from "@/lib/errors";
import { approveIntent, breakGlass, countApprovers, refuseIntent } from "./approve";
import { gather } from "./evidence";
import { personBehind } from "./person";

const DECIDED_MS = 7 * 24 * 3_600_000;

/** What waits for a second person with its evidence as it is now, and what was decided lately. */
export async function readApprovals(ctx: Ctx): Promise<ApprovalsAnswer> {
  authorize(ctx, "fleet:read");
  const [intents, decided, person] = await Promise.all([
    listAwaitingApproval(),
    listDecided(new Date(ctx.now.getTime() - DECIDED_MS)),
    personBehind(ctx),
  ]);
  const live = intents.filter(({ approvalExpiresAt }) => approvalExpiresAt !== null && approvalExpiresAt > ctx.now);
  const ends = live.flatMap(({ kind, targetId }) => (kind === "terminate" && targetId !== null ? [targetId] : []));
  const { found } = ends.length > 0 ? await gather(ctx, ends, "terminate", ends.length === 1) : { found: [] };
  const evidence = new Map(found.map((one) => [one.instanceId, one]));
  const acts = groupBy(live, (intent) => intent.batchId ?? intent.id);
  const waiting = await Promise.all([...acts].map(([id, own]) => actOf(ctx, id, own, evidence, person)));
  return { now: ctx.now.getTime(), waiting: waiting.flatMap((act) => act ?? []), decided: decided.map(decidedOf) };
}

/** How much waits: of others, which the reader may decide, and of one's own. */
export async function countApprovals(ctx: Ctx): Promise<ApprovalCount> {
  authorize(ctx, "fleet:read");
  const [intents, person] = await Promise.all([listAwaitingApproval(), personBehind(ctx)]);
  const live = intents.filter(({ approvalExpiresAt }) => approvalExpiresAt !== null && approvalExpiresAt > ctx.now);
  const acts = groupBy(live, (intent) => intent.batchId ?? intent.id);
  const isOwn = (own: Intent[]) => person !== null && own[0]?.requestedById === person;
  const all = [...acts.values()];
  return { now: ctx.now.getTime(), waiting: all.length, own: all.filter(isOwn).length };
}

async function actOf(
  ctx: Ctx,
  id: string,
  intents: Intent[],
  evidence: ReadonlyMap<string, ChangeEvidence>,
  person: string | null,
): Promise<WaitingAct | null> {
  const [first] = intents;
  if (!first) return null;
  const isOwn = person !== null && first.requestedById === person;
  return {
    id,
    kind: first.kind,
    by: first.requestedBy,
    isOwn,
    at: first.createdAt.getTime(),
    until: Math.min(...intents.map(({ approvalExpiresAt }) => approvalExpiresAt?.getTime() ?? Infinity)),
    why: text(first.plan.approval) || "A guardrail asks for a second person.",
    reason: first.reason,
    policy: first.policyId === null ? null : first.requestedBy,
    intents: intents.map((intent) => waitingOf(intent, evidence.get(intent.targetId ?? "") ?? null)),
    others: await countApprovers(first),
    denied: whyDenied(ctx, first, isOwn),
    mayBreakGlass: can(ctx.actor, "intent:break-glass") && can(ctx.actor, `intent:${first.kind}`),
  };
}

function whyDenied({ actor }: Ctx, { kind }: Intent, isOwn: boolean): string | null {
  if (isOwn) return "You asked for this yourself; somebody else must agree.";
  if (!can(actor, "intent:approve")) return "Your role does not approve what others ask for.";
  if (actor.kind === "user" && actor.role === "finance" && kind !== "launch")
    return "Finance agrees to launches only; an operator or an admin agrees to this.";
  return null;
}

function waitingOf(intent: Intent, evidence: ChangeEvidence | null): WaitingIntent {
  const launch = intent.kind === "launch" ? (intent.request as LaunchRequest) : null;
  const then = SeenEvidence.safeParse(intent.plan.seen);
  const accepted = Array.isArray(intent.plan.accepted) ? intent.plan.accepted.map(String) : [];
  return {
    id: intent.id,
    planHash: Buffer.from(intent.planHash).toString("hex"),
    name: intent.request.name ?? intent.id,
    instanceId: intent.targetId,
    typeName: launch?.typeName ?? evidence?.typeName ?? null,
    region: launch?.region ?? evidence?.region ?? null,
    microsPerHour: evidence?.priceMicros ?? micros(intent.plan.priceMicros),
    evidence,
    changed:
      intent.kind !== "terminate"
        ? []
        : evidence === null
          ? ["the machine is gone, so nothing is left to end"]
          : then.success
            ? whatChanged(then.data, evidence.seen, evidence.concerns, accepted)
            : [],
    checklist: ticksOf(intent.plan.checklist),
  };
}

/** Points of a checklist as an intent's plan keeps them. */
export function ticksOf(value: unknown): { text: string; isTicked: boolean }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null || !("text" in one) || typeof one.text !== "string") return [];
    return [{ text: one.text, isTicked: "isTicked" in one && one.isTicked === true }];
  });
}

function micros(value: unknown): string | null {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? value : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function decidedOf(intent: Awaited<ReturnType<typeof listDecided>>[number]): DecidedAct {
  const decision: DecidedAct["decision"] =
    intent.breakGlassReason !== null
      ? "glass_broken"
      : intent.approvedAt !== null
        ? "approved"
        : intent.state === "expired"
          ? "expired"
          : intent.error === null
            ? "taken_back"
            : "refused";
  return {
    id: intent.id,
    kind: intent.kind,
    name: intent.request.name ?? intent.id,
    instanceId: intent.targetId,
    by: intent.requestedBy,
    at: intent.createdAt.getTime(),
    decision,
    decidedBy: intent.approver,
    decidedAt: (intent.approvedAt ?? intent.settledAt ?? intent.createdAt).getTime(),
    words: intent.breakGlassReason ?? (decision === "refused" ? intent.error : null),
    state: intent.state,
  };
}

/** Agrees to each that is still what was read; says of each that was not why. Throws where none could be agreed to. */
export async function approveMany(ctx: Ctx, { intents }: ApproveMany): Promise<DecisionAnswer> {
  authorize(ctx, "intent:approve");
  const shown = intents.filter(({ seen }) => seen !== null);
  const evidence = shown.length > 0 ? await evidenceOfIntents(ctx) : new Map<string, ChangeEvidence>();
  return each(
    intents.map(({ intentId }) => intentId),
    async (intentId) => {
      const asked = intents.find((one) => one.intentId === intentId);
      const now = evidence.get(intentId);
      if (!asked) return;
      if (asked.seen && now) {
        const changed = whatChanged(asked.seen, now.seen, now.concerns, []);
        if (changed.length > 0)
          throw new AppError(
            "conflict",
            `The instance changed since you looked: ${changed.join("; ")}. Look again; nothing was approved or sent.`,
          );
      }
      await approveIntent(ctx, { intentId, planHash: asked.planHash });
    },
  );
}

export async function refuseMany(ctx: Ctx, { intentIds, reason }: RefuseMany): Promise<DecisionAnswer> {
  authorize(ctx, "intent:approve");
  return each(intentIds, (intentId) => refuseIntent(ctx, { intentId, reason }));
}

export async function breakGlassMany(ctx: Ctx, { intentIds, reason }: BreakGlassMany): Promise<DecisionAnswer> {
  authorize(ctx, "intent:break-glass");
  return each(intentIds, (intentId) => breakGlass(ctx, { intentId, reason }));
}

/** The evidence as it is now of what waits to be ended, by intent. */
async function evidenceOfIntents(ctx: Ctx): Promise<Map<string, ChangeEvidence>> {
  const ends = (await listAwaitingApproval()).flatMap(({ id, kind, targetId }) =>
    kind === "terminate" && targetId !== null ? [{ id, targetId }] : [],
  );
  const { found } = await gather(
    ctx,
    ends.map(({ targetId }) => targetId),
    "terminate",
    false,
  );
  const byTarget = new Map(found.map((one) => [one.instanceId, one]));
  return new Map(
    ends.flatMap(({ id, targetId }) => {
      const own = byTarget.get(targetId);
      return own ? [[id, own] as const] : [];
    }),
  );
}

/** One after the other: a refusal of one says nothing of the others. */
async function each(intentIds: string[], act: (intentId: string) => Promise<unknown>): Promise<DecisionAnswer> {
  const outcomes: DecisionAnswer["outcomes"] = [];
  let first: AppError | null = null;
  for (const intentId of new Set(intentIds)) {
    try {
      await act(intentId);
      outcomes.push({ intentId, isDone: true, words: "" });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      first ??= error;
      outcomes.push({ intentId, isDone: false, words: error.message });
    }
  }
  if (first && outcomes.every(({ isDone }) => !isDone)) throw first;
  return { outcomes };
}
