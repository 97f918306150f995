import { describe, expect, it } from "vitest";
import { entryText, episodeSpans, firingByHour, type HistoryEntry, stripParts } from "./timeline";
import type { RuleText } from "./words";

const rule: RuleText = {
  kind: "gpu_metric",
  metric: "temperatureC",
  comparison: "at_least",
  threshold: 83,
  forMs: 300_000,
};
const entry = (kind: HistoryEntry["kind"], at: number, over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  seq: 1,
  kind,
  at,
  value: null,
  note: null,
  actor: null,
  ...over,
});
const plain = (text: string | null) => text?.replace(/[\u00a0\u202f]/g, " ") ?? null;

describe("an entry in words", () => {
  it("a fire says what was measured and what the rule asks for", () => {
    const { title, text } = entryText(entry("fired", 0, { value: 84.04, note: "84.04 is at or above 83" }), rule, null);
    expect([title, plain(text)]).toEqual(["Firing", "84 °C. GPU temperature at or above 83 °C for 5 min"]);
  });

  it("an end says why, and the value only where it recovered", () => {
    expect(entryText(entry("resolved", 0, { value: 80 }), rule, "recovered").text).toMatch(/^it recovered, 80\W°C$/);
    expect(entryText(entry("resolved", 0, { value: 80 }), rule, "instance_gone").text).toBe("the instance is gone");
  });

  it("what people wrote stays as they wrote it", () => {
    expect(entryText(entry("commented", 0, { note: "draining it", actor: "Ana" }), rule, null)).toEqual({
      title: "Comment",
      text: "draining it",
    });
  });
});

describe("the spans of an episode", () => {
  it("pending, firing, silent, firing again, resolved: no holes and no overlap", () => {
    const history = [
      entry("pending", 100),
      entry("fired", 400),
      entry("acknowledged", 450),
      entry("unknown", 600),
      entry("resumed", 800),
      entry("resolved", 900),
    ];
    expect(episodeSpans(history, { activeAt: 100, firedAt: 400, resolvedAt: 900 }, 2_000)).toEqual([
      { kind: "pending", from: 100, to: 400 },
      { kind: "firing", from: 400, to: 600 },
      { kind: "unknown", from: 600, to: 800 },
      { kind: "firing", from: 800, to: 900 },
    ]);
  });

  it("an open one reaches to now; one without history is pending", () => {
    expect(episodeSpans([], { activeAt: 100, firedAt: null, resolvedAt: null }, 160)).toEqual([
      { kind: "pending", from: 100, to: 160 },
    ]);
    expect(
      episodeSpans(
        [entry("fired", 100), entry("unknown", 150)],
        { activeAt: 100, firedAt: 100, resolvedAt: null },
        200,
      ),
    ).toEqual([
      { kind: "firing", from: 100, to: 150 },
      { kind: "unknown", from: 150, to: 200 },
    ]);
  });

  it("data that come back before it fired leave it pending", () => {
    const history = [entry("unknown", 150), entry("resumed", 200)];
    expect(episodeSpans(history, { activeAt: 100, firedAt: null, resolvedAt: null }, 300)).toEqual([
      { kind: "pending", from: 100, to: 150 },
      { kind: "unknown", from: 150, to: 200 },
      { kind: "pending", from: 200, to: 300 },
    ]);
  });
});

describe("the strip of a row", () => {
  const row = { activeAt: 0, firedAt: 100, acknowledgedAt: null, unknownSince: null, resolvedAt: null };

  it("is cut to its window", () => {
    expect(stripParts(row, 50, 250)).toEqual([
      { kind: "pending", left: 0, width: 0.25 },
      { kind: "firing", left: 0.25, width: 0.75 },
    ]);
    expect(stripParts({ ...row, resolvedAt: 40 }, 50, 250)).toEqual([]);
  });

  it("shows acknowledged and silent stretches up to now", () => {
    expect(stripParts({ ...row, firedAt: 0, acknowledgedAt: 100, unknownSince: 150 }, 0, 200)).toEqual([
      { kind: "firing", left: 0, width: 0.5 },
      { kind: "acknowledged", left: 0.5, width: 0.25 },
      { kind: "unknown", left: 0.75, width: 0.25 },
    ]);
  });

  it("one that is pending has no other part", () => {
    expect(stripParts({ ...row, firedAt: null }, 0, 200)).toEqual([{ kind: "pending", left: 0, width: 1 }]);
  });
});

it("the hours of a rule say how many of its alerts fired within each", () => {
  const [hour, now] = [3_600_000, 100 * 3_600_000];
  const ago = (hours: number) => now - hours * hour;
  const counts = firingByHour(
    [
      { firedAt: ago(30), resolvedAt: ago(22.5) },
      { firedAt: ago(30), resolvedAt: ago(24) },
      { firedAt: ago(3), resolvedAt: ago(2) },
      { firedAt: ago(0.5), resolvedAt: null },
      { firedAt: ago(0.2), resolvedAt: ago(0.1) },
    ],
    now,
  );
  expect(counts).toHaveLength(24);
  expect(counts.slice(0, 3)).toEqual([1, 1, 0]);
  expect(counts.slice(-4)).toEqual([0, 1, 0, 2]);
});
