import {
  formatG,
  goPrintf,
  humanize,
  humanize1024,
  humanizeDuration,
  humanizePercentage,
  humanizeTimestamp,
} from "./format";
import type { Labels } from "./matchers";

export type TemplateData = { labels: Labels; value: number; externalLabels: Labels; externalUrl: string };

type Value = string | number | boolean | Labels;
type Term =
  | { kind: "value"; value: Value }
  | { kind: "data"; path: readonly string[] }
  | { kind: "pipe"; calls: readonly Call[] };
type Call = { name: string | null; args: readonly Term[] };
type Node =
  | { kind: "text"; text: string }
  | { kind: "print"; calls: readonly Call[] }
  | { kind: "set"; name: string; calls: readonly Call[] }
  | { kind: "if"; calls: readonly Call[]; then: readonly Node[]; or: readonly Node[] };

/** A text with holes, as rule files write labels and annotations. */
export type Template = readonly Node[];

class Unsupported extends Error {}

/** Reads a template of Go as far as rule files commonly use them; null: it uses more. */
export function parseTemplate(source: string): Template | null {
  try {
    const reader = new Pieces(split(source));
    const nodes = reader.until([]);
    return nodes;
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** The text for one alert; null: it does something that is not known here. */
export function renderTemplate(template: Template | null, data: TemplateData): string | null {
  if (template === null) return null;
  try {
    return render(template, { data, variables: new Map() });
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/* ── Reading ── */

type Piece = { text: string } | { action: string };

function split(source: string): Piece[] {
  const pieces: Piece[] = [];
  const pattern = /\{\{(-(?=\s))?((?:"(?:\\.|[^"\\])*"|`[^`]*`|\/\*[\s\S]*?\*\/|[^"`])*?)((?<=\s)-)?\}\}/g;
  let at = 0;
  let trimsNext = false;
  const push = (text: string) => {
    const kept = trimsNext ? text.trimStart() : text;
    if (kept !== "") pieces.push({ text: kept });
  };
  for (const found of source.matchAll(pattern)) {
    const before = source.slice(at, found.index);
    push(found[1] === undefined ? before : before.trimEnd());
    trimsNext = found[3] !== undefined;
    pieces.push({ action: (found[2] ?? "").trim() });
    at = found.index + found[0].length;
  }
  const rest = source.slice(at);
  if (rest.includes("{{")) throw new Unsupported();
  push(rest);
  return pieces;
}

class Pieces {
  private at = 0;

  constructor(private readonly pieces: readonly Piece[]) {}

  /** Nodes up to one of the closing words, which is left standing. */
  until(closing: readonly string[]): Node[] {
    const nodes: Node[] = [];
    for (; ; this.at++) {
      const piece = this.pieces[this.at];
      if (!piece) {
        if (closing.length > 0) throw new Unsupported();
        return nodes;
      }
      if ("text" in piece) {
        nodes.push({ kind: "text", text: piece.text });
        continue;
      }
      const { action } = piece;
      const word = /^\w+/.exec(action)?.[0] ?? "";
      if (closing.includes(word)) return nodes;
      if (action.startsWith("/*")) continue;
      if (word === "if") nodes.push(this.branch(action.slice(2)));
      else if (["range", "with", "define", "template", "block", "end", "else", "break", "continue"].includes(word))
        throw new Unsupported();
      else nodes.push(statement(action));
    }
  }

  private branch(condition: string): Node {
    this.at++;
    const then = this.until(["else", "end"]);
    const piece = this.pieces[this.at];
    const action = piece && "action" in piece ? piece.action : "";
    const calls = pipeline(condition);
    if (action === "end") return { kind: "if", calls, then, or: [] };
    const chained = /^else\s+if\b(.*)$/s.exec(action);
    if (chained) return { kind: "if", calls, then, or: [this.branch(chained[1] ?? "")] };
    this.at++;
    return { kind: "if", calls, then, or: this.until(["end"]) };
  }
}

function statement(action: string): Node {
  const set = /^\$(\w+)\s*:?=(.*)$/s.exec(action);
  if (set) return { kind: "set", name: set[1] ?? "", calls: pipeline(set[2] ?? "") };
  return { kind: "print", calls: pipeline(action) };
}

const TOKEN = /\s*("(?:\\.|[^"\\])*"|`[^`]*`|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\$?[\w]*(?:\.\w+)+|\$\w+|\.|\w+|[()|])/y;

function pipeline(source: string): Call[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const text = source.trimEnd();
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) throw new Unsupported();
    tokens.push(found[1] ?? "");
  }
  const at = { i: 0 };
  const calls = readCalls(tokens, at);
  if (at.i < tokens.length) throw new Unsupported();
  return calls;
}

function readCalls(tokens: readonly string[], at: { i: number }): Call[] {
  const calls: Call[] = [];
  for (;;) {
    const name = /^[a-zA-Z]\w*$/.test(tokens[at.i] ?? "") && !isLiteral(tokens[at.i]) ? (tokens[at.i++] ?? "") : null;
    if (name !== null && !Object.hasOwn(FUNCTIONS, name)) throw new Unsupported();
    const args: Term[] = [];
    while (at.i < tokens.length && tokens[at.i] !== "|" && tokens[at.i] !== ")") args.push(readTerm(tokens, at));
    if (name === null && args.length !== 1) throw new Unsupported();
    calls.push({ name, args });
    if (tokens[at.i] !== "|") return calls;
    at.i++;
  }
}

const isLiteral = (token: string | undefined) => token === "true" || token === "false";

function readTerm(tokens: readonly string[], at: { i: number }): Term {
  const token = tokens[at.i++] ?? "";
  if (token === "(") {
    const calls = readCalls(tokens, at);
    if (tokens[at.i++] !== ")") throw new Unsupported();
    return { kind: "pipe", calls };
  }
  if (token.startsWith('"')) return { kind: "value", value: unquoted(token) };
  if (token.startsWith("`")) return { kind: "value", value: token.slice(1, -1) };
  if (/^[-+]?\d/.test(token)) return { kind: "value", value: Number(token) };
  if (isLiteral(token)) return { kind: "value", value: token === "true" };
  if (token.startsWith("$") || token.startsWith(".")) return { kind: "data", path: token.split(".") };
  // A function without arguments in the place of a term.
  if (Object.hasOwn(FUNCTIONS, token)) return { kind: "pipe", calls: [{ name: token, args: [] }] };
  throw new Unsupported();
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    throw new Unsupported();
  }
}

/* ── Writing ── */

type Scope = { data: TemplateData; variables: Map<string, Value> };

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => rendered(node, scope)).join("");
}

function rendered(node: Node, scope: Scope): string {
  switch (node.kind) {
    case "text":
      return node.text;
    case "print":
      return printed(run(node.calls, scope));
    case "set":
      scope.variables.set(node.name, run(node.calls, scope));
      return "";
    case "if":
      return render(isTruthy(run(node.calls, scope)) ? node.then : node.or, scope);
  }
}

function printed(value: Value): string {
  if (typeof value === "number") return formatG(value, null);
  if (typeof value !== "object") return String(value);
  const inner = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${inner.map(([name, text]) => `${name}:${text}`).join(" ")}]`;
}

function isTruthy(value: Value): boolean {
  if (typeof value === "object") return Object.keys(value).length > 0;
  return typeof value === "number" ? value !== 0 : Boolean(value);
}

function run(calls: readonly Call[], scope: Scope): Value {
  let last: Value | undefined;
  for (const { name, args } of calls) {
    const given = args.map((term) => termValue(term, scope));
    if (last !== undefined) given.push(last);
    if (name === null) {
      if (given.length !== 1 || given[0] === undefined) throw new Unsupported();
      last = given[0];
    } else last = FUNCTIONS[name]?.(given) ?? fail();
  }
  return last ?? fail();
}

function fail(): never {
  throw new Unsupported();
}

function termValue(term: Term, scope: Scope): Value {
  if (term.kind === "value") return term.value;
  if (term.kind === "pipe") return run(term.calls, scope);
  const [root = "", field, ...more] = term.path;
  const { data, variables } = scope;
  const named: Record<string, Value> = {
    $labels: data.labels,
    $value: data.value,
    $externalLabels: data.externalLabels,
    $externalURL: data.externalUrl,
  };
  if (root === "") {
    const dot: Record<string, Value> = {
      Labels: data.labels,
      Value: data.value,
      ExternalLabels: data.externalLabels,
      ExternalURL: data.externalUrl,
    };
    return fieldOf(dot[field ?? ""], more);
  }
  return fieldOf(variables.get(root.slice(1)) ?? named[root], field === undefined ? [] : [field, ...more]);
}

/** A label that is not there is the empty text. */
function fieldOf(value: Value | undefined, path: readonly string[]): Value {
  if (value === undefined || path.length > 1) return fail();
  const [field] = path;
  if (field === undefined) return value;
  return typeof value === "object" ? (value[field] ?? "") : fail();
}

const number = (value: Value | undefined): number => {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && !(typeof value === "string" && Number.isNaN(read)) ? read : fail();
};
const text = (value: Value | undefined): string => (typeof value === "string" ? value : fail());
const alone =
  <T extends Value>(work: (value: Value | undefined) => T) =>
  (args: readonly Value[]): T =>
    args.length === 1 ? work(args[0]) : fail();
const compared =
  (work: (a: number | string, b: number | string) => boolean) =>
  ([a, b, ...more]: readonly Value[]): boolean =>
    more.length === 0 && typeof a === typeof b && (typeof a === "number" || typeof a === "string")
      ? work(a, b as number | string)
      : fail();

/** Go knows whole numbers and others apart; what compares a value with a whole number fails there, and is not known here. */
const FUNCTIONS: Readonly<Record<string, (args: readonly Value[]) => Value>> = {
  humanize: alone((value) => humanize(number(value))),
  humanize1024: alone((value) => humanize1024(number(value))),
  humanizeDuration: alone((value) => humanizeDuration(number(value))),
  humanizePercentage: alone((value) => humanizePercentage(number(value))),
  humanizeTimestamp: alone((value) => humanizeTimestamp(number(value))),
  toUpper: alone((value) => text(value).toUpperCase()),
  toLower: alone((value) => text(value).toLowerCase()),
  title: alone((value) =>
    text(value).replace(/(^|[\s])(\p{L})/gu, (_, gap: string, letter: string) => gap + letter.toUpperCase()),
  ),
  trimSpace: alone((value) => text(value).trim()),
  stripPort: alone((value) => text(value).replace(/:\d*$/, "")),
  stripDomain: alone((value) => text(value).replace(/^([a-zA-Z][^.:]*)\.[^:]*/, "$1")),
  printf: ([format, ...args]) =>
    goPrintf(
      text(format),
      args.map((one) => (typeof one === "object" ? fail() : one)),
    ) ?? fail(),
  print: (args) => args.map(printed).join(""),
  externalURL: () => fail(),
  eq: compared((a, b) => a === b),
  ne: compared((a, b) => a !== b),
  lt: compared((a, b) => a < b),
  le: compared((a, b) => a <= b),
  gt: compared((a, b) => a > b),
  ge: compared((a, b) => a >= b),
  not: alone((value) => !isTruthy(value ?? "")),
  and: (args) => args.find((one) => !isTruthy(one)) ?? args.at(-1) ?? fail(),
  or: (args) => args.find(isTruthy) ?? args.at(-1) ?? fail(),
  match: ([pattern, given]) => new RegExp(text(pattern)).test(text(given)),
  reReplaceAll: ([pattern, by, given]) =>
    text(given).replace(new RegExp(text(pattern), "g"), text(by).replace(/\$\{(\w+)\}/g, "$$$1")),
};
