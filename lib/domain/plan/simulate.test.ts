import { describe, expect, test } from "vitest";
import { sum } from "@/lib/domain/cost/money";
import { isOffAt, offHoursOfWeek, offMask } from "./off-hours";
import {
  type Assumptions,
  committedMicros,
  earlyStopPct,
  evidenceOf,
  type MachineUse,
  MEASURES,
  type Measure,
  savedAlone,
  savedTogether,
  scheduleSavedPct,
  sumSavings,
} from "./simulate";

const HOURS = 336;
const HOW: Assumptions = {
  who: ["dev"],
  isHeldToo: false,
  keepOfTen: 5,
  discountPct: null,
  windowMs: HOURS * 3_600_000,
};
const use = (billed: number, stopEmpty = 0, stopHeld = 0, busy = 0) => ({
  billed,
  heard: billed,
  busy,
  stopEmpty,
  stopHeld,
});
const price = (micros: bigint) => ({
  provider: "vultr",
  typeName: "x",
  micros,
  asOf: "2026-05-24",
  source: "a list",
  state: "stale" as const,
  remark: "",
});

/** A development machine at $1.29 for two weeks: $433.44. */
const DEV: MachineUse = {
  resourceId: "a",
  name: "dev",
  typeName: "gpu_1x_a10",
  region: "us-east-1",
  workload: "dev",
  isLive: true,
  gpus: 1,
  micros: 433_440_000n,
  all: use(HOURS * 60, 6_000, 1_200),
  off: use(216 * 60, 4_000, 600),
  stops: 20,
  resumes: 18,
  peakMib: 9_000,
  memoryMib: 23_028,
  busyPct: 40,
  priceMicros: 1_290_000n,
  training: null,
  elsewhere: null,
  smaller: null,
};

describe("each measure alone", () => {
  test.each<[string, Partial<MachineUse>, Partial<Assumptions>, Measure, bigint]>([
    ["an idle stop saves the minutes after the first half hour", {}, {}, "idle", 129_000_000n],
    ["held memory is left alone unless it is asked for", {}, { isHeldToo: true }, "idle", 154_800_000n],
    ["nights and weekends are 216 of 336 hours", {}, {}, "schedule", 278_640_000n],
    ["a schedule is for some workloads", { workload: "training" }, {}, "schedule", 0n],
    ["at most 5 of 10 epochs", { training: { micros: 100_000_000n, runs: 1, epochs: 10 } }, {}, "early", 50_000_000n],
    [
      "a run costs no more than its machine",
      { training: { micros: 900_000_000n, runs: 1, epochs: 10 } },
      {},
      "early",
      216_720_000n,
    ],
    ["another provider", { elsewhere: price(1_000_000n) }, {}, "move", 97_440_000n],
    ["one that is dearer saves nothing", { elsewhere: price(2_000_000n) }, {}, "move", 0n],
    ["an unknown price saves nothing", { priceMicros: null, elsewhere: price(1n) }, {}, "move", 0n],
    ["a smaller machine", { smaller: price(690_000n) }, {}, "rightsize", 201_600_000n],
    ["a commitment of 25 % on a machine that always ran", {}, { discountPct: 25 }, "reserve", 108_360_000n],
    ["a commitment is paid for every hour", { micros: 200_000_000n }, { discountPct: 25 }, "reserve", 0n],
    ["nobody has said what a commitment gives", {}, {}, "reserve", 0n],
  ])("%s", (_, change, how, measure, micros) => {
    expect(savedAlone({ ...DEV, ...change }, { ...HOW, ...how })[measure]).toBe(micros);
  });
});

test("idle hours at night are counted once", () => {
  const both = savedTogether(DEV, new Set(["idle", "schedule"]), HOW);
  // 6,000 idle minutes, and of the 12,960 that are off those 8,960 that were not idle already.
  expect(both.idle + both.schedule).toBe((433_440_000n * 14_960n) / 20_160n);
  expect(sumSavings([DEV], new Set(["idle", "schedule"]), HOW).overlapMicros).toBe(
    129_000_000n + 278_640_000n - both.idle - both.schedule,
  );
});

test("of several prices only the one that saves most is taken", () => {
  const machine = { ...DEV, elsewhere: price(1_000_000n), smaller: price(690_000n) };
  const saved = savedTogether(machine, new Set(["move", "rightsize", "reserve"]), { ...HOW, discountPct: 20 });
  expect(saved).toMatchObject({ move: 0n, rightsize: 201_600_000n, reserve: 0n });
});

