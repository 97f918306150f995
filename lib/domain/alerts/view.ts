import type { InstanceRow } from "@/lib/domain/fleet/view";
import type { Metric } from "@/lib/domain/telemetry/catalogue";
import type { Comparison, ResolveReason, Severity } from "./types";

export type InboxPart = "firing" | "acknowledged" | "unknown" | "pending" | "resolved";

export type AlertRow = {
  id: string;
  part: InboxPart;
  status: string;
  ruleId: string;
  ruleName: string;
  severity: Severity;
  targetName: string;
  resourceId: string | null;
  team: string;
  activeAt: number;
  firedAt: number | null;
  resolvedAt: number | null;
  resolveReason: ResolveReason | null;
  unknownSince: number | null;
  /** When a pending alert fires if nothing changes. */
  firesAt: number | null;
  value: number | null;
  unit: string;
  metricLabel: string;
  acknowledgedBy: string | null;
  acknowledgedAt: number | null;
  acknowledgeNote: string | null;
  reraiseAt: number | null;
  /** What the machine costs per hour while this goes on; null: no machine, no price, or no longer billed. */
  microsPerHour: string | null;
  spentMicros: string | null;
  isFlapping: boolean;
};

export type InboxAnswer = { now: number; rows: AlertRow[] };

export type AlertAnswer = {
  now: number;
  row: AlertRow;
  rule: {
    id: string;
    name: string;
    comparison: Comparison;
    threshold: number;
    clearThreshold: number | null;
    forMs: number;
    reason: string;
    action: string;
    version: number;
    isCurrent: boolean;
  };
  instance: InstanceRow | null;
  peakValue: number | null;
  /** The metric around the alert; null where it is not a series. */
  series: {
    metric: Metric;
    from: number;
    to: number;
    stepMs: number;
    at: number[];
    mean: (number | null)[];
    min: (number | null)[];
    max: (number | null)[];
  } | null;
  history: { seq: number; kind: string; at: number; value: number | null; note: string | null; actor: string | null }[];
  deliveries: {
    id: string;
    channel: string;
    kind: string;
    channelKind: string;
    state: string;
    attempts: number;
    at: number;
    nextAt: number | null;
    error: string | null;
  }[];
  earlier: { id: string; firedAt: number; resolvedAt: number | null; reason: string | null }[];
  spentSinceAckMicros: string | null;
};
