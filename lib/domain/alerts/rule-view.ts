import { z } from "zod";
import type { KeptBacktest } from "./backtest";
import type { EvaluatorHealth } from "./evaluator";
import { SelectorSchema } from "./rule-input";
import { RULE_KINDS, type RuleKind, type Selector } from "./rules";
import type { Aggregate, Comparison, NoData, ResolveReason, RuleParams, Severity } from "./types";

export const RuleId = z.object({ ruleId: z.uuid() });

export type RuleRow = {
  id: string;
  name: string;
  kind: RuleKind;
  /** One of the rules that an installation starts with. */
  isDefault: boolean;
  severity: Severity;
  enabled: boolean;
  selector: Selector;
  metric: string;
  comparison: Comparison;
  threshold: number;
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  aggregate: Aggregate;
  windowMs: number;
  lookbackMs: number | null;
  params: RuleParams;
  labels: Record<string, string>;
  budgetId: string | null;
  reason: string;
  action: string;
  runbook: string;
  /** Nothing feeds rules of this kind yet. */
  isUnfed: boolean;
  version: number;
  updatedAt: number;
  /** Null: never judged. */
  judgedAt: number | null;
  isLate: boolean;
  /** Targets at its last slot. */
  targets: number;
  missedSlots: number;
  /** Slots in a row in which no target had a sample. */
  noDataSlots: number;
  lastError: string | null;
  /** Open alerts of the rule by what they need. */
  open: { firing: number; acknowledged: number; unknown: number; pending: number };
  /** How many of its alerts fired in each of the last 24 hours, the oldest first. */
  firedByHour: number[];
};

export type RulesAnswer = { now: number; evaluator: EvaluatorHealth; rules: RuleRow[] };

export type RuleAnswer = {
  now: number;
  rule: RuleRow;
  /** The newest episodes of the rule. */
  recent: {
    id: string;
    targetName: string;
    firedAt: number;
    resolvedAt: number | null;
    reason: ResolveReason | null;
  }[];
  /** Who changed it and how, newest first; null: not for this role. */
  changes: { at: number; by: string; action: string; fields: string[] }[] | null;
  /** What history said of it when it was last saved; null: it was not asked. */
  backtest: KeptBacktest | null;
};

/** Where alerts of a severity are told. */
export type RuleChannel = { name: string; kind: string; minSeverity: Severity; enabled: boolean };

/** What the form needs to know of the fleet: the words that selectors can match, and who hears. */
export type RuleFormAnswer = {
  now: number;
  known: {
    team: string[];
    type: string[];
    instance: string[];
    region: string[];
    budget: { id: string; name: string }[];
  };
  channels: RuleChannel[];
};

/** A rule that may not be saved yet: what would it watch, and what was measured there? */
export const RulePreviewQuestion = z.object({
  kind: z.enum(RULE_KINDS),
  metric: z.string().max(60),
  ...SelectorSchema.shape,
});
export type RulePreviewQuestion = z.output<typeof RulePreviewQuestion>;

export type RulePreview = {
  now: number;
  /** Targets that match now. */
  matching: { id: string; name: string }[];
  /** Null: what the rule looks at is no series. */
  series: {
    from: number;
    to: number;
    stepMs: number;
    at: number[];
    lines: { id: string; name: string; mean: (number | null)[] }[];
    hidden: number;
  } | null;
};
