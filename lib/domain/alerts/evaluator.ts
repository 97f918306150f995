/** How one rule has been judged of late: columns of `rule_eval`. */
export type RuleJudged = {
  enabled: boolean;
  intervalMs: number;
  createdAt: number;
  /** Null: never. */
  judgedAt: number | null;
  lastError: string | null;
};

/** Whether "nothing fires" may be believed. */
export type EvaluatorHealth = {
  /** Rules that are switched on. */
  rules: number;
  /** When the rule that waits longest was judged last; null: one never was, or there is none. */
  judgedAt: number | null;
  /** Rules that were not judged for three of their intervals, and at least 90 s. */
  late: number;
  /** Rules whose last slot could not be judged. */
  failing: number;
};

const LATE_AT_LEAST_MS = 90_000;

export function isLate({ intervalMs, createdAt, judgedAt }: RuleJudged, now: number): boolean {
  return now - (judgedAt ?? createdAt) > Math.max(3 * intervalMs, LATE_AT_LEAST_MS);
}

export function evaluatorHealth(rules: readonly RuleJudged[], now: number): EvaluatorHealth {
  const enabled = rules.filter((rule) => rule.enabled);
  const judged = enabled.flatMap(({ judgedAt }) => (judgedAt === null ? [] : [judgedAt]));
  return {
    rules: enabled.length,
    judgedAt: judged.length === 0 || judged.length < enabled.length ? null : Math.min(...judged),
    late: enabled.filter((rule) => isLate(rule, now)).length,
    failing: enabled.filter((rule) => rule.lastError !== null).length,
  };
}
