import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costToCome, minutesWithin, type PaidMinutes, runCost, unitCost } from "./cost";
import { endOf, NewRun, PushedMetric, PushedRun, progressOf, timeProblems } from "./run";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const T = Date.UTC(2026, 10, 20, 8);

const times = (part: Partial<Parameters<typeof endOf>[0]> = {}) => ({
  startedAt: T,
  endedAt: null,
  expectedMs: null,
  machineGoneAt: null,
  ...part,
});

describe("how it ended", () => {
  test.each([
    ["goes on", times(), "running", null],
    ["was ended", times({ endedAt: T + HOUR }), "ended", T + HOUR],
    ["ended before its machine went", times({ endedAt: T + HOUR, machineGoneAt: T + 2 * HOUR }), "ended", T + HOUR],
    ["went with its machine", times({ machineGoneAt: T + HOUR }), "machine_gone", T + HOUR],
    [
      "was said to end after its machine went",
      times({ endedAt: T + 3 * HOUR, machineGoneAt: T + HOUR }),
      "machine_gone",
      T + HOUR,
    ],
    ["began after its machine went", times({ machineGoneAt: T - HOUR }), "machine_gone", T],
  ])("%s", (_, given, state, endedAt) => {
    expect(endOf(given)).toEqual({ state, endedAt });
  });
});

describe("progress", () => {
  test("within, at and past its hours", () => {
    const at = (ms: number) => progressOf(times({ expectedMs: 4 * HOUR }), T + ms);
    expect(at(HOUR)).toMatchObject({ tookMs: HOUR, leftMs: 3 * HOUR, isOverdue: false });
    expect(at(4 * HOUR)).toMatchObject({ leftMs: 0, overMs: 0, isOverdue: false });
    expect(at(5 * HOUR)).toMatchObject({ leftMs: 0, overMs: HOUR, isOverdue: true });
  });
  test("one that is over is late, not overdue", () => {
    const over = progressOf(times({ expectedMs: HOUR, endedAt: T + 3 * HOUR }), T + 9 * HOUR);
    expect(over).toMatchObject({ tookMs: 3 * HOUR, overMs: 2 * HOUR, isOverdue: false, leftMs: null });
  });
  test("without hours nothing is expected", () => {
    expect(progressOf(times(), T + HOUR)).toMatchObject({ overMs: null, leftMs: null, isOverdue: false });
  });
});

const row = (startsAt: number, minutes: number, micros: bigint | null, low = micros, high = micros): PaidMinutes => ({
  startsAt,
  minutes,
  micros,
  lowMicros: low,
  highMicros: high,
});
const WHOLE = { held: 1, of: 1 };

describe("cost", () => {
  test.each([
    ["all", T, T + 10 * MINUTE, 10],
    ["nothing before", T - HOUR, T, 0],
    ["nothing after", T + 10 * MINUTE, T + HOUR, 0],
    ["a minute belongs to whoever holds it when it begins", T + 1, T + 2 * MINUTE, 1],
    ["the start counts, the end does not", T + 2 * MINUTE, T + 5 * MINUTE, 3],
    ["upside down", T + 5 * MINUTE, T, 0],
  ])("minutes: %s", (_, from, to, minutes) => {
    expect(minutesWithin({ startsAt: T, minutes: 10 }, from, to)).toBe(minutes);
  });

  test("a run that holds a machine its whole life costs what the ledger says, to the micro-dollar", () => {
    const rows = [row(T, 977, 37_289_167n, 37_000_000n, 37_500_001n), row(T + 977 * MINUTE, 60, 2_290_000n)];
    expect(runCost(rows, T, T + 5_000 * MINUTE, WHOLE)).toEqual({
      minutes: 1037,
      unpricedMinutes: 0,
      micros: 39_579_167n,
      lowMicros: 39_290_000n,
      highMicros: 39_790_001n,
    });
  });

  test("runs that share a machine's time and GPUs add up to it, rounded once each", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 1440 }), micros: fc.bigInt(0n, 10n ** 9n) }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        (given, of, seed) => {
          let at = T;
          const rows = given.map(({ minutes, micros }) => {
            const made = row(at, minutes, micros);
            at += minutes * MINUTE;
            return made;
          });
          const cut = T + (seed % (at - T));
          const parts = [
            [T, cut],
            [cut, at],
          ].flatMap(([from = 0, to = 0]) =>
            Array.from({ length: of }, () => runCost(rows, from, to, { held: 1, of }).micros),
          );
          const total = given.reduce((sum, { micros }) => sum + micros, 0n);
          const off = parts.reduce((sum, part) => sum + part, 0n) - total;
          expect(off < 0n ? -off : off).toBeLessThanOrEqual(BigInt(parts.length));
        },
      ),
    );
  });

  test("minutes without a price are counted and cost nothing that is known", () => {
    const rows = [row(T, 30, null), row(T + 30 * MINUTE, 30, 1_000_000n)];
    expect(runCost(rows, T, T + HOUR, WHOLE)).toMatchObject({ minutes: 60, unpricedMinutes: 30, micros: 1_000_000n });
  });

  test("a row that may have been widens the bound of whoever held the machine", () => {
    const rows = [row(T, 0, 0n, 0n, 500_000n)];
    expect(runCost(rows, T, T + HOUR, { held: 1, of: 2 })).toMatchObject({ micros: 0n, highMicros: 250_000n });
    expect(runCost(rows, T + 1, T + HOUR, WHOLE)).toMatchObject({ highMicros: 0n });
  });

  test("what is to come, and what a unit costs", () => {
    expect(costToCome(90 * MINUTE, 2_290_000n, WHOLE)).toBe(3_435_000n);
    expect(costToCome(90 * MINUTE, 2_290_000n, { held: 1, of: 8 })).toBe(429_375n);
    expect(costToCome(null, 2_290_000n, WHOLE)).toBeNull();
    expect(costToCome(HOUR, null, WHOLE)).toBeNull();
    expect(unitCost(2_290_000n, 4_580_000, 1_000_000)).toBe(500_000n);
    expect(unitCost(2_290_000n, 0, 1)).toBeNull();
    expect(unitCost(2_290_000n, null, 1)).toBeNull();
  });
});

