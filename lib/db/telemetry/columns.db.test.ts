import { expect, test } from "vitest";
import { DISTRIBUTED_METRICS, METRICS, WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { rows } from "@/lib/testing/world";
import { WIDE_COLUMNS } from "./columns";

const columnsOf = async (table: string) =>
  (
    await rows<{ name: string; type: string }>(
      "select column_name as name, data_type as type from information_schema.columns where table_name = $1 order by ordinal_position",
      [table],
    )
  ).map(({ name, type }) => [name, type] as const);

const COUNTS = [
  ["throttle_reasons", "integer"],
  ["ecc_uncorrected", "integer"],
] as const;

test.each([
  ["gpu_sample", ["at", "missing", "gpu_id"], ["quality"]],
  ["gpu_latest", ["at", "received_at", "missing", "gpu_id"], []],
])("%s has the catalogue's metrics, in the catalogue's order, and nothing else", async (table, before, after) => {
  const columns = await columnsOf(table);
  const metrics = columns.filter(([name]) => !before.includes(name) && !after.includes(name));
  expect(metrics).toEqual([...WIDE_COLUMNS.map((column) => [column, "real"]), ...COUNTS]);
  expect(columns).toHaveLength(metrics.length + before.length + after.length);
});

test("an hour keeps sum, lowest, highest and count of every metric, and nothing else", async () => {
  const columns = await columnsOf("gpu_hour");
  const expected = WIDE_COLUMNS.flatMap((column) => [
    [`${column}_sum`, "double precision"],
    [`${column}_min`, "real"],
    [`${column}_max`, "real"],
    [`${column}_n`, "smallint"],
  ]);
  const kept = columns.filter(([name]) => !["hour", "gpu_id", "samples"].includes(name));
  expect(kept.map(String).sort()).toEqual(expected.map(String).sort());
});

test("the reasons of all wide metrics fit their column: 4 bits each, exact as a number", () => {
  expect(WIDE_METRICS.length * 4).toBeLessThanOrEqual(52);
});

test("each distribution has a number of its own that a smallint holds", () => {
  const ids = DISTRIBUTED_METRICS.map((metric) => METRICS[metric].distribution?.id ?? -1);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 32_768)).toBe(true);
});
