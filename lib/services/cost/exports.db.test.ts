import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { readSheet } from "read-excel-file/node";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { AllocationTableQuestion } from "@/lib/domain/cost/allocation-view";
import { CloseTableQuestion, WhyTableQuestion } from "@/lib/domain/cost/month-tables";
import { UnitsTableQuestion, WasteTableQuestion } from "@/lib/domain/cost/outlook-tables";
import { NewCharge, NewCommitment, NewPrice } from "@/lib/domain/cost/price-input";
import { CostTableQuestion } from "@/lib/domain/cost/tables";
import { checkProse, sumOf } from "@/lib/domain/focus/check";
import { RuleModel } from "@/lib/domain/focus/model";
import type { FocusRow } from "@/lib/domain/focus/rows";
import { runRules } from "@/lib/domain/focus/rules";
import { csvParts, type TableFile } from "@/lib/domain/table";
import { RunsQuestion } from "@/lib/domain/workload/view";
import { exportCost, exportFleet, exportInbox, exportPrices, exportSpend } from "@/lib/services/tables";
import { exportRuns } from "@/lib/services/workload/files";
import { personAt } from "@/lib/testing/people";
import { rows as ask } from "@/lib/testing/world";
import { workbook } from "@/lib/web/workbook";
import { exportAllocation, exportAssignments, exportRules } from "./allocation-files";
import { exportSpendRows, readExplore, readSpendRows } from "./explore";
import { exportLedger } from "./export";
import { readExports } from "./exports";
import { exportFocus, readFocusMetadata } from "./focus";
import { readCost } from "./month";
import { exportClose, exportWhy } from "./month-files";
import { exportBudgets, exportUnits, exportWaste } from "./outlook-files";
import { addCharge, addCommitment, addPrice } from "./price-verbs";
import { exportStatement } from "./statement";
import { Story, TYPE } from "./story.testing";

vi.mock("server-only", () => ({}));

const MONTH = "2026-11";
const NOW = "2026-11-04T12:34:56Z";
let ctx: Ctx;

/** A month with one of everything: price change, reservation, unknown price, storage, an evil name, credit and tax. */
beforeAll(async () => {
  const story = await Story.begin("2026-10-31T20:00:00Z", "America/New_York");
  await story.priceList("2026-10-31T20:00:00Z", { [TYPE]: 229, gpu_1x_a10: 75 });
  await story.storagePrice("2026-10-31T20:00:00Z", 200_000n);
  const fleet = [
    { id: "aaaaaaaa", status: "active", name: "=HYPERLINK(1)", tags: { team: "ml", project: "rag" } },
    { id: "bbbbbbbb", status: "active", name: "ärger, laut", tags: { team: "web" } },
    { id: "cccccccc", status: "active", typeName: "gpu_1x_a10" },
    { id: "dddddddd", status: "active", typeName: "gpu_1x_odd" },
  ];
  await story.look("2026-11-01T04:00:30Z");
  await story.look("2026-11-01T04:01:30Z", ...fleet);
  await story.filesystem("2026-11-01T04:01:30Z", { id: "data", bytes: 123_456_789_012 });
  await story.priceList("2026-11-02T11:11:11Z", { [TYPE]: 249, gpu_1x_a10: 75 });
  await story.look("2026-11-03T12:00:00Z", ...fleet);
  await story.relabel("bbbbbbbb", "2026-11-03T13:07:09Z", "ml");
  await story.look(NOW, ...fleet);
  await story.filesystem(NOW, { id: "data", bytes: 223_456_789_012 });
  const finance = await personAt("finance", NOW);
  const charge = { fromDay: "2026-11-01", toDay: "2026-11-03" };
  await addCharge(
    finance,
    NewCharge.parse({ ...charge, kind: "credit", amount: "100.01", description: "Credit, =1+1" }),
  );
  await addCharge(finance, NewCharge.parse({ ...charge, kind: "tax", amount: "33.37", description: "Sales tax" }));
  await addPrice(
    finance,
    NewPrice.parse({ sku: "gpu_1x_a10", unit: "instance_hour", tier: "negotiated", price: "0.61", from: "2026-11-02" }),
  );
  const term = { fromDay: "2026-11-02", toDay: "2026-11-11", sku: TYPE };
  await addCommitment(
    finance,
    NewCommitment.parse({ ...term, name: "Reserve", count: "3", upfront: "100", weekly: "7", rate: "" }),
  );
  // What a reservation covers is known once the lives are.
  await story.meter("2026-11-04T12:34:00Z");
  await story.meter(NOW);
  ctx = systemCtx("test", new Date(NOW));
}, 120_000);

