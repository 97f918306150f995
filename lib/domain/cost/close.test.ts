import { describe, expect, test } from "vitest";
import { CANONICAL_HEAD, type CanonicalRow, canonicalJson, canonicalLine } from "./canonical";
import { type CloseFacts, checklistOf, obstacles, reviewFact } from "./close";
import { type StatementFacts, statementOf, teamsOf } from "./statement";
import { statementRows } from "./statement-csv";

const OCTOBER: CloseFacts = {
  month: "2026-10",
  zone: "UTC",
  now: Date.parse("2026-11-02T08:00:00Z"),
  from: Date.parse("2026-10-01T00:00:00Z"),
  to: Date.parse("2026-11-01T00:00:00Z"),
  earlierOpen: [],
  metered: { at: Date.parse("2026-11-02T07:59:40Z"), error: null },
  unsettled: 0,
  rows: 40,
  totalMicros: 1_703_760_000n,
  lowMicros: 1_703_700_000n,
  highMicros: 1_703_800_000n,
  gaps: [],
  unknown: { rows: 0, resources: 0 },
  uncategorisedMicros: 0n,
  review: [],
  invoices: { received: 4, open: 0, residualMicros: 0n, disputed: 1, disputedMicros: 2_290_000n },
  accrual: { micros: 0n, days: 0 },
};

const left = (change: Partial<CloseFacts>, signed = {}) =>
  obstacles(checklistOf({ ...OCTOBER, ...change }, signed)).map(({ id }) => id);

describe("what stands in the way of closing a month", () => {
  test("nothing, where everything is known, paid for and invoiced", () => {
    expect(left({})).toEqual([]);
  });

  test.each<[string, Partial<CloseFacts>]>([
    ["ended", { now: OCTOBER.to - 1, metered: { at: OCTOBER.to, error: null } }],
    ["order", { earlierOpen: ["2026-09"] }],
    ["metered", { metered: { at: OCTOBER.to - 1, error: null } }],
    ["metered", { metered: { at: OCTOBER.now, error: "out of memory" } }],
    ["metered", { metered: { at: null, error: null } }],
    ["settled", { unsettled: 1 }],
    ["gaps", { gaps: [{ from: OCTOBER.from, to: OCTOBER.from + 3_600_000 }] }],
    ["unknown", { unknown: { rows: 3, resources: 1 } }],
    ["uncategorised", { uncategorisedMicros: 51_112_800n + 1_000_000n }],
    ["invoices", { invoices: { ...OCTOBER.invoices, open: 2, residualMicros: 1n } }],
    ["accrual", { accrual: { micros: 989_280_000n, days: 6 } }],
  ])("%s", (id, change) => {
    expect(left(change)).toEqual([id]);
  });

  test("up to two per cent may be nobody's", () => {
    expect(left({ uncategorisedMicros: (OCTOBER.totalMicros * 2n) / 100n })).toEqual([]);
  });

  test("a warning is settled by a note, as long as the fact is the one that was signed", () => {
    const accrual = { micros: 989_280_000n, days: 6 };
    const point = checklistOf({ ...OCTOBER, accrual }, {}).find(({ id }) => id === "accrual");
    const signature = { by: "Ada", at: 0, note: "the invoice comes on Monday", fact: point?.fact ?? "" };
    expect(left({ accrual }, { accrual: signature })).toEqual([]);
    expect(left({ accrual: { micros: 989_290_000n, days: 6 } }, { accrual: signature })).toEqual(["accrual"]);
  });

  test("what blocks cannot be signed away", () => {
    const points = checklistOf({ ...OCTOBER, earlierOpen: ["2026-09"] }, {});
    const fact = points.find(({ id }) => id === "order")?.fact ?? "";
    expect(left({ earlierOpen: ["2026-09"] }, { order: { by: "Ada", at: 0, note: "never mind", fact } })).toEqual([
      "order",
    ]);
  });

  test("each doubtful life is signed off for itself, and again when its bounds move", () => {
    const life = { micros: 5n, lowMicros: 1n, highMicros: 9n, unknownRows: 0 };
    expect(reviewFact(life)).not.toBe(reviewFact({ ...life, highMicros: 10n }));
    const item = { resourceId: "a", name: "a", typeName: null, team: "", micros: "5", lowMicros: "1", highMicros: "9" };
    const rest = { evidence: null, fact: reviewFact(life) };
    const signature = { by: "Ada", at: 0, note: "seen", fact: rest.fact };
    expect(left({ review: [{ ...item, ...rest, signature }] })).toEqual([]);
    expect(
      left({
        review: [
          { ...item, ...rest, signature },
          { ...item, ...rest, signature: null },
        ],
      }),
    ).toEqual(["review"]);
  });
});

