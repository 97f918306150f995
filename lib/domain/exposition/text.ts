import { addLabel, CLOSE, COMMA, Cursor, EQUALS, HASH, NEWLINE, OPEN, SPACE, withoutEmpty } from "./cursor";
import { parseNumber } from "./number";
import { boundedInstant, type Labels, type MetricType, PAGE_LIMITS, type Sample } from "./page";

const TAB = 9;
const NO_LABELS: Labels = [];
const TYPES: ReadonlyMap<string, MetricType> = new Map([
  ["counter", "counter"],
  ["gauge", "gauge"],
  ["histogram", "histogram"],
  ["summary", "summary"],
  ["untyped", "unknown"],
]);

/** Reads the Prometheus text format 0.0.4, line by line, as strictly as Prometheus 2.42 does. */
export class TextReader {
  readonly cursor: Cursor;
  readonly types = new Map<string, MetricType>();

  constructor(text: string) {
    this.cursor = new Cursor(text);
  }

  /** The next sample; null at the end, or where `cursor.problem` says what is wrong. */
  next(): Sample | null {
    const { cursor } = this;
    for (;;) {
      this.#blanks();
      if (cursor.isAtEnd || cursor.problem !== null) return null;
      const char = cursor.char();
      if (char !== NEWLINE && char !== HASH) return this.#sample();
      if (!cursor.remark()) return null;
      if (char === NEWLINE) cursor.pos += 1;
      else if (!this.#comment()) return null;
    }
  }

  #blanks(): void {
    const { cursor } = this;
    const last = cursor.pos + PAGE_LIMITS.blanks;
    while (cursor.char() === SPACE || cursor.char() === TAB) {
      cursor.pos += 1;
      if (cursor.pos > last) {
        cursor.fail(`more than ${PAGE_LIMITS.blanks} blanks in a row`, true);
        return;
      }
    }
  }

  #comment(): boolean {
    const { cursor } = this;
    cursor.pos += 1;
    const from = cursor.pos;
    this.#blanks();
    const word = cursor.text.slice(cursor.pos, cursor.pos + 4);
    const after = cursor.text.charCodeAt(cursor.pos + 4);
    const isMeta = cursor.pos > from && (word === "HELP" || word === "TYPE") && (after === SPACE || after === TAB);
    if (!isMeta) {
      cursor.skipLine();
      return true;
    }
    cursor.pos += 4;
    this.#blanks();
    const name = cursor.metricName();
    if (name === null) return false;
    const written = cursor.restOfLine();
    if (word === "HELP") return true;
    cursor.addType(this.types, name, TYPES.get(written.slice(1)));
    return cursor.problem === null;
  }

  #sample(): Sample | null {
    const { cursor } = this;
    const name = cursor.metricName();
    if (name === null) return null;
    this.#blanks();
    const labels = cursor.char() === OPEN ? this.#labels() : NO_LABELS;
    if (labels === null) return null;
    this.#blanks();
    const value = this.#value();
    if (value === null) return null;
    this.#blanks();
    const at = this.#instant();
    this.#blanks();
    if (cursor.problem !== null) return null;
    if (!cursor.isAtEnd && cursor.char() !== NEWLINE) return cursor.expected("the end of the line");
    return { name, labels, value, at };
  }

  #labels(): Labels | null {
    const { cursor } = this;
    const labels: string[] = [];
    cursor.pos += 1;
    for (;;) {
      this.#blanks();
      if (cursor.char() === CLOSE) break;
      const name = cursor.labelName();
      if (name === null) return null;
      this.#blanks();
      if (cursor.char() !== EQUALS) return cursor.expected("=");
      cursor.pos += 1;
      this.#blanks();
      const value = cursor.labelValue(true);
      if (value === null || !addLabel(cursor, labels, name, value)) return null;
      this.#blanks();
      if (cursor.char() === COMMA) cursor.pos += 1;
    }
    cursor.pos += 1;
    return withoutEmpty(labels);
  }

  #value(): number | null {
    const { cursor } = this;
    const written = cursor.numberText((char) => char === SPACE || char === NEWLINE || char === TAB || char === OPEN);
    if (written === null) return null;
    return parseNumber(written) ?? cursor.fail(`${JSON.stringify(written.slice(0, 40))} is no number`);
  }

  #instant(): number | null {
    const { cursor } = this;
    const from = cursor.pos;
    while (cursor.char() >= 48 && cursor.char() <= 57) cursor.pos += 1;
    if (cursor.pos === from) return null;
    const ms = Number(cursor.text.slice(from, cursor.pos));
    return ms < 2 ** 63 ? boundedInstant(ms) : cursor.fail("the time is no instant");
  }
}
