import { z } from "zod";
import { cleanName } from "@/lib/domain/text";

/** Words by which alerts are found: of the rule, of the target, and of the rule's own labels. */
export type AlertLabels = Readonly<Record<string, string>>;

export const MATCHER_OPS = ["=", "!=", "=~", "!~"] as const;

/**
 * One condition on one label. `=~` takes patterns apart by `|`, in which `*` stands for anything: no regular
 * expressions, so that nobody's pattern can stall the sender. A label that an alert does not have is "".
 */
export const Matcher = z.object({
  label: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, "is not the name of a label"),
  op: z.enum(MATCHER_OPS),
  value: z.string().transform((value) => cleanName(value, 300)),
});
export type Matcher = z.output<typeof Matcher>;

export const Matchers = z.array(Matcher).max(20);

/** Whether all conditions hold; no condition holds for everything. */
export function matches(matchers: readonly Matcher[], labels: AlertLabels): boolean {
  return matchers.every(({ label, op, value }) => {
    const own = Object.hasOwn(labels, label) ? (labels[label] ?? "") : "";
    const isWanted = op === "=" || op === "=~";
    const isSo = op === "=" || op === "!=" ? own === value : fits(value, own);
    return isSo === isWanted;
  });
}

function fits(patterns: string, text: string): boolean {
  return patterns.split("|").some((pattern) => glob(pattern.trim(), text));
}

/** On a mismatch it goes back to the last star alone, so the work is bounded by the product of the lengths. */
function glob(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let from = 0;
  while (place < text.length) {
    if (pattern[at] === "*") {
      star = at++;
      from = place;
    } else if (at < pattern.length && pattern[at] === text[place]) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++from;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** "team = ml, severity != critical" as people write it. */
export function matcherText(matchers: readonly Matcher[]): string {
  return matchers.map(({ label, op, value }) => `${label}${op}${JSON.stringify(value)}`).join(", ");
}

const TEXT = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*"|[^,"\s=][^,"=]*)\s*(?:,|$)/y;

/** Reads what `matcherText` writes, quotes being optional; null: not understood. */
export function parseMatchers(text: string): Matcher[] | null {
  const found: Matcher[] = [];
  TEXT.lastIndex = 0;
  while (TEXT.lastIndex < text.length) {
    if (text.slice(TEXT.lastIndex).trim() === "") break;
    const part = TEXT.exec(text);
    const read = part && Matcher.safeParse({ label: part[1], op: part[2], value: unquoted(part[3] ?? "") });
    if (!read?.success || found.length >= 20) return null;
    found.push(read.data);
  }
  return found;
}

function unquoted(text: string): unknown {
  if (!text.startsWith('"')) return text.trim();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
