import { addLabel, CLOSE, COMMA, Cursor, EQUALS, HASH, NEWLINE, OPEN, SPACE, withoutEmpty } from "./cursor";
import { parseNumber } from "./number";
import { boundedInstant, type Labels, METRIC_TYPES, type MetricType, type Sample } from "./page";

const NO_LABELS: Labels = [];
const WORDS = ["HELP", "TYPE", "UNIT"];
const TYPES: ReadonlyMap<string, MetricType> = new Map(METRIC_TYPES.map((type) => [type, type]));

/** Reads OpenMetrics 1.0 as Prometheus 2.42 does, which does not ask for the order and grouping that the specification wants. */
export class OpenMetricsReader {
  readonly cursor: Cursor;
  readonly types = new Map<string, MetricType>();

  constructor(text: string) {
    this.cursor = new Cursor(text);
  }

  /** The next sample; null at `# EOF`, or where `cursor.problem` says what is wrong. */
  next(): Sample | null {
    const { cursor } = this;
    for (;;) {
      if (cursor.isAtEnd) return cursor.fail("the page does not end with # EOF");
      if (cursor.char() !== HASH) return this.#sample();
      if (cursor.text.startsWith("# EOF", cursor.pos)) return this.#end();
      if (!cursor.remark() || !this.#metadata()) return null;
    }
  }

  #end(): null {
    const { cursor } = this;
    cursor.pos += "# EOF".length;
    if (cursor.char() === NEWLINE) cursor.pos += 1;
    return cursor.isAtEnd ? null : cursor.fail("something follows after # EOF");
  }

  #metadata(): boolean {
    const { cursor } = this;
    const word = cursor.text.slice(cursor.pos + 2, cursor.pos + 6);
    if (cursor.text.charCodeAt(cursor.pos + 1) !== SPACE || !WORDS.includes(word)) {
      cursor.expected("HELP, TYPE, UNIT or EOF");
      return false;
    }
    cursor.pos += 6;
    if (!this.#space()) return false;
    const name = cursor.metricName();
    if (name === null || !this.#space()) return false;
    const written = cursor.restOfLine();
    if (cursor.isAtEnd) cursor.fail("the page does not end with # EOF");
    else if (word === "TYPE") cursor.addType(this.types, name, TYPES.get(written));
    else if (word === "UNIT" && written !== "" && !name.endsWith(`_${written}`))
      cursor.fail(`the unit ${JSON.stringify(written.slice(0, 40))} is not the end of the name`);
    if (cursor.problem !== null) return false;
    cursor.pos += 1;
    return true;
  }

  #space(): boolean {
    const { cursor } = this;
    if (cursor.char() !== SPACE) {
      cursor.expected("one space");
      return false;
    }
    cursor.pos += 1;
    return true;
  }

  #sample(): Sample | null {
    const { cursor } = this;
    const name = cursor.metricName();
    if (name === null) return null;
    const labels = cursor.char() === OPEN ? this.#labels() : NO_LABELS;
    if (labels === null) return null;
    const value = this.#number("a value");
    if (value === null) return null;

    let at: number | null = null;
    if (cursor.char() === SPACE && !cursor.text.startsWith(" # {", cursor.pos)) {
      const seconds = this.#instant();
      if (seconds === null) return null;
      at = boundedInstant(seconds * 1000);
    }
    if (cursor.char() === SPACE && !this.#exemplar(name)) return null;
    if (cursor.char() !== NEWLINE) return cursor.expected("the end of the line");
    cursor.pos += 1;
    return { name, labels, value, at };
  }

  /** An exemplar is read for its form only. */
  #exemplar(name: string): boolean {
    const { cursor } = this;
    if (!cursor.text.startsWith(" # {", cursor.pos)) {
      cursor.expected("the end of the line");
      return false;
    }
    if (!name.endsWith("_total") && !name.endsWith("_bucket")) {
      cursor.fail("an exemplar stands only on _total and _bucket");
      return false;
    }
    cursor.pos += 3;
    if (this.#labels() === null || this.#number("a value of the exemplar") === null) return false;
    return cursor.char() !== SPACE || this.#instant() !== null;
  }

  #labels(): Labels | null {
    const { cursor } = this;
    const labels: string[] = [];
    cursor.pos += 1;
    while (cursor.char() !== CLOSE) {
      if (labels.length > 0) {
        if (cursor.char() !== COMMA) return cursor.expected("a comma or }");
        cursor.pos += 1;
      }
      const name = cursor.labelName();
      if (name === null) return null;
      if (cursor.char() !== EQUALS) return cursor.expected("=");
      cursor.pos += 1;
      const value = cursor.labelValue(false);
      if (value === null || !addLabel(cursor, labels, name, value)) return null;
    }
    cursor.pos += 1;
    return withoutEmpty(labels);
  }

  #instant(): number | null {
    const seconds = this.#number("a time");
    return seconds === null || Number.isFinite(seconds) ? seconds : this.cursor.fail("the time is no instant");
  }

  /** One space, then everything up to the next space or line break. */
  #number(what: string): number | null {
    const { cursor } = this;
    if (cursor.char() !== SPACE) return cursor.expected(what);
    cursor.pos += 1;
    const written = cursor.numberText((char) => char === SPACE || char === NEWLINE);
    if (written === null) return null;
    return parseNumber(written) ?? cursor.fail(`${JSON.stringify(written.slice(0, 40))} is no number`);
  }
}
