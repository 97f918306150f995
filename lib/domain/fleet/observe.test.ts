import { describe, expect, test } from "vitest";
import { type Known, type Missing, observe, type Seen, type Status } from "./observe";

const seen = (externalId: string, status: Status = "active", more: Partial<Seen> = {}): Seen => ({
  externalId,
  status,
  name: externalId,
  region: "us-east-3",
  typeName: "gpu_1x_gh200",
  priceMicros: 2_290_000n,
  ip: null,
  privateIp: null,
  hostname: null,
  tags: {},
  bytesUsed: null,
  isAttached: null,
  attrs: {},
  ...more,
});
const known = (externalId: string, status: Status = "active", more: Partial<Known> = {}): Known => ({
  id: `id-${externalId}`,
  externalId,
  seen: seen(externalId, status),
  missing: null,
  isGone: false,
  ...more,
});
const missing = (polls: number, countedAt: number, isSuspect = false): Missing => ({
  since: 0,
  countedAt,
  polls,
  isSuspect,
});
const ids = (rows: { known: Known }[]) => rows.map((row) => row.known.externalId);

describe("gone", () => {
  const four = ["a", "b", "c", "d"].map((id) => known(id));
  const without = (id: string) => four.filter((one) => one.externalId !== id).map((one) => one.seen);

  test("one absence proves nothing", () => {
    const result = observe(four, without("a"), 100_000);
    expect(result.gone).toEqual([]);
    expect(result.missing).toMatchObject([{ missing: { polls: 1, countedAt: 100_000, isSuspect: false } }]);
  });

  test.each([
    ["a second absence 30 s later proves it", missing(1, 70_000), ["a"]],
    ["a second absence sooner does not count", missing(1, 70_001), []],
    ["after a suspect absence a third is needed", missing(1, 0, true), []],
    ["and the third proves it", missing(2, 0, true), ["a"]],
  ])("%s", (_name, before, gone) => {
    const [first, ...rest] = four;
    if (!first) throw new Error("four");
    const result = observe([{ ...first, missing: before }, ...rest], without("a"), 100_000);
    expect(ids(result.gone)).toEqual(gone);
  });

  test("an empty listing and a halved one are suspect; what was leaving may leave", () => {
    expect(observe(four, [], 0).isSuspect).toBe(true);
    expect(observe(four, [seen("a")], 0).isSuspect).toBe(true);
    expect(observe(four, [seen("a"), seen("b")], 0).isSuspect).toBe(false);
    expect(observe([known("a", "terminating")], [], 0).isSuspect).toBe(false);
    expect(observe([], [], 0).isSuspect).toBe(false);
  });

  test("a machine listed as terminated or preempted is gone at once, and stays so while it is still listed", () => {
    expect(observe([known("a")], [seen("a", "terminated")], 0).gone).toMatchObject([{ reason: "terminated" }]);
    expect(observe([known("a")], [seen("a", "preempted")], 0).gone).toMatchObject([{ reason: "preempted" }]);
    const again = observe([known("a", "terminated", { isGone: true })], [seen("a", "terminated")], 0);
    expect([again.gone, again.returned]).toEqual([[], []]);
  });

  test("absent after terminating is a termination, absent after active has vanished", () => {
    const [leaving, lost] = [
      known("a", "terminating", { missing: missing(1, 0) }),
      known("b", "active", { missing: missing(1, 0) }),
    ];
    expect(observe([leaving, lost, known("c")], [seen("c")], 60_000).gone.map((g) => g.reason)).toEqual([
      "terminated",
      "vanished",
    ]);
  });

  test("a machine that comes back is said to have returned", () => {
    expect(ids(observe([known("a", "active", { isGone: true })], [seen("a")], 0).returned)).toEqual(["a"]);
    expect(ids(observe([known("a", "active", { missing: missing(1, 0) })], [seen("a")], 0).returned)).toEqual(["a"]);
  });
});

describe("changes", () => {
  test("the order of keys is not a change; a price, a name, an unknown word is", () => {
    const before = known("a", "active", { seen: seen("a", "active", { tags: { x: "1", y: "2" } }) });
    const same = seen("a", "active", { tags: { y: "2", x: "1" } });
    expect(observe([before], [same], 0).changed).toEqual([]);
    expect(observe([before], [{ ...same, priceMicros: 1n }], 0).changed).toHaveLength(1);
    expect(observe([before], [{ ...same, name: "b" }], 0).changed).toHaveLength(1);
    expect(observe([before], [{ ...same, status: "unknown" }], 0).changed).toHaveLength(1);
  });

  test("a listing that names a machine twice makes one", () => {
    expect(observe([], [seen("a"), seen("a")], 0).appeared).toHaveLength(1);
  });
});