const micros = (usd: unknown) => BigInt(Math.round(Number(usd) * 1e6));
const exactly = (usd = "") => (usd === "" ? 0n : BigInt(usd.replace(".", "")));
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

async function csv(file: TableFile): Promise<Record<string, string>[]> {
  let text = "";
  for await (const part of csvParts(file)) text += part;
  return parse(text, { columns: true });
}

async function sheet(file: TableFile): Promise<Record<string, unknown>[]> {
  const [head = [], ...lines] = await readSheet(Buffer.from(await workbook(file)), "Rows");
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [String(name), line[i]])));
}

async function focus(version: "1.2" | "1.4"): Promise<{ columns: string[]; rows: FocusRow[] }> {
  let text = "";
  for await (const part of (await exportFocus(ctx, { month: MONTH, version })).lines) text += part;
  const [columns = [], ...lines]: string[][] = parse(text);
  const rows = lines.map((line) =>
    Object.fromEntries(columns.map((id, i) => [id, line[i] === "" ? null : (line[i] ?? null)])),
  );
  return { columns, rows };
}

describe("a month", () => {
  test("has everything in it that the files must get right", async () => {
    const kinds = await ask<{ charge: string }>("select charge::text, count(*)::int as n from ledger_row group by 1");
    expect(kinds.map(({ charge }) => charge).sort()).toEqual(["commitment", "credit", "storage", "tax", "usage"]);
    expect(await ask("select 1 from ledger_row where micros is null")).not.toEqual([]);
    expect(await ask("select 1 from ledger_row where commitment_id is not null and charge = 'usage'")).not.toEqual([]);
  });

  test("is the same sum on the page, by the API, as CSV, XLSX, statement and FOCUS, to the micro-dollar", async () => {
    const [{ total = "0" } = {}] = await ask<{ total: string }>(
      "select sum(micros)::text as total from ledger_row where period = '2026-11-01'",
    );
    const whole = BigInt(total);
    const question = { month: MONTH };
    const byTeam = { month: MONTH, by: "team" as const };
    const explore = { ...byTeam, per: "day" as const, cost: "billed" as const };
    const sums = {
      page: BigInt((await readCost(ctx, byTeam)).total.micros),
      explore: BigInt((await readExplore(ctx, explore)).total.micros),
      rows: BigInt((await readSpendRows(ctx, { ...question, cost: "billed", page: 1 })).total.micros),
      exports: BigInt((await readExports(ctx, question)).micros),
      ledgerCsv: sum((await csv(await exportLedger(ctx, question))).map((row) => exactly(row.amount_usd))),
      ledgerXlsx: sum((await sheet(await exportLedger(ctx, question))).map((row) => micros(row.amount_usd))),
      rowsCsv: sum(
        (await csv(await exportSpendRows(ctx, { ...question, cost: "billed", page: 1 }))).map((row) =>
          exactly(row.amount_usd),
        ),
      ),
      teamsCsv: sum(
        (await csv(await exportCost(ctx, CostTableQuestion.parse(byTeam)))).map((row) => exactly(row.amount_usd)),
      ),
      teamsXlsx: sum(
        (await sheet(await exportCost(ctx, CostTableQuestion.parse(byTeam)))).map((row) => micros(row.amount_usd)),
      ),
      resources: sum(
        (await csv(await exportCost(ctx, { ...byTeam, table: "resources" }))).map((row) => exactly(row.amount_usd)),
      ),
      spend: sum(
        (await csv(await exportSpend(ctx, { ...explore, table: "groups" }))).map((row) => exactly(row.amount_usd)),
      ),
      statement: sum((await csv(await exportStatement(ctx, question))).map((row) => exactly(row.amount_usd))),
      focus12: exactly(sumOf((await focus("1.2")).rows, "BilledCost")),
      focus14: exactly(sumOf((await focus("1.4")).rows, "BilledCost")),
      metadata: exactly((await readFocusMetadata(ctx, { month: MONTH, version: "1.2" })).totals.BilledCost),
    };
    expect(sums).toEqual(Object.fromEntries(Object.keys(sums).map((name) => [name, whole])));
    expect(whole).not.toBe(0n);
  });

  test("amortises the same in FOCUS as in the ledger", async () => {
    const [{ total = "0" } = {}] = await ask<{ total: string }>(
      "select sum(coalesce(effective_micros, micros))::text as total from ledger_row where period = '2026-11-01'",
    );
    expect(exactly(sumOf((await focus("1.2")).rows, "EffectiveCost"))).toBe(BigInt(total));
  });
});

