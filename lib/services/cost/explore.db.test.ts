import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { pool } from "@/lib/db/client";
import { checkDays } from "@/lib/db/cost/days";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { filterText, SPEND_DIMENSIONS, type SpendDimension } from "@/lib/domain/cost/dimensions";
import { COST_TYPES, ExploreQuestion, PER, ROWS_PAGE, RowsQuestion, withFilter } from "@/lib/domain/cost/explore";
import { readExplore, readSpendRows } from "./explore";
import { readCost } from "./month";
import { Story, TYPE } from "./story.testing";
import { readWhy } from "./why";

const ctx = (at: string): Ctx => systemCtx("test", new Date(at));
const sum = (amounts: readonly (string | null)[]) =>
  amounts.reduce((total, micros) => total + BigInt(micros ?? "0"), 0n);
const ZONE = "Europe/Berlin";
const NOW = "2026-11-03T12:00:00Z";

const explore = (asked: Record<string, unknown>, at = NOW) => readExplore(ctx(at), ExploreQuestion.parse(asked));
const rowsOf = (asked: Record<string, unknown>, at = NOW) => readSpendRows(ctx(at), RowsQuestion.parse(asked));

/** All pages, added up row by row. */
async function addedUp(asked: Record<string, unknown>): Promise<bigint> {
  const first = await rowsOf(asked);
  let total = sum(first.rows.map(({ micros }) => micros));
  let count = first.rows.length;
  for (let page = 2; page <= first.pages; page++) {
    const next = await rowsOf({ ...asked, page });
    total += sum(next.rows.map(({ micros }) => micros));
    count += next.rows.length;
  }
  expect(count).toBe(first.total.rows);
  expect(total).toBe(BigInt(first.total.micros));
  return total;
}

