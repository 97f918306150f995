import { type Labels, type MetricType, PAGE_LIMITS } from "./page";

export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const COMMA = 44;
export const EQUALS = 61;
export const BACKSLASH = 92;
export const OPEN = 123;
export const CLOSE = 125;

// Bits by character: what may open a metric name, what may stand in one, and the same for label names (no colon).
const NAME_START = 1;
const NAME_PART = 2;
const LABEL_START = 4;
const LABEL_PART = 8;
const CLASSES = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
    table[char.charCodeAt(0)] = NAME_START | NAME_PART | LABEL_START | LABEL_PART;
  for (const char of "0123456789") table[char.charCodeAt(0)] = NAME_PART | LABEL_PART;
  table[":".charCodeAt(0)] = NAME_START | NAME_PART;
  return table;
}

/** A place in a page. A reading step that fails says why in `problem` and returns false or null. */
export class Cursor {
  pos = 0;
  problem: string | null = null;
  isTooLarge = false;

  constructor(readonly text: string) {}

  /** The character here; NaN at the end, which equals nothing. */
  char(): number {
    return this.text.charCodeAt(this.pos);
  }

  get isAtEnd(): boolean {
    return this.pos >= this.text.length;
  }

  fail(problem: string, isTooLarge = false): null {
    this.problem ??= problem;
    this.isTooLarge ||= isTooLarge;
    return null;
  }

  /** Fails with what was expected and what stands here instead. */
  expected(what: string): null {
    const found = this.isAtEnd ? "the end of the page" : JSON.stringify(this.text.slice(this.pos, this.pos + 12));
    return this.fail(`${what} was expected, not ${found}`);
  }

  metricName(): string | null {
    return this.#name(NAME_START, NAME_PART, "a metric name");
  }

  labelName(): string | null {
    return this.#name(LABEL_START, LABEL_PART, "a label name");
  }

  #name(start: number, part: number, what: string): string | null {
    const { text, pos } = this;
    if (((CLASSES[text.charCodeAt(pos)] ?? 0) & start) === 0) return this.expected(what);
    let end = pos + 1;
    const last = pos + PAGE_LIMITS.name;
    while (((CLASSES[text.charCodeAt(end)] ?? 0) & part) !== 0) {
      end += 1;
      if (end > last) return this.fail(`${what} of more than ${PAGE_LIMITS.name} characters`, true);
    }
    this.pos = end;
    return text.slice(pos, end);
  }

  /** A quoted label value, without its quotes and escapes. */
  labelValue(mayHoldNewline: boolean): string | null {
    const { text, pos } = this;
    if (text.charCodeAt(pos) !== QUOTE) return this.expected("a label value in quotes");
    let isEscaped = false;
    let end = pos + 1;
    for (; ; end += 1) {
      const char = text.charCodeAt(end);
      if (char === QUOTE) break;
      if (char === BACKSLASH) {
        isEscaped = true;
        end += 1;
        if (text.charCodeAt(end) === NEWLINE) return this.fail("a label value breaks off after a backslash");
      } else if (char === NEWLINE && !mayHoldNewline) return this.fail("a label value without its closing quote");
      if (end >= text.length) return this.fail("a label value without its closing quote");
      if (end - pos > 2 * PAGE_LIMITS.labelValue) break;
    }
    if (end - pos - 1 > PAGE_LIMITS.labelValue)
      return this.fail(`a label value of more than ${PAGE_LIMITS.labelValue} characters`, true);
    this.pos = end + 1;
    const raw = text.slice(pos + 1, end);
    return isEscaped ? withoutEscapes(raw) : raw;
  }

  #remarks = 0;

  /** Counts a line that is no sample. */
  remark(): boolean {
    this.#remarks += 1;
    if (this.#remarks <= PAGE_LIMITS.remarks) return true;
    this.fail(`more than ${PAGE_LIMITS.remarks} comments and empty lines`, true);
    return false;
  }

  /** Up to the next of the characters that end a number, which may not be far. */
  numberText(isEnd: (char: number) => boolean): string | null {
    const { text, pos } = this;
    let end = pos;
    while (end < text.length && !isEnd(text.charCodeAt(end))) {
      end += 1;
      if (end - pos > PAGE_LIMITS.number) return this.fail(`a number of more than ${PAGE_LIMITS.number} digits`, true);
    }
    this.pos = end;
    return end === pos ? this.expected("a number") : text.slice(pos, end);
  }

  /** Notes what `# TYPE` says. */
  addType(types: Map<string, MetricType>, name: string, type: MetricType | undefined): void {
    if (type === undefined) this.fail(`${name} is given a type that there is not`);
    else if (types.size >= PAGE_LIMITS.types) this.fail(`more than ${PAGE_LIMITS.types} metrics`, true);
    else types.set(name, type);
  }

  /** Up to the end of this line, without it; the cursor then stands on the line break or at the end. */
  restOfLine(): string {
    const from = this.pos;
    this.skipLine();
    return this.text.slice(from, this.pos);
  }

  skipLine(): void {
    const end = this.text.indexOf("\n", this.pos);
    this.pos = end < 0 ? this.text.length : end;
  }
}

/** Adds a label to those of a sample, within the bounds; a name that comes twice is a fault. */
export function addLabel(cursor: Cursor, labels: string[], name: string, value: string): boolean {
  if (name === "__name__" || hasLabel(labels, name)) {
    cursor.fail(`label ${JSON.stringify(name)} comes twice`);
    return false;
  }
  if (labels.length >= 2 * PAGE_LIMITS.labels) {
    cursor.fail(`more than ${PAGE_LIMITS.labels} labels`, true);
    return false;
  }
  labels.push(name, value);
  return true;
}

function hasLabel(labels: Labels, name: string): boolean {
  for (let i = 0; i < labels.length; i += 2) if (labels[i] === name) return true;
  return false;
}

/** A label without a value is no label. */
export function withoutEmpty(labels: string[]): Labels {
  let isClean = true;
  for (let i = 1; i < labels.length; i += 2) if (labels[i] === "") isClean = false;
  return isClean ? labels : labels.filter((_, i) => labels[i | 1] !== "");
}

const ESCAPED_N = 110;
const unescaped = new Uint16Array(PAGE_LIMITS.labelValue);

/** `\n`, `\"` and `\\`; any other pair stays as it is. */
function withoutEscapes(raw: string): string {
  let length = 0;
  for (let i = 0; i < raw.length; i += 1) {
    let char = raw.charCodeAt(i);
    const next = char === BACKSLASH ? raw.charCodeAt(i + 1) : 0;
    if (next === ESCAPED_N || next === QUOTE || next === BACKSLASH) {
      char = next === ESCAPED_N ? NEWLINE : next;
      i += 1;
    }
    unescaped[length] = char;
    length += 1;
  }
  return String.fromCharCode(...unescaped.subarray(0, length));
}
