export const POLICY_KINDS = ["lease", "schedule", "idle_termination", "budget_guard", "capacity_watch"] as const;
export type PolicyKind = (typeof POLICY_KINDS)[number];
export const POLICY_MODES = ["paused", "shadow", "armed"] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];
export const POLICY_DECISIONS = ["planned", "would_act", "acted", "skipped", "cancelled"] as const;
export type PolicyDecision = (typeof POLICY_DECISIONS)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long a policy only says what it would have done. Nobody may shorten it. */
export const SHADOW_MS = 7 * DAY_MS;
/** What was due at an instant at which nobody looked is let go from here on, instead of being caught up. */
export const GRACE_MS = 30 * MINUTE_MS;

/** A watch for capacity is somebody's own request, not a rule over other people's machines: it needs no week. */
export function needsShadow(kind: PolicyKind): boolean {
  return kind !== "capacity_watch";
}

/** When a policy may be armed; at or before now: it may. */
export function armableAt(policy: { kind: PolicyKind; shadowSince: number }): number {
  return needsShadow(policy.kind) ? policy.shadowSince + SHADOW_MS : policy.shadowSince;
}

/** Since when the week counts after a pause: a week that was over stays over, one that was not begins anew. */
export function shadowAfterPause(policy: { shadowSince: number; updatedAt: number }, now: number): number {
  return policy.updatedAt - policy.shadowSince >= SHADOW_MS ? policy.shadowSince : now;
}