describe("FOCUS", () => {
  const file = join(process.env.SHARED_DIR ?? "../shared", "fixtures/focus/model-1.2.json");

  test.skipIf(!existsSync(file))(
    "breaks no executable rule of the official model, and none that is prose",
    async () => {
      const model = RuleModel.parse(JSON.parse(readFileSync(file, "utf8")));
      const criteria = Object.values(model.ModelRules)
        .flatMap((rule) => rule.ApplicabilityCriteria)
        .filter((one) => !/AVAILABILITY_ZONE|CAPACITY_RESERVATION|CURRENCY|SUB_ACCOUNT|ACCOUNT_TYPES/.test(one));
      const exported = await focus("1.2");
      expect(exported.rows.length).toBeGreaterThan(15);
      expect(runRules(model, exported, new Set(criteria)).violations).toEqual([]);
      expect(checkProse(exported.rows)).toEqual([]);
    },
  );

  test("says beside the file what is not in it", async () => {
    const metadata = await readFocusMetadata(ctx, { month: MONTH, version: "1.4" });
    const [{ n = 0, minutes = 0 } = {}] = await ask<{ n: number; minutes: number }>(
      "select count(*)::int as n, sum(minutes)::int as minutes from ledger_row where micros is null",
    );
    expect(metadata.unknownPrices).toMatchObject({ rows: n, minutes, isCut: false });
    expect(metadata.unknownPrices.chargeKeys).toHaveLength(n);
    const { columns, rows } = await focus("1.4");
    expect(metadata.columns.map(({ id }) => id)).toEqual(columns);
    expect(metadata.rows).toBe(rows.length);
    expect(rows.filter((row) => metadata.unknownPrices.chargeKeys.includes(row.x_ChargeKey ?? ""))).toEqual([]);
    expect(metadata.recency.timeSectors.at(-1)).toMatchObject({ end: "2026-12-01T05:00:00Z", isComplete: false });
  });

  test("says of three reserved machines of which two run that a third of each day is not used, in hours and in money", async () => {
    const { rows } = await focus("1.2");
    const day = rows.filter((row) => row.CommitmentDiscountId && row.ChargePeriodStart === "2026-11-03T05:00:00Z");
    const of = (status: "Used" | "Unused") => day.filter((row) => row.CommitmentDiscountStatus === status);
    const hours = (list: FocusRow[]) => list.reduce((all, row) => all + Number(row.CommitmentDiscountQuantity), 0);
    expect(hours(of("Used"))).toBeCloseTo(48, 9);
    expect(of("Unused")).toEqual([
      expect.objectContaining({
        ...{ ChargeCategory: "Usage", BilledCost: "0.000000", EffectiveCost: "3.666667", PricingCategory: "Committed" },
        ...{ PricingQuantity: "24", CommitmentDiscountQuantity: "24", CommitmentDiscountUnit: "Hours" },
        ...{ ConsumedQuantity: null, ConsumedUnit: null, ResourceId: null, ListUnitPrice: "2.49" },
      }),
    ]);
    // A tenth of what is paid at once, a seventh of the week, on a day of a term of ten.
    expect(sumOf([...of("Used"), ...of("Unused")], "EffectiveCost")).toBe("11.000000");
    // What nobody used is no machine's time.
    const { total } = await readExplore(ctx, { month: MONTH, by: "charge", per: "day", cost: "billed" });
    const [{ minutes = 0 } = {}] = await ask<{ minutes: number }>(
      "select sum(minutes)::int as minutes from ledger_row where period = '2026-11-01' and charge = 'usage'",
    );
    expect(total.minutes).toBe(minutes);
  });

  test("has the days of the accounting zone, list prices beside negotiated ones, and list prices of what is covered", async () => {
    const { rows } = await focus("1.2");
    const a10 = rows.find((row) => row.SkuId === "gpu_1x_a10" && row.ContractedUnitPrice === "0.61");
    expect(a10).toMatchObject({ ListUnitPrice: "0.75", BillingPeriodStart: "2026-11-01T04:00:00Z" });
    const covered = rows.find((row) => row.CommitmentDiscountStatus === "Used");
    expect(covered).toMatchObject({
      BilledCost: "0.000000",
      PricingCategory: "Committed",
      CommitmentDiscountName: "Reserve",
    });
    expect(["2.29", "2.49"]).toContain(covered?.ListUnitPrice);
    expect(
      rows
        .filter((row) => row.ChargeCategory === "Purchase")
        .map((row) => [row.BilledCost, row.ChargeFrequency])
        .sort(),
    ).toEqual([
      ["100.000000", "One-Time"],
      ["7.000000", "Recurring"],
    ]);
  });
});

