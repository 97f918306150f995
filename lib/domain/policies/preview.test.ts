import { describe, expect, test } from "vitest";
import { type HourUse, joinDays, noUse, packHours } from "@/lib/domain/plan/profile";
import { unpackHours } from "./past-hours";
import { idleSpans, outsideShare, type PastHour, type PastMachine, underIdle, underSchedule } from "./preview";
import { workingHours } from "./working-time";

const HOUR = 3_600_000;
/** Monday, midnight. */
const FROM = Date.UTC(2026, 10, 16);

const whole = { billed: 60, heard: 60 };
const EMPTY: Partial<HourUse> = { ...whole, stopEmpty: 60 };
const FIRST: Partial<HourUse> = { ...whole, stopEmpty: 30 };
const BUSY: Partial<HourUse> = { ...whole, busy: 60 };
const hoursOf = (uses: readonly (Partial<HourUse> | null)[]): PastHour[] =>
  uses.flatMap((use, i) => (use === null ? [] : [{ at: FROM + i * HOUR, use: { ...noUse(), ...use } }]));
/** At $1.20 an hour, every hour of it paid. */
const machine = (uses: readonly (Partial<HourUse> | null)[], runs: PastMachine["runs"] = []): PastMachine => ({
  resourceId: "gh-1",
  name: "gh-1",
  gpus: 1,
  priceMicros: 1_200_000n,
  hours: hoursOf(uses),
  paid: [
    {
      startsAt: FROM,
      minutes: uses.length * 60,
      micros: 1_200_000n * BigInt(uses.length),
      lowMicros: null,
      highMicros: null,
    },
  ],
  runs,
});
const idle = { afterMinutes: 120, withHeld: false };

describe("a month under an idle policy", () => {
  test.each<[string, (Partial<HourUse> | null)[], object]>([
    // Half an hour is over when counting begins; an hour and a half more is waited for.
    [
      "a night",
      [FIRST, EMPTY, EMPTY, EMPTY, BUSY],
      { savedMinutes: 120, savedMicros: 2_400_000n, ends: 1, relaunches: 1 },
    ],
    [
      "work comes back within the wait",
      [FIRST, EMPTY, BUSY, FIRST, BUSY],
      { savedMinutes: 0, ends: 0, savedMicros: 0n },
    ],
    ["nothing comes back", [FIRST, EMPTY, EMPTY], { savedMinutes: 60, ends: 1, relaunches: 0 }],
    [
      "an hour that was not heard begins the wait anew",
      [FIRST, EMPTY, { billed: 60 }, FIRST, EMPTY],
      { savedMinutes: 0, ends: 0, unheardMinutes: 60 },
    ],
    ["an hour that was not paid does so too", [FIRST, EMPTY, null, EMPTY, EMPTY], { savedMinutes: 30, ends: 1 }],
    ["held memory is not empty", [FIRST, EMPTY, { ...whole, stopHeld: 60 }, EMPTY], { savedMinutes: 0, ends: 0 }],
    [
      "nothing known, nothing saved",
      [{ billed: 60 }, { billed: 60 }, { billed: 60 }, { billed: 60 }],
      { savedMinutes: 0 },
    ],
  ])("%s", (_, uses, result) => expect(underIdle(machine(uses), idle)).toMatchObject({ cutMinutes: 0, ...result }));

  test("held counts where it says so", () => {
    const held: Partial<HourUse> = { ...whole, stopHeld: 60 };
    expect(underIdle(machine([{ ...whole, stopHeld: 30 }, held, held]), { ...idle, withHeld: true })).toMatchObject({
      savedMinutes: 60,
    });
  });

  test("what it would have done lies where the run was long enough", () => {
    const [span] = idleSpans(hoursOf([FIRST, EMPTY, EMPTY, EMPTY, BUSY]), idle);
    expect(span).toMatchObject({ from: FROM + 2 * HOUR, to: FROM + 4 * HOUR, minutes: 120 });
  });

  test("minutes without a price are counted beside the money", () => {
    const free = { ...machine([FIRST, EMPTY, EMPTY]), paid: [] };
    expect(underIdle(free, idle)).toMatchObject({ savedMicros: 0n, costMicros: 0n, unpricedMinutes: 180 });
  });
});

describe("a month under working hours", () => {
  const windows = workingHours(
    { zone: "UTC", days: [1, 2, 3, 4, 5], from: "08:00", to: "19:00", holidays: [] },
    FROM - 3 * 24 * HOUR,
    FROM + 7 * 24 * HOUR,
  );
  const under = (uses: Partial<HourUse>[], over: object = {}, runs: PastMachine["runs"] = []) =>
    underSchedule(machine(uses, runs), windows, { endBusy: false, waitMs: 2 * HOUR, ...over });
  const day = (use: (hour: number) => Partial<HourUse>) => Array.from({ length: 48 }, (_, hour) => use(hour % 24));
  const isWork = (hour: number) => hour >= 8 && hour < 19;

  test("a machine that nobody uses at night costs its days alone", () => {
    const result = under(day((hour) => (isWork(hour) ? BUSY : EMPTY)));
    // Monday's first eight hours, the night between, and Tuesday's evening: 8 + 13 + 5.
    expect(result).toMatchObject({ savedMinutes: 26 * 60, savedMicros: 31_200_000n, cutMinutes: 0, relaunches: 2 });
    expect(result.costMicros).toBe(57_600_000n);
  });

  test("work at night is cut, where it began after the evening's end", () => {
    const result = under(day((hour) => (isWork(hour) ? BUSY : hour === 22 ? BUSY : EMPTY)));
    expect(result.cutMinutes).toBe(120);
  });

  test("what works on in the evening is waited for, and left alone when it works past that", () => {
    expect(under(day((hour) => (isWork(hour) || hour === 19 ? BUSY : EMPTY))).savedMinutes).toBe(24 * 60);
    const long = under(day((hour) => (isWork(hour) || hour >= 19 ? BUSY : EMPTY)));
    expect(long.savedMinutes).toBe(8 * 60);
    expect(long.cutMinutes).toBe(0);
  });

  test("ended while it works, the work and the runs of that time are cut", () => {
    const run = { from: FROM + 18 * HOUR, to: FROM + 22 * HOUR };
    const late = day((hour) => (isWork(hour) || (hour >= 19 && hour < 22) ? BUSY : EMPTY));
    expect(under(late, { endBusy: true }, [run])).toMatchObject({ cutMinutes: 6 * 60, cutRuns: 1 });
  });

  test.each([
    [0, 8],
    [0.5, 18.5],
  ])("of an hour %s lies outside, from %s o'clock", (share, hour) => {
    const half = [{ from: FROM + 8 * HOUR, to: FROM + 19 * HOUR }];
    expect(outsideShare(half, FROM + hour * HOUR)).toBeCloseTo(share, 6);
  });
});

test("packed days are read back hour by hour, days that are missing are not", () => {
  const hours = Array.from({ length: 25 }, (_, i) => ({ ...noUse(), ...(i === 3 ? EMPTY : {}) }));
  const packed = packHours(hours);
  const starts = [FROM, FROM + 24 * HOUR, FROM + 47 * HOUR];
  const days = joinDays([
    [2, packed],
    [0, packed],
  ]);
  expect(unpackHours({ days }, starts).map(({ at }) => at)).toEqual([FROM + 3 * HOUR, FROM + 50 * HOUR]);
  expect(unpackHours({ days: joinDays([[0, packed]]) }, starts)[0]?.use).toEqual({ ...noUse(), ...EMPTY });
});
