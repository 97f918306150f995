import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";
import { streamLedger } from "@/lib/db/cost/rows";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { NewBudget } from "@/lib/domain/cost/budgets";
import { csvParts } from "@/lib/domain/table";
import { rows } from "@/lib/testing/world";
import { createBudget } from "./budgets";
import { exportLedger } from "./export";
import { readCost } from "./month";
import { readLedger } from "./read";
import { Story, TYPE } from "./story.testing";

const ctx = (at: string): Ctx => systemCtx("test", new Date(at));
const read = (at: string, by: "team" | "type" | "instance" = "team", month?: string) =>
  readCost(ctx(at), { by, ...(month && { month }) });
const sum = (amounts: (string | null)[]) => amounts.reduce((total, micros) => total + BigInt(micros ?? "0"), 0n);
const sql = async (question: string) =>
  BigInt((await rows<{ n: string }>(`select (${question})::text as n`))[0]?.n ?? "-1");
const NOW = "2026-11-03T12:00:00Z";

/** Two teams, one machine that nobody was named for, a file system, an old machine, and one of unknown price. */
let story: Story;
beforeEach(async () => {
  story = await Story.begin("2026-10-30T00:00:00Z");
  await story.priceList("2026-10-30T00:00:00Z", { [TYPE]: 229 });
  await story.storagePrice("2026-10-30T00:00:00Z", 200_000n);
  const machine = (id: string, team?: string) => ({
    id,
    status: "active",
    ...(team && { tags: { team, project: `${team} project` } }),
  });
  const fleet = [machine("aaaaaaaa", "research"), machine("bbbbbbbb", "serving"), machine("cccccccc")];
  const odd = { id: "dddddddd", status: "active", typeName: "gpu_1x_odd", tags: { team: "serving" } };
  await story.look("2026-10-30T00:00:00Z");
  await story.look("2026-10-30T00:00:15Z", machine("eeeeeeee", "research"));
  await story.look("2026-10-30T23:59:45Z", machine("eeeeeeee", "research"));
  await story.look("2026-10-31T00:00:00Z", { id: "eeeeeeee", status: "terminating", tags: { team: "research" } });
  await story.filesystem("2026-10-30T00:00:00Z", { id: "f1f1f1f1", bytes: 500 * 2 ** 30 });
  await story.look("2026-10-31T12:00:00Z");
  await story.look("2026-10-31T12:00:15Z", ...fleet);
  await story.look("2026-11-02T07:59:45Z", ...fleet);
  await story.look("2026-11-02T08:00:00Z", ...fleet, odd);
  await story.look(NOW, ...fleet, odd);
  await story.filesystem(NOW, { id: "f1f1f1f1", bytes: 500 * 2 ** 30 });
  await story.meter(NOW);
});

