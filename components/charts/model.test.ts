import { describe, expect, test } from "vitest";
import { chartModel } from "./model";
import type { ChartInput, Column, Series } from "./types";

const MIN = 60_000;
const from = Date.UTC(2026, 10, 20, 8);

const line = (id: string, mean: Column, more: Partial<Series> = {}): Series => ({
  id,
  label: id,
  slot: 1,
  mean,
  ...more,
});

/** One column entry per two minutes. */
function input(series: Series[], more: Partial<ChartInput> = {}): ChartInput {
  const length = Math.max(0, ...series.map((one) => one.mean.length));
  const at = Array.from({ length }, (_, index) => from + index * 2 * MIN);
  return { unit: "percent", timeZone: "UTC", from, to: from + length * 2 * MIN, stepMs: 2 * MIN, at, series, ...more };
}
const model = (series: Series[], more?: Partial<ChartInput>) => chartModel(input(series, more));

describe("what is missing stays missing", () => {
  test("a gap is null in its row, and never 0", () => {
    expect(model([line("a", [1, null, 3])]).rows.map((row) => row.values[0])).toEqual([1, null, 3]);
  });

  test("a value that is no number is a gap", () => {
    expect(model([line("a", [1, Number.NaN, 3])]).rows.map((row) => row.values[0])).toEqual([1, null, 3]);
  });

  test("nothing measured is empty, a measured zero is not", () => {
    expect(model([line("a", [null, null])]).isEmpty).toBe(true);
    expect(model([line("a", [0])]).isEmpty).toBe(false);
    expect(model([]).isEmpty).toBe(true);
  });

  test("a shade needs both of its sides", () => {
    const ranges = model([line("a", [5, 5], { min: [4, null], max: [6, 6] })]).rows.map((row) => row.ranges[0]);
    expect(ranges).toEqual([[4, 6], null]);
  });
});

describe("gaps on a chart of one subject", () => {
  const gap = (mean: Column, more?: Partial<ChartInput>) =>
    model([line("a", mean)], more).gaps.map(({ left, width, label, ms }) => ({
      left,
      width,
      label: label?.replaceAll("\u00a0", " ") ?? null,
      ms,
    }));
  const five: Column = [5, 5, 5, 5, 5];

  test("are hatched from the first instant without data to the first with it", () => {
    expect(gap([...five, null, null, ...five.slice(0, 3)])).toEqual([
      { left: 0.5, width: expect.closeTo(0.2), label: "no data, 4 min", ms: 4 * MIN },
    ]);
  });

  test("at the end count once the silence is long enough", () => {
    expect(gap([...five, ...five, null, null])).toEqual([]);
    expect(gap([...five, null, null, null, null, null])).toMatchObject([{ left: 0.5, width: 0.5, ms: 10 * MIN }]);
  });

  test("at the start are hatched, too", () => {
    expect(gap([null, null, null, null, ...five, 5])).toMatchObject([{ left: 0, ms: 8 * MIN }]);
  });

  test("have no words where they are narrow", () => {
    const long = Array.from({ length: 200 }, (_, index) => (index === 100 ? null : 50));
    expect(gap(long)).toMatchObject([{ label: null, ms: 2 * MIN }]);
  });

  test("have their words where they cover nothing, or none", () => {
    const at = (value: number, limit = 50) => {
      const limits = [{ value: limit, label: "limit", tone: "crit" as const }];
      const found = model([line("a", [value, value, null, null, null, value, value])], { limits }).gaps[0];
      return found?.label ? found.labelAt : null;
    };
    expect(at(80)).toBe("bottom");
    expect(at(3)).toBe("top");
    expect(at(80, 5)).toBeNull();
    expect(at(3, 95)).toBeNull();
  });

  test("are not hatched where several lines share the plot; there the label says it", () => {
    const several = model([line("a", [5, null, null, null, null, null]), line("b", [5, 5, 5, 5, 5, 7])]);
    expect(several.gaps).toEqual([]);
    expect(several.ends.map(({ id, text, isMissing }) => [id, text, isMissing])).toEqual([
      ["b", "7.0\u202f%", false],
      ["a", "no data", true],
    ]);
  });
});

