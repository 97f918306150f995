import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { exportedColumns, FOCUS_COLUMNS, FOCUS_VERSIONS, OWN_COLUMNS } from "./columns";

const file = join(process.env.SHARED_DIR ?? "../shared", "reference/focus-columns.csv");
const isThere = existsSync(file);

describe.skipIf(!isThere)(`columns of the specification${isThere ? "" : ` (skipped: ${file} is absent)`}`, () => {
  const reference: Record<string, string>[] = isThere ? parse(readFileSync(file), { columns: true }) : [];
  const costAndUsage = reference.filter((row) => row.dataset === "Cost and Usage");

  test("are all here, and no others", () => {
    expect(FOCUS_COLUMNS.map(({ id }) => id)).toEqual(costAndUsage.map((row) => row.column_id).sort());
  });

  test.each(FOCUS_COLUMNS.map((column) => [column.id, column] as const))("%s", (id, column) => {
    const row = costAndUsage.find(({ column_id }) => column_id === id);
    expect(column.type).toBe(row?.data_type === "Date/Time" ? "DateTime" : row?.data_type);
    expect(column.levels).toEqual({ "1.2": row?.feature_level_1_2, "1.4": row?.feature_level_1_4 });
    expect(column.isNullable).toEqual({ "1.2": row?.nulls_1_2 === "nullable", "1.4": row?.nulls_1_4 === "nullable" });
  });
});

test.each(FOCUS_VERSIONS)(
  "a file of %s has every mandatory column, none that is absent, and its own at the end",
  (version) => {
    const ids = exportedColumns(version).map(({ id }) => id);
    const of = (level: string) => FOCUS_COLUMNS.filter(({ levels }) => levels[version] === level).map(({ id }) => id);
    expect(of("Mandatory").filter((id) => !ids.includes(id))).toEqual([]);
    expect(of("absent").filter((id) => ids.includes(id))).toEqual([]);
    expect(ids.slice(-OWN_COLUMNS.length)).toEqual(OWN_COLUMNS.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const focus = ids.slice(0, -OWN_COLUMNS.length);
    expect(focus).toEqual([...focus].sort());
  },
);
