import { describe, expect, test } from "vitest";
import { burnedByLedger, burnedMicros, type MeteredSpell } from "./burn";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const row = (from: number, minutes: number, micros: bigint | null, to = from + minutes * MINUTE): MeteredSpell => ({
  from,
  to,
  minutes,
  micros,
});
const RUNNING = { microsPerHour: 6_000_000n, to: null };

describe("what a machine burned by the ledger", () => {
  const rows = [row(0, 60, 2_290_001n), row(HOUR, 60, 3_000_000n)];

  test("whole rows count as they stand, to the micro-dollar", () => {
    expect(burnedByLedger(rows, RUNNING, 0, 2 * HOUR)).toBe(5_290_001n);
  });

  test("a part of a row counts in proportion, each side of a change of price at its own", () => {
    expect(burnedByLedger(rows, RUNNING, 30 * MINUTE, HOUR + 20 * MINUTE)).toBe(1_145_001n + 1_000_000n);
  });

  test("what is not metered yet is burned at the rate of now", () => {
    expect(burnedByLedger(rows, RUNNING, HOUR, 2 * HOUR + 10 * MINUTE)).toBe(3_000_000n + 1_000_000n);
    expect(burnedByLedger([], RUNNING, HOUR, HOUR + MINUTE)).toBe(100_000n);
  });

  test("a minute that is begun and metered is not burned twice while the machine runs", () => {
    const begun = [row(0, 10, 1_000_000n, 9 * MINUTE + 20_000)];
    expect(burnedByLedger(begun, RUNNING, 0, 9 * MINUTE + 30_000)).toBe(950_000n);
    expect(burnedByLedger(begun, RUNNING, 0, 11 * MINUTE)).toBe(1_100_000n);
  });

  test("stands still from the end of the machine on, with its last minute in full", () => {
    const ended = { microsPerHour: 6_000_000n, to: 9 * MINUTE + 20_000 };
    const last = [row(0, 10, 1_000_000n, 9 * MINUTE + 20_000)];
    expect(burnedByLedger(last, ended, 0, 20 * HOUR)).toBe(1_000_000n);
    expect(burnedByLedger(last, ended, 0, 9 * MINUTE)).toBe(900_000n);
  });

  test("is unknown where a price is, never zero", () => {
    expect(burnedByLedger([row(0, 60, null)], RUNNING, 0, HOUR)).toBeNull();
    expect(burnedByLedger([], { microsPerHour: null, to: null }, 0, HOUR)).toBeNull();
    expect(burnedMicros(null, 0, HOUR)).toBeNull();
  });
});
