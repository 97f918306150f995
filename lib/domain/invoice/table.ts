import { CsvError, parse } from "csv-parse/sync";

export const MOST_BYTES = 2 * 1024 * 1024;
export const MOST_LINES = 20_000;
const MOST_COLUMNS = 200;
const MOST_CELL = 10_000;

/** A table as it was sent: its heads, and the rows under them. */
export type Table = {
  delimiter: Delimiter;
  /** Each once: a second "Amount" is "Amount (2)". */
  heads: string[];
  rows: {
    /** Where it stands in the text, from 1. */
    at: number;
    cells: string[];
  }[];
};
export type Delimiter = "," | "\t" | ";";

export type TableProblem = { problem: string };

/** Reads pasted or sent text as a table; what it is not is said in words. */
export function readTable(text: string, isHead: (cells: readonly string[]) => boolean): Table | TableProblem {
  if (text.length > MOST_BYTES) return { problem: "The table is larger than 2 MiB." };
  if (text.includes("\0")) return { problem: "This is not text: it holds NUL characters. Save it as CSV in UTF-8." };
  const plain = text.replace(/^\ufeff/, "");
  const lines = countLines(plain);
  if (lines > MOST_LINES) return { problem: `The table has more than ${MOST_LINES.toLocaleString("en-US")} lines.` };
  const delimiter = delimiterOf(plain);
  const parsed = records(plain, delimiter);
  if ("problem" in parsed) return parsed;
  const found = parsed.rows.slice(0, 40).findIndex(({ cells }) => isHead(cells));
  const start =
    found < 0 ? parsed.rows.findIndex(({ cells }) => cells.filter((cell) => cell !== "").length > 1) : found;
  const head = parsed.rows[start];
  if (!head) return { problem: "There is no table in this: no line has two columns." };
  if (head.cells.length > MOST_COLUMNS) return { problem: `The table has more than ${MOST_COLUMNS} columns.` };
  return { delimiter, heads: unique(head.cells), rows: parsed.rows.slice(start + 1) };
}

function records(text: string, delimiter: Delimiter): { rows: Table["rows"] } | TableProblem {
  try {
    const rows: Table["rows"] = [];
    parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 100_000,
      // Pasted cells hold inch marks and half a quotation.
      relax_quotes: delimiter === "\t",
      on_record: (record, { lines }) => {
        rows.push({ at: lines, cells: record.map((cell) => cell.slice(0, MOST_CELL).trim()) });
        return null;
      },
    });
    return { rows: rows.filter(({ cells }) => cells.some((cell) => cell !== "")) };
  } catch (error) {
    if (error instanceof CsvError) return { problem: `The table cannot be read: ${error.message.slice(0, 200)}.` };
    throw error;
  }
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

const DELIMITERS: readonly Delimiter[] = ["\t", ";", ","];

/** The mark that most of the first lines hold equally often. */
function delimiterOf(text: string): Delimiter {
  const lines = text
    .slice(0, 50_000)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 20);
  const score = (delimiter: Delimiter) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(delimiter).length - 1);
    const most = counts.reduce((best, count) => Math.max(best, count), 0);
    return most === 0 ? 0 : counts.filter((count) => count === most).length + most / 1000;
  };
  return DELIMITERS.reduce<Delimiter>((best, one) => (score(one) > score(best) ? one : best), ",");
}

function unique(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, i) => {
    const name = cell || `Column ${i + 1}`;
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