describe("a month's figures are sums of ledger rows", () => {
  test.each(["team", "type", "instance"] as const)(
    "by %s the bars, the groups and the rows add up to the total",
    async (by) => {
      const answer = await read(NOW, by);
      const total = await sql("select sum(micros) from ledger_row where day >= '2026-11-01'");
      expect(BigInt(answer.total.micros)).toBe(total);
      expect(sum(answer.days.flatMap((day) => day.micros))).toBe(total);
      expect(sum(answer.resources.map((row) => row.micros))).toBe(total);
      expect(BigInt(answer.instances.micros) + BigInt(answer.storage.micros)).toBe(total);
      if (by !== "instance") expect(sum(answer.groups.map((group) => group.micros))).toBe(total);
    },
  );

  test("what has no known price is counted, and nowhere an amount", async () => {
    const answer = await read(NOW);
    const odd = answer.resources.find((row) => row.name === "dddddddd");
    expect(odd).toMatchObject({ micros: "0", ratesMicros: [], unknownRows: 2 });
    expect(answer.total.unknownRows).toBe(2);
    expect(answer.groups.find(({ key }) => key === "serving")?.unknownRows).toBe(2);
    expect(answer.rate).toMatchObject({ microsPerHour: "6870000", unknownPrices: 1 });
    const byType = await read(NOW, "type");
    const place = byType.parts.findIndex(({ key }) => key === "gpu_1x_odd");
    expect(byType.days.map((day) => day.micros[place])).toContain(null);
  });

  test("days before anybody looked, and days to come, have no amounts; a quiet day has nothing, which is known", async () => {
    const october = await read(NOW, "team", "2026-10");
    expect(october.days.filter((day) => day.micros.length === 0)).toHaveLength(29);
    expect(october).toMatchObject({ isCurrent: false, forecast: null, monthBefore: null, monthAfter: "2026-11" });
    const november = await read(NOW);
    expect(november.days.filter((day) => day.micros.length > 0).map(({ day }) => day)).toEqual([
      "2026-11-01",
      "2026-11-02",
      "2026-11-03",
    ]);
    expect(november.monthBefore).toBe("2026-10");
  });

  test("a month that has not begun is no month", async () => {
    await expect(read(NOW, "team", "2026-12")).rejects.toMatchObject({ code: "not-found" });
  });

  test("machines that were launched elsewhere say so, and so does one whose beginning nobody saw", async () => {
    const late = await Story.begin("2026-11-03T00:00:00Z");
    await late.priceList("2026-11-03T00:00:00Z", { [TYPE]: 229 });
    await late.look("2026-11-03T10:00:00Z", { id: "aaaaaaaa", status: "active" });
    await late.look(NOW, { id: "aaaaaaaa", status: "active" });
    await late.meter(NOW);
    const { resources } = await read(NOW);
    expect(resources).toHaveLength(1);
    expect(resources[0]).toMatchObject({ isOutside: true, doubt: { from: expect.stringContaining("first looked") } });
  });

  test("idle money goes to whoever had the machine that day", async () => {
    await rows(
      `insert into usage_day (resource_id, day, billed_minutes, reported_minutes, busy_minutes, idle_empty_minutes, idle_held_minutes, idle_empty_micros, idle_held_micros)
       select id, '2026-11-01', 1440, 1440, 1200, 200, 40, 7633333, 1526667 from resource where external_id = 'aaaaaaaa'`,
    );
    const { idle, groups, resources } = await read(NOW);
    expect(idle).toEqual({ emptyMicros: "7633333", heldMicros: "1526667" });
    expect(groups.find(({ key }) => key === "research")?.idleMicros).toBe("9160000");
    expect(resources.find(({ name }) => name === "aaaaaaaa")?.idleMicros).toBe("9160000");
  });
});

