import { describe, expect, test } from "vitest";
import { perMonth } from "@/lib/domain/cost/waste";
import { BUNDLED_QUOTES } from "./catalogue";
import { dealsOf } from "./deals";
import { evaluated } from "./formula.testing";
import { bookOn, type Quote } from "./quotes";
import { smallerFinder } from "./rightsize";
import {
  heardFigure,
  inSetFigure,
  liveFigure,
  machineFigure,
  measureFigure,
  overlapFigure,
  setFigure,
  totalFigure,
} from "./savings-figures";
import { machineText, type SavingMachine, SavingsQuestion, savingsTable } from "./savings-view";
import { describeMeasures } from "./savings-words";
import { type Assumptions, type MachineUse, MEASURES, savedAlone, savedTogether, sumSavings } from "./simulate";

const WINDOW = 336 * 3_600_000;
const HOW: Assumptions = { who: ["dev"], isHeldToo: true, keepOfTen: 5, discountPct: 30, windowMs: WINDOW };
const other = (micros: bigint) => ({
  provider: "vultr",
  typeName: "x",
  micros,
  asOf: null,
  source: "a list",
  state: "stale" as const,
  remark: "",
});
const MACHINE: MachineUse = {
  resourceId: "a",
  name: "dev-1",
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  workload: "dev",
  isLive: true,
  gpus: 1,
  micros: 769_440_000n,
  all: { billed: 20_160, heard: 20_000, busy: 6_000, stopEmpty: 3_000, stopHeld: 1_500 },
  off: { billed: 12_960, heard: 12_900, busy: 120, stopEmpty: 2_000, stopHeld: 900 },
  stops: 12,
  resumes: 9,
  peakMib: 20_000,
  memoryMib: 97_871,
  busyPct: 10,
  priceMicros: 2_290_000n,
  training: { micros: 300_000_000n, runs: 2, epochs: 20 },
  elsewhere: other(1_990_000n),
  smaller: other(1_290_000n),
};
const chosen = new Set(MEASURES);

function row(machine: MachineUse, how: Assumptions): SavingMachine {
  const alone = savedAlone(machine, how);
  const inSet = savedTogether(machine, chosen, how);
  const text = (saved: typeof alone) =>
    Object.fromEntries(MEASURES.map((one) => [one, saved[one].toString()])) as SavingMachine["alone"];
  const all = MEASURES.reduce((total, one) => total + inSet[one], 0n);
  return {
    ...machineText(machine),
    alone: text(alone),
    inSet: text(inSet),
    monthMicros: (perMonth(all, WINDOW) ?? 0n).toString(),
  };
}

const ASKED = { held: true, keep: 5, discount: 30 };
const month = (micros: bigint) => perMonth(micros, WINDOW) ?? 0n;
const plain = (text: string | undefined) => text?.replaceAll(/\s/g, " ");

test.each(MEASURES)("%s: the figure of a machine is what its formula says", (measure) => {
  const figure = machineFigure(row(MACHINE, HOW), measure, { windowMs: WINDOW, asked: ASKED });
  expect(figure).not.toBeNull();
  expect(figure && evaluated(figure)).toBeCloseTo(figure?.amount ?? Number.NaN, 3);
});

test("totals are what their formulas say", () => {
  const sums = sumSavings([MACHINE, { ...MACHINE, resourceId: "b", workload: "training" }], chosen, HOW);
  const measures = describeMeasures(sums, chosen, HOW, month);
  for (const one of measures)
    expect(evaluated(measureFigure(one, WINDOW))).toBeCloseTo(Number(one.aloneMicros) / 1e6, 3);
  const total = {
    monthMicros: month(sums.totalMicros).toString(),
    periodMicros: sums.totalMicros.toString(),
    overlapMicros: month(sums.overlapMicros).toString(),
    liveMicros: month(sums.totalMicros).toString(),
    livePeriodMicros: sums.totalMicros.toString(),
    machines: 2,
  };
  for (const one of measures) {
    const inSet = inSetFigure(one, WINDOW);
    expect(inSet && evaluated(inSet)).toBeCloseTo(inSet?.amount ?? Number.NaN, 3);
  }
  for (const figure of [
    overlapFigure({ measures, total, windowMs: WINDOW }),
    liveFigure({ measures, total, windowMs: WINDOW }),
    heardFigure({ heardMinutes: 40_000, billedMinutes: 40_320 }),
  ])
    expect(figure && evaluated(figure)).toBeCloseTo(figure?.amount ?? Number.NaN, 3);
  expect(heardFigure({ heardMinutes: 0, billedMinutes: 0 })).toBeNull();
  expect(evaluated(totalFigure({ measures, total, windowMs: WINDOW }))).toBeCloseTo(Number(total.monthMicros) / 1e6, 3);
  const set = setFigure(row(MACHINE, HOW), WINDOW);
  expect(evaluated(set)).toBeCloseTo(set.amount ?? Number.NaN, 3);
});

