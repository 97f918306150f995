import { describe, expect, test } from "vitest";
import { type BarChartInput, barModel, summariseBars } from "./bar-model";

const D = 86_400_000;
const first = Date.UTC(2026, 10, 1);
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

const parts: BarChartInput["parts"] = [
  { id: "x", label: "unallocated", slot: 8 },
  { id: "research", label: "research", slot: 2 },
  { id: "finetune", label: "finetune", slot: 1 },
];

function model(bars: { amounts: (number | null)[]; expected?: { amount: number; low: number; high: number } }[]) {
  return barModel({
    unit: "usdMicros",
    timeZone: "UTC",
    each: "UTC day",
    parts,
    bars: bars.map((bar, index) => ({ from: first + index * D, to: first + (index + 1) * D, ...bar })),
  });
}

const usd = (...dollars: number[]) => dollars.map((amount) => amount * 1_000_000);

test("the largest part lies at the bottom and what is unallocated on top, however large", () => {
  const { parts: stacked, rows } = model([{ amounts: usd(900, 10, 20) }]);
  expect(stacked.map(({ id }) => id)).toEqual(["finetune", "research", "x"]);
  expect(stacked[0]?.color).toBe("var(--chart-1)");
  expect(rows[0]?.amounts).toEqual(usd(20, 10, 900));
});

test("the readout's lines and total are the amounts, exactly", () => {
  const row = model([{ amounts: usd(8.19, 109.92, 766.08) }]).rows[0];
  expect(row?.texts).toEqual(["$766.08", "$109.92", "$8.19"]);
  expect(row?.total).toBe("$884.19");
  expect(plain(row?.label ?? "")).toBe("Sun 1 Nov");
});

describe("days to come", () => {
  const made = model([
    { amounts: usd(0, 10, 20) },
    { amounts: usd(0, 5, 10), expected: { amount: 40e6, low: 30e6, high: 50e6 } },
    { amounts: [null, null, null], expected: { amount: 40e6, low: 30e6, high: 60e6 } },
  ]);

  test("today is both: measured so far, and expected", () => {
    expect(made.rows[1]).toMatchObject({ total: "$15.00", top: 0.25, expected: { text: "$40.00" } });
    expect(made.rows[1]?.expected?.top).toBeCloseTo(40 / 60);
  });

  test("are expected, not unknown", () => {
    expect(made.rows[2]).toMatchObject({ isUnknown: false, top: 0 });
    expect(made.frame.gaps).toEqual([]);
  });

  test("the axis reaches the top of the band", () => expect(made.frame.y.max).toBe(60e6));
});

test("an amount that is not known is hatched and never $0.00", () => {
  const made = model([{ amounts: [null, null, null] }, { amounts: usd(1, 2, 3) }]);
  expect(made.rows[0]).toMatchObject({ isUnknown: true, total: "—", texts: ["—", "—", "—"] });
  expect(made.frame.gaps).toMatchObject([{ left: 0, width: 0.5 }]);
});

test("a month has every fourth day under it", () => {
  const made = model(Array.from({ length: 30 }, () => ({ amounts: usd(1, 1, 1) })));
  expect(made.frame.x.map((tick) => plain(tick.label))).toEqual([
    "1 Nov",
    "5 Nov",
    "9 Nov",
    "13 Nov",
    "17 Nov",
    "21 Nov",
    "25 Nov",
    "29 Nov",
  ]);
});

test("nothing known at all is empty; nothing spent is not", () => {
  expect(model([{ amounts: [null, null, null] }]).isEmpty).toBe(true);
  expect(model([{ amounts: usd(0, 0, 0) }]).isEmpty).toBe(false);
});

test("the bars in one sentence", () => {
  const made = model([{ amounts: usd(0, 1, 2) }, { amounts: usd(0, 1, 9) }, { amounts: [null, null, null] }]);
  expect(plain(summariseBars("Spend per day", made))).toBe(
    "Spend per day, Sun 1 Nov to Mon 2 Nov: highest $10.00 on Mon 2 Nov, last $10.00; 1 not known",
  );
});
