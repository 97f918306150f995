import type { InstanceRow } from "@/lib/domain/fleet/view";
import type { Metric } from "@/lib/domain/telemetry/catalogue";
import type { EvaluatorHealth } from "./evaluator";
import type { RuleKind } from "./rules";
import type { HistoryEntry } from "./timeline";
import type { Comparison, ResolveReason, Severity } from "./types";

export type InboxPart = "firing" | "acknowledged" | "unknown" | "pending" | "resolved";

/** What needs somebody, for the frame of every page. */
export type AlertCounts = { now: number; firing: number; unknown: number; critical: number };

export type AlertRow = {
  id: string;
  part: InboxPart;
  status: "pending" | "firing" | "recovering" | "unknown" | "resolved";
  ruleId: string;
  ruleName: string;
  kind: RuleKind;
  metric: string;
  comparison: Comparison;
  threshold: number;
  forMs: number;
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
  /** What an hour of the machine costs, or cost last, billed now or not; null: no machine, or no price known. */
  priceMicros: string | null;
  spentMicros: string | null;
  isFlapping: boolean;
};

export type InboxAnswer = {
  now: number;
  rows: AlertRow[];
  /** Alerts beyond those listed. */
  omitted: number;
  evaluator: EvaluatorHealth;
  /** Since when the fleet is only what we last saw; null: it is current. */
  inventoryStaleSince: number | null;
};

export type AlertAnswer = {
  now: number;
  row: AlertRow;
  rule: {
    clearThreshold: number | null;
    reason: string;
    action: string;
    version: number;
    /** Whether the episode was last judged by the rule as it is now. */
    isCurrent: boolean;
    isDeleted: boolean;
  };
  instance: InstanceRow | null;
  gpu: { position: number; model: string; uuid: string } | null;
  /** Places to which alerts of this severity are told now. */
  channels: number;
  peakValue: number | null;
  /** The metric around the alert, or the machine's utilisation where what the rule looks at is no series. */
  series: {
    metric: Metric;
    /** It is the rule's own metric, to which its threshold applies. */
    isJudged: boolean;
    from: number;
    to: number;
    stepMs: number;
    at: number[];
    mean: (number | null)[];
    min: (number | null)[];
    max: (number | null)[];
  } | null;
  history: HistoryEntry[];
  deliveries: {
    id: string;
    channel: string;
    kind: string;
    channelKind: string;
    state: "queued" | "sending" | "delivered" | "dead" | "dropped";
    attempts: number;
    at: number;
    nextAt: number | null;
    /** What the receiver answered last; null: no answer, or none yet. */
    statusCode: number | null;
    error: string | null;
  }[];
  earlier: { id: string; firedAt: number; resolvedAt: number | null; reason: ResolveReason | null }[];
};
