import { describe, expect, it, test } from "vitest";
import { formatPrometheusDuration, parseDuration } from "./duration";
import { selectorText } from "./matchers";
import { takeExpression } from "./take";

const taken = (text: string, own = { alert: "A", forMs: 0, labels: [] as string[] }) => {
  const taking = takeExpression(text, own);
  if ("why" in taking) return taking.why;
  const { select, over, on, comparison, threshold, clearThreshold } = taking.taken;
  const series = `${over.of === "last" && over.windowMs === 0 ? "" : `${over.of}/${over.windowMs / 1_000} `}${selectorText(select.name, select.matchers)}`;
  return `${on === "absence" ? "absent " : ""}${series} ${comparison} ${threshold}${clearThreshold === null ? "" : ` clear ${clearThreshold}`}`;
};

describe("expressions that are taken", () => {
  it.each([
    ["m > 85", "m above 85"],
    ["85 > m", "m below 85"],
    ["(m) >= -1e3", "m at_least -1000"],
    ["m <= 0x10", "m at_most 16"],
    ["m == +Inf", "m equal Infinity"],
    ["m != 1", "m not_equal 1"],
    ["m > 5 * 60 + 2 ^ 3 ^ 0", "m above 302"],
    ["m > -2^2", "m above -4"],
    ["node:m:rate5m > 1 # a comment", "node:m:rate5m above 1"],
    [`m{a="b",c!="d",e=~"f|g",h!~'i'} > 1`, `m{a="b",c!="d",e=~"f|g",h!~"i"} above 1`],
    [`{__name__=~"m|n"} > 1`, `{__name__=~"m|n"} above 1`],
    ["absent(m)", "absent m equal 1"],
    ["absent(m) == 1", "absent m equal 1"],
    ["absent_over_time(m[1h30m])", "absent present/5400 m equal 1"],
    ["avg_over_time(m[5m]) > 1", "mean/300 m above 1"],
    ["1 < quantile_over_time(0.9, m[1m])", "quantile/60 m above 1"],
    ["rate(m[5m]) > 0", "rate/300 m above 0"],
    ["changes(m[1d]) > 3", "changes/86400 m above 3"],
    [
      `m > 85 or (m > 80 and ignoring(alertname, alertstate) ALERTS{alertname="A",alertstate="firing"})`,
      "m above 85 clear 80",
    ],
  ])("%s", (text, expected) => expect(taken(text)).toBe(expected));
});

describe("expressions that are not, and why", () => {
  it.each([
    ["m", "it compares with no number: every value of the series would fire"],
    ["m > n", "it compares two series, not a series and a number"],
    ["1 > 2", "it compares two numbers and looks at no series"],
    ["m > bool 1", "with bool it has a value whether it holds or not, so it would always fire"],
    ["m > 1 and n > 1", '"and" joins more than one series and one number'],
    ["m > 1 or n > 1", '"or" joins more than one condition'],
    ["sum by (a) (m) > 1", "sum() sums up several series"],
    ["sum(m) by (a) > 1", "sum() sums up several series"],
    ["m / 2 > 1", 'it calculates with "/" before it compares'],
    ["time() - timestamp(m) > 1", 'it calculates with "-" before it compares'],
    ["m offset 5m > 1", "offset looks at another time"],
    ["m @ end() > 1", "@ looks at another time"],
    ["max_over_time(m[5m:1m]) > 1", "max_over_time() looks at something else than a range of one metric"],
    ["vector(1) > 0", "vector() is not among the functions that are taken"],
    ["histogram_quantile(0.9, m) > 1", "histogram_quantile() is not among the functions that are taken"],
    ['ALERTS{alertname="B"} == 1', "it looks at alerts, not at a series"],
    ["m[5m] > 1", "it is a range of samples, not a value"],
    ["m >", "the expression cannot be read: it ends too early"],
    ["m > 1 )", 'the expression cannot be read: ")" is not expected'],
    ['m{a="b} > 1', "the expression cannot be read: a text is not closed"],
    ['m{a=~"("} > 1', 'the expression cannot be read: the pattern "(" cannot be read'],
    ["{} > 1", "the expression cannot be read: a selector must name something"],
  ])("%s", (text, expected) => expect(taken(text)).toBe(expected));

  test("hysteresis whose meaning is another: pending counts, labels differ, or the second number is no calmer", () => {
    const hold = (matching: string, state: string, low = 80) =>
      `m > 85 or (m > ${low} and ignoring(${matching}) ALERTS{alertname="A"${state}})`;
    const own = { alert: "A", forMs: 60_000, labels: ["severity"] };
    const why = '"or" joins more than one condition';
    expect(taken(hold("alertname, alertstate, severity", ',alertstate="firing"'), own)).toBe("m above 85 clear 80");
    expect(taken(hold("alertname, alertstate, severity", ""), own)).toBe(why);
    expect(taken(hold("alertname, alertstate", ',alertstate="firing"'), own)).toBe(why);
    expect(taken(hold("alertname, alertstate, severity", ',alertstate="firing"', 90), own)).toBe(why);
    expect(taken(hold("alertname, alertstate", "").replace('"A"', '"B"'))).toBe(why);
  });
});

test.each([
  ["1h30m", 5_400_000],
  ["1d", 86_400_000],
  ["90s", 90_000],
  ["500ms", 500],
  ["0", 0],
  ["", null],
  ["5", null],
  ["5m1h", null],
  ["1.5h", null],
])("the duration %j is %j ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

test("durations are written as they are read", () => {
  for (const ms of [0, 500, 90_000, 5_400_000, 90_061_000, 30 * 86_400_000])
    expect(parseDuration(formatPrometheusDuration(ms))).toBe(ms);
});
