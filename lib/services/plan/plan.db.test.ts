import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Ctx } from "@/lib/domain/access";
import { CompareQuestion } from "@/lib/domain/plan/compare-view";
import { NewSpend, TargetsText } from "@/lib/domain/plan/mix";
import { NewQuote } from "@/lib/domain/plan/quote-input";
import { SCENARIO_EXAMPLES } from "@/lib/domain/plan/scenario-examples";
import { SpotQuestion } from "@/lib/domain/plan/spot-view";
import { readBudgets } from "@/lib/services/cost/budgets";
import { Story, TYPE } from "@/lib/services/cost/story.testing";
import { personAt } from "@/lib/testing/people";
import { rows } from "@/lib/testing/world";
import { readCompare } from "./compare";
import { enterSpend, importSpend, previewSpend, readMix, removeSpend, setTargets } from "./mix";
import { addQuote, importQuotes, judgeQuote, previewQuotes, readQuotes, withdrawQuote } from "./quotes";
import { budgetOfScenario, readScenario, readScenarios, scenarios } from "./scenarios";
import { readSpot } from "./spot";

const NOW = "2026-11-03T00:00:00Z";
const QUOTE = {
  provider: "Vultr",
  typeName: "GH200",
  gpu: "GH200",
  gpus: "1",
  gpuMemoryGb: "96",
  tier: "on_demand",
  unit: "gpu",
  price: "1.79",
  asOf: "2026-11-02",
  source: "price page",
  status: "confirmed",
};
const compare = (given: object) => CompareQuestion.parse(given);
let written = 0;
const acts = async () => {
  const all = await rows<{ id: string; action: string }>(
    "select id::text as id, action from audit_event where action ~ '^(quote|spend)' order by at, id",
  );
  return all.map(({ action }) => action).slice(written);
};

let finance: Ctx;
let viewer: Ctx;

/** A GH200 that ran all of the last day of October, and on, at $2.29. */
beforeAll(async () => {
  const story = await Story.begin("2026-10-30T20:00:00Z");
  await story.priceList("2026-10-30T20:00:00Z", { [TYPE]: 229 });
  await story.look("2026-10-30T23:59:45Z");
  await story.look("2026-10-31T00:00:30Z", { id: "a", status: "active" });
  await story.logged("2026-10-31T00:01:00Z", "launched", "a", "2026-10-31T00:00:00Z");
  await story.look("2026-11-02T12:00:00Z", { id: "a", status: "active" });
  await story.priceList("2026-11-02T23:59:00Z", { [TYPE]: 239 });
  await story.meter(NOW);
  finance = await personAt("finance", NOW);
  viewer = await personAt("viewer", NOW);
});

beforeEach(async () => {
  await prisma.quote.deleteMany();
  await prisma.otherSpend.deleteMany();
  written = 0;
  written = (await acts()).length;
});