describe("whatever the fleet", () => {
  // A fixed sequence of numbers, so that a failure can be repeated.
  function random(seed: number) {
    let state = seed;
    return (most: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * (most + 1));
    };
  }
  function machineOf(next: (most: number) => number): MachineUse {
    const billed = 1 + next(20_000);
    const off = next(billed);
    const stops = next(billed);
    const stopsOff = Math.max(next(Math.min(stops, off)), stops - (billed - off));
    const cents = 50 + next(3_000);
    const micros = BigInt(Math.round((billed * cents * 10_000) / 60));
    return {
      ...DEV,
      workload: next(1) === 0 ? "dev" : "training",
      micros,
      priceMicros: next(9) === 0 ? null : BigInt(cents) * 10_000n,
      all: use(billed, stops),
      off: use(off, Math.min(stopsOff, off)),
      training: next(1) === 0 ? null : { micros: BigInt(next(Number(micros) * 2)), runs: 1, epochs: 10 },
      elsewhere: next(1) === 0 ? null : price(BigInt(1 + next(cents * 12_000))),
      smaller: next(1) === 0 ? null : price(BigInt(1 + next(cents * 12_000))),
    };
  }
  const next = random(7);
  const fleets = Array.from({ length: 150 }, () => Array.from({ length: 1 + next(5) }, () => machineOf(next)));
  const sets = Array.from(
    { length: 2 ** MEASURES.length },
    (_, bits) => new Set(MEASURES.filter((_, i) => (bits >> i) & 1)),
  );

  test("a set saves at least its best member, at most their sum, and never more than was paid", () => {
    for (const fleet of fleets) {
      const how = { ...HOW, discountPct: next(60), isHeldToo: next(1) === 1, keepOfTen: 1 + next(8) };
      const paid = sum(fleet.map(({ micros }) => micros));
      for (const chosen of sets) {
        const found = sumSavings(fleet, chosen, how);
        const rounding = BigInt(4 * fleet.length);
        const alone = [...chosen].map((measure) => found.each[measure].aloneMicros);
        expect(found.totalMicros).toBeLessThanOrEqual(paid);
        expect(found.totalMicros).toBeGreaterThanOrEqual(0n);
        expect(found.totalMicros).toBeLessThanOrEqual(sum(alone) + rounding);
        for (const one of alone) expect(found.totalMicros + rounding).toBeGreaterThanOrEqual(one);
        expect(sum(MEASURES.map((measure) => found.each[measure].setMicros))).toBe(found.totalMicros);
      }
    }
  });

  test("one measure more, or one machine more, never saves less", () => {
    for (const fleet of fleets) {
      for (const chosen of sets.slice(0, 24)) {
        const before = sumSavings(fleet, chosen, HOW).totalMicros;
        const wider = sumSavings(fleet, new Set([...chosen, "schedule" as const, "move" as const]), HOW).totalMicros;
        expect(wider + BigInt(4 * fleet.length)).toBeGreaterThanOrEqual(before);
        expect(sumSavings(fleet.slice(1), chosen, HOW).totalMicros).toBeLessThanOrEqual(before);
      }
    }
  });

  test("fewer epochs and a larger discount never save less", () => {
    for (const [machine] of fleets) {
      if (!machine) continue;
      for (let keep = 1; keep < 9; keep++)
        expect(savedAlone(machine, { ...HOW, keepOfTen: keep }).early).toBeGreaterThanOrEqual(
          savedAlone(machine, { ...HOW, keepOfTen: keep + 1 }).early,
        );
      for (const discountPct of [0, 10, 40])
        expect(savedAlone(machine, { ...HOW, discountPct: discountPct + 5 }).reserve).toBeGreaterThanOrEqual(
          savedAlone(machine, { ...HOW, discountPct }).reserve,
        );
    }
  });
});

describe("what the requirements say of it", () => {
  test("at most 5 of 10 epochs is at least 50 %, and 2 are 80 %: 30 % cannot be", () => {
    expect(earlyStopPct(10, 5, 2)).toEqual({ leastPct: 50, mostPct: 80 });
  });

  test.each([
    [8 * 22, 75.6],
    [4 * 22, 87.8],
  ])("%d of 720 hours: %d %% less", (hours, pct) => {
    expect(scheduleSavedPct(hours, 720)).toBeCloseTo(pct, 1);
  });

  test("a commitment is what it is for every hour of the window", () => {
    expect(committedMicros(2_290_000n, { ...HOW, discountPct: 50, windowMs: 3_600_000 })).toBe(1_145_000n);
    expect(committedMicros(2_290_000n, HOW)).toBeNull();
  });
});

describe("off hours", () => {
  const OFF = { fromHour: 20, toHour: 8, weekends: true };
  test("nights and weekends are 108 of the 168 hours of a week", () => {
    expect(offHoursOfWeek(OFF)).toBe(108);
    expect(offHoursOfWeek({ ...OFF, weekends: false })).toBe(84);
    expect(offHoursOfWeek({ fromHour: 0, toHour: 0, weekends: false })).toBe(0);
  });

  test.each([
    [5, 19, false],
    [5, 20, true],
    [5, 7, true],
    [5, 8, false],
    [6, 12, true],
  ])("weekday %d, %d h: %s", (weekday, hour, off) => {
    expect(isOffAt(OFF, weekday, hour)).toBe(off);
  });

  test("a day of 25 hours has the hour that comes twice twice", () => {
    const mask = offMask("2026-11-01", "America/New_York", { fromHour: 20, toHour: 8, weekends: false });
    expect(mask).toHaveLength(25);
    expect(mask.filter(Boolean)).toHaveLength(13);
    expect(offMask("2026-11-10", "UTC", OFF).filter(Boolean)).toHaveLength(12);
  });
});

test.each([
  [0, 100, 0],
  [10, 100, 1],
  [80, 100, 2],
  [96, 100, 3],
  [0, 0, 0],
] as const)("%d of %d minutes heard: %d", (heard, billed, level) => {
  expect(evidenceOf(heard, billed)).toBe(level);
});