describe("lines", () => {
  test("keep their colour whatever their neighbours", () => {
    const alone = model([line("b", [1], { slot: 5 })]).lines[0];
    const crowded = model([line("a", [9]), line("b", [1], { slot: 5 }), line("c", [5])]).lines[1];
    expect(alone?.color).toBe("var(--chart-5)");
    expect(crowded?.color).toBe(alone?.color);
  });

  test("are eight at most, the highest, and the rest are counted", () => {
    const many = model(Array.from({ length: 11 }, (_, index) => line(`gpu-${index}`, [index])));
    expect(many.lines.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((index) => `gpu-${index}`));
    expect(many.hiddenLines).toBe(3);
  });

  test("beyond eight give way to their mean and to those that fire", () => {
    const many = model([
      ...Array.from({ length: 20 }, (_, index) =>
        line(`gpu-${index}`, [index], index === 3 ? { weight: "strong" } : {}),
      ),
      line("mean", [10], { slot: "text" }),
    ]);
    expect(many.lines.map(({ id }) => id)).toEqual(["gpu-3", "mean"]);
    expect(many.hiddenLines).toBe(19);
  });

  test("a mean among others is thick and in the colour of text, what recedes is thin", () => {
    const [quiet, strong, mean] = model([
      line("a", [1], { weight: "quiet" }),
      line("b", [1], { weight: "strong" }),
      line("mean", [1], { slot: "text" }),
    ]).lines;
    expect(quiet).toMatchObject({ width: 1, opacity: 0.5 });
    expect(strong).toMatchObject({ width: 1.75, opacity: 1 });
    expect(mean).toMatchObject({ width: 2.25, color: "var(--text)", isTotal: true });
  });

  test("declared is dashed, an earlier period is dotted and grey, measured is solid", () => {
    const dashes = model([
      line("a", [1]),
      line("b", [1], { kind: "declared" }),
      line("c", [1], { kind: "compared" }),
    ]).lines.map(({ dash, color }) => [dash, color]);
    expect(dashes).toEqual([
      [null, "var(--chart-1)"],
      ["4 3", "var(--chart-1)"],
      ["2 3", "var(--text-3)"],
    ]);
  });

  test("have a tint under them only where one is measured", () => {
    const area = (...series: Series[]) => model(series).lines.map(({ hasArea }) => hasArea);
    expect(area(line("a", [1], { hasArea: true }), line("b", [1], { kind: "declared" }))).toEqual([true, false]);
    expect(area(line("a", [1], { hasArea: true }), line("b", [1]))).toEqual([false, false]);
  });

  test("turn grey when all of it is stale", () => {
    expect(model([line("a", [1])], { staleSince: from }).lines[0]?.color).toBe("var(--unknown-mark)");
  });
});

describe("the value axis", () => {
  const axis = (unit: ChartInput["unit"], values: Column, more: Partial<ChartInput> = {}) => {
    const { y } = model([line("a", values)], { unit, ...more });
    return { min: y.min, max: y.max, labels: y.ticks.map((tick) => tick.label.replaceAll("\u00a0", " ")) };
  };

  test("runs from 0 to 100 for percentages, whatever was measured", () => {
    expect(axis("percent", [40, 42])).toEqual({ min: 0, max: 100, labels: ["0 %", "50 %", "100 %"] });
    expect(axis("percent", [40], { isSubject: true }).labels).toHaveLength(5);
  });

  test("starts at 0 for money, counts, memory and power", () => {
    for (const unit of ["usdMicros", "count", "mib", "watts"] as const) expect(axis(unit, [900, 1000]).min).toBe(0);
  });

  test("may start higher for heat and clocks, and its labels say so", () => {
    expect(axis("celsius", [58, 71])).toEqual({
      min: 55,
      max: 75,
      labels: ["55 °C", "60 °C", "65 °C", "70 °C", "75 °C"],
    });
    expect(axis("megahertz", [1710, 1980]).min).toBe(1700);
  });

  test("leaves room for limits, and for shades", () => {
    expect(axis("watts", [585], { limits: [{ value: 700, label: "cap 700 W", tone: "neutral" }] }).max).toBe(800);
    expect(model([line("a", [50], { min: [1], max: [120] })], { unit: "watts" }).y.max).toBe(150);
  });

  test("reaches the larger of capacity and the sum of pools", () => {
    const pools = [{ id: "w", label: "weights 60 GB", verdict: "fits", from: 0, to: 61_440, slot: 1 as const }];
    expect(axis("mib", [1024], { pools, whole: 97_871, isSubject: true }).max).toBe(96 * 1024);
  });

  test("writes all its labels one way", () => {
    expect(axis("usdMicros", [28_442e6]).labels).toEqual(["$0", "$10k", "$20k", "$30k"]);
    expect(axis("usdMicros", [1_018e6], { isSubject: true }).labels).toEqual([
      "$0",
      "$250",
      "$500",
      "$750",
      "$1,000",
      "$1,250",
    ]);
    expect(axis("usdMicros", [0.9e6], { isSubject: true }).labels.at(-1)).toBe("$1.00");
    expect(axis("mib", [90_000]).labels.at(-1)).toBe("96");
  });

  test("has a scale before anything is measured", () => {
    expect(axis("watts", [null, null])).toMatchObject({ min: 0 });
  });
});

