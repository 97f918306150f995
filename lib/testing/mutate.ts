import fc from "fast-check";

/** How often a parser is tried on what nobody would send. */
export const FUZZ_RUNS = Number(process.env.HOPPERDECK_FUZZ_RUNS ?? 2_000);
/** For a test that runs them all, on a machine that is shared. */
export const FUZZ_TIMEOUT_MS = 60_000 + FUZZ_RUNS * 20;
/** No text may hold a parser up for longer. */
export const STALL_MS = 250;

type Change = (text: string, places: readonly number[]) => string;

/** Where `place`, from 0 to 1, falls in a text. */
const at = (text: string, place: number) => Math.floor(place * text.length);

/** Replaces one line of a text. */
function onLine(text: string, place: number, change: (line: string) => string): string {
  const start = text.lastIndexOf("\n", at(text, place) - 1) + 1;
  const end = text.indexOf("\n", start);
  const stop = end < 0 ? text.length : end;
  return text.slice(0, start) + change(text.slice(start, stop)) + text.slice(stop);
}

const SURPRISES = [
  "",
  "\0",
  "\0\0\0\0\0\0\0\0",
  "\r",
  "\n",
  "\n\n\n",
  "\t",
  "\ufeff",
  "\ud800",
  "é🦊",
  " ",
  ",",
  ":",
  "|",
  "<",
  ">",
  "&#0;",
  '"',
  "\\",
  "{",
  "}",
  "#",
  "-",
  "NaN",
  "+Inf",
  "-1",
  "1e308",
  "9".repeat(400),
  "9223372036854775794",
  "[N/A]",
  "N/A",
  "ERR!",
  "[Unknown Error]",
  "__proto__",
  "GPU 00000000:DD:00.0",
  "x".repeat(5_000),
];

/** A mishap of a text on its way, at places from 0 to 1. */
const CHANGES: readonly Change[] = [
  (text, [a = 0]) => text.slice(0, at(text, a)),
  (text, [a = 0]) => text.slice(at(text, a)),
  (text, [a = 0, b = 0]) => text.slice(0, at(text, Math.min(a, b))) + text.slice(at(text, Math.max(a, b))),
  (text, [a = 0, b = 0]) => {
    const [i, j] = [at(text, Math.min(a, b)), at(text, Math.max(a, b))];
    return i === j
      ? text
      : text.slice(0, i) + text.charAt(j) + text.slice(i + 1, j) + text.charAt(i) + text.slice(j + 1);
  },
  (text, [a = 0, b = 0]) =>
    text.slice(0, at(text, a)) + String.fromCharCode(Math.floor(b * 128)) + text.slice(at(text, a) + 1),
  (text, [a = 0, b = 0]) =>
    text.slice(0, at(text, a)) + (SURPRISES[Math.floor(b * SURPRISES.length)] ?? "") + text.slice(at(text, a)),
  (text, [a = 0]) => onLine(text, a, (line) => `${line}\n${line}`),
  (text, [a = 0]) => onLine(text, a, () => ""),
  (text, [a = 0, b = 0]) => onLine(text, a, (line) => line.slice(at(line, b))),
  (text, [a = 0, b = 0]) => onLine(text, a, (line) => line.slice(0, at(line, b))),
  (text, [a = 0, b = 0]) => onLine(text, a, (line) => " ".repeat(Math.floor(b * 12)) + line.trimStart()),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("\n", "\r"),
  (text) => text.replaceAll("\n", "\0\n"),
  (text) => text.replaceAll(" ", ""),
  (text) => text.replaceAll(" ", "\t"),
  (text) => text + text,
  (text, [a = 0, b = 0]) => text.slice(0, at(text, a)) + text + text.slice(at(text, b)),
  (text) => text.toUpperCase(),
  (text, [a = 0]) => text.replace(/\d+/g, (digits) => (a < 0.5 ? `-${digits}` : digits.repeat(12))),
  (text, [a = 0]) => text.replace(/\d/g, () => String(Math.floor(a * 10))),
];

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const step = fc.tuple(fc.nat(CHANGES.length - 1), fc.array(place, { minLength: 2, maxLength: 2 }));

/** Texts as they may arrive: one of `originals`, cut, swapped, doubled, with other line ends, NULs and numbers beyond belief. */
export function mutationsOf(originals: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(step, { minLength: 1, maxLength: 4 }))
    .map(([original, steps]) =>
      steps.reduce((text, [kind, places]) => CHANGES[kind]?.(text, places) ?? text, original),
    );
}

/** Mutations of `originals`, and texts that were never anything. */
export function untrustedTexts(originals: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: mutationsOf(originals) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 2_000 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...SURPRISES), fc.nat(4_000)).map(([part, times]) => part.repeat(times)),
    },
  );
}

/** Runs a parser and returns what it found; throws where it takes too much of the processor, five times in a row: its share of a busy machine is not its doing. */
export function withoutStall<T>(parse: () => T): T {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; ; i++) {
    const began = process.cpuUsage();
    const found = parse();
    const { user, system } = process.cpuUsage(began);
    fastest = Math.min(fastest, (user + system) / 1_000);
    if (fastest <= STALL_MS) return found;
    if (i === 4) throw new Error(`${Math.round(fastest)} ms for one text; ${STALL_MS} are allowed`);
  }
}
