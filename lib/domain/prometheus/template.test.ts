import { describe, expect, it, test } from "vitest";
import { parseTemplate, renderTemplate } from "./template";

const data = {
  labels: { gpu: "0", instance: "gh-1.example.com:9400" },
  value: 0.9234,
  externalLabels: { cluster: "a" },
  externalUrl: "http://prometheus",
};
const text = (source: string, value = data.value) => renderTemplate(parseTemplate(source), { ...data, value });

describe("templates of labels and annotations", () => {
  it.each([
    ["plain", "plain"],
    ["{{ $labels.gpu }} of {{$labels.instance}}", "0 of gh-1.example.com:9400"],
    ["{{ .Labels.gpu }}{{ $labels.absent }}", "0"],
    ["{{ $value }} {{ .Value }}", "0.9234 0.9234"],
    ["{{ $value | humanizePercentage }}", "92.34%"],
    ['{{ printf "%.1f%%" $value }}', "0.9%"],
    ['{{ $value | printf "%5.2f|%s" 1.0 }}', null],
    ["{{ humanize 1234567.0 }}", "1.235M"],
    ["{{ humanize1024 2048.0 }}", "2ki"],
    ["{{ humanizeDuration 3661.0 }}", "1h 1m 1s"],
    ["{{ humanizeDuration 0.05 }}", "50ms"],
    ["{{ humanizeTimestamp 1435065584.128 }}", "2015-06-23 13:19:44.128 +0000 UTC"],
    ["{{ $labels.instance | stripPort | toUpper }}", "GH-1.EXAMPLE.COM"],
    ["{{ if gt $value 0.9 }}high{{ else }}low{{ end }}", "high"],
    ['{{ if eq $labels.gpu "1" }}one{{ else if eq $labels.gpu "0" }}zero{{ end }}', "zero"],
    ["{{ $x := $value }}{{ $x }}", "0.9234"],
    ["a {{- /* no */ -}} b", "ab"],
    ["a\n  {{- $labels.gpu }}", "a0"],
    ["{{ $externalLabels.cluster }} {{ $externalURL }}", "a http://prometheus"],
    ['{{ (printf "%s-x" $labels.gpu) | toUpper }}', "0-X"],
    ['{{ reReplaceAll "gh-(.*)" "$1" $labels.instance }}', "1.example.com:9400"],
  ])("%j", (source, expected) => expect(text(source)).toBe(expected));

  test.each([
    [1e6, "1e+06"],
    [123456, "123456"],
    [0.00001, "1e-05"],
    [-0, "-0"],
    [Number.NaN, "NaN"],
    [Infinity, "+Inf"],
    [100, "100"],
  ])("the value %d is written %s", (value, expected) => expect(text("{{ $value }}", value)).toBe(expected));

  test("what looks at other series, or at anything else that is not known here, is no template", () => {
    expect(parseTemplate('{{ range query "up" }}{{ end }}')).toBeNull();
    expect(parseTemplate("{{ query `up` }}")).toBeNull();
    expect(parseTemplate("{{ if $value }}")).toBeNull();
    expect(parseTemplate("{{ $value")).toBeNull();
    expect(text("{{ $unknown }}")).toBeNull();
    expect(text("{{ gt $labels.gpu 1 }}")).toBeNull();
  });
});
