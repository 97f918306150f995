const LABEL_MOST = 55;

/** Machines that can be asked for in one act. */
export const BATCH_MOST = 20;

/**
 * What is wrong with what a person calls a machine; null: nothing. Plain letters, so that no name can look like another and each
 * can be typed to confirm.
 */
export function labelProblem(label: string): string | null {
  if (label === "") return "Give the machine a name";
  if (label.length > LABEL_MOST)
    return "Use at most 55 characters; the last 9 of Lambda's 64 carry the mark of the launch";
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(label)
    ? null
    : "Use letters, digits, dots, dashes and underscores, beginning with a letter or digit";
}

const PLACE = /\{(n{1,3})\}/;

/**
 * The names of so many machines. `{n}` is a running number, `{nn}` the same with a leading zero; numbers whose name is taken are
 * passed over. Several machines without a place for the number get it at the end.
 */
export function namesOf(pattern: string, count: number, taken: readonly string[]): string[] {
  const trimmed = pattern.trim();
  const numbered = PLACE.test(trimmed) ? trimmed : count > 1 ? `${trimmed}-{n}` : null;
  if (numbered === null) return [trimmed];
  const used = new Set(taken);
  const names: string[] = [];
  for (let n = 1; names.length < count && n <= used.size + count; n++) {
    const name = numbered.replace(PLACE, (_, places: string) => String(n).padStart(places.length, "0"));
    if (!used.has(name)) names.push(name);
  }
  return names;
}

/** What is wrong with a pattern of names; null: nothing. */
export function patternProblem(pattern: string, count: number): string | null {
  if (pattern.trim() === "") return labelProblem("");
  const longest = namesOf(pattern, count, []).reduce((a, b) => (b.length > a.length ? b : a), "");
  return labelProblem(longest);
}
