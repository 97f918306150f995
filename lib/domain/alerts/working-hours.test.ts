import { expect, test } from "vitest";
import { nextWorkingHour } from "./working-hours";

const OFFICE = { days: [1, 2, 3, 4, 5], from: "09:00" };
const at = (text: string) => Date.parse(text);

test.each([
  ["a night", "2026-11-19T02:00:00Z", "UTC", "2026-11-19T09:00:00Z"],
  ["nine sharp counts as begun", "2026-11-19T09:00:00Z", "UTC", "2026-11-20T09:00:00Z"],
  ["a Friday evening", "2026-11-20T18:00:00Z", "UTC", "2026-11-23T09:00:00Z"],
  ["a weekend in which the clocks go back", "2026-10-24T12:00:00Z", "Europe/Berlin", "2026-10-26T08:00:00Z"],
  ["a weekend in which they go forward", "2026-03-28T12:00:00Z", "Europe/Berlin", "2026-03-30T07:00:00Z"],
  ["a Sunday that is still Saturday there", "2026-11-22T03:00:00Z", "America/Los_Angeles", "2026-11-23T17:00:00Z"],
])("%s", (_, from, zone, begins) => {
  expect(new Date(nextWorkingHour(at(from), zone, OFFICE)).toISOString()).toBe(new Date(at(begins)).toISOString());
});

test("days and hour are the house's own", () => {
  const sundays = { days: [7], from: "06:30" };
  expect(new Date(nextWorkingHour(at("2026-11-20T18:00:00Z"), "UTC", sundays)).toISOString()).toBe(
    "2026-11-22T06:30:00.000Z",
  );
});
