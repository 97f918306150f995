import { describe, expect, test } from "vitest";
import { chartModel } from "./model";
import { formatRange, latestOf, readout, summarise, tableOf, tooltipHead, tooltipRows } from "./reading";
import type { ChartInput, Series } from "./types";

const MIN = 60_000;
const from = Date.UTC(2026, 10, 20, 8);
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

function model(series: Partial<Series>[], more: Partial<ChartInput> = {}) {
  const length = series[0]?.mean?.length ?? 0;
  return chartModel({
    unit: "percent",
    timeZone: "UTC",
    from,
    to: from + length * 2 * MIN,
    stepMs: 2 * MIN,
    at: Array.from({ length }, (_, index) => from + index * 2 * MIN),
    series: series.map((one, index) => ({ id: `${index}`, label: `Line ${index}`, slot: 1, mean: [], ...one })),
    ...more,
  });
}

describe("the tooltip", () => {
  test("says everything about one line", () => {
    const used = model([{ label: "Used", mean: [92_365], min: [92_058], max: [92_774], samples: [8] }], {
      unit: "mib",
      whole: 97_871,
    });
    expect(tooltipRows(used, 0).map(({ label, text }) => `${label}: ${plain(text)}`)).toEqual([
      "Used: 90.2 GiB",
      "Min to max: 89.9 to 90.6 GiB",
      "Of capacity: 94.4 %",
      "Mean of: 8 samples, 2 min",
    ]);
    expect(plain(tooltipHead(used, from))).toBe("Fri 20 Nov, 08:00:00 UTC");
  });

  test("orders several lines by value and keeps the silent one", () => {
    const rows = tooltipRows(model([{ mean: [2] }, { mean: [null] }, { mean: [95] }]), 0);
    expect(rows.map(({ label, text, isMissing }) => [label, plain(text), isMissing])).toEqual([
      ["Line 2", "95 %", false],
      ["Line 0", "2.0 %", false],
      ["Line 1", "no data", true],
    ]);
  });

  test("does not call a forecast silent where it has not begun", () => {
    const rows = tooltipRows(model([{ mean: [2, 2] }, { mean: [null, 4], kind: "declared" }]), 0);
    expect(rows.map(({ label }) => label)).toEqual(["Line 0"]);
  });

  test("says no data in a gap, and nothing outside the chart", () => {
    expect(tooltipRows(model([{ mean: [1, null] }]), 1)).toMatchObject([{ text: "no data", isMissing: true }]);
    expect(tooltipRows(model([{ mean: [1] }]), 9)).toEqual([]);
  });
});

describe("the header", () => {
  test.each([
    ["percent", undefined, 87, "87", "%"],
    ["mib", 97_871, 92_365, "90.2", "GiB, 94.4 %"],
    ["watts", 700, 597, "597", "W of 700 W"],
    ["celsius", undefined, 71, "71", "°C"],
    ["usdMicrosPerHour", undefined, 2_290_000, "$2.29", "/h"],
    ["percent", undefined, null, "—", null],
  ] as const)("%s of %s: %s", (unit, whole, value, text, grey) => {
    const made = model([{ mean: [1] }], { unit, ...(whole !== undefined && { whole }) });
    const shown = readout(made, value);
    expect([shown.value, shown.unit === null ? null : plain(shown.unit)]).toEqual([text, grey]);
  });

  test("keeps the last value of a line that has gone silent", () => {
    expect(latestOf(model([{ mean: [1, 2, null, null] }]), 0)).toBe(2);
    expect(latestOf(model([{ mean: [null] }]), 0)).toBeNull();
  });
});

test("a range has its unit once", () => {
  expect(plain(formatRange("mib", [92_058, 92_774]))).toBe("89.9 to 90.6 GiB");
  expect(plain(formatRange("percent", [0.2, 84]))).toBe("0.2 to 84 %");
  expect(formatRange("usdMicros", [1e6, 2e6])).toBe("$1.00 to $2.00");
});

describe("the chart in one sentence", () => {
  test("names window, value, range, threshold, spans and silence", () => {
    const made = model([{ label: "Mean", mean: [95, 96, null, null, null, null, null, 0.6] }], {
      limits: [{ value: 5, label: "fires below 5 %", tone: "crit" }],
      spans: [{ from: from + 14 * MIN, to: from + 16 * MIN, kind: "pending" }],
    });
    expect(plain(summarise("Utilisation", made))).toBe(
      "Utilisation, 08:00 to 08:16 UTC: Mean 0.6 % at the end, between 0.6 and 96 %; fires below 5 %; pending 2 min; no data for 10 min",
    );
  });

  test("does not hide that a line is silent now", () => {
    const made = model([{ label: "Mean", mean: [95, 95, null, null, null, null, null, null] }]);
    expect(plain(summarise("Utilisation", made))).toContain("Mean no data since 08:02");
  });

  test("says so when nothing was measured", () => {
    expect(summarise("Power", model([{ mean: [null] }], { unit: "watts" }))).toBe(
      "Power, 08:00 to 08:02 UTC: nothing was measured",
    );
  });

  test("counts what is not drawn", () => {
    const many = model(Array.from({ length: 10 }, (_, index) => ({ mean: [index] })));
    expect(summarise("Heat", many)).toContain("2 more not drawn");
  });
});

test("the table has the columns of the drawing, newest first", () => {
  const table = tableOf(
    model([
      { label: "A", mean: [1, null], min: [0, null], max: [2, null] },
      { label: "B", mean: [5, 6] },
    ]),
  );
  expect(table.heads).toEqual(["Time, UTC", "A", "Min", "Max", "B"]);
  expect(table.rows.map((row) => row.cells.map(plain))).toEqual([
    ["—", "—", "—", "6.0 %"],
    ["1.0 %", "0 %", "2.0 %", "5.0 %"],
  ]);
});
