import { type CsvCell, csvLine } from "@/lib/domain/csv";
import { exportedColumns, type FocusVersion } from "./columns";
import type { FocusRow } from "./rows";

export function focusHead(version: FocusVersion): string {
  return csvLine(exportedColumns(version).map(({ id }) => id));
}

/** A row in the columns of a version: what is null has an empty field. */
export function focusLine(row: FocusRow, version: FocusVersion): string {
  return csvLine(
    exportedColumns(version).map(({ id, type }): CsvCell => {
      const value = row[id] ?? null;
      return value !== null && type === "Decimal" ? { number: value } : value;
    }),
  );
}