describe("tables", () => {
  test("carry their zone, their instant and a revision that changes with the data alone", async () => {
    const ask = () => exportLedger(ctx, { month: MONTH });
    const [one, again] = [await csv(await ask()), await csv(await ask())];
    expect(again).toEqual(one);
    expect(one[0]).toMatchObject({ accounting_zone: "America/New_York", as_of_utc: new Date(NOW).toISOString() });
    const day = await exportLedger(ctx, { day: "2026-11-02" });
    expect(day.revision).not.toBe(one[0]?.data_revision);
    for await (const _ of day.rows);
  });

  test("of fleet, alerts and prices can be had as both, as filtered", async () => {
    const fleet = await csv(await exportFleet(ctx, { q: "team:ml", sort: "-name" }));
    expect(fleet.map(({ name }) => name)).toEqual(["ärger, laut", "'=HYPERLINK(1)"]);
    expect((await sheet(await exportFleet(ctx, { q: "", sort: "" }))).map((row) => row.name)).toContain(
      "=HYPERLINK(1)",
    );
    expect(await csv(await exportInbox(ctx, { part: "firing" }))).toEqual([]);
    const prices = await csv(await exportPrices(ctx, { table: "prices" }));
    expect(prices).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ sku: "gpu_1x_a10", tier: "negotiated", price_usd: "0.610000" }),
      ]),
    );
  });

  test("of money are files, each with its zone, its instant and its revision", async () => {
    const month = { month: MONTH };
    const files: Record<string, TableFile> = {
      why: await exportWhy(ctx, WhyTableQuestion.parse(month)),
      steps: await exportWhy(ctx, WhyTableQuestion.parse({ ...month, table: "steps" })),
      review: await exportClose(ctx, CloseTableQuestion.parse(month)),
      checklist: await exportClose(ctx, CloseTableQuestion.parse({ ...month, table: "checklist" })),
      gaps: await exportClose(ctx, CloseTableQuestion.parse({ ...month, table: "gaps" })),
      inForce: await exportPrices(ctx, { table: "in_force" }),
      charges: await exportPrices(ctx, { table: "charges" }),
      commitments: await exportPrices(ctx, { table: "commitments" }),
      pots: await exportAllocation(ctx, AllocationTableQuestion.parse({ ...month, table: "pots" })),
      rules: await exportRules(ctx, {}),
      assignments: await exportAssignments(ctx, month),
      scores: await exportBudgets(ctx, { table: "scores" }),
      kinds: await exportWaste(ctx, WasteTableQuestion.parse({ table: "kinds" })),
      estimates: await exportUnits(ctx, UnitsTableQuestion.parse({ table: "estimates" })),
      runs: await exportRuns(ctx, RunsQuestion.parse({ workload: "training" })),
    };
    const lines: Record<string, Record<string, string>[]> = {};
    for (const [name, file] of Object.entries(files)) {
      expect([name, file.zone, file.asOf]).toEqual([name, "America/New_York", ctx.now.getTime()]);
      expect(file.revision).toMatch(/^[0-9a-f]{16}$/);
      lines[name] = await csv(file);
    }
    expect(lines.charges?.map(({ kind, amount_usd }) => [kind, amount_usd]).sort()).toEqual([
      ["credit", "-100.010000"],
      ["tax", "33.370000"],
    ]);
    expect(lines.commitments).toMatchObject([{ name: "Reserve", instances: "3", upfront_usd: "100.000000" }]);
    expect(lines.inForce?.every(({ is_in_force }) => is_in_force === "true")).toBe(true);
    expect(lines.checklist?.map(({ point }) => point)).toContain("Every row has a price");
    // Two teams had one of the machines after each other.
    expect(lines.assignments?.filter(({ name }) => name === "ärger, laut").map(({ team }) => team)).toEqual([
      "web",
      "ml",
    ]);
    expect(lines.kinds).toHaveLength(6);
  });

  test("are refused to whoever may not export", async () => {
    const stranger = { ...ctx, actor: { kind: "token", id: "t", name: "t", role: "nobody" } } as unknown as Ctx;
    await expect(exportFleet(stranger, { q: "", sort: "" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(exportFocus(stranger, { month: MONTH, version: "1.2" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(readFocusMetadata(stranger, { month: MONTH, version: "1.2" })).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});