test("a measure says how sure it is, what it would have cut, and why nothing can be said", () => {
  const of = (machines: MachineUse[], how: Assumptions) =>
    new Map(describeMeasures(sumSavings(machines, chosen, how), chosen, how, month).map((one) => [one.measure, one]));
  const said = of([MACHINE], HOW);
  expect(said.get("schedule")).toMatchObject({ evidence: 3, unknown: null });
  expect(plain(said.get("schedule")?.past)).toBe("2.0 h of work on 1 instance; 1.0 h not known");
  expect(plain(said.get("idle")?.past)).toBe(
    "programs that held memory for 25 h; work came again after 9 of 12 stops: launch again",
  );
  expect(said.get("move")).toMatchObject({ evidence: 1 });
  const nothing = of(
    [{ ...MACHINE, workload: "training", training: null, elsewhere: null, smaller: null, peakMib: null }],
    { ...HOW, discountPct: null },
  );
  expect([...nothing.values()].map(({ unknown }) => unknown)).toEqual([
    null,
    "no instance of these workloads was paid for",
    "no run counted epochs",
    "no like offer is cheaper",
    "memory and load were not measured",
    "type the discount that you were offered",
  ]);
});

describe("a smaller machine", () => {
  const DAY = "2026-08-21";
  const book = bookOn(BUNDLED_QUOTES, DAY);
  const gh200 = {
    gpu: "NVIDIA GH200 480GB",
    memoryGb: 96,
    gpus: 1,
    peakMib: 15_000,
    busyPct: 9,
    priceMicros: 2_290_000n,
  };
  const smaller = smallerFinder(book, DAY);
  test("holds the peak at 85 % and does the work at 80 %", () => {
    expect(smaller(gh200)).toMatchObject({ typeName: "gpu_1x_a6000", micros: 1_090_000n });
    expect(smaller({ ...gh200, peakMib: 60_000 })).toBeNull();
    expect(smaller({ ...gh200, busyPct: 70 })).toBeNull();
  });
  test("what was not measured is not made smaller", () => {
    expect(smaller({ ...gh200, peakMib: null })).toBeNull();
    expect(smaller({ ...gh200, busyPct: null })).toBeNull();
    expect(smaller({ ...gh200, priceMicros: null })).toBeNull();
  });
  test("never one that costs as much, and more memory or load never finds a cheaper one", () => {
    let before = 0n;
    for (const peakMib of [1_000, 10_000, 25_000, 45_000, 70_000, 95_000]) {
      const found = smaller({ ...gh200, peakMib })?.micros ?? 2_290_000n;
      expect(found).toBeGreaterThanOrEqual(before);
      expect(found).toBeLessThanOrEqual(2_290_000n);
      before = found;
    }
  });
});

test("discounts are measured within one source and day: p4d -36.6 % for a year and -57.3 % for three", () => {
  const deals = dealsOf(BUNDLED_QUOTES, "2026-08-21");
  const of = (typeName: string, tier: Quote["tier"]) =>
    deals.find((deal) => deal.typeName === typeName && deal.tier === tier && deal.asOf === "2026-06-15")?.changePct;
  expect([of("p4d.24xlarge", "reserved_1y"), of("p4d.24xlarge", "reserved_3y")]).toEqual(["-36.6", "-57.3"]);
  const azure = "Standard_NC24ads_A100_v4";
  expect([of(azure, "reserved_1y"), of(azure, "reserved_3y")]).toEqual(["-16.8", "-38.3"]);
  for (const { changePct, breakEvenPct, tier } of deals)
    if (tier !== "spot") expect(Number(breakEvenPct)).toBeCloseTo(100 + Number(changePct), 0);
});

test("the file has every measure of every machine", () => {
  const machine = row(MACHINE, HOW);
  const { columns, cells } = savingsTable({
    fromDay: "2026-11-01",
    toDay: "2026-11-14",
    asked: { ...SavingsQuestion.parse({}), set: "idle", who: "dev" },
    machines: [machine],
  } as Parameters<typeof savingsTable>[0]);
  expect(columns).toEqual(
    expect.arrayContaining([...MEASURES.map((measure) => `${measure}_usd`), "set_usd_per_730_h"]),
  );
  expect(cells).toHaveLength(1);
  expect(cells[0]?.[columns.indexOf("idle_usd")]).toEqual({ number: "171.750000" });
});

test.each([
  [{}, ["idle", "schedule"], ["dev"]],
  [{ set: "reserve,bake,idle", who: "" }, ["idle", "reserve"], []],
])("%j asks for %j on %j", (given, set, who) => {
  expect(SavingsQuestion.parse(given)).toMatchObject({ set, who });
});
