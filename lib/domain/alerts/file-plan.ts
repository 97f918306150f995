import { z } from "zod";
import { exactText } from "@/lib/domain/cost/decimal";
import type { Micros } from "@/lib/domain/cost/money";

/** What stands in the file of rules, by its section. */
export type FileNoun = "rule" | "budget" | "route" | "silence";

export type FileChange = {
  of: FileNoun;
  name: string;
  kind: "new" | "changed" | "same" | "refused" | "left_out";
  /** Of a change: which fields, and what they were and will be. Of a refusal: what is wrong. */
  details: string[];
};

export type FileDiff = {
  changes: FileChange[];
  /** What stands and the file does not name; it stays as it is. */
  untouched: string[];
};

export type FileEntry = Record<string, unknown>;
export type Planned<Input> = { name: string; id: string | null; input: Input };
export type Plan<Input> = { diff: FileDiff; planned: Planned<Input>[] };

type Section<Input extends { name: string }> = {
  of: FileNoun;
  entries: readonly FileEntry[];
  /** What stands, as entries of a file. */
  existing: readonly { id: string; name: string; entry: FileEntry }[];
  read: (entry: FileEntry) => z.ZodSafeParseResult<Input>;
  /** How an entry reads once it was taken in. */
  entryOf: (input: Input) => FileEntry;
  /** Why what can be read is not taken all the same. */
  refuse?: (input: Input, id: string | null) => string | null;
  /** Shown as changed only, without its text. */
  long?: readonly string[];
};

/** What one section of a file would change. A thing is known by its name; what the file does not name stays. */
export function planSection<Input extends { name: string }>(section: Section<Input>): Plan<Input> {
  const { of, entries, existing, read, entryOf, refuse, long = [] } = section;
  const byName = new Map(existing.map((one) => [one.name, one]));
  const seen = new Set<string>();
  const changes: FileChange[] = [];
  const planned: Planned<Input>[] = [];
  for (const entry of entries) {
    const parsed = read(entry);
    if (!parsed.success) {
      const details = parsed.error.issues.map(({ path, message }) => `${path.join(".") || of}: ${message}`);
      changes.push({ of, name: String(entry.name ?? ""), kind: "refused", details });
      continue;
    }
    const input = parsed.data;
    const { name } = input;
    const before = byName.get(name);
    const why = seen.has(name)
      ? `name: another ${of} of the file has it`
      : (refuse?.(input, before?.id ?? null) ?? null);
    seen.add(name);
    if (why !== null) {
      changes.push({ of, name, kind: "refused", details: [why] });
      continue;
    }
    const details = before ? differences(before.entry, entryOf(input), long) : [];
    const kind = !before ? "new" : details.length === 0 ? "same" : "changed";
    changes.push({ of, name, kind, details });
    if (kind !== "same") planned.push({ name, id: before?.id ?? null, input });
  }
  const untouched = existing.map(({ name }) => name).filter((name) => !seen.has(name));
  return { diff: { changes, untouched }, planned };
}

function differences(before: FileEntry, after: FileEntry, long: readonly string[]): string[] {
  const text = (value: unknown) => (value === undefined ? "default" : JSON.stringify(value));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => text(before[key]) !== text(after[key]))
    .map((key) => (long.includes(key) ? key : `${key}: ${text(before[key])} → ${text(after[key])}`));
}

/** For `.transform`: what was read goes through another schema, whose refusals keep their place. */
export function into<T>(schema: z.ZodType<T>) {
  return (value: unknown, context: z.RefinementCtx): T => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path: [...path], message });
    return z.NEVER;
  };
}

/** An entry in the order of `order`, without what holds by default and without what is empty. */
export function entryIn(order: readonly string[], values: FileEntry, defaults: FileEntry): FileEntry {
  const isLeftOut = (key: string) => {
    const value = values[key];
    if (value === undefined) return true;
    if (key in defaults) return JSON.stringify(value) === JSON.stringify(defaults[key]);
    return typeof value === "object" && value !== null && Object.keys(value).length === 0;
  };
  return Object.fromEntries(order.flatMap((key) => (isLeftOut(key) ? [] : [[key, values[key]]])));
}

/** An amount in dollars, with all of its digits. */
export function dollarsText(micros: Micros): string {
  return exactText({ numerator: micros, denominator: 1_000_000n });
}
