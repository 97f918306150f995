import { describe, expect, it, test } from "vitest";
import { parseSeriesNotation } from "./series-notation";

const values = (text: string) => {
  const { samples } = parseSeriesNotation("m", text, 1_000);
  const last = samples.at(-1)?.at ?? -1_000;
  return Array.from({ length: last / 1_000 + 1 }, (_, i) => {
    const sample = samples.find(({ at }) => at === i * 1_000);
    return sample === undefined ? "_" : sample.value;
  });
};

describe("the notation of series", () => {
  it.each<[string, unknown[]]>([
    ["1 2.5 -3e2 +4", [1, 2.5, -300, 4]],
    ["1 _ _ 2", [1, "_", "_", 2]],
    ["_x2 1", ["_", "_", 1]],
    ["5x2", [5, 5, 5]],
    ["1+2x3", [1, 3, 5, 7]],
    ["1-2x3", [1, -1, -3, -5]],
    ["-1+1x1", [-1, 0]],
    ["1e2+1e1x1", [100, 110]],
    ["stale 1", [null, 1]],
    ["stalex1", [null, null]],
    ["NaN Inf +Inf -Inf nan", [Number.NaN, Infinity, Infinity, -Infinity, Number.NaN]],
    ["0x3", [0, 0, 0, 0]],
    ["", []],
  ])("%j", (text, expected) => expect(values(text)).toEqual(expected));

  test("steps are added up one by one", () => {
    expect(values("0+0.1x3")).toEqual([0, 0.1, 0.2, 0.30000000000000004]);
  });

  it.each([
    ["1 two", '"two" is no value'],
    ["1x", '"1x" is no value'],
    ["1+x3", '"1+x3" is no value'],
    ["{{schema:1}}", "histograms are not taken: give the series of their buckets"],
    ["1x99999999", "more than 1000000 values"],
  ])("%j is refused", (text, why) => expect(() => values(text)).toThrow(why));

  test("a series has a name and plain labels", () => {
    const named = (text: string) => parseSeriesNotation(text, "", 1_000);
    expect(named('up{job="a",empty="",b=\'c\'}')).toMatchObject({ metric: "up", labels: { job: "a", b: "c" } });
    expect(named('{__name__="up",a="b"}')).toMatchObject({ metric: "up", labels: { a: "b" } });
    expect(() => named('up{a=~"b"}')).toThrow("its labels are not plain");
    expect(() => named("up > 1")).toThrow("is no series");
    expect(() => named("")).toThrow("has no name");
  });
});
