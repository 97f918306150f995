import { describe, expect, test } from "vitest";
import { fromLocalInput, toLocalInput } from "./local-input";

describe("an instant in a datetime-local input", () => {
  test.each([
    ["UTC", "2026-11-20T14:32", "2026-11-20T14:32Z"],
    ["Europe/Berlin", "2026-07-01T00:00", "2026-06-30T22:00Z"],
    ["Asia/Kathmandu", "2026-01-01T05:45", "2026-01-01T00:00Z"],
    ["America/New_York", "2026-03-08T03:00", "2026-03-08T07:00Z"],
  ])("%s %s", (zone, text, iso) => {
    expect(fromLocalInput(text, zone)).toBe(Date.parse(iso));
    expect(toLocalInput(Date.parse(iso), zone)).toBe(text);
  });

  test("an hour that happens twice means the first, one that does not exist the later", () => {
    expect(fromLocalInput("2026-10-25T02:30", "Europe/Berlin")).toBe(Date.parse("2026-10-25T00:30Z"));
    expect(fromLocalInput("2026-03-29T02:30", "Europe/Berlin")).toBe(Date.parse("2026-03-29T01:30Z"));
  });

  test("what cannot be read is null", () => {
    expect(fromLocalInput("", "UTC")).toBeNull();
    expect(fromLocalInput("yesterday", "UTC")).toBeNull();
  });
});