function dice(seed: number): <T>(choices: readonly T[]) => T {
  let state = seed;
  return (choices) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const chosen = choices[Math.floor((state / 2_147_483_648) * choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  };
}

/** A tax, a credit, and a correction of October that counts in November. */
async function charges(): Promise<void> {
  await pool().query(
    `insert into ledger_row (key, period, day, charge, owner_id, starts_at, ends_at, micros, low_micros, high_micros, effective_micros, list_micros, corrects_key, note) values
       ($1, '2026-11-01', '2026-11-02', 'tax', 0, '2026-11-02T10:00Z', '2026-11-02T10:00Z', 1234567, 1234567, 1234567, null, null, null, 'VAT'),
       ($2, '2026-11-01', '2026-11-01', 'credit', 0, '2026-11-01T00:00Z', '2026-11-02T00:00Z', -2500001, -2500001, -2500001, -7, 0, null, 'goodwill'),
       ($3, '2026-11-01', '2026-10-30', 'adjustment', 0, '2026-10-30T00:00Z', '2026-10-30T00:00Z', -333333, -333333, -333333, null, null, $3, 'October again'),
       ($4, '2026-11-01', '2026-11-28', 'credit', 0, '2026-11-28T00:00Z', '2026-11-29T00:00Z', -40, -40, -40, null, null, null, 'of a day to come')`,
    [randomUUID(), randomUUID(), randomUUID(), randomUUID()],
  );
}

beforeAll(async () => {
  const story = await Story.begin("2026-10-23T22:00:00Z", ZONE);
  await story.priceList("2026-10-23T22:00:00Z", { [TYPE]: 229, gpu_1x_a10: 129 });
  await story.storagePrice("2026-10-23T22:00:00Z", 200_000n);
  const fleet = [
    { id: "aaaaaaaa", status: "active", tags: { team: "research", project: "a, b" } },
    { id: "bbbbbbbb", status: "active", typeName: "gpu_1x_a10", tags: { team: "serving" } },
    { id: "cccccccc", status: "active" },
  ];
  const odd = { id: "dddddddd", status: "active", typeName: "gpu_1x_odd", tags: { team: "serving" } };
  await story.look("2026-10-23T22:00:00Z");
  await story.look("2026-10-23T22:00:15Z", ...fleet);
  await story.filesystem("2026-10-24T22:00:00Z", { id: "f1f1f1f1", bytes: 500 * 2 ** 30 });
  await story.look("2026-10-31T12:00:00Z", ...fleet);
  await story.priceList("2026-10-31T12:00:00Z", { [TYPE]: 249, gpu_1x_a10: 129 });
  await story.relabel("aaaaaaaa", "2026-11-01T09:30:30Z", "platform");
  await story.look("2026-11-02T08:00:00Z", ...fleet, odd);
  await story.look(NOW, ...fleet, odd);
  await story.filesystem(NOW, { id: "f1f1f1f1", bytes: 500 * 2 ** 30 });
  await story.meter(NOW);
  await charges();
});

test("bars, groups, total, month page and rows are equal to the micro-dollar, however it is asked", async () => {
  expect(await checkDays()).toEqual([]);
  const roll = dice(7);
  const windows = [{}, { month: "2026-10" }, { days: 7 }, { days: 1 }, { from: "2026-10-24", to: "2026-10-26" }];
  let compared = 0;
  for (let round = 0; round < 40; round++) {
    const by = roll(SPEND_DIMENSIONS);
    const which: Record<string, unknown> = { ...roll(windows), cost: roll(COST_TYPES) };
    const whole = await explore({ ...which, by: roll(SPEND_DIMENSIONS) });
    const one = whole.groups.length > 0 ? roll(whole.groups) : null;
    const asked = one && roll([true, false]) ? { ...which, [whole.by]: filterText([one.key]) } : which;
    const answer = await explore({ ...asked, by, per: roll(PER) });
    const total = BigInt(answer.total.micros);
    if (asked !== which) expect(total).toBe(BigInt(one?.micros ?? "-1"));
    expect(sum(answer.groups.map(({ micros }) => micros))).toBe(total);
    expect(sum(answer.bars.flatMap(({ micros }) => micros)) + BigInt(answer.corrections?.micros ?? "0")).toBe(total);
    expect(await addedUp(asked)).toBe(total);
    const group = answer.groups.length > 0 ? roll(answer.groups) : null;
    if (!group) continue;
    compared++;
    expect(await addedUp(withFilter(asked, by, [group.key]))).toBe(BigInt(group.micros));
  }
  expect(compared).toBeGreaterThan(20);
  const month = await readCost(ctx(NOW), { by: "team" });
  expect((await explore({})).total).toMatchObject(month.total);
  expect((await explore({})).corrections).toEqual({ micros: "-333333", rows: 1 });
});

describe("hours", () => {
  test("the day with 25 hours has 25, the others 24, and they add up to the day's rows; each opens its part of the rows", async () => {
    const answer = await explore({ from: "2026-10-24", to: "2026-10-26", per: "hour", by: "instance" });
    const of = (day: string) => answer.bars.filter(({ fromDay }) => fromDay === day);
    expect(["2026-10-24", "2026-10-25", "2026-10-26"].map((day) => of(day).length)).toEqual([24, 25, 24]);
    for (const day of ["2026-10-24", "2026-10-25", "2026-10-26"]) {
      const whole = await explore({ from: day, to: day });
      expect(sum(of(day).flatMap(({ micros }) => micros))).toBe(BigInt(whole.total.micros));
    }
    const hour = of("2026-10-25")[2];
    expect(hour && new Date(hour.from).toISOString()).toBe("2026-10-25T00:00:00.000Z");
    const rows = await rowsOf({ hour: hour?.from });
    expect(sum(rows.rows.map(({ micros }) => micros))).toBe(sum(hour?.micros ?? []));
    expect(rows.total.micros).toBe(sum(hour?.micros ?? []).toString());
    const running = (await explore({ days: 1, per: "hour", team: "serving,platform" })).bars;
    expect(running.length).toBeGreaterThan(12);
    for (const { from, micros } of running.slice(-3))
      expect((await rowsOf({ hour: from, team: "serving,platform" })).total.micros).toBe(sum(micros).toString());
  });

  test("the day with 23 hours has 23", async () => {
    await pool().query(
      `insert into ledger_row (key, period, day, charge, owner_id, starts_at, ends_at, micros, low_micros, high_micros) values
         ($1, '2026-03-01', '2026-03-29', 'adjustment', 0, '2026-03-28T23:00Z', '2026-03-29T22:00Z', 100, 100, 100)`,
      [randomUUID()],
    );
    const { bars, total } = await explore({ from: "2026-03-29", to: "2026-03-29", per: "hour" });
    expect(bars).toHaveLength(23);
    expect(sum(bars.flatMap(({ micros }) => micros))).toBe(100n);
    // 100 in 23 parts: 4 and 5, whichever the rounding of what has been reached gives; none lost.
    expect(new Set(bars.flatMap(({ micros }) => micros))).toEqual(new Set(["4", "5"]));
    expect(total.micros).toBe("100");
  });
});

test("what is unknown is counted beside, and opens its rows", async () => {
  const answer = await explore({ team: "serving" });
  const odd = answer.total.unknownRows;
  expect(odd).toBeGreaterThan(0);
  const rows = await rowsOf({ team: "serving", unknown: "only" });
  expect(rows.total).toMatchObject({ micros: "0", rows: odd, unknownRows: odd });
  expect(rows.rows.every(({ micros }) => micros === null)).toBe(true);
});

test("corrections alone are those that count in the month for earlier days; days alone leave them out", async () => {
  expect((await rowsOf({ corrections: "only" })).total).toMatchObject({ micros: "-333333", rows: 1 });
  const all = BigInt((await rowsOf({})).total.micros);
  const days = BigInt((await rowsOf({ month: "2026-11", from: "2026-11-01", to: "2026-11-03" })).total.micros);
  // The credit of a day to come counts in the month; it is of none of these days.
  expect(days - all).toBe(333_333n + 40n);
});

test("days that have not begun are refused in words", async () => {
  await expect(explore({ from: "2027-01-01" })).rejects.toThrow("have not begun");
});

describe("why November is not October", () => {
  test.each(["sku", "team"] as const)(
    "by %s the steps add up to the difference, and lines to their steps",
    async (mix) => {
      const why = await readWhy(ctx("2026-12-02T00:00:00Z"), { month: "2026-11", mix });
      const difference = BigInt(why.own?.micros ?? "0") - BigInt(why.before?.micros ?? "0");
      expect(sum(why.steps.map(({ micros }) => micros))).toBe(difference);
      const of = Object.fromEntries(why.steps.map(({ step, micros }) => [step, micros]));
      expect(of).toMatchObject({ unexplained: "0", tax: "1234567", credit: "-2500041", corrections: "-333333" });
      for (const effect of ["volume", "mix", "price"] as const)
        expect(sum(why.lines.map((line) => line[effect]))).toBe(BigInt(of[effect] ?? "0"));
      expect(why.own?.micros).toBe(
        (await readCost(ctx("2026-12-02T00:00:00Z"), { month: "2026-11", by: "team" })).total.micros,
      );
    },
  );

  test("a month that runs is compared over its whole days, with as many of the one before", async () => {
    const why = await readWhy(ctx(NOW), { mix: "sku" });
    expect(why.own).toBeNull();
    const later = await readWhy(ctx("2026-11-26T12:00:00Z"), { mix: "sku" });
    expect([later.own?.toDay, later.before?.toDay]).toEqual(["2026-11-25", "2026-10-25"]);
    // The 25th of October had 25 hours.
    expect((later.before?.ms ?? 0) - (later.own?.ms ?? 0)).toBe(3_600_000);
    expect(sum(later.steps.map(({ micros }) => micros))).toBe(
      BigInt(later.own?.micros ?? "0") - BigInt(later.before?.micros ?? "0"),
    );
  });
});

test("a page of rows has so many", async () => {
  const answer = await rowsOf({ days: 30 });
  expect(answer.rows.length).toBe(Math.min(ROWS_PAGE, answer.total.rows));
  const dimension: SpendDimension = "instance";
  const [row] = answer.rows;
  const own = await rowsOf({ days: 30, [dimension]: row?.resourceId ?? "" });
  expect(own.filter).toEqual([
    { dimension, values: [{ value: row?.resourceId ?? "", label: row?.resourceId ? row.name : "no machine" }] },
  ]);
});
