import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sum } from "@/lib/domain/cost/money";
import { keepDecisions, UNDECIDED } from "./decisions";
import { type Match, matchInvoice } from "./match";
import type { BilledResource, InvoiceLine, LedgerFact } from "./types";
import { differenceOf, type MatchInput } from "./variance";

const CENT = 10_000n;
const machine = (id: string, name = id, typeName = "gpu_1x_gh200", region = "us-east-3"): BilledResource => ({
  id,
  kind: "instance",
  externalId: `${id}-external`,
  names: [name],
  typeName,
  region,
});
const files: BilledResource = { ...machine("fs"), kind: "filesystem", names: ["datasets"], typeName: null };

const used = (resourceId: string, minutes: number, cents = 229, day = "2026-10-26"): LedgerFact => {
  const micros = (BigInt(minutes * cents) * CENT + 30n) / 60n;
  return {
    resourceId,
    charge: "usage",
    day,
    priceMicros: BigInt(cents) * CENT,
    minutes,
    byteHours: null,
    micros,
    lowMicros: micros - 100_000n,
    highMicros: micros + 2n * BigInt(cents) * CENT,
    rows: 1,
    chargeId: null,
  };
};

const line = (n: number, cents: number, rest: Partial<InvoiceLine> = {}): InvoiceLine => ({
  line: n,
  charge: "usage",
  description: "On-demand",
  resource: null,
  sku: null,
  region: null,
  fromDay: null,
  toDay: null,
  quantityMicros: null,
  rateMicros: null,
  micros: BigInt(cents) * CENT,
  ...rest,
});
const minutes = (count: number) => BigInt(count) * 1_000_000n;

const given = (over: Partial<MatchInput>): MatchInput => ({
  totalMicros: sum((over.lines ?? []).map(({ micros }) => micros)),
  fromDay: "2026-10-26",
  toDay: "2026-11-01",
  lines: [],
  ledger: [],
  resources: [machine("a"), machine("b"), files],
  beside: [],
  others: [],
  booked: {},
  ...over,
});

const said = ({ variances }: Match) => variances.map((one) => [one.key, Number(differenceOf(one))]);