describe("the canonical CSV", () => {
  const row: CanonicalRow = {
    key: "00000000-0000-0000-0000-000000000001",
    period: "2026-11-01",
    day: "2026-10-30",
    charge: "usage",
    resourceId: "r",
    chargeId: null,
    commitmentId: null,
    startsAt: new Date("2026-10-30T22:00:00Z"),
    endsAt: new Date("2026-10-31T00:00:00Z"),
    minutes: 120,
    byteHours: null,
    priceMicros: 2_290_000n,
    micros: 4_580_000n,
    lowMicros: null,
    highMicros: 4_580_001n,
    listMicros: null,
    effectiveMicros: null,
    isFlagged: false,
    team: '=ml, "core"',
    project: "",
    environment: "",
    costCenter: "",
    correctsKey: null,
    note: null,
  };

  test("has its amounts whole, its text as it is, and nothing for what is not known", () => {
    expect(CANONICAL_HEAD.split(",")).toHaveLength(24);
    expect(canonicalLine(row)).toBe(
      '00000000-0000-0000-0000-000000000001,2026-11-01,2026-10-30,usage,r,,,2026-10-30T22:00:00.000Z,2026-10-31T00:00:00.000Z,120,,2290000,4580000,,4580001,,,false,"=ml, ""core""",,,,,\n',
    );
  });

  test("JSON has its names in order, whoever wrote them", () => {
    expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  });
});

describe("statements", () => {
  const line = (team: string, project: string, micros: bigint, isShared = false): StatementFacts["lines"][number] => ({
    team,
    project,
    environment: "",
    isShared,
    charge: "usage",
    resourceId: `${team}-${project}-${micros}`,
    externalId: "0123456789abcdef",
    name: "gh-1",
    typeName: "gpu_1x_gh200",
    region: "us-east-3",
    minutes: 60,
    byteHours: null,
    priceMicros: 2_290_000n,
    micros,
    lowMicros: micros - 10n,
    highMicros: micros + 10n,
    unknownRows: 0,
  });
  const owned = { project: "", environment: "", isShared: false };
  const facts: StatementFacts = {
    lines: [line("ml", "rag", 100n), line("ml", "eval", 50n), line("web", "", 30n), line("pool", "", 20n, true)],
    charges: [
      { ...owned, team: "ml", kind: "credit", description: "promotion", micros: -5n },
      { ...owned, team: "", kind: "tax", description: "VAT", micros: 12n },
    ],
    // C59: a wrong team is a pair of rows that moves the money and makes none.
    corrections: [
      {
        ...owned,
        key: "a",
        day: "2026-09-30",
        name: "gh-9",
        team: "ml",
        charge: "usage",
        minutes: 0,
        micros: "-7",
        why: "team",
      },
      {
        ...owned,
        key: "b",
        day: "2026-09-30",
        name: "gh-9",
        team: "web",
        charge: "usage",
        minutes: 0,
        micros: "7",
        why: "team",
      },
    ],
    shared: [
      { pot: "pool", team: "ml", project: "rag", micros: 12n },
      { pot: "pool", team: "web", project: "", micros: 5n },
    ],
  };
  const total = (team: string | null) => BigInt(statementOf(facts, "2026-10", "UTC", team).totals.totalMicros);

  test("of all teams, with what is not spread, add up to that of everybody", () => {
    const all = statementOf(facts, "2026-10", "UTC", null);
    expect(teamsOf(facts)).toEqual(["", "ml", "web"]);
    expect(all.totals).toMatchObject({ totalMicros: "207", usageMicros: "200", taxMicros: "12", sharedMicros: "0" });
    expect(all.unspreadMicros).toBe("3");
    const parts = teamsOf(facts).reduce((sum, team) => sum + total(team), 0n);
    expect(parts + BigInt(all.unspreadMicros)).toBe(207n);
    expect(total("ml")).toBe(100n + 50n - 5n - 7n + 12n);
  });

  test.each([null, "ml", "web", ""])("as a table, that of %j adds up to its total", (team) => {
    const content = statementOf(facts, "2026-10", "UTC", team);
    const rows = statementRows({ content, status: "open" });
    const micros = rows.map((cells) => {
      const cell = cells[15];
      const text = cell && typeof cell === "object" ? cell.number : "0";
      return BigInt(text.replace(".", ""));
    });
    expect(micros.reduce((sum, one) => sum + one, 0n).toString()).toBe(content.totals.totalMicros);
  });
});
