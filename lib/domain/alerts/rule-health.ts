/** Health of one rule: counters of its `rule_eval` row. */
export type RuleHealth = {
  /** In all: slots that nobody judged. */
  missedSlots: number;
  /** In a row. */
  errorSlots: number;
  /** In a row: slots in which no target had a sample. */
  noDataSlots: number;
};

/** `error`: the data could not be read, so no state changed (B15). `no_data`: read, and nothing was there (B14). */
export type SlotResult = "judged" | "error" | "no_data";

export type RuleProblem = "missed_slots" | "rule_error" | "no_data";

const RAISE_AFTER = 3;
const MISSED_IN_A_ROW = 2;

/** Counts one slot, and the ones missed before it; says what has to be raised about the rule itself (B14, B15, B26). */
export function nextHealth(
  health: RuleHealth,
  result: SlotResult,
  missed: number,
): { health: RuleHealth; problems: RuleProblem[] } {
  const next: RuleHealth = {
    missedSlots: health.missedSlots + missed,
    errorSlots: result === "error" ? health.errorSlots + 1 : 0,
    noDataSlots: result === "no_data" ? health.noDataSlots + 1 : result === "error" ? health.noDataSlots : 0,
  };
  const problems: RuleProblem[] = [];
  if (missed > MISSED_IN_A_ROW) problems.push("missed_slots");
  if (next.errorSlots >= RAISE_AFTER) problems.push("rule_error");
  if (next.noDataSlots >= RAISE_AFTER) problems.push("no_data");
  return { health: next, problems };
}