describe("thresholds, spans, pools and marks", () => {
  test("a limit's words stand on the side where no line runs close to it", () => {
    const side = (values: Column) =>
      model([line("a", values)], { limits: [{ value: 5, label: "fires below 5 %", tone: "crit" }] }).limits[0]?.side;
    expect(side([95, 95, 95, 95, 95, 95, 95, 1, 1, 1])).toBe("left");
    expect(side([1, 1, 1, 95, 95, 95, 95, 95, 95, 95])).toBe("right");
    expect(side([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])).toBe("right");
  });

  test("spans are cut to the window but say how long they are", () => {
    const { spans } = model([line("a", [1, 1, 1, 1, 1])], {
      spans: [
        { from: from - 30 * MIN, to: from + 5 * MIN, kind: "pending" },
        { from: from + 5 * MIN, to: from + 10 * MIN, kind: "firing" },
        { from: from - 9 * MIN, to: from - 3 * MIN, kind: "firing" },
      ],
    });
    expect(spans.map(({ left, width, label }) => [left, width, label?.replaceAll("\u00a0", " ")])).toEqual([
      [0, 0.5, "pending 35 min"],
      [0.5, 0.5, "firing 5 min"],
    ]);
  });

  test("what is declared above capacity has nothing behind it", () => {
    const pools = [
      { id: "w", label: "weights 60 GB", verdict: "fits", from: 0, to: 60, slot: 1 as const },
      { id: "k", label: "kv-cache 40 GB", verdict: "", from: 60, to: 100, slot: 3 as const },
    ];
    const scaled = pools.map((pool) => ({ ...pool, from: pool.from * 1024, to: pool.to * 1024 }));
    const over = model([line("a", [1024])], { unit: "mib", pools: scaled, whole: 96 * 1024, isSubject: true });
    expect(over.nothingBehind?.bottom).toBeCloseTo((96 / over.y.max) * 1024);
    expect(over.nothingBehind?.top).toBeCloseTo((100 / over.y.max) * 1024);
    expect(model([line("a", [1024])], { unit: "mib", pools: scaled, whole: 141 * 1024 }).nothingBehind).toBeNull();
  });

  test("a mark has its place on both axes", () => {
    const { marks } = model([line("a", [1, 1])], { marks: [{ at: from + 2 * MIN, value: 50, tone: "warn" }] });
    expect(marks).toEqual([{ left: 0.5, share: 0.5, tone: "warn", label: null }]);
  });
});

describe("labels at the edge", () => {
  test("are there with several lines, in the order of the last value, and not with one", () => {
    expect(model([line("a", [1])]).ends).toEqual([]);
    const { ends, endsPx, subject } = model([line("a", [1]), line("b", [9]), line("c", [5])]);
    expect(ends.map(({ id }) => id)).toEqual(["b", "c", "a"]);
    expect(endsPx).toBeGreaterThan(60);
    expect(subject).toBeNull();
  });

  test("can be left away line by line", () => {
    const { ends, endsPx } = model([line("a", [1], { hasEnd: false }), line("b", [9], { hasEnd: false })]);
    expect(ends).toEqual([]);
    expect(endsPx).toBe(0);
  });

  test("a forecast that ends with its window is not silent", () => {
    const { ends } = model([line("a", [1, 1, null, null]), line("f", [null, null, 4, 5], { kind: "declared" })]);
    expect(ends.find(({ id }) => id === "f")).toMatchObject({ isMissing: false });
  });
});

test("a model is plain data: a server component may hand it over", () => {
  const made = model([line("a", [1, null], { min: [0, null], max: [2, null] })]);
  expect(JSON.parse(JSON.stringify(made))).toEqual(made);
});
