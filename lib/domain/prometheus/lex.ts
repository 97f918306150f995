/** What cannot be read, in words, with the place where the reading stopped. */
export class PromqlError extends Error {}

export type Token =
  | { kind: "number"; value: number; text: string }
  | { kind: "duration"; text: string }
  | { kind: "string"; value: string; text: string }
  | { kind: "word"; text: string }
  | { kind: "mark"; text: string };

const MARKS = [
  "==",
  "!=",
  "<=",
  ">=",
  "=~",
  "!~",
  "<",
  ">",
  "=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "^",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "@",
];
const SPACE = /^(?:\s+|#[^\n]*)/;
const DURATION = /^\d+(?:ms|[ywdhms])(?:\d+(?:ms|[ywdhms]))*(?![\w.])/;
const NUMBER = /^(?:0[xX][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])/;
const WORD = /^[a-zA-Z_][\w]*(?::[\w:]*)?|^:[\w:]+/;
const SIGNIFICANT: Readonly<Record<string, number>> = { inf: Number.POSITIVE_INFINITY, nan: Number.NaN };

/** The tokens of an expression, without spaces and comments. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let inBrackets = false;
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const space = SPACE.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const token = readToken(rest, inBrackets);
    if (token.text === "[") inBrackets = true;
    if (token.text === "]") inBrackets = false;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function readToken(rest: string, inBrackets: boolean): Token {
  const duration = DURATION.exec(rest);
  if (duration) return { kind: "duration", text: duration[0] };
  const number = NUMBER.exec(rest);
  if (number) return { kind: "number", value: Number(number[0]), text: number[0] };
  if (rest[0] === '"' || rest[0] === "'" || rest[0] === "`") return readString(rest);
  // A colon is the middle of a subquery within brackets, and a letter of a name elsewhere.
  const word = inBrackets && rest[0] === ":" ? null : WORD.exec(rest);
  if (word) {
    const value = SIGNIFICANT[word[0].toLowerCase()];
    return value === undefined ? { kind: "word", text: word[0] } : { kind: "number", value, text: word[0] };
  }
  const mark = MARKS.find((one) => rest.startsWith(one));
  if (!mark) throw new PromqlError(`"${rest[0]}" is not expected`);
  return { kind: "mark", text: mark };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\u000b",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

function readString(rest: string): Token & { kind: "string" } {
  const quote = rest[0] ?? "";
  let value = "";
  for (let i = 1; i < rest.length; i++) {
    const letter = rest[i] ?? "";
    if (letter === quote) return { kind: "string", value, text: rest.slice(0, i + 1) };
    if (letter === "\n" && quote !== "`") break;
    if (letter !== "\\" || quote === "`") {
      value += letter;
      continue;
    }
    const coded = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3}))/.exec(rest.slice(i + 1));
    if (coded) {
      value += String.fromCodePoint(
        coded[4] === undefined
          ? Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "0", 16)
          : Number.parseInt(coded[4], 8),
      );
      i += coded[0].length;
      continue;
    }
    const escaped = ESCAPES[rest[i + 1] ?? ""];
    if (escaped === undefined) throw new PromqlError(`"\\${rest[i + 1] ?? ""}" is no escape`);
    value += escaped;
    i++;
  }
  throw new PromqlError("a text is not closed");
}
