import type { Cell, SheetData } from "write-excel-file/node";
import writeWorkbook from "write-excel-file/node";
import type { CsvCell } from "@/lib/domain/csv";
import { aboutLines, type TableFile } from "@/lib/domain/table";
import { AppError } from "@/lib/errors";

/** A workbook is built in memory; what is larger goes into a CSV file, which is written while it is read. */
export const MOST_CELLS = 500_000;
const MOST_SIGNS = 32_767;
const HEAD = { fontWeight: "bold" } as const;

/** The table as a workbook: its rows, and on a second sheet what they are and how they stood. */
export async function workbook(file: TableFile): Promise<Uint8Array<ArrayBuffer>> {
  const data: SheetData = [file.columns.map((name) => ({ value: name, type: String, ...HEAD }))];
  for await (const rows of file.rows) {
    if ((data.length + rows.length) * file.columns.length > MOST_CELLS)
      throw new AppError(
        "too-large",
        `There are too many rows for a workbook. Nothing was lost: take the CSV file, which has all of them, or ask for less.`,
      );
    for (const row of rows) data.push(row.map(cellOf));
  }
  const about = aboutLines(file, data.length - 1).map(([label, value]) => [
    { value: label, type: String, ...HEAD },
    { value: clean(value), type: String },
  ]);
  const sheets = [
    { data, sheet: "Rows", stickyRowsCount: 1, columns: file.columns.map(widthOf) },
    { data: about, sheet: "About", columns: [{ width: 20 }, { width: 60 }] },
  ];
  const buffer = await writeWorkbook(sheets).toBuffer();
  return new Uint8Array(buffer);
}

function widthOf(name: string): { width: number } {
  return { width: Math.max(12, Math.min(30, name.length + 4)) };
}

/** Text stays text, whatever it begins with: a cell of text is never a formula. */
function cellOf(cell: CsvCell): Cell {
  if (cell === null) return null;
  if (typeof cell === "string") return { value: clean(cell), type: String };
  if (typeof cell === "boolean") return { value: cell, type: Boolean };
  return numberOf(typeof cell === "object" ? cell.number : String(cell));
}

/** A number where a spreadsheet keeps it as it is, else its text: no figure is changed on the way. */
function numberOf(text: string): Cell {
  const digits = text.replace(/^-/, "").replace(".", "").replace(/^0+/, "");
  if (digits.length > 15 || !/^-?\d+(\.\d+)?$/.test(text)) return { value: text, type: String };
  const [, fraction = ""] = text.split(".");
  const format = fraction === "" ? "0" : `0.${"0".repeat(fraction.length)}`;
  return { value: Number(text), type: Number, format };
}

/** Signs that a workbook cannot hold are left out. */
function clean(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (sign) => (/[\t\n\r]/.test(sign) ? " " : ""))
    .slice(0, MOST_SIGNS);
}
