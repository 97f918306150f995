import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MinuteClass } from "@/lib/domain/telemetry/idle";
import { addDays, joinDays, noUse, PROFILE_BYTES, packHours, paidHours, profileOfDay } from "./profile";

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 10, 10);

/** A day told as stretches of minutes; `before` is what the minutes before midnight were. */
function day(
  stretches: readonly (readonly [number, MinuteClass])[],
  before: readonly (readonly [number, MinuteClass])[] = [],
) {
  const uses = new Map<number, MinuteClass>();
  const past = before.flatMap(([n, use]) => Array.from({ length: n }, () => use));
  for (const [i, use] of past.entries()) uses.set(FROM - (past.length - i) * MINUTE, use);
  const own = stretches.flatMap(([n, use]) => Array.from({ length: n }, () => use));
  for (const [i, use] of own.entries()) uses.set(FROM + i * MINUTE, use);
  const minutes = own.map((use, i) => ({ at: FROM + i * MINUTE, use, isHeard: use !== "missing" }));
  const profile = profileOfDay(minutes, (minute) => uses.get(minute), FROM, 1_000);
  const total = noUse();
  addDays(joinDays([[0, packHours(profile.hours)]]), [], total, noUse());
  return { ...total, stops: profile.stops, resumes: profile.resumes, hours: profile.hours };
}

describe("what an idle stop would have saved", () => {
  test.each([
    ["half an hour is waited for", [[40, "idle_empty"]], [], { stopEmpty: 10, stopHeld: 0, stops: 1, resumes: 0 }],
    [
      "work comes again",
      [
        [90, "idle_empty"],
        [5, "busy"],
      ],
      [],
      { stopEmpty: 60, stops: 1, resumes: 1, busy: 5 },
    ],
    ["held memory is told apart", [[45, "idle_held"]], [], { stopEmpty: 0, stopHeld: 15 }],
    [
      "empty counts from where it became empty",
      [
        [30, "idle_held"],
        [40, "idle_empty"],
      ],
      [],
      { stopEmpty: 10, stopHeld: 30 },
    ],
    [
      "missing is never idle and ends the run",
      [
        [29, "idle_empty"],
        [1, "missing"],
        [29, "idle_empty"],
      ],
      [],
      { stopEmpty: 0, heard: 58, stops: 0 },
    ],
    ["a run of the day before goes on", [[10, "idle_empty"]], [[30, "idle_empty"]], { stopEmpty: 10, stops: 0 }],
    ["busy is busy", [[60, "busy"]], [], { stopEmpty: 0, busy: 60, billed: 60 }],
  ] as const)("%s", (_, stretches, before, expected) => {
    expect(day(stretches, before)).toMatchObject(expected);
  });

  test("hours are counted from the day's start", () => {
    expect(
      day([[90, "busy"]])
        .hours.slice(0, 3)
        .map(({ busy }) => busy),
    ).toEqual([60, 30, 0]);
  });
});

test("a packed day gives back what went in, hour by hour under a mask", () => {
  const { hours } = day([
    [60, "busy"],
    [60, "idle_empty"],
    [60, "missing"],
  ]);
  const bytes = packHours(hours);
  expect(bytes).toHaveLength(PROFILE_BYTES);
  const [all, masked] = [noUse(), noUse()];
  const days = joinDays([
    [1, bytes],
    [0, bytes],
  ]);
  addDays(days, [[false, true, true]], all, masked);
  expect(masked).toEqual({ billed: 120, heard: 60, busy: 0, stopEmpty: 30, stopHeld: 0 });
  expect(all).toEqual({ billed: 360, heard: 240, busy: 120, stopEmpty: 60, stopHeld: 0 });
  expect([...paidHours(days)].map(({ day, hour, use }) => [day, hour, use.billed])).toEqual(
    [1, 0].flatMap((day) => [0, 1, 2].map((hour) => [day, hour, 60])),
  );
});

test("what a mask takes and what it leaves is the whole, whatever the days", () => {
  const bytes = fc.uint8Array({ minLength: PROFILE_BYTES, maxLength: PROFILE_BYTES });
  const minutes = bytes.map((own) => own.map((one) => one % 61));
  const mask = fc.array(fc.boolean(), { minLength: 25, maxLength: 25 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), minutes), { maxLength: 6 }), mask, (days, taken) => {
      const packed = joinDays(days);
      const masks = (own: boolean[]) => [own, own, own, own];
      const [all, on, off] = [noUse(), noUse(), noUse()];
      addDays(packed, masks(taken), all, on);
      addDays(packed, masks(taken.map((one) => !one)), noUse(), off);
      for (const field of ["billed", "heard", "busy", "stopEmpty", "stopHeld"] as const)
        expect(on[field] + off[field]).toBe(all[field]);
      expect([...paidHours(packed)].reduce((sum, { use }) => sum + use.billed, 0)).toBe(all.billed);
    }),
    { numRuns: 60 },
  );
});
