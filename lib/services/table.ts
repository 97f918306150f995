import { createHash } from "node:crypto";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { type CsvCell, csvLine } from "@/lib/domain/csv";
import type { TableFile, WholeTable } from "@/lib/domain/table";

/** What was read for a page, as a file: its revision is that of its content. */
export function tableFile(ctx: Ctx, zone: string, { name, cells, ...rest }: WholeTable): TableFile {
  return {
    ...rest,
    name: `hopperdeck-${name}`,
    zone,
    asOf: ctx.now.getTime(),
    revision: revisionOf(cells),
    rows: once(cells),
  };
}

/** Makes a read exportable: as filtered, by whoever may see it and may export. */
export function exporting<Q, A>(
  read: (ctx: Ctx, question: Q) => Promise<A>,
  table: (answer: A, question: Q) => WholeTable,
): (ctx: Ctx, question: Q) => Promise<TableFile> {
  return async (ctx, question) => {
    authorize(ctx, "export");
    const answer = await read(ctx, question);
    const { zone } = await readSetting("accounting");
    return tableFile(ctx, zone, table(answer, question));
  };
}

/** The first 16 figures of the hash of all cells. */
export function revisionOf(cells: readonly (readonly CsvCell[])[]): string {
  const hash = createHash("sha256");
  for (const row of cells) hash.update(csvLine(row));
  return hash.digest("hex").slice(0, 16);
}

async function* once(cells: readonly (readonly CsvCell[])[]): AsyncGenerator<readonly (readonly CsvCell[])[]> {
  yield cells;
}
