import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { workingHours, workingState } from "./working-time";

const HOUR = 3_600_000;
const berlin = { zone: "Europe/Berlin", days: [1, 2, 3, 4, 5, 6, 7], from: "08:00", to: "19:00", holidays: [] };
const wall = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString();

describe("working hours over a year", () => {
  test.each(["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "UTC"])(
    "in %s every day begins at eight and ends at seven by its own clock, clock changes included",
    (zone) => {
      const windows = workingHours({ ...berlin, zone }, Date.UTC(2026, 0, 2), Date.UTC(2027, 0, 2));
      expect(windows.length).toBeGreaterThan(360);
      for (const { from, to } of windows) {
        expect(wall(from, zone).slice(11)).toBe("08:00:00");
        expect(wall(to, zone).slice(11)).toBe("19:00:00");
      }
    },
  );

  test.each<[string, string, string, string, number]>([
    ["forward, the night between is an hour shorter", "2026-03-28", "19:00", "08:00", 12],
    ["back, it is an hour longer", "2026-10-24", "19:00", "08:00", 14],
  ])("clocks go %s", (_, day, to, from, hoursOff) => {
    const noon = Temporal.ZonedDateTime.from(`${day}T12:00[Europe/Berlin]`).epochMilliseconds;
    const { current } = workingState({ ...berlin, to, from }, noon);
    const { nextAt } = workingState(berlin, current?.to ?? 0);
    expect(((nextAt ?? 0) - (current?.to ?? 0)) / HOUR).toBe(hoursOff);
  });

  test("an end at an hour that is left out comes when the clock has passed it; one that comes twice, with the second", () => {
    const night = { ...berlin, from: "20:00", to: "02:30" };
    const endOf = (day: string) =>
      workingState(night, Temporal.ZonedDateTime.from(`${day}T23:00[Europe/Berlin]`).epochMilliseconds).current?.to ??
      0;
    expect(new Date(endOf("2026-03-28")).toISOString()).toBe("2026-03-29T01:00:00.000Z");
    expect(new Date(endOf("2026-10-24")).toISOString()).toBe("2026-10-25T01:30:00.000Z");
  });
});

describe("what is worked now", () => {
  const week = { ...berlin, days: [1, 2, 3, 4, 5] };
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds;
  test.each<[string, object, string, [string | null, string | null, string | null]]>([
    ["Friday noon", {}, "2026-11-20T12:00", ["2026-11-20T08:00:00", "2026-11-19T19:00:00", "2026-11-23T08:00:00"]],
    ["Saturday", {}, "2026-11-21T12:00", [null, "2026-11-20T19:00:00", "2026-11-23T08:00:00"]],
    [
      "a holiday",
      { holidays: ["2026-11-20"] },
      "2026-11-20T12:00",
      [null, "2026-11-19T19:00:00", "2026-11-23T08:00:00"],
    ],
    ["the very end", {}, "2026-11-20T19:00", [null, "2026-11-20T19:00:00", "2026-11-23T08:00:00"]],
  ])("%s", (_, over, when, [from, ended, next]) => {
    const state = workingState({ ...week, ...over }, at(when));
    const said = (instant: number | null | undefined) => (instant == null ? null : wall(instant, "Europe/Berlin"));
    expect([said(state.current?.from), said(state.endedAt), said(state.nextAt)]).toEqual([from, ended, next]);
  });

  test("hours that follow each other without a break have no evening between them", () => {
    const whole = workingHours({ ...week, from: "00:00", to: "00:00" }, at("2026-11-16T00:00"), at("2026-11-20T23:00"));
    expect(whole).toEqual([{ from: at("2026-11-16T00:00"), to: at("2026-11-21T00:00") }]);
  });
});
