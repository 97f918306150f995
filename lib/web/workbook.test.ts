import { parse } from "csv-parse/sync";
import readWorkbook, { readSheet } from "read-excel-file/node";
import { expect, test, vi } from "vitest";
import type { CsvCell } from "@/lib/domain/csv";
import { csvParts, type TableFile } from "@/lib/domain/table";
import { MOST_CELLS, workbook } from "./workbook";

vi.mock("server-only", () => ({}));

async function* parts(...batches: CsvCell[][][]) {
  yield* batches;
}

const file = (rows: AsyncIterable<CsvCell[][]>, columns: string[]): TableFile => ({
  name: "hopperdeck-test",
  title: "Rows of the ledger",
  about: [["Team", "=ml"]],
  columns,
  zone: "Europe/Berlin",
  asOf: Date.parse("2026-11-10T00:00:00Z"),
  revision: "0123456789abcdef",
  rows,
});

const open = async (table: TableFile) => Buffer.from(await workbook(table));

test("amounts are numbers to the micro-dollar, and the sheet adds up to what the CSV file says", async () => {
  const amounts = ["1.412167", "-0.000001", "123456789.123456", "0.100000", "0.200000"];
  const rows = () =>
    parts(
      amounts.slice(0, 2).map((number) => [{ number }]),
      amounts.slice(2).map((number) => [{ number }]),
    );
  const sheet = await readSheet(await open(file(rows(), ["amount_usd"])), "Rows");
  expect(sheet).toEqual([["amount_usd"], [1.412167], [-0.000001], [123456789.123456], [0.1], [0.2]]);
  const micros = (usd: string) => BigInt(usd.replace(".", ""));
  const inSheet = sheet.slice(1).reduce((sum, [cell]) => sum + BigInt(Math.round(Number(cell) * 1e6)), 0n);
  expect(inSheet).toBe(amounts.reduce((sum, usd) => sum + micros(usd), 0n));
  let text = "";
  for await (const part of csvParts(file(rows(), ["amount_usd"]))) text += part;
  const [, ...lines] = text.trim().split("\r\n");
  expect(lines.reduce((sum, line) => sum + micros(line.split(",")[0] ?? ""), 0n)).toBe(inSheet);
});

test("an amount that a spreadsheet would round is text", async () => {
  const sheet = await readSheet(
    await open(file(parts([[{ number: "1234567890123.123456" }, 9_007_199_254_740_993n]]), ["amount_usd", "bytes"])),
    "Rows",
  );
  expect(sheet[1]).toEqual(["1234567890123.123456", "9007199254740993"]);
});

test("text that begins like a formula is text in both, and cannot run in either", async () => {
  const names = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "plain"];
  const table = () => file(parts(names.map((name) => [name])), ["name"]);
  const bytes = await open(table());
  expect(await readSheet(bytes, "Rows")).toEqual(
    [["name"], ...names.map((name) => [name.replace(/[\t\r]/, " ").trim()])].map(([name]) => [name]),
  );
  let text = "";
  for await (const part of csvParts(table())) text += part;
  const [, ...records]: string[][] = parse(text);
  expect(records.map(([name = ""]) => name)).toEqual(names.map((name) => (name === "plain" ? name : `'${name}`)));
});

test("the second sheet says of what, when and in which state", async () => {
  const sheet = await readSheet(await open(file(parts([[1], [2]]), ["minutes"])), "About");
  expect(Object.fromEntries(sheet)).toEqual({
    Table: "Rows of the ledger",
    Team: "=ml",
    Rows: "2",
    "Accounting zone": "Europe/Berlin",
    "As of (UTC)": "2026-11-10T00:00:00.000Z",
    "Data revision": "0123456789abcdef",
  });
  expect((await readWorkbook(await open(file(parts([]), ["minutes"])))).map(({ sheet: name }) => name)).toEqual([
    "Rows",
    "About",
  ]);
});

test("what is not known is an empty cell, and signs that cannot be held are left out", async () => {
  const bytes = await open(file(parts([[null, true, "a\u0000b\ud800c"]]), ["a", "b", "c"]));
  expect((await readSheet(bytes, "Rows"))[1]).toEqual([null, true, "abc"]);
});

test("what is too large is refused before it is held", async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<CsvCell[][]> {
    for (;;) {
      read += 1_000;
      yield Array.from({ length: 1_000 }, () => [1, 2, 3, 4, 5]);
    }
  }
  await expect(workbook(file(endless(), ["a", "b", "c", "d", "e"]))).rejects.toMatchObject({ code: "too-large" });
  expect(read).toBeLessThan(MOST_CELLS / 5 + 2_000);
});

test("a large month is written in seconds", async () => {
  const row: CsvCell[] = Array.from({ length: 25 }, (_, i) =>
    i % 2 ? { number: `${i}.123456` } : `a word or two ${i}`,
  );
  const began = performance.now();
  const bytes = await workbook(
    file(
      parts(Array.from({ length: 10_000 }, () => row)),
      row.map((_, i) => `column_${i}`),
    ),
  );
  expect(bytes.length).toBeGreaterThan(100_000);
  expect(performance.now() - began).toBeLessThan(10_000);
});
