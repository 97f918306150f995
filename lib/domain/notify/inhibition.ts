import type { AlertLabels } from "@/lib/domain/silences/matchers";
import { type Matcher, matches } from "@/lib/domain/silences/matchers";

/** While a source fires, targets with equal labels are not told: the source explains them (Alertmanager's semantics). */
export type Inhibition = {
  name: string;
  source: readonly Matcher[];
  target: readonly Matcher[];
  equal: readonly string[];
};

const eq = (label: string, value: string): Matcher => ({ label, op: "=", value });

/** A machine that is gone, unhealthy or silent explains what its GPUs and its workload show. */
export const INHIBITIONS: readonly Inhibition[] = [
  {
    name: "A machine that does not report explains its GPUs",
    source: [eq("kind", "telemetry")],
    target: [{ label: "kind", op: "=~", value: "gpu_metric|workload_metric|event" }],
    equal: ["instance_id"],
  },
  {
    name: "A machine in trouble explains its GPUs and its silence",
    source: [eq("kind", "inventory"), eq("severity", "critical")],
    target: [{ label: "kind", op: "=~", value: "gpu_metric|workload_metric|event|telemetry" }],
    equal: ["instance_id"],
  },
];

export type Firing = { alertId: string; labels: AlertLabels };

/** The firing alert that explains another one; null: none does. */
export function inhibitedBy(
  alert: Firing,
  firing: readonly Firing[],
  rules: readonly Inhibition[] = INHIBITIONS,
): { by: Firing; rule: Inhibition } | null {
  for (const rule of rules) {
    if (!matches(rule.target, alert.labels)) continue;
    // What is a source and a target of one rule is not muted by its like, or two could mute each other.
    const isBoth = matches(rule.source, alert.labels);
    const by = firing.find(
      (source) =>
        source.alertId !== alert.alertId &&
        matches(rule.source, source.labels) &&
        !(isBoth && matches(rule.target, source.labels)) &&
        rule.equal.every((label) => labelValue(source.labels, label) === labelValue(alert.labels, label)),
    );
    if (by) return { by, rule };
  }
  return null;
}

function labelValue(labels: AlertLabels, label: string): string {
  return Object.hasOwn(labels, label) ? (labels[label] ?? "") : "";
}
