import type { RuleKind, Selector } from "./rules";
import type { Aggregate, Comparison, NoData, RuleParams, Severity } from "./types";

/** A rule as it is first written: columns of `alert_rule`. */
export type PackRule = {
  packKey: string;
  name: string;
  kind: RuleKind;
  severity: Severity;
  selector: Selector;
  metric: string;
  aggregate: Aggregate;
  windowMs: number;
  lookbackMs: number | null;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  params: RuleParams;
  labels: Record<string, string>;
  budgetId: null;
  /** Why the threshold is what it is. */
  reason: string;
  /** What the reader should do. */
  action: string;
  /** What to look at and to type, step by step. */
  runbook: string;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What a rule says when it says nothing else. */
export const BASE = {
  aggregate: "last",
  windowMs: 0,
  lookbackMs: null,
  clearThreshold: null,
  forMs: 0,
  keepFiringMs: 0,
  intervalMs: 30_000,
  noData: "unknown",
  selector: {},
  params: {},
  labels: {},
  budgetId: null,
} satisfies Partial<PackRule>;

/** Inference servers allocate their memory in advance, so full VRAM says nothing there (decisions: VRAM defaults). */
export const NOT_INFERENCE: Selector = { workload: ["training", "batch", "dev", "unknown"] };

export const LOOK = "1. Sign in: ssh ubuntu@{address}";
