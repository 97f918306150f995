import { parseDuration } from "./duration";
import { lex, PromqlError, type Token } from "./lex";
import { type Matcher, makeMatcher } from "./matchers";

export type Selection = { name: string | null; matchers: readonly Matcher[] };

/** An expression, as far as it can be told what it is; what cannot be judged here keeps its name for the sentence that says so. */
export type Expr =
  | { kind: "number"; value: number }
  | { kind: "text"; value: string }
  | { kind: "select"; select: Selection; rangeMs: number | null }
  | { kind: "shifted"; what: string; of: Expr }
  | { kind: "subquery"; of: Expr }
  | { kind: "call"; name: string; args: readonly Expr[] }
  | { kind: "aggregation"; name: string }
  | { kind: "binary"; op: string; isBool: boolean; matching: string | null; left: Expr; right: Expr };

const AGGREGATIONS = new Set(
  "sum min max avg group stddev stdvar count count_values bottomk topk quantile limitk limit_ratio".split(" "),
);
const LEVELS: readonly (readonly string[])[] = [
  ["or"],
  ["and", "unless"],
  ["==", "!=", "<=", "<", ">=", ">"],
  ["+", "-"],
  ["*", "/", "%", "atan2"],
];
const COMPARES: ReadonlySet<string> = new Set(LEVELS[2]);

/** Reads an expression of PromQL. Throws a PromqlError where it is none. */
export function parsePromql(text: string): Expr {
  const reader = new Reader(lex(text));
  const expr = reader.binary(0);
  reader.end();
  return expr;
}

class Reader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  end(): void {
    const left = this.tokens[this.at];
    if (left) throw new PromqlError(`"${left.text}" is not expected`);
  }

  binary(level: number): Expr {
    const ops = LEVELS[level];
    if (!ops) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const op = ops.find((one) => this.isNext(one));
      if (op === undefined) return left;
      this.at++;
      const isBool = COMPARES.has(op) && this.take("bool");
      const matching = this.matching();
      left = { kind: "binary", op, isBool, matching, left, right: this.binary(level + 1) };
    }
  }

  private matching(): string | null {
    const word = ["on", "ignoring"].find((one) => this.isNext(one));
    if (word === undefined) return null;
    this.at++;
    const labels = this.names();
    const side = ["group_left", "group_right"].find((one) => this.take(one));
    if (side !== undefined && this.isNext("(")) this.names();
    return `${side ? `${side} ` : ""}${word}(${[...labels].sort().join(", ")})`;
  }

  /** -2^2 is -4: the power binds more tightly than the sign. */
  private unary(): Expr {
    if (this.take("-")) return negated(this.unary());
    if (this.take("+")) return this.unary();
    const base = this.postfix();
    if (!this.take("^")) return base;
    this.matching();
    return { kind: "binary", op: "^", isBool: false, matching: null, left: base, right: this.unary() };
  }

  private postfix(): Expr {
    let expr = this.primary();
    for (;;) {
      if (this.take("[")) expr = this.range(expr);
      else if (this.take("offset")) {
        this.take("-");
        this.duration();
        expr = { kind: "shifted", what: "offset", of: expr };
      } else if (this.take("@")) {
        this.take("-");
        const token = this.next();
        if (token.kind === "word") {
          this.want("(");
          this.want(")");
        }
        expr = { kind: "shifted", what: "@", of: expr };
      } else return expr;
    }
  }

  private range(of: Expr): Expr {
    const rangeMs = this.duration();
    if (this.take(":")) {
      if (!this.isNext("]")) this.duration();
      this.want("]");
      return { kind: "subquery", of };
    }
    this.want("]");
    if (of.kind !== "select" || of.rangeMs !== null) throw new PromqlError("a range belongs to a metric");
    return { ...of, rangeMs };
  }

  private primary(): Expr {
    if (this.take("(")) {
      const inner = this.binary(0);
      this.want(")");
      return inner;
    }
    if (this.isNext("{")) return { kind: "select", select: this.selection(null), rangeMs: null };
    const token = this.next();
    if (token.kind === "number") return { kind: "number", value: token.value };
    if (token.kind === "string") return { kind: "text", value: token.value };
    if (token.kind !== "word") throw new PromqlError(`"${token.text}" is not expected`);
    if (AGGREGATIONS.has(token.text) && (this.isNext("(") || this.isNext("by") || this.isNext("without")))
      return this.aggregation(token.text);
    if (this.isNext("(")) return { kind: "call", name: token.text, args: this.args() };
    return { kind: "select", select: this.selection(token.text), rangeMs: null };
  }

  private aggregation(name: string): Expr {
    if (this.take("by") || this.take("without")) this.names();
    this.args();
    if (this.take("by") || this.take("without")) this.names();
    return { kind: "aggregation", name };
  }

  private args(): Expr[] {
    this.want("(");
    const args: Expr[] = [];
    while (!this.take(")")) {
      args.push(this.binary(0));
      if (!this.isNext(")")) this.want(",");
    }
    return args;
  }

  private names(): string[] {
    this.want("(");
    const names: string[] = [];
    while (!this.take(")")) {
      names.push(this.next().text);
      if (!this.isNext(")")) this.want(",");
    }
    return names;
  }

  private selection(name: string | null): Selection {
    const matchers: Matcher[] = [];
    if (this.take("{"))
      while (!this.take("}")) {
        const label = this.next();
        if (label.kind !== "word") throw new PromqlError(`"${label.text}" is no name of a label`);
        const op = this.next().text;
        const value = this.next();
        if (value.kind !== "string") throw new PromqlError(`the label ${label.text} wants a text in quotes`);
        matchers.push(makeMatcher(label.text, op, value.value));
        if (!this.isNext("}")) this.want(",");
      }
    if (name === null && !matchers.some((one) => !one.isMatch("")))
      throw new PromqlError("a selector must name something");
    return { name, matchers };
  }

  private duration(): number {
    const token = this.next();
    const ms = parseDuration(token.text);
    if (ms === null) throw new PromqlError(`"${token.text}" is no duration`);
    return ms;
  }

  private isNext(text: string): boolean {
    const token = this.tokens[this.at];
    if (!token || token.kind === "string") return false;
    return token.kind === "word" ? token.text.toLowerCase() === text : token.text === text;
  }

  private take(text: string): boolean {
    if (!this.isNext(text)) return false;
    this.at++;
    return true;
  }

  private want(text: string): void {
    if (!this.take(text))
      throw new PromqlError(`"${text}" is missing before ${this.tokens[this.at]?.text ?? "the end"}`);
  }

  private next(): Token {
    const token = this.tokens[this.at++];
    if (!token) throw new PromqlError("it ends too early");
    return token;
  }
}

function negated(of: Expr): Expr {
  if (of.kind === "number") return { kind: "number", value: -of.value };
  return { kind: "binary", op: "*", isBool: false, matching: null, left: { kind: "number", value: -1 }, right: of };
}
