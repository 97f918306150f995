import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sum } from "./money";
import { filesystemLines, type StorageInput, storageMicros } from "./storage";

const GIB = 2n ** 30n;
const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

const input = (over: Partial<StorageInput>): StorageInput => ({
  from: at("2026-11-10T22:30:00Z"),
  to: at("2026-11-11T02:00:00Z"),
  used: [{ from: null, to: null, bytes: 1_000n * GIB }],
  prices: [{ priceId: 1, from: null, to: null, micros: 200_000n }],
  owners: [],
  zone: "UTC",
  ...over,
});

describe("file systems", () => {
  test("a thousand GiB for a month of 720 hours cost two hundred dollars", () => {
    expect(storageMicros(1_000n * GIB * 720n, 200_000n)).toBe(200_000_000n);
  });

  test("begun hours count, each in the day in which it begins", () => {
    expect(filesystemLines(input({}))).toEqual([
      {
        day: "2026-11-10",
        month: "2026-11",
        priceId: 1,
        ownerId: 0,
        startsAt: at("2026-11-10T22:30:00Z"),
        endsAt: at("2026-11-11T00:30:00Z"),
        byteHours: 2_000n * GIB,
        micros: 555_556n,
        isFlagged: false,
      },
      {
        day: "2026-11-11",
        month: "2026-11",
        priceId: 1,
        ownerId: 0,
        startsAt: at("2026-11-11T00:30:00Z"),
        endsAt: at("2026-11-11T02:00:00Z"),
        byteHours: 2_000n * GIB,
        micros: 555_556n,
        isFlagged: false,
      },
    ]);
  });

  test("a size that changes within a day is one line, rounded once", () => {
    const used = [
      { from: null, to: at("2026-11-10T23:00:00Z"), bytes: 100n * GIB },
      { from: at("2026-11-10T23:00:00Z"), to: null, bytes: 300n * GIB },
    ];
    const [line] = filesystemLines(input({ used }));
    expect(line).toMatchObject({ byteHours: 400n * GIB, micros: 111_111n });
  });

  test("a missing size carries the last one and is flagged; before the first one it is unknown, never zero", () => {
    const used = [
      { from: at("2026-11-10T23:00:00Z"), to: at("2026-11-11T00:00:00Z"), bytes: 5n * GIB },
      { from: at("2026-11-11T00:00:00Z"), to: null, bytes: null },
    ];
    const lines = filesystemLines(input({ used, from: at("2026-11-10T23:00:00Z") }));
    expect(lines.map(({ byteHours, isFlagged }) => [byteHours, isFlagged])).toEqual([
      [5n * GIB, false],
      [10n * GIB, true],
    ]);
    expect(filesystemLines(input({ used }))[0]).toMatchObject({ byteHours: null, micros: null, isFlagged: true });
    expect(filesystemLines(input({ used: [], prices: [] }))[0]).toMatchObject({ micros: null });
  });

  test("property: hours of the days sum to the begun hours of the life", () => {
    const instants = fc.integer({ min: at("2026-10-20T00:00:00Z"), max: at("2026-11-20T00:00:00Z") });
    fc.assert(
      fc.property(instants, instants, fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"), (from, to, zone) => {
        const used = [{ from: null, to: null, bytes: 1n }];
        const lines = filesystemLines(input({ from, to, zone, used }));
        expect(sum(lines.map(({ byteHours }) => byteHours ?? 0n))).toBe(
          BigInt(Math.ceil(Math.max(0, to - from) / HOUR)),
        );
      }),
    );
  });
});
