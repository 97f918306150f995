/** Words of the `comparison`, `no_data`, `severity`, `rule_kind` and `workload_kind` enums in the database. */
export const COMPARISONS = ["above", "at_least", "below", "at_most", "equal", "not_equal"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What is made of the samples of a window before they are compared; `last` takes the newest alone. */
export const AGGREGATES = ["last", "mean", "min", "max", "p95", "rate", "change", "count"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const NO_DATA = ["unknown", "alert", "ok"] as const;
export type NoData = (typeof NO_DATA)[number];

export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What one kind of rule needs and others do not: an SLO's target, the codes of an Xid rule, the name of a series. */
export type RuleParams = Readonly<Record<string, string | number>>;

/** What a rule demands of one series. Times in milliseconds; thresholds are IEEE doubles in the metric's own unit. */
export type AlertCondition = {
  comparison: Comparison;
  threshold: number;
  /** Hysteresis (B08): once firing, it stays until the value is no longer beyond this one. */
  clearThreshold: number | null;
  forMs: number;
  keepFiringMs: number;
  intervalMs: number;
  noData: NoData;
  /** A rule that bears longer silence than the lookback says how long; 0: the lookback alone. */
  silenceToleranceMs: number;
  /** A second level: beyond it one alert goes on as critical, instead of a second one beside it. Not given: there is none. */
  criticalThreshold?: number | null;
};

/**
 * What a sample is worth, as data (reference/alerts.md).
 * `absence: "unknown"` keeps a verdict while data are missing; `"resolve"` takes silence for a false condition.
 */
export type Semantics = {
  lookbackMs: number;
  /** Whether a sample exactly as old as the lookback still counts ("closed") or not ("open"). */
  lookbackEdge: "open" | "closed";
  nan: "noSample" | "resolve";
  absence: "unknown" | "resolve";
};

/** One measurement. `null`: the series says that it has no value; late ones are stored and never judged (B19). */
export type Sample = { at: number; value: number | null; isLate?: boolean };

/** What a slot sees of a series: a value, or none with the reason; `at` is the sample it rests on. */
export type Reading =
  | { value: number; at: number }
  | { value: null; at: number | null; reason: "no_sample" | "too_old" | "series_ended" };

export type OpenStatus = "pending" | "firing" | "recovering" | "unknown";

/** The open episode of one rule on one target: columns of the `alert` row. Inactive is `null`. */
export type AlertState = {
  status: OpenStatus;
  /** First true slot; moved on by holes in the evaluation (B24). */
  activeAt: number;
  /** First time this episode fired; kept when an edited rule sends it back to pending. */
  firedAt: number | null;
  keepSince: number | null;
  unknownSince: number | null;
  lastSlot: number;
  firstValue: number | null;
  lastValue: number | null;
  /** The value furthest beyond the threshold. */
  peakValue: number | null;
  ruleVersion: number;
  /** It has gone beyond the second level, and stays critical until it ends. */
  isEscalated?: boolean;
};

/** The evaluator's share of the `transition_kind` enum; the rest is what people do. */
export type TransitionKind =
  | "pending"
  | "fired"
  | "unknown"
  | "recovering"
  | "resumed"
  | "repending"
  | "resolved"
  | "flapping"
  | "escalated";

/** At most one of a kind per slot (B39). The note is a sentence for the timeline. */
export type Transition = { kind: TransitionKind; slot: number; value: number | null; note: string };

/** `recovered`, `instance_gone` and `series_ended` are the evaluator's; the others are what people do to a rule or its target. */
export type ResolveReason =
  | "recovered"
  | "instance_gone"
  | "series_ended"
  | "not_covered"
  | "rule_paused"
  | "rule_deleted";

/** `last` is the state at its end. `never_fired`: a pending spell that leaves no episode behind; its row is deleted. */
export type EpisodeEnd = { reason: ResolveReason | "never_fired"; at: number; last: AlertState };

/** Memory of one rule on one target across its episodes (B29). */
export type FlapHistory = {
  /** Slots of fires and recoveries within the last 30 minutes, ascending. */
  changes: readonly number[];
  /** Set while flapping: when it counts as calm if nothing more happens. */
  flappingUntil: number | null;
};

export const NO_FLAPS: FlapHistory = { changes: [], flappingUntil: null };
