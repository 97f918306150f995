import { hasUnseen } from "@/lib/domain/text";

/** What one sender may have. Beyond it a value is refused, counted and told; nothing that is stored is lost. */
export const SERIES_LIMITS = {
  /** Series that had a value in the last 24 h. */
  active: 200,
  activeMs: 24 * 3_600_000,
  /** Series of all time that are still kept. */
  kept: 5_000,
  labels: 30,
  labelName: 64,
  labelValue: 128,
} as const;

/** The labels that say to which run a value belongs; the first that is there counts. */
const RUN_LABELS = ["run", "run_id", "hopperdeck_run"] as const;

export function runLabelOf(labels: Readonly<Record<string, string>>): string | null {
  for (const name of RUN_LABELS) if (labels[name]) return labels[name];
  return null;
}

const LABEL_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

/** What is wrong with a set of labels, in words; null: nothing. `limit`: it is too many or too long rather than unreadable. */
export function labelProblem(labels: Readonly<Record<string, string>>): { limit: boolean; message: string } | null {
  const names = Object.keys(labels);
  if (names.length > SERIES_LIMITS.labels)
    return { limit: true, message: `${names.length} labels on one value; at most ${SERIES_LIMITS.labels} are taken` };
  for (const name of names) {
    const value = labels[name] ?? "";
    if (name.length > SERIES_LIMITS.labelName)
      return {
        limit: true,
        message: `the label ${name.slice(0, 20)}… has a name longer than ${SERIES_LIMITS.labelName} characters`,
      };
    if (value.length > SERIES_LIMITS.labelValue)
      return { limit: true, message: `the label ${name} is longer than ${SERIES_LIMITS.labelValue} characters` };
    if (!LABEL_NAME.test(name) || hasUnseen(value))
      return {
        limit: false,
        message: `the label ${JSON.stringify(name.slice(0, 40))} is not a plain name with a plain value`,
      };
  }
  return null;
}

/** One text per set of labels, whatever their order; empty labels are none, as in Prometheus. */
export function canonicalLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels)
      .filter(([, value]) => value !== "")
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}
