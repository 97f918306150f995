import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf, dayRange, dayStarts, isZone, monthOf, monthRange } from "./zone";

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

describe("accounting days and months", () => {
  test.each([
    ["2026-11-20T23:59:59.999Z", "UTC", "2026-11-20"],
    ["2026-11-21T00:00:00Z", "UTC", "2026-11-21"],
    ["2026-11-20T23:30:00Z", "Europe/Berlin", "2026-11-21"],
    ["2026-11-21T04:59:59Z", "America/New_York", "2026-11-20"],
    ["2026-11-20T18:30:00Z", "Asia/Kolkata", "2026-11-21"],
    ["1969-12-31T23:59:59Z", "UTC", "1969-12-31"],
  ])("%s in %s is of %s", (instant, zone, day) => {
    expect(dayOf(at(instant), zone)).toBe(day);
    expect(monthOf(at(instant), zone)).toBe(day.slice(0, 7));
  });

  test.each([
    ["2026-11-01", "America/New_York", 25],
    ["2026-03-08", "America/New_York", 23],
    ["2026-10-25", "Europe/Berlin", 25],
    ["2026-03-29", "Europe/Berlin", 23],
    ["2026-11-01", "UTC", 24],
    // Clocks go forward at midnight: the day begins at 01:00.
    ["2026-04-24", "Africa/Cairo", 23],
    // Half an hour.
    ["2026-04-05", "Australia/Lord_Howe", 24.5],
  ])("%s in %s has %d hours", (day, zone, hours) => {
    const { from, to } = dayRange(day, zone);
    expect((to - from) / HOUR).toBe(hours);
    expect(dayOf(from, zone)).toBe(day);
    expect(dayOf(to - 1, zone)).toBe(day);
  });

  test.each([
    ["2026-11", "America/New_York", 721],
    ["2026-03", "America/New_York", 743],
    ["2026-10", "Europe/Berlin", 745],
    ["2027-02", "UTC", 672],
    ["2026-12", "UTC", 744],
  ])("%s in %s has %d hours", (month, zone, hours) => {
    const { from, to } = monthRange(month, zone);
    expect((to - from) / HOUR).toBe(hours);
    expect([monthOf(from, zone), monthOf(to - 1, zone)]).toEqual([month, month]);
  });

  test("a day that a zone skipped has no length and no start", () => {
    const { from, to } = dayRange("2011-12-30", "Pacific/Apia");
    expect(to - from).toBe(0);
    const starts = dayStarts(at("2011-12-29T12:00:00Z"), at("2012-01-01T12:00:00Z"), "Pacific/Apia");
    expect(starts.map((start) => dayOf(start, "Pacific/Apia"))).toEqual(["2011-12-31", "2012-01-01", "2012-01-02"]);
  });

  test("starts of days lie strictly within the interval", () => {
    const [from, to] = [at("2026-11-20T00:00:00Z"), at("2026-11-22T00:00:00Z")];
    expect(dayStarts(from, to, "UTC")).toEqual([at("2026-11-21T00:00:00Z")]);
    expect(dayStarts(from - 1, to + 1, "UTC")).toHaveLength(3);
    expect(dayStarts(to, from, "UTC")).toEqual([]);
    expect(dayStarts(to, from, "Europe/Berlin")).toEqual([]);
  });

  test("an IANA name is a zone; an offset, a made-up name and nothing are not", () => {
    expect(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"].every(isZone)).toBe(true);
    expect(["+02:00", "Mars/Olympus", ""].some(isZone)).toBe(false);
  });

  test("what is no date is a mistake", () => {
    expect(() => dayRange("2026-02-30", "UTC")).toThrow(RangeError);
    expect(() => dayRange("2026-02-30", "Europe/Berlin")).toThrow(RangeError);
    expect(() => monthRange("2026-13", "UTC")).toThrow(RangeError);
  });

  test("property: every instant lies in the range of its own day", () => {
    const zones = fc.constantFrom("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe");
    const instants = fc.integer({ min: at("2020-01-01T00:00:00Z"), max: at("2030-01-01T00:00:00Z") });
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const { from, to } = dayRange(dayOf(instant, zone), zone);
        expect(from <= instant && instant < to).toBe(true);
        expect(dayStarts(from - 1, to, zone)).toEqual([from]);
      }),
    );
  });
});
