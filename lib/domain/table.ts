import { type CsvCell, csvLine } from "./csv";

/** How rows of one kind become cells; the name is the head of the column, in a file for programs and people alike. */
export type TableColumn<R> = { name: string; cell: (row: R) => CsvCell };

export type TableCells = { columns: string[]; cells: CsvCell[][] };

/** Rows as cells, under the names of their columns. */
export function cellsOf<R>(columns: readonly TableColumn<R>[], rows: readonly R[]): TableCells {
  return { columns: columns.map(({ name }) => name), cells: rows.map((row) => columns.map(({ cell }) => cell(row))) };
}

/** A table that was read at once: a page's, as a file. */
export type WholeTable = TableCells & Pick<TableFile, "name" | "title" | "about">;

/** A table on its way into a file. */
export type TableFile = {
  /** The file's name without its ending: letters, figures and dashes. */
  name: string;
  /** What it is, in words, and of what: the filter, one line each. */
  title: string;
  about: readonly (readonly [label: string, value: string])[];
  columns: readonly string[];
  /** The accounting zone of its days. */
  zone: string;
  /** The instant of which it speaks. */
  asOf: number;
  /** The state of the data: the same data, the same revision. */
  revision: string;
  /** Some at a time. */
  rows: AsyncIterable<readonly (readonly CsvCell[])[]>;
};

/** What every row of a file says of the whole, where the table does not say it already: a row is understood by itself. */
const OWN_COLUMNS: readonly TableColumn<TableFile>[] = [
  { name: "accounting_zone", cell: ({ zone }) => zone },
  { name: "as_of_utc", cell: ({ asOf }) => new Date(asOf).toISOString() },
  { name: "data_revision", cell: ({ revision }) => revision },
];

/** The file as CSV, part by part. */
export async function* csvParts(file: TableFile): AsyncGenerator<string> {
  const own = OWN_COLUMNS.filter(({ name }) => !file.columns.includes(name));
  const tail = own.map(({ cell }) => cell(file));
  const rows = file.rows[Symbol.asyncIterator]();
  try {
    yield csvLine([...file.columns, ...own.map(({ name }) => name)]);
    for (let next = await rows.next(); !next.done; next = await rows.next())
      yield next.value.map((row) => csvLine([...row, ...tail])).join("");
  } finally {
    // Also where the reader leaves after the head: the rows hold a connection until they are told of their end.
    await rows.return?.();
  }
}

/** What the second sheet of a workbook says. */
export function aboutLines(file: TableFile, rows: number): (readonly [string, string])[] {
  return [
    ["Table", file.title],
    ...file.about,
    ["Rows", String(rows)],
    ["Accounting zone", file.zone],
    ["As of (UTC)", new Date(file.asOf).toISOString()],
    ["Data revision", file.revision],
  ];
}
