import type { Workload } from "@/lib/domain/fleet/workloads";

/** Which targets a rule watches. Keys are joined by AND, values by OR; a key that is absent or empty asks nothing. */
export type Selector = {
  workload?: readonly Workload[] | undefined;
  team?: readonly string[] | undefined;
  project?: readonly string[] | undefined;
  environment?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  instance?: readonly string[] | undefined;
  region?: readonly string[] | undefined;
  /** Of GPUs: the short name of the card. */
  model?: readonly string[] | undefined;
  /** Of GPUs: the UUID. */
  gpu?: readonly string[] | undefined;
  /** Tags of the provider, as key=value. */
  tag?: readonly string[] | undefined;
  /** Of runs: the name, or the id by which its sender knows it. */
  run?: readonly string[] | undefined;
};

/** A target as selectors see it; null: it has none (the fleet has no region). */
export type SelectorTarget = { [K in SelectorKey]?: string | readonly string[] | null };

export const SELECTOR_KEYS = [
  "workload",
  "team",
  "project",
  "environment",
  "type",
  "instance",
  "region",
  "model",
  "gpu",
  "tag",
  "run",
] as const satisfies (keyof Selector)[];
export type SelectorKey = (typeof SELECTOR_KEYS)[number];

export function selects(selector: Selector, target: SelectorTarget): boolean {
  return SELECTOR_KEYS.every((key) => {
    const wanted: readonly string[] = selector[key] ?? [];
    if (wanted.length === 0) return true;
    const own = target[key] ?? null;
    if (own === null) return false;
    return typeof own === "string" ? wanted.includes(own) : own.some((one) => wanted.includes(one));
  });
}

/** Whether a selector asks anything. */
export function isNarrow(selector: Selector): boolean {
  return SELECTOR_KEYS.some((key) => (selector[key] ?? []).length > 0);
}
