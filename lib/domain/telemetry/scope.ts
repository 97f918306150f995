/** All machines together. */
export const FLEET_SCOPE = "fleet";

/** By what GPUs may be taken together. */
export const SCOPE_KINDS = ["type", "model", "workload", "team", "project", "environment"] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** Distributions are kept of so many scopes at a time, the largest ones: a label per job must not fill the disk. */
export const MOST_SCOPES = 200;

/** The name of a group of GPUs, such as `team:vision`; null for an empty label, which is no group. */
export function scopeOf(kind: ScopeKind, value: string | null): string | null {
  return value === null || value === "" ? null : `${kind}:${value}`;
}
