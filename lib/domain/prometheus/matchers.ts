import { PromqlError } from "./lex";

export type Labels = Readonly<Record<string, string>>;

/** A condition on one label. A label that is absent is the empty text. */
export type Matcher = {
  label: string;
  op: "=" | "!=" | "=~" | "!~";
  value: string;
  isMatch: (value: string) => boolean;
};

export function makeMatcher(label: string, op: string, value: string): Matcher {
  switch (op) {
    case "=":
      return { label, op, value, isMatch: (given) => given === value };
    case "!=":
      return { label, op, value, isMatch: (given) => given !== value };
    case "=~":
    case "!~": {
      const pattern = anchored(value);
      return { label, op, value, isMatch: (given) => pattern.test(given) === (op === "=~") };
    }
    default:
      throw new PromqlError(`"${op}" compares no label`);
  }
}

/** A pattern must match all of the value. Flags at its start are RE2's own way to write them. */
function anchored(pattern: string): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  try {
    return new RegExp(`^(?:${pattern.slice(flags?.[0].length ?? 0)})$`, flags?.[1] ?? "");
  } catch {
    throw new PromqlError(`the pattern "${pattern}" cannot be read`);
  }
}

export function isSelected(
  { name, matchers }: { name: string | null; matchers: readonly Matcher[] },
  metric: string,
  labels: Labels,
): boolean {
  if (name !== null && name !== metric) return false;
  return matchers.every(({ label, isMatch }) => isMatch(label === "__name__" ? metric : (labels[label] ?? "")));
}

/** A selector as PromQL writes it. */
export function selectorText(
  name: string | null,
  matchers: readonly Pick<Matcher, "label" | "op" | "value">[],
): string {
  const inner = matchers.map(({ label, op, value }) => `${label}${op}${JSON.stringify(value)}`).join(",");
  return `${name ?? ""}${inner === "" && name !== null ? "" : `{${inner}}`}`;
}

/** One text per set of labels, whatever their order. */
export function labelsKey(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
