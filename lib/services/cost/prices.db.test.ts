import { beforeEach, describe, expect, test } from "vitest";
import { listPriceChanges, listPrices } from "@/lib/db/cost/prices";
import type { Ctx } from "@/lib/domain/access";
import { NewCharge, NewCommitment, NewPrice } from "@/lib/domain/cost/price-input";
import { personAt } from "@/lib/testing/people";
import { rows } from "@/lib/testing/world";
import { readPrices } from "./price-read";
import {
  addCharge,
  addCommitment,
  addPrice,
  importPrices,
  previewPrices,
  removeCharge,
  removeCommitment,
} from "./price-verbs";
import { Story, setSetting, TYPE } from "./story.testing";

const at = (text: string) => new Date(text);
const GH200 = { sku: TYPE, region: "*", unit: "instance_hour", tier: "on_demand" } as const;
const believed = async () =>
  (await listPrices())
    .filter(({ sku }) => sku === TYPE)
    .map(({ tier, micros, from, to, source }) => [
      tier,
      Number(micros) / 1e6,
      new Date(from ?? 0).toISOString().slice(0, 16),
      to === null ? null : new Date(to).toISOString().slice(0, 16),
      source,
    ]);
const usage = (name: string) =>
  rows<{ day: string; minutes: number; micros: string; list: string | null; effective: string | null }>(
    `select l.day::text as day, l.minutes, l.micros::text as micros, l.list_micros::text as list, l.effective_micros::text as effective
     from ledger_row l join resource r on r.id = l.resource_id where r.external_id = $1 order by l.starts_at, l.period`,
    [name],
  );
const loose = () =>
  rows<{ charge: string; day: string; micros: string; effective: string | null; note: string }>(
    `select charge::text as charge, day::text as day, micros::text as micros, effective_micros::text as effective, note
     from ledger_row where resource_id is null order by charge, day, note, period`,
  );

const ID = "0f1e2d3c";
let story: Story;
let finance: Ctx;

/** A GH200 that runs from 1 November at midnight, at $2.29. */
beforeEach(async () => {
  story = await Story.begin("2026-10-31T20:00:00Z");
  await story.priceList("2026-10-31T20:00:00Z", { [TYPE]: 229 });
  await story.look("2026-10-31T23:59:45Z");
  await story.look("2026-11-01T00:00:00Z", { id: ID, status: "active" });
  await story.logged("2026-11-01T00:01:00Z", "launched", ID, "2026-11-01T00:00:00Z");
  await story.look("2026-11-03T00:00:00Z", { id: ID, status: "active" });
  finance = await personAt("finance", "2026-11-03T00:00:00Z");
});

const set = (input: object) => addPrice(finance, NewPrice.parse({ ...GH200, note: "", ...input }));

