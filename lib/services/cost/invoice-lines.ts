import { findTwin } from "@/lib/db/cost/invoices";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSettingNow } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { LineTexts, ReadLines } from "@/lib/domain/invoice/lines";
import { readLine, readLines } from "@/lib/domain/invoice/lines";
import { guessMapping, isHeadLine, type Mapping } from "@/lib/domain/invoice/mapping";
import { readTable, type Table } from "@/lib/domain/invoice/table";
import type { PreviewAnswer, PreviewQuestion } from "@/lib/domain/invoice/view";
import { AppError } from "@/lib/errors";
import { lineView } from "./invoice-view";

const SHOWN_LINES = 20;
const SHOWN_PROBLEMS = 50;

/** The account that invoices are of. */
export async function invoicedConnection(): Promise<string> {
  const connection = await findConnection();
  if (!connection)
    throw new AppError(
      "conflict",
      "Nobody has looked at an account yet; an invoice would be of nothing. Connect Lambda first.",
    );
  return connection.id;
}

export async function hashOf(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

/** The text of a file, by the mark at its beginning, else as UTF-8. */
export function textOf(bytes: Uint8Array): string {
  const starts = (...mark: number[]) => mark.every((byte, i) => bytes[i] === byte);
  if (starts(0x25, 0x50, 0x44, 0x46))
    throw new AppError("invalid", "This is a PDF. Paste its table or type its lines; you can add the file to them.", {
      file: "is a PDF, not a table",
    });
  if (starts(0x50, 0x4b))
    throw new AppError("invalid", "This is a spreadsheet. Save its sheet as CSV and send that; nothing was stored.", {
      file: "is a spreadsheet, not CSV",
    });
  const encoding = starts(0xff, 0xfe) ? "utf-16le" : starts(0xfe, 0xff) ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid", "The file is not text in UTF-8. Save it as CSV in UTF-8; nothing was stored.", {
      file: "is not UTF-8",
    });
  }
}

export async function rememberedMapping(connectionId: string): Promise<Mapping | null> {
  return (await readSettingNow("invoiceMapping"))[connectionId] ?? null;
}

export type ReadTable = { table: Table; mapping: Mapping; read: ReadLines };

/** A table's lines by the mapping that is given, or by the one that its heads and the last time suggest. */
export async function readInvoiceTable(
  text: string,
  given: Mapping | undefined,
  connectionId: string,
): Promise<ReadTable> {
  const table = readTable(text, isHeadLine);
  if ("problem" in table)
    throw new AppError("invalid", `${table.problem} Nothing was stored.`, { file: table.problem });
  const mapping = given ?? guessMapping(table, await rememberedMapping(connectionId));
  return { table, mapping, read: readLines(table, mapping) };
}

/** Lines as somebody typed them; what cannot be read is told by its place. */
export function readTyped(lines: readonly LineTexts[], mapping: Mapping | undefined): ReadLines {
  const how = mapping ?? { decimal: "point" as const, dateOrder: null, unit: "hours" as const };
  const result: ReadLines = { lines: [], problems: [], skipped: [], sumMicros: 0n };
  lines.forEach((texts, i) => {
    if (Object.values(texts).every((text) => !text?.trim())) return;
    const { line, problems } = readLine(texts, how);
    result.problems.push(...problems.map((problem) => ({ at: i + 1, ...problem })));
    if (!line) return;
    result.lines.push({ line: result.lines.length + 1, at: i + 1, ...line });
    result.sumMicros += line.micros;
  });
  return result;
}

/** What would be stored of a table: its columns, its first lines, and what cannot be read. Nothing is stored. */
export async function previewInvoice(ctx: Ctx, { file, csv, mapping: given }: PreviewQuestion): Promise<PreviewAnswer> {
  authorize(ctx, "invoice:write");
  const bytes = file ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(csv ?? "");
  const connectionId = await invoicedConnection();
  const { table, mapping, read } = await readInvoiceTable(textOf(bytes), given, connectionId);
  const twin = await findTwin(connectionId, { fileHash: await hashOf(bytes) });
  const days = read.lines.flatMap(({ fromDay, toDay }) => [fromDay, toDay]).filter((day) => day !== null);
  days.sort();
  return {
    heads: table.heads,
    mapping,
    count: read.lines.length,
    lines: read.lines.slice(0, SHOWN_LINES).map(lineView),
    problemCount: read.problems.length,
    problems: read.problems.slice(0, SHOWN_PROBLEMS),
    skipped: read.skipped.slice(0, SHOWN_PROBLEMS).map(({ at, text }) => ({ at, text: text.slice(0, 100) })),
    sumMicros: read.sumMicros.toString(),
    totalMicros: totalOf(read)?.toString() ?? null,
    fromDay: days[0] ?? null,
    toDay: days.at(-1) ?? null,
    known: twin?.number ?? null,
  };
}

/** What the table calls its total: the last of its sums that is more than a part. */
function totalOf({ skipped }: ReadLines): bigint | null {
  return skipped.filter(({ text, micros }) => micros !== null && !/^sub/i.test(text)).at(-1)?.micros ?? null;
}
