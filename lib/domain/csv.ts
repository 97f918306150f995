/** A number as it is to be read: it stays one, also with a minus. */
export type CsvNumber = { readonly number: string };
export type CsvCell = string | number | bigint | boolean | null | CsvNumber;

/** One line of RFC 4180, with its line end. Nothing is known of null: its field is empty. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(field).join(",")}\r\n`;
}

function field(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return quoted(harmless(cell));
  return typeof cell === "object" ? cell.number : String(cell);
}

// Also the full-width forms, which some spreadsheets take for the same.
const FORMULA = new Set(["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"]);

/** A spreadsheet runs what begins like a formula, and anybody may name a machine: such text gets an apostrophe. */
function harmless(text: string): string {
  return FORMULA.has(text.charAt(0)) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
