import { expect, test } from "vitest";
import { formatIsoInstant, parseIsoInstant, parseSmiTimestamp } from "./instant";

test.each([
  ["2026-11-21T01:02:03Z", Date.UTC(2026, 10, 21, 1, 2, 3)],
  ["2026-11-21T01:02:03.5Z", Date.UTC(2026, 10, 21, 1, 2, 3, 500)],
  ["2026-11-21T01:02:03.123456789Z", Date.UTC(2026, 10, 21, 1, 2, 3, 123)],
  ["2028-02-29T00:00:00Z", Date.UTC(2028, 1, 29)],
  ["2026-02-29T00:00:00Z", null],
  ["2026-13-01T00:00:00Z", null],
  ["2026-11-21T24:00:00Z", null],
  ["2026-11-21T01:02:03+01:00", null],
  ["2026-11-21", null],
  ["", null],
])("the instant %s is %s", (text, at) => {
  expect(parseIsoInstant(text)).toBe(at);
});

test.each([
  ["2026/11/20 14:32:10.123", Date.UTC(2026, 10, 20, 14, 32, 10, 123)],
  ["2026/11/20 14:32:10", Date.UTC(2026, 10, 20, 14, 32, 10)],
  ["Mon Apr 24 16:22:39 2023", Date.UTC(2023, 3, 24, 16, 22, 39)],
  ["Wed Apr  5 06:02:09 2023", Date.UTC(2023, 3, 5, 6, 2, 9)],
  ["Mon Abc 24 16:22:39 2023", null],
  ["[Unknown Error]", null],
  ["", null],
])("nvidia-smi's time %s is %s", (text, at) => {
  expect(parseSmiTimestamp(text)).toBe(at);
});

test("an instant reads back as it was written", () => {
  for (const at of [0, Date.UTC(2026, 10, 21, 1, 2, 3), Date.UTC(2026, 10, 21, 1, 2, 3, 45)]) {
    expect(parseIsoInstant(formatIsoInstant(at))).toBe(at);
  }
  expect(formatIsoInstant(Date.UTC(2026, 10, 21, 1, 2, 3))).toBe("2026-11-21T01:02:03Z");
});
