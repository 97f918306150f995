import { z } from "zod";

export const SCOPE_KEYS = ["team", "project", "environment", "costCenter", "type", "region", "connection"] as const;
export type ScopeKey = (typeof SCOPE_KEYS)[number];

const value = z.string().trim().min(1, "Choose one").max(120, "is longer than 120 characters").optional();

/** Whose money is meant: rows that fit every key that is named; none named, the fleet. */
export const Selector = z.strictObject({
  team: value,
  project: value,
  environment: value,
  costCenter: value,
  type: value,
  region: value,
  connection: value,
} satisfies Record<ScopeKey, typeof value>);
export type Selector = { readonly [K in ScopeKey]?: string | undefined };

export const SCOPE_WORDS: Record<ScopeKey, string> = {
  team: "Team",
  project: "Project",
  environment: "Environment",
  costCenter: "Cost centre",
  type: "Instance type",
  region: "Region",
  connection: "Connection",
};

export function isFleet(selector: Selector): boolean {
  return SCOPE_KEYS.every((key) => selector[key] === undefined);
}

/** Whether it asks only for whom the money is, not for what it is spent on: then a share of common costs belongs to it. */
export function isOwnerScope({ type, region, connection }: Selector): boolean {
  return type === undefined && region === undefined && connection === undefined;
}

/** `The fleet`, `Team research`, `Team research, region us-east-3` */
export function scopeWords(selector: Selector): string {
  const parts = SCOPE_KEYS.flatMap((key) =>
    selector[key] === undefined ? [] : [`${SCOPE_WORDS[key]} ${selector[key]}`],
  );
  const [first, ...rest] = parts;
  if (first === undefined) return "The fleet";
  return [first, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(", ");
}

/** By which name the forecasts and anomalies of a scope are kept: the fleet and each team have theirs. */
export function keptScope(team: string | null): string {
  return team === null ? "all" : `team:${team}`;
}

/** The other way; a team without a name is what nobody was named for. */
export function keptScopeWords(scope: string): string {
  if (scope === "all") return "The fleet";
  const team = scope.replace(/^team:/, "");
  return team === "" ? "Unallocated" : `Team ${team}`;
}
