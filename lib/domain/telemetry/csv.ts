/** Bounds of one nvidia-smi output. */
export const CSV_LIMITS = { chars: 1_048_576, rows: 1000, columns: 400 };
export type CsvLimits = typeof CSV_LIMITS;

/** A column of the header: its name in lower case, and its unit where the header has one in brackets. */
export type Column = { name: string; unit: string | null };

/**
 * The cells of every line, trimmed; the first is line 1, an empty line is one empty cell. nvidia-smi separates by comma and never
 * quotes, so a quote is a character like any other.
 */
export function* csvLines(text: string): Generator<string[]> {
  const line = /([^\r\n]*)(\r\n?|\n|$)/y;
  line.lastIndex = text.startsWith("\ufeff") ? 1 : 0;
  while (line.lastIndex < text.length) {
    yield (line.exec(text)?.[1] ?? "").split(",").map((cell) => cell.trim());
  }
}

const HEADER_CELL = /^([a-z][\w.]*)(?: \[([^\]]{1,8})\])?$/i;

/** The columns of a header line; null when a line is no header, which takes only names and at least one that we know. */
export function headerOf(cells: readonly string[], known: ReadonlySet<string>): Column[] | null {
  const columns: Column[] = [];
  for (const cell of cells) {
    const [, name, unit] = HEADER_CELL.exec(cell) ?? [];
    if (name === undefined) return null;
    columns.push({ name: name.toLowerCase(), unit: unit ?? null });
  }
  return columns.some((column) => known.has(column.name)) ? columns : null;
}

/** A bare number gets the unit of its header, so that a unit is checked wherever it stands. */
export function withUnit(cell: string, unit: string | null): string {
  return unit !== null && /^-?[\d.]+$/.test(cell) ? `${cell} ${unit}` : cell;
}
