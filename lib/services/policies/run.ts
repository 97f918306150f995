import { recordAudit } from "@/lib/db/mutate";
import {
  cancelPlanned,
  giveBack,
  type Look,
  listActs,
  listLooks,
  reserveAct,
  type StoredAct,
  saveLook,
  tieIntent,
  writeDecision,
} from "@/lib/db/policies/acts";
import { listPolicies } from "@/lib/db/policies/policies";
import { readSettingNow } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import { decide, type Verdict } from "@/lib/domain/policies/decide";
import { microsOfUsd, type Policy } from "@/lib/domain/policies/policy";
import { HOLDS, type Snapshot } from "@/lib/domain/policies/snapshot";
import { type Step, stepOf } from "@/lib/domain/policies/step";
import type { OutlookRow } from "@/lib/domain/policies/view";
import { type Asked, launchByPolicy, terminateByPolicy } from "@/lib/services/intents/automatic";
import { readSnapshot } from "./snapshot";
import { countSavings } from "./tally";
import { launchOf } from "./templates";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Acts so old matter to no decision any more; announcements are always read. */
const MEMORY_MS = 40 * 24 * HOUR_MS;
/** Somebody who took an act and was stopped before its request: it is finished for so long, then it waits again. */
const UNFINISHED_MS = HOUR_MS;
const MOST_SHOWN = 200;

/** Lets every standing policy look once: says what it would do, announces, acts, and lets go. */
export async function runPolicies(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const policies = await listPolicies();
  if (policies.length === 0) return;
  const [automation, looks] = await Promise.all([readSettingNow("automation"), listLooks()]);
  const snapshot = await readSnapshot(ctx.now, policies);
  let failed: unknown = null;
  for (const policy of policies) {
    if (signal?.aborted) return;
    try {
      await look(ctx, policy, snapshot, looks.get(policy.id) ?? null, automation.stoppedAt !== null);
    } catch (error) {
      // One policy that fails must not keep the others from looking.
      failed ??= error;
    }
  }
  if (failed !== null) throw failed;
}

async function look(
  ctx: Ctx,
  policy: Policy,
  snapshot: Snapshot,
  last: Look | null,
  isStopped: boolean,
): Promise<void> {
  const now = ctx.now.getTime();
  // A clock that went back: what was decided then stands, and nothing is decided by an hour that was already had.
  if (last !== null && now < last.lookedAt - MINUTE_MS) {
    await saveLook(policy.id, ctx.now, []);
    return;
  }
  const acts = await listActs({ policyId: policy.id, since: new Date(now - MEMORY_MS) });
  const verdicts = decide(policy, snapshot, acts);
  await finish(ctx, policy, acts, isStopped);
  await takeBack(ctx, policy, acts, verdicts);
  const known = new Map(acts.map((act) => [keyOf(act), act]));
  const acted = acts.filter(({ decision }) => decision === "acted");
  const actedAt = acted.map(({ decidedAt }) => decidedAt).sort((a, b) => a - b);
  const rows: OutlookRow[] = [];
  for (const verdict of verdicts) {
    const act = known.get(keyOf(verdict)) ?? null;
    // In shadow a machine that would have been ended is watched until it works again; it is not ended twice.
    if (policy.mode === "shadow" && act === null && isStillTold(acts, verdict)) continue;
    const step = stepOf(verdict, act, {
      now,
      mode: policy.mode,
      lookedAt: last?.lookedAt ?? null,
      isStopped,
      maxPerHour: policy.maxPerHour,
      cooldownMs: policy.cooldownMs,
      actedAt,
      targetActedAt: latest(acted, verdict.target),
    });
    const row = await take(ctx, policy, verdict, step);
    if (step.kind === "act" && row?.state === "acts") actedAt.push(now);
    if (row) rows.push({ ...row, isPlanned: row.isPlanned || act?.decision === "planned" });
  }
  await countSavings(acts, snapshot);
  await saveLook(policy.id, ctx.now, rows.slice(0, MOST_SHOWN));
}

function keyOf({ target, slot }: { target: string; slot: number }): string {
  return `${slot} ${target}`;
}

function latest(acted: readonly StoredAct[], target: string): number | null {
  return acted.reduce<number | null>(
    (at, act) => (act.target === target && (at === null || act.decidedAt > at) ? act.decidedAt : at),
    null,
  );
}

function isStillTold(acts: readonly StoredAct[], verdict: Verdict): boolean {
  return (
    verdict.act === "terminate" &&
    !verdict.isTimed &&
    acts.some(
      (act) => act.target === verdict.target && act.decision === "would_act" && act.evidence.closedAt === undefined,
    )
  );
}

