import { formatDuration } from "@/lib/domain/format-time";
import type { Verdict } from "./decide";
import { GRACE_MS, type PolicyMode } from "./kinds";
import { HOLDS, type PolicyAct } from "./snapshot";

const HOUR_MS = 3_600_000;

/** Why something that is due waits all the same. */
export type Wait = "hold" | "max_per_hour" | "cool_down" | "stopped" | "notice" | "paused";

export type Step =
  | { kind: "none" }
  | { kind: "later"; at: number }
  | { kind: "wait"; wait: Wait; at: number | null; words: string }
  /** Say that it will be done, and when. */
  | { kind: "plan"; actAt: number; reason: string }
  | { kind: "would_act"; reason: string }
  | { kind: "act"; reason: string }
  | { kind: "skip"; reason: string };

export type Standing = {
  now: number;
  mode: PolicyMode;
  /** Before this look; null: this is the first. */
  lookedAt: number | null;
  isStopped: boolean;
  maxPerHour: number;
  cooldownMs: number;
  /** When it acted within the last hour, the oldest first. */
  actedAt: readonly number[];
  /** When it last acted on the same target. */
  targetActedAt: number | null;
};

/** What becomes of something that a policy wants: said beforehand, done once, and let go when its time has passed. */
export function stepOf(verdict: Verdict, known: PolicyAct | null, standing: Standing): Step {
  const { now, mode } = standing;
  if (known !== null && known.decision !== "planned") return { kind: "none" };
  if (mode === "paused") return { kind: "wait", wait: "paused", at: null, words: "the policy is paused" };
  if (now < verdict.dueAt - verdict.noticeMs) return { kind: "later", at: verdict.dueAt };
  const isMissed =
    verdict.isTimed &&
    standing.lookedAt !== null &&
    standing.lookedAt < verdict.dueAt &&
    now > verdict.dueAt + GRACE_MS;
  if (isMissed)
    return {
      kind: "skip",
      reason: `Nobody looked when it was due; ${formatDuration(now - verdict.dueAt)} later it is let go, not caught up.`,
    };
  if (verdict.until !== null && now >= verdict.until)
    return {
      kind: "skip",
      reason:
        verdict.hold === null ? "Its time passed before it could be done." : `Left alone: ${HOLDS[verdict.hold]}.`,
    };
  if (standing.isStopped) return { kind: "wait", wait: "stopped", at: null, words: "all automation is stopped" };
  if (mode === "shadow") return shadowStep(verdict, now);
  return armedStep(verdict, known, standing);
}

function shadowStep(verdict: Verdict, now: number): Step {
  if (now < verdict.dueAt) return { kind: "later", at: verdict.dueAt };
  if (verdict.hold !== null) return held(verdict);
  return { kind: "would_act", reason: verdict.why };
}

function armedStep(verdict: Verdict, known: PolicyAct | null, standing: Standing): Step {
  const { now } = standing;
  if (verdict.hold !== null) return held(verdict);
  const plannedAt = known?.actAt ?? null;
  // An announcement whose hour passed while nobody looked has warned nobody: it is made again.
  const isStale =
    plannedAt !== null &&
    standing.lookedAt !== null &&
    standing.lookedAt < plannedAt - GRACE_MS &&
    now > plannedAt + GRACE_MS;
  if (verdict.noticeMs > 0 && (plannedAt === null || isStale)) {
    const notice = Math.min(verdict.noticeMs, Math.max(shortest(verdict), verdict.dueAt - now));
    return { kind: "plan", actAt: Math.max(verdict.dueAt, now + notice), reason: verdict.why };
  }
  if (plannedAt !== null && now < plannedAt) return { kind: "later", at: plannedAt };
  if (now < verdict.dueAt) return { kind: "later", at: verdict.dueAt };
  const { targetActedAt, cooldownMs, actedAt, maxPerHour } = standing;
  if (targetActedAt !== null && now - targetActedAt < cooldownMs)
    return {
      kind: "wait",
      wait: "cool_down",
      at: targetActedAt + cooldownMs,
      words: `it acted on it ${formatDuration(now - targetActedAt)} ago`,
    };
  const recent = actedAt.filter((at) => now - at < HOUR_MS);
  if (recent.length >= maxPerHour)
    return {
      kind: "wait",
      wait: "max_per_hour",
      at: (recent[0] ?? now) + HOUR_MS,
      words: `it has acted ${recent.length} times within the hour, and may ${maxPerHour}`,
    };
  return { kind: "act", reason: verdict.why };
}

/** A warning of a day is no reason to keep a machine for a day more when it comes late. */
function shortest({ noticeMs }: Verdict): number {
  return Math.min(noticeMs, GRACE_MS);
}

function held(verdict: Verdict): Step {
  return {
    kind: "wait",
    wait: "hold",
    at: null,
    words: verdict.hold === null ? "" : HOLDS[verdict.hold],
  };
}