describe("a price by hand", () => {
  test("takes the place of what was believed for its time, and nothing that was written is lost", async () => {
    await story.meter("2026-11-03T00:00:00Z");
    expect(await usage(ID)).toMatchObject([{ micros: "54960000" }, { micros: "54960000" }]);
    await set({ price: "1.99", from: "2026-11-01T12:00", to: "2026-11-02T00:00", note: "typed wrongly by Lambda" });
    expect(await believed()).toEqual([
      ["on_demand", 2.29, "2026-10-31T20:00", "2026-11-01T12:00", "api"],
      ["on_demand", 1.99, "2026-11-01T12:00", "2026-11-02T00:00", "manual"],
      ["on_demand", 2.29, "2026-11-02T00:00", null, "api"],
    ]);
    expect((await readPrices(finance)).prices.filter(({ supersededAt }) => supersededAt !== null)).toMatchObject([
      { micros: "2290000", to: null },
    ]);
    await story.meter("2026-11-03T00:00:00Z");
    expect((await usage(ID)).map(({ day, minutes, micros }) => [day, minutes, micros])).toEqual([
      ["2026-11-01", 720, "27480000"],
      ["2026-11-01", 720, "23880000"],
      ["2026-11-02", 1440, "54960000"],
    ]);
    expect(await listPriceChanges(at("2026-11-01T00:00:00Z"), at("2026-12-01T00:00:00Z"))).toMatchObject([
      { micros: 2_290_000n, beforeMicros: 1_990_000n },
      { micros: 1_990_000n, beforeMicros: 2_290_000n },
    ]);
  });

  test("that is yet to come ends the one before, and Lambda's list does not take it back while it says what it said", async () => {
    await set({ price: "2.49", from: "2026-11-10T00:00" });
    await story.priceList("2026-11-03T01:00:00Z", { [TYPE]: 229 });
    await story.priceList("2026-11-11T00:00:00Z", { [TYPE]: 229 });
    const announced = [
      ["on_demand", 2.29, "2026-10-31T20:00", "2026-11-10T00:00", "api"],
      ["on_demand", 2.49, "2026-11-10T00:00", null, "manual"],
    ];
    expect(await believed()).toEqual(announced);
    await story.priceList("2026-11-12T00:00:00Z", { [TYPE]: 249 });
    expect(await believed()).toEqual(announced);
    await story.priceList("2026-11-13T00:00:00Z", { [TYPE]: 259 });
    expect((await believed()).at(-1)).toEqual(["on_demand", 2.59, "2026-11-13T00:00", null, "api"]);
  });

  test("negotiated, is billed while it holds, with the list price beside it, whatever Lambda's list does", async () => {
    await set({ price: "1.50", from: "2026-11-02T00:00", tier: "negotiated" });
    await story.priceList("2026-11-02T12:00:00Z", { [TYPE]: 259 });
    await story.meter("2026-11-03T00:00:00Z");
    expect(await usage(ID)).toEqual([
      { day: "2026-11-01", minutes: 1440, micros: "54960000", list: null, effective: null },
      { day: "2026-11-02", minutes: 720, micros: "18000000", list: "27480000", effective: null },
      { day: "2026-11-02", minutes: 720, micros: "18000000", list: "31080000", effective: null },
    ]);
  });

  test("cannot be set by who may only look, nor to a time that cannot be read", async () => {
    const viewer = await personAt("viewer", "2026-11-03T00:00:00Z");
    const input = NewPrice.parse({ ...GH200, price: "1", from: "2026-11-02", note: "" });
    await expect(addPrice(viewer, input)).rejects.toMatchObject({ code: "forbidden" });
    await expect(set({ price: "1", from: "soon" })).rejects.toMatchObject({ fields: { from: expect.any(String) } });
    await expect(set({ price: "1", from: "2026-11-02", to: "2026-11-01" })).rejects.toMatchObject({ code: "invalid" });
    expect(await believed()).toHaveLength(1);
  });
});

describe("a price list from a file", () => {
  const text = `sku,price_usd,from,tier\n${TYPE},1.80,2026-11-02,negotiated\nfilesystem,0.25,2026-11-01,\n`;

  test("is looked at first, and written whole", async () => {
    const preview = await previewPrices(finance, { text });
    expect(preview.errors).toEqual([]);
    expect(preview.lines).toMatchObject([
      { sku: TYPE, micros: "1800000", beforeMicros: null },
      { sku: "filesystem", unit: "gib_month", micros: "250000", beforeMicros: null },
    ]);
    expect(await believed()).toHaveLength(1);
    expect(await importPrices(finance, { text })).toEqual({ lines: 2 });
    expect(await believed()).toContainEqual(["negotiated", 1.8, "2026-11-02T00:00", null, "csv"]);
    await importPrices(finance, { text });
    expect(await believed()).toHaveLength(2);
  });

  test("with one line that is wrong is not written at all", async () => {
    await expect(importPrices(finance, { text: `${text}${TYPE},cheap,2026-11-03,\n` })).rejects.toThrow(
      "Line 4: cheap",
    );
    expect(await believed()).toHaveLength(1);
  });
});

describe("a machine that keeps its launch price", () => {
  test("does so from the next run on, for all its life; back again, it costs what it cost", async () => {
    await story.priceList("2026-11-02T00:00:00Z", { [TYPE]: 299 });
    await story.meter("2026-11-03T00:00:00Z");
    const current = await usage(ID);
    expect(current.map(({ micros }) => micros)).toEqual(["54960000", "71760000"]);
    await setSetting("accounting", { zone: "UTC", price: "launch" });
    await story.meter("2026-11-03T00:00:00Z");
    expect((await usage(ID)).map(({ micros }) => micros)).toEqual(["54960000", "54960000"]);
    await setSetting("accounting", { zone: "UTC", price: "current" });
    await story.meter("2026-11-03T00:00:00Z");
    expect(await usage(ID)).toEqual(current);
  });
});