describe("the month against the one before, and where it goes", () => {
  test("with days of which nothing is known there is nothing to compare; with a month known in part, that is said", async () => {
    expect((await read(NOW)).compared).toBeNull();
    const { compared, total } = await read("2026-12-02T00:00:00Z", "team", "2026-11");
    expect(compared).toMatchObject({
      fromDay: "2026-11-01",
      toDay: "2026-11-30",
      micros: total.micros,
      before: { fromDay: "2026-10-01", toDay: "2026-10-31", unknownRows: 0, isPartlyKnown: true },
    });
    const october = await sql("select sum(micros) from ledger_row where day < '2026-11-01'");
    expect(BigInt(compared?.before.micros ?? "0")).toBe(october);
    expect(BigInt(compared?.beforeCumulative.at(-1) ?? "0")).toBe(october);
  });

  test("a forecast of what runs: three machines and storage to the end, and the days add up to it", async () => {
    const { forecast, days, rate, total } = await read(NOW);
    const storage = BigInt(rate?.storageMicrosPerHour ?? "0");
    // 500 GiB at $0.20 per 720 hours.
    expect(storage).toBe(138_889n);
    // 660 hours are left. One machine came and went in the four days that are over: 24 hours of $2.29, spread over them.
    const churned = await sql(
      "select div(sum(micros), 4) from ledger_row l join resource r on r.id = l.resource_id where r.gone_at is not null",
    );
    const left = 660n * (3n * 2_290_000n + storage);
    const expected = BigInt(total.micros) + left + (churned * 55n) / 2n;
    const difference = BigInt(forecast?.micros ?? "0") - expected;
    expect(difference >= -1n && difference <= 1n).toBe(true);
    const today = days.find(({ day }) => day === "2026-11-03");
    const over = sum(days.filter(({ day }) => day < "2026-11-03").flatMap((day) => day.micros));
    expect(over + sum(days.map((day) => day.expected?.micros ?? null))).toBe(BigInt(forecast?.micros ?? "0"));
    expect(BigInt(today?.expected?.micros ?? "0") > sum(today?.micros ?? [])).toBe(true);
    expect(forecast?.bandDays).toBe(4);
  });

  test("a budget says how much of it is gone and when the rest is, at today's rate", async () => {
    expect((await read(NOW)).budget).toBeNull();
    const { total, rate } = await read(NOW);
    const perHour = BigInt(rate?.microsPerHour ?? "0") + BigInt(rate?.storageMicrosPerHour ?? "0");
    const micros = BigInt(total.micros) + 10n * perHour;
    const usd = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, "0")}`;
    await createBudget(ctx(NOW), NewBudget.parse({ name: "", selector: {}, every: "month", usd }));
    const { budget } = await read(NOW);
    expect(budget?.reachedAt).toBe(Date.parse(NOW) + 10 * 3_600_000);
  });
});

describe("an account of which nothing is known yet", () => {
  test("has an empty ledger and no month before", async () => {
    await Story.begin("2026-11-03T00:00:00Z");
    expect(await read(NOW)).toMatchObject({
      ledger: { isEmpty: true },
      total: { micros: "0", unknownRows: 0 },
      compared: null,
      parts: [],
      resources: [],
      monthBefore: null,
    });
  });
});

describe("the ledger as a file", () => {
  const file = async (at: string, question: Parameters<typeof exportLedger>[1]) => {
    const table = await exportLedger(ctx(at), question);
    let text = "";
    for await (const part of csvParts(table)) text += part;
    return { ...table, text, records: parse(text, { columns: true }) as Record<string, string>[] };
  };
  const micros = (usd: string | undefined) => BigInt((usd ?? "").replace(".", "") || "0");

  test("its amounts add up to the page's total, to the micro-dollar, and unknown ones are empty", async () => {
    const { name, revision, records } = await file(NOW, { month: "2026-11" });
    expect(name).toBe("hopperdeck-ledger-2026-11");
    expect(revision).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(records.map((row) => row.data_revision))).toEqual(new Set([revision]));
    expect(records[0]).toMatchObject({ accounting_zone: "UTC", as_of_utc: new Date(NOW).toISOString() });
    const answer = await read(NOW);
    expect(records.reduce((total, row) => total + micros(row.amount_usd), 0n)).toBe(BigInt(answer.total.micros));
    const unknown = records.filter((row) => row.amount_is_known === "false");
    expect(unknown.map(({ name: machine, amount_usd }) => [machine, amount_usd])).toEqual([
      ["dddddddd", ""],
      ["dddddddd", ""],
    ]);
  });

  test("a machine named like a formula is text", async () => {
    await story.look("2026-11-03T12:30:00Z", { id: "99999999", status: "active", name: '=HYPERLINK("http://x","y")' });
    await story.meter("2026-11-03T13:00:00Z");
    const { text, records } = await file("2026-11-03T13:00:00Z", {});
    expect(records.map((row) => row.name)).toContain(`'=HYPERLINK("http://x","y")`);
    expect(text).not.toMatch(/(^|,)"?=/m);
  });

  test("a day, or one machine, and the rows behind a figure are the same", async () => {
    const { records } = await file(NOW, { day: "2026-11-02" });
    const { rows: listed, isCut } = await readLedger(ctx(NOW), { day: "2026-11-02" });
    expect(isCut).toBe(false);
    expect(records.map((row) => row.key).sort()).toEqual(listed.map((row) => row.key).sort());
    const one = await file(NOW, { month: "2026-11", resourceId: listed[0]?.resourceId ?? undefined });
    expect(new Set(one.records.map((row) => row.resource_id))).toEqual(new Set([listed[0]?.resourceId]));
  });

  test("it is of one instant, however slowly it is read, and whoever stops reading gives the connection back", async () => {
    const reading = streamLedger({ from: "2026-11-01", to: "2026-11-30", isMonth: true, resourceId: null }, () => {});
    const { value: first } = await reading.next();
    expect(first?.length).toBeGreaterThan(5);
    await reading.return(undefined);
    const idle = await rows(
      "select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()",
    );
    expect(idle).toEqual([]);
  });

  test("a role that may not export is refused before a row is read", async () => {
    const stranger = { ...ctx(NOW), actor: { kind: "token", id: "t", name: "t", role: "nobody" } } as unknown as Ctx;
    await expect(exportLedger(stranger, {})).rejects.toMatchObject({ code: "forbidden" });
  });
});