describe("an invoice against the ledger", () => {
  it("finds nothing where every line is in the ledger, by id, by name, and by type and region", () => {
    const ledger = [used("a", 600), used("b", 1200)];
    const byId = given({
      ledger,
      lines: [line(1, 2290, { resource: "a-external" }), line(2, 4580, { resource: "B" })],
    });
    expect(matchInvoice(byId)).toMatchObject({ variances: [], matched: { micros: 68_700_000n, lines: 2 } });
    const byType = given({ ledger, lines: [line(1, 6870, { sku: "gpu_1x_gh200", region: "us-east-3" })] });
    expect(matchInvoice(byType).variances).toEqual([]);
    const inWords = given({ ledger, lines: [line(1, 6870, { description: "2 x gpu_1x_gh200 (us-east-3)" })] });
    expect(matchInvoice(inWords).variances).toEqual([]);
    const both = given({ ledger, lines: [line(1, 6870, { sku: "gpu_1x_gh200, on demand", region: "US-East-3" })] });
    expect(matchInvoice(both).variances).toEqual([]);
    const half = given({ ledger, lines: [line(1, 2290, { resource: "a" }), line(2, 4580, { sku: "gpu_1x_gh200" })] });
    expect(matchInvoice(half).variances).toEqual([]);
  });

  it("takes many lines to one machine, and one line to all machines of a name", () => {
    const days = [used("a", 600), used("a", 600, 229, "2026-10-27")];
    const daily = given({ ledger: days, lines: [line(1, 2290, { resource: "a" }), line(2, 2290, { resource: "a" })] });
    expect(matchInvoice(daily).variances).toEqual([]);
    const twins = [machine("a", "train"), machine("b", "train")];
    const ledger = [used("a", 600), used("b", 600)];
    const one = given({ resources: twins, ledger, lines: [line(1, 4580, { resource: "train" })] });
    expect(matchInvoice(one).variances).toEqual([]);
  });

  it("C62: calls another whole number of cents a matter of price", () => {
    const ledger = [used("a", 129_600, 149)];
    const stale = matchInvoice(given({ ledger, lines: [line(1, 494_640, { resource: "a" })] }));
    expect(said(stale)).toEqual([["price:a", 1_728_000_000]]);
    expect(stale.variances[0]?.evidence).toMatchObject({ billedRate: "2290000", ledgerRate: "1490000" });
  });

  it("calls other minutes a matter of quantity, and says whether we could have missed them", () => {
    const lines = [line(1, 2519, { resource: "a", quantityMicros: minutes(660) })];
    const more = matchInvoice(given({ ledger: [used("a", 600)], lines }));
    expect(said(more)).toEqual([["quantity:a", 2_290_000]]);
    expect(more.variances[0]?.evidence).toMatchObject({
      billedQuantity: "660000000",
      ledgerQuantity: "600000000",
      isWithinBounds: true,
      remark: "60 minutes more than we metered",
    });
    const sure = { ...used("a", 600), lowMicros: 22_900_000n, highMicros: 22_900_000n };
    expect(matchInvoice(given({ ledger: [sure], lines })).variances[0]?.evidence.isWithinBounds).toBe(false);
  });

  it("tells price and quantity apart where both differ", () => {
    const lines = [line(1, 2739, { resource: "a", quantityMicros: minutes(660), rateMicros: 249n * CENT })];
    const both = matchInvoice(given({ ledger: [used("a", 600)], lines }));
    expect(said(both)).toEqual([
      ["price:a", 2_000_000],
      ["quantity:a", 2_490_000],
    ]);
  });

  it("names what only one of both has", () => {
    const found = matchInvoice(
      given({
        ledger: [used("b", 600)],
        lines: [line(1, 500, { resource: "a" }), line(2, 700, { resource: "nobody" })],
      }),
    );
    expect(said(found)).toEqual([
      ["missing_in_ledger:a", 5_000_000],
      ["missing_in_ledger:line 2", 7_000_000],
      ["missing_on_invoice:b", -22_900_000],
    ]);
  });

  it("calls it timing where other days or another invoice hold the same", () => {
    const beside = [{ resourceId: "a", day: "2026-10-25", micros: 22_900_000n }];
    const whole = given({ lines: [line(1, 2290, { resource: "a" })], beside });
    expect(said(matchInvoice(whole))).toEqual([["timing:a", 22_900_000]]);
    const part = given({ ledger: [used("a", 600)], lines: [line(1, 4580, { resource: "a" })], beside });
    expect(said(matchInvoice(part))).toEqual([["timing:a", 22_900_000]]);
    const others = [{ resourceId: "b", number: "INV-2", differenceMicros: 22_900_000n }];
    expect(said(matchInvoice(given({ ledger: [used("b", 600)], others })))).toEqual([["timing:b", -22_900_000]]);
    const less = [{ resourceId: "b", number: "INV-2", differenceMicros: 2_290_000n }];
    expect(said(matchInvoice(given({ ledger: [used("b", 600)], others: less })))).toEqual([
      ["missing_on_invoice:b", -22_900_000],
    ]);
    const short = given({ ledger: [used("b", 1200)], lines: [line(1, 2290, { resource: "b" })], others });
    expect(said(matchInvoice(short))).toEqual([["timing:b", -22_900_000]]);
  });

  it("compares tax and credits apart, and knows what was booked of them", () => {
    const lines = [
      line(1, 2290, { resource: "a" }),
      line(2, 203, { charge: "tax", description: "Sales tax" }),
      line(3, -500, { charge: "credit", description: "Credit" }),
    ];
    const open = matchInvoice(given({ ledger: [used("a", 600)], lines }));
    expect(said(open)).toEqual([
      ["credit:line 3", -5_000_000],
      ["tax:line 2", 2_030_000],
    ]);
    expect(open).toMatchObject({ isWithinTolerance: true, comparedMicros: 0n });
    const tax: LedgerFact = { ...used("a", 0), resourceId: null, charge: "tax", micros: 2_030_000n, chargeId: "t" };
    const booked = matchInvoice(given({ ledger: [used("a", 600), tax], lines, booked: { "tax:line 2": "t" } }));
    expect(said(booked)).toEqual([
      ["credit:line 3", -5_000_000],
      ["tax:line 2", 0],
    ]);
    const byHand = matchInvoice(given({ ledger: [used("a", 600), tax], lines }));
    expect(said(byHand)).toEqual([["credit:line 3", -5_000_000]]);
    expect(said(matchInvoice(given({ ledger: [tax] })))).toEqual([["tax:charge t", -2_030_000]]);
  });

  it("sets what was booked of a difference off against it, and tells what was booked for none", () => {
    const lines = [
      line(1, 2519, { resource: "a", quantityMicros: minutes(660) }),
      line(2, 700, { resource: "nobody" }),
    ];
    const fix = (chargeId: string, micros: bigint): LedgerFact => ({
      ...used("a", 0),
      ...{ resourceId: null, charge: "adjustment", priceMicros: null, micros, chargeId },
    });
    const booked = { "quantity:a": "q", "missing_in_ledger:line 2": "m" };
    const before = given({ ledger: [used("a", 600)], lines });
    expect(said(matchInvoice(before))).toEqual([
      ["quantity:a", 2_290_000],
      ["missing_in_ledger:line 2", 7_000_000],
    ]);
    const ledger = [used("a", 600), fix("q", 2_290_000n), fix("m", 7_000_000n)];
    const after = matchInvoice({ ...before, ledger, booked });
    expect(said(after)).toEqual([
      ["quantity:a", 0],
      ["missing_in_ledger:line 2", 0],
    ]);
    expect(after).toMatchObject({ comparedMicros: 0n, ledgerMicros: 32_190_000n });
    expect(after.variances.map(({ evidence }) => evidence.chargeId)).toEqual(["q", "m"]);
    // The meter learnt of the hour by itself: what was booked for it is too much.
    const learnt = matchInvoice({ ...before, ledger: [used("a", 660), ...ledger.slice(1)], booked });
    expect(said(learnt)).toEqual([
      ["missing_in_ledger:line 2", 0],
      ["missing_on_invoice:charge q", -2_290_000],
    ]);
  });

  it("C60: calls rounding what lies within the tolerance and nothing explains", () => {
    const ledger = [used("a", 30), used("b", 600)];
    const lines = [line(1, 200, { resource: "a" }), line(2, 2290, { resource: "b" })];
    expect(said(matchInvoice(given({ ledger, lines })))).toEqual([["rounding:a", 855_000]]);
    const cent = [line(1, 115, { resource: "a", quantityMicros: minutes(30) }), lines[1] ?? line(2, 0)];
    expect(said(matchInvoice(given({ ledger, lines: cent })))).toEqual([["rounding:lines", 5_000]]);
    // Rounding has room for a dollar in all: two of these are one too many.
    const two = given({
      ledger: [used("a", 30), used("b", 30)],
      lines: [line(1, 200, { resource: "a" }), line(2, 200, { resource: "b" })],
    });
    expect(said(matchInvoice(two))).toEqual([
      ["quantity:b", 855_000],
      ["rounding:a", 855_000],
    ]);
  });

  it("counts what is unknown as a question of price, never as nothing", () => {
    const unknown = { ...used("a", 600), priceMicros: null, micros: null, lowMicros: null, highMicros: null };
    const found = matchInvoice(given({ ledger: [unknown], lines: [line(1, 2290, { resource: "a" })] }));
    expect(said(found)).toEqual([["price:a", 22_900_000]]);
    expect(found).toMatchObject({ unknownRows: 1, ledgerMicros: 0n });
  });

  it("measures file systems in GiB-hours", () => {
    const store: LedgerFact = {
      ...used("fs", 0),
      charge: "storage",
      byteHours: 720n * 100n * 2n ** 30n,
      priceMicros: 200_000n,
      micros: 20_000_000n,
    };
    const lines = [line(1, 2200, { charge: "storage", resource: "datasets", quantityMicros: 79_200_000_000n })];
    const found = matchInvoice(given({ ledger: [store], lines }));
    expect(said(found)).toEqual([["quantity:fs", 2_000_000]]);
    expect(found.variances[0]?.evidence.remark).toBe("7,200 GiB-hours more than we metered");
  });

  it("keeps what the total has beyond its lines", () => {
    const off = given({
      totalMicros: 30_000_000n,
      ledger: [used("a", 600)],
      lines: [line(1, 2290, { resource: "a" })],
    });
    expect(said(matchInvoice(off))).toEqual([["missing_in_ledger:total", 7_100_000]]);
  });

  const ids = ["a", "b", "c", "fs"];
  const anyLine = fc.record({
    charge: fc.constantFrom("usage", "storage", "tax", "credit", "commitment", "adjustment", "rounding"),
    resource: fc.constantFrom(null, "a", "b-external", "c", "datasets", "stranger"),
    sku: fc.constantFrom(null, "gpu_1x_gh200", "gpu_8x_h100"),
    quantityMicros: fc.option(fc.bigInt({ min: 0n, max: 9_000_000_000n })),
    rateMicros: fc.option(fc.constantFrom(2_290_000n, 1_490_000n)),
    cents: fc.integer({ min: -5_000, max: 50_000 }),
  });
  const anyFact = fc.record({
    resourceId: fc.constantFrom(...ids),
    minutes: fc.integer({ min: 0, max: 1440 }),
    cents: fc.constantFrom(149, 229),
    day: fc.constantFrom("2026-10-26", "2026-10-27", "2026-10-28"),
    isKnown: fc.boolean(),
    loose: fc.constantFrom(null, "tax", "credit", "commitment", "adjustment"),
  });
  const anyInput = fc
    .record({
      lines: fc.array(anyLine, { maxLength: 12 }),
      facts: fc.array(anyFact, { maxLength: 20 }),
      extra: fc.bigInt({ min: -3_000_000n, max: 3_000_000n }),
      beside: fc.array(
        fc.record({
          resourceId: fc.constantFrom(...ids),
          day: fc.constant("2026-10-25"),
          micros: fc.bigInt({ min: 0n, max: 30_000_000n }),
        }),
        { maxLength: 4 },
      ),
      others: fc.array(
        fc.record({
          resourceId: fc.constantFrom(...ids),
          number: fc.constant("X"),
          differenceMicros: fc.bigInt({ min: -30_000_000n, max: 30_000_000n }),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ lines, facts, extra, beside, others }): MatchInput => {
      const read = lines.map(({ cents, ...rest }, i) => line(i + 1, cents, rest as Partial<InvoiceLine>));
      const ledger = facts.map(({ resourceId, minutes: count, cents, day, isKnown, loose }, i): LedgerFact => {
        const fact = used(resourceId, count, cents, day);
        if (loose) return { ...fact, resourceId: null, charge: loose as LedgerFact["charge"], chargeId: `c${i}` };
        const own =
          resourceId === "fs" ? { ...fact, charge: "storage" as const, byteHours: BigInt(count) * 2n ** 32n } : fact;
        return isKnown ? own : { ...own, micros: null, lowMicros: null, highMicros: null };
      });
      return given({
        resources: [machine("a"), machine("b"), machine("c", "c", "gpu_8x_h100"), files],
        lines: read,
        ledger,
        beside,
        others,
        totalMicros: sum(read.map(({ micros }) => micros)) + extra,
      });
    });

  it("loses no micro-dollar: the differences are the total less the ledger, each under its own key", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const match = matchInvoice(input);
        expect(sum(match.variances.map(differenceOf))).toBe(input.totalMicros - match.ledgerMicros);
        expect(sum(match.variances.map(({ ledgerMicros }) => ledgerMicros ?? 0n)) + match.matched.micros).toBe(
          match.ledgerMicros,
        );
        expect(new Set(match.variances.map(({ key }) => key)).size).toBe(match.variances.length);
        expect(match.variances.every(({ key, class: found }) => key.startsWith(`${found}:`))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("says the same in any order", () => {
    const shuffled = anyInput.chain((input) =>
      fc
        .tuple(
          fc.shuffledSubarray([...input.lines], { minLength: input.lines.length }),
          fc.shuffledSubarray([...input.ledger], { minLength: input.ledger.length }),
          fc.shuffledSubarray([...input.resources], { minLength: input.resources.length }),
        )
        .map(([lines, ledger, resources]) => [input, { ...input, lines, ledger, resources }] as const),
    );
    fc.assert(
      fc.property(shuffled, ([input, other]) => {
        expect(matchInvoice(other)).toEqual(matchInvoice(input));
      }),
      { numRuns: 300 },
    );
  });
});

describe("what a person said of a difference", () => {
  const at = new Date("2026-11-03T10:00:00Z");
  const decided = { state: "accepted" as const, note: "asked Lambda", decidedById: "p", decidedAt: at };
  const of = (cents: number) =>
    matchInvoice(
      given({ ledger: [used("a", 600)], lines: [line(1, cents, { resource: "a", quantityMicros: minutes(700) })] }),
    ).variances;

  it("holds while the difference stays or shrinks", () => {
    const before = of(2672).map((one) => ({ ...one, ...decided }));
    expect(keepDecisions(of(2672), before)[0]).toMatchObject(decided);
    expect(keepDecisions(of(2671), before)[0]).toMatchObject(decided);
  });

  it("is asked again where it grew, and says what had been said", () => {
    const before = of(2672).map((one) => ({ ...one, ...decided }));
    const note = "Before it changed: accepted, asked Lambda";
    expect(keepDecisions(of(2673), before)[0]).toMatchObject({ ...UNDECIDED, note });
    expect(keepDecisions(of(2673), [])[0]).toMatchObject(UNDECIDED);
  });
});
