import { describe, expect, it, test } from "vitest";
import { burnOf, countAlerts, foldIncidents, inboxPart, type Standing } from "./inbox";

const NOW = 1_000_000_000;
const HOUR = 3_600_000;
const open: Standing = {
  status: "firing",
  firedAt: NOW - HOUR,
  resolvedAt: null,
  acknowledgedAt: null,
  reraiseAt: null,
};

describe("the part of the inbox", () => {
  it.each([
    ["firing", {}, "firing"],
    ["recovering stays with the firing ones", { status: "recovering" }, "firing"],
    ["silent data make it unknown, not resolved", { status: "unknown" }, "unknown"],
    ["pending", { status: "pending", firedAt: null }, "pending"],
    ["acknowledged", { acknowledgedAt: NOW - 1 }, "acknowledged"],
    ["acknowledged stays so while data are silent", { acknowledgedAt: NOW - 1, status: "unknown" }, "acknowledged"],
    ["an acknowledgement that has run out", { acknowledgedAt: NOW - 9, reraiseAt: NOW }, "firing"],
    ["one that has not run out yet", { acknowledgedAt: NOW - 9, reraiseAt: NOW + 1 }, "acknowledged"],
    ["resolved, acknowledged or not", { status: "resolved", resolvedAt: NOW, acknowledgedAt: NOW - 1 }, "resolved"],
  ] as const)("%s", (_, over, part) => expect(inboxPart({ ...open, ...over }, NOW)).toBe(part));
});

it("counts what needs somebody; acknowledged, pending and resolved do not", () => {
  const counts = countAlerts(
    [
      { ...open, severity: "critical" },
      { ...open, severity: "warning" },
      { ...open, status: "unknown", severity: "critical" },
      { ...open, acknowledgedAt: NOW - 1, severity: "critical" },
      { ...open, status: "pending", firedAt: null, severity: "critical" },
      { ...open, status: "resolved", resolvedAt: NOW, severity: "critical" },
    ],
    NOW,
  );
  expect(counts).toEqual({ now: NOW, firing: 2, unknown: 1, critical: 2 });
});

describe("burn", () => {
  const one = {
    resourceId: "a",
    firedAt: NOW - HOUR,
    resolvedAt: null,
    microsPerHour: "2000000",
    priceMicros: "2000000",
  };

  it("two alerts on one machine burn once, since the first of them", () => {
    const later = { ...one, firedAt: NOW - HOUR / 2 };
    expect(burnOf([later, one], NOW)).toEqual({ microsPerHour: 2_000_000n, spentMicros: 2_000_000n });
    expect(burnOf([one, later], NOW)).toEqual({ microsPerHour: 2_000_000n, spentMicros: 2_000_000n });
  });

  it("two spells with calm between them burn both", () => {
    const past = { firedAt: NOW - 5 * HOUR, resolvedAt: NOW - 4 * HOUR, microsPerHour: null };
    expect(burnOf([one, { ...one, ...past }], NOW).spentMicros).toBe(4_000_000n);
    const within = { firedAt: NOW - HOUR / 2, resolvedAt: NOW - HOUR / 4, microsPerHour: null };
    expect(burnOf([one, { ...one, ...within }], NOW).spentMicros).toBe(2_000_000n);
  });

  it("machines add up; what has no machine, no price or has not fired burns nothing", () => {
    const other = {
      ...one,
      resourceId: "b",
      microsPerHour: "500000",
      priceMicros: "500000",
      firedAt: NOW - 2 * HOUR,
    };
    const fleet = { ...one, resourceId: null };
    const unpriced = { ...one, resourceId: "c", microsPerHour: null, priceMicros: null };
    const pending = { ...one, resourceId: "d", firedAt: null };
    expect(burnOf([one, other, fleet, unpriced, pending], NOW)).toEqual({
      microsPerHour: 2_500_000n,
      spentMicros: 3_000_000n,
    });
  });

  it("what has resolved burns no longer", () => {
    const resolved = { ...one, resolvedAt: NOW - HOUR / 2, microsPerHour: null };
    expect(burnOf([resolved], NOW + 5 * HOUR)).toEqual({ microsPerHour: 0n, spentMicros: 1_000_000n });
  });
});

describe("incidents", () => {
  const of = (id: string, part: "firing" | "acknowledged" | "resolved", leadId: string | null = null) => ({
    id,
    part,
    leadId,
  });
  const folded = (...rows: ReturnType<typeof of>[]) =>
    foldIncidents(rows).map(({ row, others }) => [row.id, ...others.map(({ id }) => id)].join("+"));

  test("are one line under their lead, wherever it stands in the list", () => {
    expect(folded(of("b", "firing", "a"), of("c", "firing"), of("a", "firing"))).toEqual(["c", "a+b"]);
  });

  test("are never hidden behind a lead that has ended or is in hand", () => {
    expect(folded(of("a", "resolved"), of("b", "firing", "a"))).toEqual(["b+a"]);
    expect(folded(of("a", "acknowledged"), of("b", "acknowledged", "a"), of("c", "firing", "a"))).toEqual(["c+a+b"]);
  });

  test("of which the lead is not listed are led by the first of them", () => {
    expect(folded(of("b", "firing", "gone"), of("c", "firing", "gone"))).toEqual(["b+c"]);
  });
});