describe("charges", () => {
  const credit = { kind: "credit", amount: "100", description: "Goodwill" };

  test("are rows of their days that add up; taken back, they are none", async () => {
    const input = NewCharge.parse({ ...credit, fromDay: "2026-11-01", toDay: "2026-11-03", team: "research" });
    const { id } = await addCharge(finance, input);
    await story.meter("2026-11-03T00:00:00Z");
    expect(await loose()).toEqual([
      { charge: "credit", day: "2026-11-01", micros: "-33333333", effective: null, note: "Goodwill" },
      { charge: "credit", day: "2026-11-02", micros: "-33333334", effective: null, note: "Goodwill" },
      { charge: "credit", day: "2026-11-03", micros: "-33333333", effective: null, note: "Goodwill" },
    ]);
    expect((await readPrices(finance)).charges).toMatchObject([{ id, micros: "-100000000", owner: "research" }]);
    await removeCharge(finance, { chargeId: id });
    await story.meter("2026-11-03T00:00:30Z");
    expect(await loose()).toEqual([]);
    await expect(removeCharge(finance, { chargeId: id })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a commitment", () => {
  const term = { name: "Reserve", sku: TYPE, count: "2", fromDay: "2026-11-01", toDay: "2026-11-10" };

  test("is paid on its day, covers minutes at its rate, and each day's part of it is used or unused to the micro-dollar", async () => {
    const { id } = await addCommitment(
      finance,
      NewCommitment.parse({ ...term, upfront: "100", weekly: "", rate: "0.50" }),
    );
    await story.meter("2026-11-03T00:00:00Z");
    await story.meter("2026-11-03T00:00:30Z");
    // Half of what two machines could use is used: $5 of the $10 of a day.
    expect(await usage(ID)).toEqual([
      { day: "2026-11-01", minutes: 1440, micros: "12000000", list: "54960000", effective: "17000000" },
      { day: "2026-11-02", minutes: 1440, micros: "12000000", list: "54960000", effective: "17000000" },
      expect.objectContaining({ day: "2026-11-03", minutes: 1 }),
    ]);
    const made = await loose();
    expect(made.filter(({ day }) => day < "2026-11-03")).toEqual([
      { charge: "commitment", day: "2026-11-01", micros: "0", effective: "5000000", note: "Reserve: not used" },
      { charge: "commitment", day: "2026-11-01", micros: "100000000", effective: "0", note: "Reserve: upfront" },
      { charge: "commitment", day: "2026-11-02", micros: "0", effective: "5000000", note: "Reserve: not used" },
    ]);
    expect((await readPrices(finance)).commitments).toMatchObject([{ id, paidMicros: "100000000" }]);

    // Over its whole term what was used and what was not is what was paid.
    await story.look("2026-11-11T00:00:00Z", { id: ID, status: "active" });
    await story.meter("2026-11-11T00:00:00Z");
    const [sums] = (await readPrices(finance)).commitments;
    expect(BigInt(sums?.usedMicros ?? 0) + BigInt(sums?.unusedMicros ?? 0)).toBe(100_000_000n);
    expect(sums?.coveredMinutes).toBe(10 * 1440);

    await removeCommitment(finance, { commitmentId: id });
    await story.meter("2026-11-11T00:00:30Z");
    expect(await loose()).toEqual([]);
    expect((await usage(ID)).slice(0, 1)).toEqual([
      { day: "2026-11-01", minutes: 1440, micros: "54960000", list: null, effective: null },
    ]);
  });
});

test("what bills at a price that nobody knows is named with its number", async () => {
  await story.look(
    "2026-11-03T00:01:00Z",
    { id: ID, status: "active" },
    { id: "odd", status: "active", typeName: "gpu_1x_odd" },
  );
  expect((await readPrices(finance)).unpriced).toEqual([{ sku: "gpu_1x_odd", region: "us-east-3", machines: 1 }]);
});
