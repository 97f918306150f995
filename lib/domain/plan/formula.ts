/** Where a number comes from: "Lambda, live", "price book", a document; with its day where it has one. */
export type FigureSource = { label: string; asOf?: string; href?: string };

/** One number of a formula. `amount` is the number itself where people can count with it; `value` is how it is written. */
export type FigureNumber = { key: string; name: string; value: string; amount?: number; source?: FigureSource };

/** A figure that can say how it came about. It goes through JSON as it is. */
export type Figure = {
  name: string;
  /** As it is written, with its unit: "$1,671.70", "76.8 GiB". */
  value: string;
  amount?: number;
  /** The formula with a key in braces for each number: "{price} × {hours}". Signs: + − × ÷ ( ) ⌈ ⌉ and max( , ), min( , ). */
  formula: string;
  numbers: FigureNumber[];
  /** What it leaves out, takes for granted, or corrects. */
  notes: string[];
};

const KEY = /\{([a-zA-Z0-9_]+)\}/g;

/** A figure whose formula names each of its numbers and no other. Throws a RangeError where it does not. */
export function figure(given: Omit<Figure, "notes"> & { notes?: readonly string[] }): Figure {
  const named = new Set([...given.formula.matchAll(KEY)].map(([, key]) => key));
  const known = new Set(given.numbers.map(({ key }) => key));
  const missing = [...named].filter((key) => key !== undefined && !known.has(key));
  const idle = [...known].filter((key) => !named.has(key));
  if (missing.length > 0 || idle.length > 0) {
    throw new RangeError(
      `The formula of ${given.name}: no number for ${missing.join(", ")}, no use of ${idle.join(", ")}`,
    );
  }
  return { ...given, notes: [...(given.notes ?? [])] };
}

/** The formula in words: "price of an hour × hours of a month". */
export function inWords({ formula, numbers }: Pick<Figure, "formula" | "numbers">): string {
  return filled(formula, new Map(numbers.map(({ key, name }) => [key, name])));
}

/** The formula with its numbers and what comes out: "$2.29/h × 730 h = $1,671.70". */
export function inNumbers({ formula, numbers, value }: Pick<Figure, "formula" | "numbers" | "value">): string {
  const text = filled(formula, new Map(numbers.map((number) => [number.key, number.value])));
  return text === value ? value : `${text} = ${value}`;
}

function filled(formula: string, words: ReadonlyMap<string, string>): string {
  return formula.replace(KEY, (whole, key: string) => words.get(key) ?? whole);
}

/** Sources of its numbers, each once, in the order of the numbers. */
export function sourcesOf({ numbers }: Pick<Figure, "numbers">): FigureSource[] {
  const seen = new Map<string, FigureSource>();
  for (const { source } of numbers) {
    if (source) seen.set(`${source.label} ${source.asOf ?? ""} ${source.href ?? ""}`, source);
  }
  return [...seen.values()];
}
