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
  assignee: { id: string; name: string } | null;
  /** Until when nothing is told of it; past instants are left out. */
  snoozedUntil: number | null;
  /** Keeps news of it back now. */
  silence: { until: number; reason: string } | null;
  /** The alert that leads the incident it was merged into; null: it leads itself. */
  leadId: string | null;
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

/** What an alert's machine has burned by the ledger, in micro-dollars; null where no price is known. */
export type AlertBurn = {
  /** Up to when it was reckoned; it runs on from there at `microsPerHour`. */
  at: number;
  /** Null: the meter stands, because the alert or the machine has ended, or is not billed. */
  microsPerHour: string | null;
  /** Why it stands; null: it runs. */
  stands: "resolved" | "terminated" | "not billed" | null;
  sinceActive: string | null;
  sinceFired: string | null;
  sinceAcknowledged: string | null;
  /** From now until the next working day begins, if nobody acts; null: the meter stands. */
  ahead: { until: number; zone: string; micros: string } | null;
};

/** Why people hear less of an alert than of others. */
export type KeptBack = {
  silence: { id: string; kind: string; reason: string; by: string; endsAt: number } | null;
  /** The alert that explains this one while it fires. */
  explainedBy: { alertId: string; name: string; rule: string } | null;
  /** How many places hear of it; 0: it reaches nobody. */
  ways: number;
  /** Conditions of a silence that would hold this alert alone. */
  match: string;
};

export type Happening = {
  at: number;
  kind: "machine" | "xid" | "price" | "run" | "deploy" | "note";
  tone: "crit" | "warn" | "neutral";
  text: string;
};

/** One of the alerts of an incident. */
export type Merged = { id: string; ruleName: string; targetName: string; part: InboxPart; firedAt: number | null };

/** Who may be given an alert. */
export type PeopleToAsk = { now: number; people: { id: string; name: string; isMe: boolean }[] };

export type AlertAnswer = {
  now: number;
  row: AlertRow;
  burn: AlertBurn | null;
  kept: KeptBack;
  /** What else happened around the episode, oldest first. */
  happenings: Happening[];
  /** The others of its incident, its lead first. */
  incident: { leadId: string; others: Merged[] } | null;
  /** How it is signed in to, where the address is known. */
  ssh: string | null;
  rule: {
    clearThreshold: number | null;
    reason: string;
    action: string;
    /** With the names of this alert filled in. */
    runbook: string;
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
