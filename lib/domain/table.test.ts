import { expect, test } from "vitest";
import { csvParts, type TableFile } from "./table";

function fileOf(ended: { isEnded: boolean }): TableFile {
  async function* rows() {
    try {
      yield [["a", 1]];
      yield [["b", 2]];
    } finally {
      ended.isEnded = true;
    }
  }
  const told = { name: "t", title: "T", about: [], zone: "UTC", asOf: 0, revision: "r" };
  return { ...told, columns: ["name", "n"], rows: rows() };
}

async function readOf(parts: AsyncGenerator<string>, most: number): Promise<string> {
  let text = "";
  for (let i = 0; i < most; i++) {
    const { done, value } = await parts.next();
    if (done) break;
    text += value;
  }
  await parts.return(undefined);
  return text;
}

test.each([
  ["to the end", 9, 3],
  ["to the first row", 2, 2],
])("rows are ended where they are read %s", async (_, most, lines) => {
  const ended = { isEnded: false };
  const text = await readOf(csvParts(fileOf(ended)), most);
  expect(text.trimEnd().split("\r\n")).toHaveLength(lines);
  expect(ended.isEnded).toBe(true);
});

test("rows that were begun are ended where the reader leaves after the head", async () => {
  const ended = { isEnded: false };
  const file = fileOf(ended);
  const begun = file.rows[Symbol.asyncIterator]();
  await begun.next();
  await readOf(csvParts(file), 1);
  expect(ended.isEnded).toBe(true);
});