describe("the price book of providers", () => {
  const gh200 = async (on?: string) =>
    (await readQuotes(finance, { on })).quotes.filter(({ model, isCurrent }) => model === "GH200" && isCurrent);

  test("Lambda's own list is live, and comes before what is bundled", async () => {
    const lambda = (await gh200()).filter(({ provider }) => provider === "lambda");
    expect(lambda).toMatchObject([{ micros: "2390000", state: "live", asOf: "2026-11-02", typeName: TYPE }]);
  });

  test("as it was known on a day: the price of that day, and nothing that was read later", async () => {
    const then = await gh200("2026-10-31");
    expect(then.filter(({ provider }) => provider === "lambda")).toMatchObject([{ micros: "2290000" }]);
    const old = await gh200("2025-12-01");
    expect(old.map(({ provider, micros }) => [provider, micros])).toEqual([["lambda", "1490000"]]);
  });

  test("a price by hand takes the place of the bundled one, is compared, and goes when it is taken back", async () => {
    await addQuote(finance, NewQuote.parse(QUOTE));
    const vultr = (await gh200()).filter(({ provider }) => provider === "vultr");
    expect(vultr).toMatchObject([{ micros: "1790000", state: "confirmed", by: "A finance", origin: "entered" }]);
    const { comparison } = await readCompare(finance, compare({ gpu: "GH200 96", hours: "10" }));
    expect(
      comparison?.offers.slice(0, 2).map(({ quote, total, against }) => [quote.provider, total.value, against?.value]),
    ).toEqual([
      ["lambda", "$23.90", undefined],
      ["vultr", "$17.90", "−$6.00"],
    ]);
    await withdrawQuote(finance, { quoteId: vultr[0]?.id ?? "" });
    expect((await gh200()).filter(({ provider }) => provider === "vultr")).toMatchObject([
      { micros: "1990000", origin: "bundled", state: "stale" },
    ]);
    expect(await acts()).toEqual(["quote.entered", "quote.withdrawn"]);
  });

  test("S1-03: a bundled price that somebody rejects stays to be seen and is compared no more", async () => {
    const [vultr] = (await gh200()).filter(({ provider }) => provider === "vultr");
    await judgeQuote(finance, { quoteId: vultr?.id ?? "", status: "rejected", note: "sold out for months" });
    const { comparison } = await readCompare(finance, compare({ gpu: "GH200 96" }));
    const offer = comparison?.offers.find(({ quote }) => quote.provider === "vultr");
    expect(offer).toMatchObject({ likeness: "none", remarks: ["rejected: sold out for months"] });
    const live = (await gh200()).find(({ state }) => state === "live");
    await expect(judgeQuote(finance, { quoteId: live?.id ?? "", status: "claimed", note: "" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("a file is looked at line by line, and written whole or not at all", async () => {
    const head = "provider,instance_type,gpu,gpu_count,gpu_mem_gb,price_unit,ondemand_usd_h,as_of,source";
    const good = "vultr,GH200,GH200,1,96,gpu,1.85,2026-11-01,list";
    const text = [head, good, "verda,1x,GH200,1,96,gpu,cheap,2026-11-01,list"].join("\n");
    expect(await previewQuotes(finance, { text })).toMatchObject({
      lines: [{ line: 2, provider: "vultr", change: "new" }],
      errors: [{ line: 3 }],
    });
    await expect(importQuotes(finance, { text })).rejects.toMatchObject({
      message: /^Line 3: .* Nothing was imported\.$/,
    });
    expect(await acts()).toEqual([]);
    const whole = [head, good].join("\n");
    expect(await importQuotes(finance, { text: whole })).toEqual({ written: 1, same: 0 });
    expect(await importQuotes(finance, { text: whole })).toEqual({ written: 0, same: 1 });
    expect(await previewQuotes(finance, { text: whole.replace("1.85", "1.80") })).toMatchObject({
      lines: [{ change: "changed", beforeMicros: "1850000" }],
    });
  });

  test("whoever may only look may not write", async () => {
    await expect(addQuote(viewer, NewQuote.parse(QUOTE))).rejects.toMatchObject({ code: "forbidden" });
    await expect(importQuotes(viewer, { text: "x" })).rejects.toMatchObject({ code: "forbidden" });
    expect((await readQuotes(viewer, {})).quotes.length).toBeGreaterThan(60);
  });
});

describe("what the book is asked", () => {
  test("a machine for a month of 730 hours", async () => {
    const { comparison, words } = await readCompare(finance, compare({ what: "machine", type: TYPE }));
    expect(words).toBe("730 h on 1 × GH200 96 GB, on demand");
    expect(comparison?.offers.find(({ isBase }) => isBase)?.total.value).toBe("$1,744.70");
  });

  test("last month's real fleet, from the ledger: a day of a GH200 at Lambda and at the cheapest like offer", async () => {
    const { fleet } = await readCompare(finance, compare({ what: "fleet" }));
    expect(fleet).toMatchObject({
      month: "2026-10",
      comparedMicros: "54960000",
      elsewhereMicros: "47760000",
      coveredPct: "100",
      stale: 1,
    });
    expect(fleet?.rows).toMatchObject([
      { typeName: TYPE, hours: "24.0", micros: "54960000", offer: { provider: "vultr" }, change: { value: "−$7.20" } },
    ]);
    const aws = await readCompare(finance, compare({ what: "fleet", to: "aws" }));
    expect(aws.fleet?.rows).toMatchObject([{ offer: null, change: null }]);
  });

  test("S1-25: spot is asked of those who have it; Lambda has none", async () => {
    const advice = await readSpot(finance, SpotQuestion.parse({ gpu: "H100 80", checkpoint: "30" }));
    expect(advice).toMatchObject({ choice: "spot", hasSpot: true, spotOffer: { tier: "spot" } });
    expect(advice.spotOffer?.provider).not.toBe("lambda");
    const none = await readSpot(finance, SpotQuestion.parse({ gpu: "A10 24" }));
    expect(none).toMatchObject({ choice: "on_demand", hasSpot: false, spot: null });
  });
});

describe("S4-22: shares of providers", () => {
  test("no data until a bill is typed or imported; then shares, distance and what would move", async () => {
    await setTargets(finance, TargetsText.parse({ text: "Lambda 60\nAWS 40" }));
    const before = await readMix(finance, { month: "2026-10" });
    expect(before).toMatchObject({ isPartial: true, totalMicros: "54960000" });
    expect(before.parts).toMatchObject([
      { provider: "lambda", micros: "54960000", source: "ledger", moveMicros: null },
      { provider: "aws", micros: null, source: "no data" },
    ]);
    await enterSpend(finance, NewSpend.parse({ provider: "AWS", month: "2026-10", amount: "45.04" }));
    const after = await readMix(finance, { month: "2026-10" });
    expect(after).toMatchObject({ isPartial: false, totalMicros: "100000000" });
    expect(after.parts).toMatchObject([
      { provider: "lambda", sharePermille: 550, offPermille: -50, moveMicros: "5040000" },
      { provider: "aws", sharePermille: 450, offPermille: 50, moveMicros: "-5040000" },
    ]);
    await removeSpend(finance, { provider: "aws", month: "2026-10" });
    expect(await readMix(finance, { month: "2026-10" })).toMatchObject({ isPartial: true });
    expect(await acts()).toEqual(["spend.entered", "spend.withdrawn"]);
  });

  test("bills from a file, whole or not at all; none of months to come", async () => {
    const text = "provider,month,amount_usd\ngcp,2026-09,10\naws,2026-12,5";
    await expect(importSpend(finance, { text })).rejects.toMatchObject({
      message: /^Line 3: 2026-12 is yet to come\. Nothing/,
    });
    expect(await importSpend(finance, { text: text.replace("2026-12", "2026-10") })).toEqual({ lines: 2 });
    expect((await previewSpend(finance, { text: text.replace("2026-12", "2026-10") })).lines).toMatchObject([
      { beforeMicros: "10000000" },
      { beforeMicros: "5000000" },
    ]);
    await expect(
      enterSpend(finance, NewSpend.parse({ provider: "aws", month: "2026-12", amount: "1" })),
    ).rejects.toMatchObject({ fields: { month: "is yet to come" } });
  });
});

describe("scenarios", () => {
  test("are kept by name, shared by link, worked out the same for everybody, and make a budget", async () => {
    const [example] = SCENARIO_EXAMPLES;
    const { id } = await scenarios.create(finance, { name: "Next year", isShared: true, body: example?.body });
    const seen = await readScenario(viewer, { id });
    expect(seen).toMatchObject({ name: "Next year", isOwn: false, result: { monthlyMicros: "5224672000" } });
    expect((await readScenarios(viewer)).scenarios.map(({ name }) => name)).toEqual(["Next year"]);
    await expect(budgetOfScenario(viewer, { id, name: "", scope: "fleet", value: "" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(budgetOfScenario(finance, { id, name: "", scope: "team", value: "" })).rejects.toMatchObject({
      code: "invalid",
    });
    await budgetOfScenario(finance, { id, name: "", scope: "team", value: "research" });
    const { budgets } = await readBudgets(finance);
    expect(budgets).toMatchObject([
      { name: "Next year", limitMicros: "5224672000", every: "month", selector: { team: "research" } },
    ]);
  });

  test("one that is not of months makes no budget; a body that cannot be read is refused", async () => {
    const training = SCENARIO_EXAMPLES.find(({ key }) => key === "training-70b");
    const { id } = await scenarios.create(finance, { name: "70B", isShared: false, body: training?.body });
    await expect(budgetOfScenario(finance, { id, name: "", scope: "fleet", value: "" })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(
      scenarios.create(finance, { name: "no", isShared: false, body: { kind: "costs" } }),
    ).rejects.toMatchObject({ code: "invalid" });
  });
});