/** Carries out a step; returns how it is shown until the next look. */
async function take(ctx: Ctx, policy: Policy, verdict: Verdict, step: Step): Promise<OutlookRow | null> {
  const row = (
    state: OutlookRow["state"],
    at: number | null,
    words: string,
    wait: OutlookRow["wait"] = null,
  ): OutlookRow => ({
    target: verdict.target,
    slot: verdict.slot,
    resourceId: verdict.resourceId,
    name: verdict.name,
    act: verdict.act,
    state,
    at,
    wait,
    words,
    priceMicros: verdict.priceMicros?.toString() ?? null,
    isPlanned: step.kind === "plan",
  });
  switch (step.kind) {
    case "none":
      return null;
    case "later":
      return row(
        "later",
        step.at,
        verdict.hold === null
          ? verdict.why
          : `${verdict.why} As it is now, it would be left alone: ${HOLDS[verdict.hold]}.`,
      );
    case "wait":
      return row("waits", step.at, step.words, step.wait);
    case "plan":
      await writeDecision(policy.id, verdict, { decision: "planned", reason: step.reason, actAt: step.actAt }, ctx.now);
      return row("later", step.actAt, verdict.why);
    case "would_act":
      await writeDecision(policy.id, verdict, { decision: "would_act", reason: step.reason }, ctx.now);
      return null;
    case "skip":
      await writeDecision(policy.id, verdict, { decision: "skipped", reason: step.reason }, ctx.now);
      return null;
    case "act": {
      const reserved = await reserveAct(policy, verdict, ctx.now);
      if (reserved.kind === "taken") return null;
      if (reserved.kind === "limited")
        return row(
          "waits",
          null,
          reserved.why === "cool_down"
            ? "it acted on it a moment ago"
            : "it has acted as often as it may within the hour",
          reserved.why,
        );
      const asked = await carryOut(ctx, policy, verdict);
      if (asked?.kind === "held") {
        const key = { policyId: policy.id, target: verdict.target, slot: verdict.slot };
        await giveBack({ ...key, evidence: evidenceOf(verdict) }, asked.why, ctx.now);
        return row("waits", null, asked.why, "hold");
      }
      if (asked) await tieIntent({ policyId: policy.id, target: verdict.target, slot: verdict.slot }, asked.id);
      return row("acts", ctx.now.getTime(), verdict.why);
    }
  }
}

function evidenceOf(verdict: Verdict): StoredAct["evidence"] {
  const { name, act, dueAt, savesUntil, launch } = verdict;
  return { name, act, dueAt, savesUntil, launch, priceMicros: verdict.priceMicros?.toString() ?? null };
}

type Deed = Pick<Verdict, "target" | "slot" | "resourceId" | "name" | "act" | "why" | "launch" | "dueAt">;

/** Asks for what was decided. The request's id comes of policy, target and slot: asked twice it is one. Null: nothing is asked of Lambda. */
async function carryOut(ctx: Ctx, policy: Policy, deed: Deed): Promise<Asked | null> {
  const slot = new Date(deed.slot);
  const reason = `Policy ${policy.name}: ${deed.why}`;
  if (deed.act === "terminate" && deed.resourceId !== null)
    return terminateByPolicy(ctx, {
      policyId: policy.id,
      resourceId: deed.resourceId,
      slot,
      reason,
      evidence: { why: deed.why, dueAt: deed.dueAt },
      whileIdle: !("endBusy" in policy.params && policy.params.endBusy),
      isForIdleness: policy.kind === "idle_termination",
    });
  if (deed.act === "launch" && deed.launch !== null) {
    const launch = await launchOf(deed.launch, ctx.now);
    if ("why" in launch) return { kind: "held", why: launch.why };
    const most = policy.kind === "capacity_watch" ? policy.params.maxUsdPerHour : null;
    return launchByPolicy(ctx, {
      policyId: policy.id,
      target: deed.target,
      slot,
      launch,
      maxMicrosPerHour: most === null ? null : microsOfUsd(most).toString(),
      reason,
    });
  }
  await recordAudit(ctx, {
    action: "policy.acted",
    subjectKind: "policy",
    subjectId: policy.id,
    subject: policy.name,
    reason: `${deed.name}: ${deed.why}`,
  });
  return null;
}

/** Acts that were taken and whose request nobody knows of: the worker stopped between the two. The same request is asked for again. */
async function finish(ctx: Ctx, policy: Policy, acts: readonly StoredAct[], isStopped: boolean): Promise<void> {
  const now = ctx.now.getTime();
  for (const act of acts) {
    const { act: what } = act.evidence;
    const isOpen = act.decision === "acted" && act.intentId === null && (what === "terminate" || what === "launch");
    // Within the same minute another worker may still be at it.
    if (!isOpen || now - act.decidedAt < MINUTE_MS) continue;
    if (policy.mode !== "armed" || isStopped || now - act.decidedAt > UNFINISHED_MS) continue;
    const asked = await carryOut(ctx, policy, {
      target: act.target,
      slot: act.slot,
      resourceId: act.resourceId,
      name: act.evidence.name,
      act: what,
      why: act.reason,
      launch: act.evidence.launch ?? null,
      dueAt: act.evidence.dueAt,
    });
    if (asked?.kind === "asked") await tieIntent(act, asked.id);
    else if (asked) await giveBack(act, asked.why, ctx.now);
  }
}

const GONE_WORDS: Record<Policy["kind"], string> = {
  lease: "Its lease was extended, or it is gone.",
  schedule: "It is not wanted any more: the hours changed, or the machine is gone.",
  idle_termination: "It works again, or some of its minutes are missing.",
  budget_guard: "The budget is within its limit again, or the machine is gone.",
  capacity_watch: "The watch is over.",
};

/** What was announced, and is not wanted any more. */
async function takeBack(
  ctx: Ctx,
  policy: Policy,
  acts: readonly StoredAct[],
  verdicts: readonly Verdict[],
): Promise<void> {
  const wanted = new Set(verdicts.map(keyOf));
  for (const act of acts)
    if (act.decision === "planned" && !wanted.has(keyOf(act)))
      await cancelPlanned(act, GONE_WORDS[policy.kind], ctx.now);
}