describe("what is typed", () => {
  const typed = {
    name: " atlas  7b ",
    workload: "training",
    startedAt: String(T),
    endedAt: "",
    expectedHours: "",
    note: "",
    instanceId: "0199a000-0000-7000-8000-000000000001",
  };
  test("empty fields are not said", () => {
    expect(NewRun.parse(typed)).toMatchObject({
      name: "atlas 7b",
      endedAt: null,
      expectedHours: null,
      note: null,
      gpuIds: [],
    });
  });
  test.each([
    [{ name: "  " }, "name"],
    [{ workload: "mining" }, "workload"],
    [{ startedAt: "soon" }, "startedAt"],
    [{ expectedHours: "-1" }, "expectedHours"],
    [{ instanceId: "gh-1" }, "instanceId"],
  ])("%o is refused by its field", (part, field) => {
    const found = NewRun.safeParse({ ...typed, ...part });
    expect(found.error?.issues[0]?.path).toEqual([field]);
  });
  test("times must make sense", () => {
    expect(timeProblems({ startedAt: T, endedAt: null }, T)).toEqual({});
    expect(timeProblems({ startedAt: T + HOUR, endedAt: null }, T)).toHaveProperty("startedAt");
    expect(timeProblems({ startedAt: T, endedAt: T - 1 }, T)).toHaveProperty("endedAt");
    expect(timeProblems({ startedAt: T, endedAt: T + HOUR }, T)).toHaveProperty("endedAt");
  });
});

describe("what is pushed", () => {
  test.each([
    [T, T],
    [T / 1000, T],
    ["2026-11-20T08:00:00Z", T],
    ["2026-11-20T09:00:00+01:00", T],
    ["2026-11-20T03:30:00.250-0430", T + 250],
  ])("the instant %s", (startedAt, at) => {
    expect(PushedRun.parse({ id: "a", startedAt }).startedAt).toBe(at);
  });
  test.each([
    [{}, "id"],
    [{ id: "a b" }, "id"],
    [{ id: "a", startedAt: "yesterday" }, "startedAt"],
    [{ id: "a", startedAt: "2026-02-30T00:00:00Z" }, "startedAt"],
    [{ id: "a", workload: "x" }, "workload"],
    [{ id: "a", gpus: "0" }, "gpus"],
    [{ id: "a", expectedHours: 0 }, "expectedHours"],
  ])("%o is refused by its field", (given, field) => {
    expect(PushedRun.safeParse(given).error?.issues[0]?.path[0]).toBe(field);
  });
  test.each([
    [{ value: 1 }, "name"],
    [{ name: "tokens_total" }, "value"],
    [{ name: "tokens_total", value: "1" }, "value"],
    [{ name: "tokens_total", value: 1, labels: { a: 1 } }, "labels"],
    [{ name: "tokens_total", value: 1, at: "x" }, "at"],
  ])("the value %o is refused by its field", (given, field) => {
    expect(PushedMetric.safeParse(given).error?.issues[0]?.path[0]).toBe(field);
  });
});
