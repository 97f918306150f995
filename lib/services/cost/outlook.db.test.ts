import { beforeAll, describe, expect, test } from "vitest";
import { transact } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { NewBudget } from "@/lib/domain/cost/budgets";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { armPolicy, createPolicy } from "@/lib/services/policies/policies";
import { as, lastAudit } from "@/lib/testing/people";
import { count, rows } from "@/lib/testing/world";
import { findCostAnomalies, readAnomalies, recentAnomalies } from "./anomalies";
import { budgetStates, changeBudget, createBudget, readBudget, readBudgets, removeBudget } from "./budgets";
import { keepDailyForecasts } from "./forecasts";
import { readForecastScores, scoreForecasts } from "./score";
import { Story, TYPE } from "./story.testing";
import { readUnits } from "./units";
import { readWaste } from "./waste";

const ctx = (at: string): Ctx => systemCtx("test", new Date(at));
const NOW = "2026-11-03T12:00:00Z";
const HOURLY = 2_290_000n;

/** Two teams with a machine each from 10 October on; on 2 November a third comes at noon and stays; a price rises on 1 November. */
let story: Story;
beforeAll(async () => {
  story = await Story.begin("2026-10-10T00:00:00Z");
  await setTestClock(new Date(NOW));
  await ensurePartitions(new Date("2026-11-01T00:00:00Z"), new Date(NOW));
  await story.priceList("2026-10-10T00:00:00Z", { [TYPE]: 229 });
  await story.storagePrice("2026-10-10T00:00:00Z", 200_000n);
  const machine = (id: string, team: string) => ({ id, status: "active", tags: { team } });
  const both = [machine("aaaaaaaa", "research"), machine("bbbbbbbb", "serving")];
  await story.look("2026-10-10T00:00:00Z");
  await story.look("2026-10-10T00:00:15Z", ...both);
  await story.filesystem("2026-10-10T00:00:00Z", { id: "f1f1f1f1", bytes: 500 * 2 ** 30 });
  await story.look("2026-11-02T11:59:45Z", ...both);
  await story.look("2026-11-02T12:00:00Z", ...both, machine("cccccccc", "research"));
  await story.look(NOW, ...both, machine("cccccccc", "research"));
  await story.filesystem(NOW, { id: "f1f1f1f1", bytes: 500 * 2 ** 30 });
  await story.meter(NOW);
});

const budget = (over: object) => NewBudget.parse({ name: "", selector: {}, every: "month", usd: "10000", ...over });

describe("budgets", () => {
  test("a team's is spent by its rows, forecast by what it runs, and crossed at its rate", async () => {
    const finance = await as("finance", new Date(NOW));
    const { id } = await createBudget(finance, budget({ selector: { team: "research" }, usd: "1000" }));
    expect(await lastAudit(id)).toMatchObject({ action: "budget.created", subject: "Team research" });
    const state = (await budgetStates(new Date(NOW))).find((one) => one.id === id);
    const spent = await rows<{ micros: string }>(
      "select sum(l.micros)::text as micros from ledger_row l join cost_owner o on o.id = l.owner_id where o.team = 'research' and l.period = '2026-11-01'",
    );
    expect(state?.spentMicros).toBe(BigInt(spent[0]?.micros ?? "0"));
    expect(state?.microsPerHour).toBe(2n * HOURLY);
    expect(state?.forecast.baseMicros).toBe((state?.spentMicros ?? 0n) + 2n * HOURLY * 660n);
    expect(state?.burnPct).toBe(329.76);
    const missing = 1_000_000_000n - (state?.spentMicros ?? 0n);
    const minutes = Math.ceil(Number((missing * 60n) / (2n * HOURLY)));
    expect(Math.abs((state?.crossesAt ?? 0) - Date.parse(NOW) - minutes * 60_000)).toBeLessThanOrEqual(60_000);
    const answer = await readBudget(finance, { budgetId: id });
    expect(answer.past).toMatchObject([{ fromDay: "2026-10-01", toDay: "2026-10-31", isPartlyKnown: true }]);
    expect(answer.acts).toHaveLength(1);
  });

  test("parts add up: the fleet's is the sum of the teams' and of what nobody was named for", async () => {
    const finance = await as("finance", new Date(NOW));
    await createBudget(finance, budget({}));
    await createBudget(finance, budget({ selector: { team: "serving" } }));
    await createBudget(finance, budget({ selector: { type: "storage" } }));
    const { budgets } = await readBudgets(finance);
    const spent = (scope: string) => BigInt(budgets.find((one) => one.scope === scope)?.spentMicros ?? "-1");
    expect(spent("The fleet")).toBe(spent("Team research") + spent("Team serving") + spent("Instance type storage"));
  });

  test("of two for the same scope and period nobody could say which one holds; an old look does not overwrite a new one", async () => {
    const finance = await as("finance", new Date(NOW));
    const week = { selector: { team: "serving" }, every: "week" };
    const { id } = await createBudget(finance, budget(week));
    await expect(createBudget(finance, budget(week))).rejects.toMatchObject({ code: "conflict" });
    await changeBudget(finance, { ...budget({ ...week, usd: "300" }), budgetId: id, version: 1 });
    expect(await lastAudit(id)).toMatchObject({
      action: "budget.changed",
      changes: { limitMicros: { from: "10000000000", to: "300000000" } },
    });
    await expect(changeBudget(finance, { ...budget(week), budgetId: id, version: 1 })).rejects.toMatchObject({
      code: "conflict",
    });
    await removeBudget(finance, { budgetId: id });
    await expect(readBudget(finance, { budgetId: id })).rejects.toMatchObject({ code: "not-found" });
    await expect(createBudget(await as("operator", new Date(NOW)), budget({ every: "year" }))).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

describe("forecasts", () => {
  test("are written once a day for the fleet and each team, from what was known at its midnight", async () => {
    await keepDailyForecasts(ctx(NOW));
    const kept = await rows<{ scope: string; day: string; base: string }>(
      "select scope, made_on::text as day, base_micros::text as base from forecast where month = '2026-11-01' order by 2, 1",
    );
    expect(kept.filter(({ day }) => day === "2026-11-02").map(({ scope }) => scope)).toEqual([
      "all",
      "team:",
      "team:research",
      "team:serving",
    ]);
    const research = kept.find(({ scope, day }) => scope === "team:research" && day === "2026-11-02");
    // A machine all through: at midnight nobody knew of the one that came at noon.
    expect(Number(research?.base) / 1e6).toBeCloseTo(2.29 * 720, 1);
    await keepDailyForecasts(ctx("2026-11-03T12:10:00Z"));
    expect(await count("select 1 from forecast where month = '2026-11-01'")).toBe(kept.length);
  });

  test("are not made before the meter has passed midnight", async () => {
    await keepDailyForecasts(ctx("2026-11-04T00:20:00Z"));
    expect(await count("select 1 from forecast where made_on = '2026-11-04'")).toBe(0);
  });

  test("are scored against the month as it came, and settled when it closes", async () => {
    const before = (await readForecastScores(new Date(NOW))).find(({ scope }) => scope === "all");
    expect(before).toMatchObject({ month: "2026-10", isOpen: true, count: 21 });
    expect(Number(before?.wmapePct)).toBeLessThan(0.1);
    const scores = await transact((tx) => scoreForecasts(tx, "2026-10"));
    expect(scores.find(({ scope }) => scope === "all")).toMatchObject({
      count: 21,
      wmapePct: before?.wmapePct,
      coveragePct: "100.00",
    });
    expect(await count("select 1 from forecast where month = '2026-10-01' and actual_micros is null")).toBe(0);
    expect(await count("select 1 from forecast where month = '2026-11-01' and actual_micros is not null")).toBe(0);
  });
});

describe("anomalies", () => {
  test("the day on which a machine came stands out, with the machine; looking again finds the same", async () => {
    await findCostAnomalies(ctx(NOW));
    await findCostAnomalies(ctx(NOW));
    const { rows: found } = await readAnomalies(ctx(NOW), {});
    expect(found.map(({ scope, day }) => `${scope} ${day}`).sort()).toEqual([
      "all 2026-11-02",
      "team:research 2026-11-02",
    ]);
    expect(found[0]).toMatchObject({
      severity: "info",
      causes: [{ dimension: "instance", key: "cccccccc" }, {}, {}, {}],
    });
    expect(Number(found[0]?.surplusMicros) / 1e6).toBeCloseTo(2.29 * 12, 1);
    expect((await recentAnomalies(new Date(NOW))).map(({ name }) => name).sort()).toEqual([
      "Team research",
      "The fleet",
    ]);
  });
});

describe("waste and units", () => {
  test("idle money is ranked by the month, silence is told by the ledger, a file system without a machine is found", async () => {
    await rows(
      `insert into usage_day (resource_id, day, billed_minutes, reported_minutes, busy_minutes, idle_empty_minutes, idle_held_minutes, idle_empty_micros, idle_held_micros, silent_minutes, throttled_minutes, utilised_minutes)
       select id, '2026-11-01', 1440, 1200, 960, 0, 240, 0, 9160000, 240, 60, 600 from resource where external_id = 'aaaaaaaa'`,
    );
    const { findings, totals, gpu, potentialMicros } = await readWaste(ctx(NOW), { days: 7 });
    expect(totals.idle_held).toEqual({ micros: "9160000", minutes: 240, resources: 1 });
    expect(totals.silent.micros).toBe("9160000");
    expect(totals.throttled.micros).toBe("2290000");
    const held = findings.find(({ kind }) => kind === "idle_held");
    const windowHours = (Date.parse(NOW) - Date.parse("2026-10-28T00:00:00Z")) / 3_600_000;
    expect(Number(held?.monthMicros)).toBeCloseTo((9_160_000 * 730) / windowHours, 0);
    expect(gpu).toMatchObject({ busyMicros: "2862500", utilisedMicros: "4580000" });
    expect(BigInt(potentialMicros)).toBeGreaterThanOrEqual(BigInt(held?.monthMicros ?? "0"));
    const silent = findings.find(({ kind }) => kind === "silent");
    expect(silent?.detail).toContain("has never reported");
  });

  test("a run's tokens have the price of its part of the ledger; what nobody counted has none", async () => {
    await rows(
      `insert into run (id, external_id, name, workload, resource_id, gpu_ids, started_at, ended_at, expected_ms, created_at, updated_at)
       select gen_random_uuid(), 'r1', 'r1', 'inference', id, '{}', '2026-11-01T00:00:00Z', '2026-11-01T10:00:00Z', 36000000, '2026-11-01', '2026-11-01' from resource where external_id = 'bbbbbbbb'`,
    );
    await rows(
      `with t as (insert into telemetry_source (id, kind, url, hostname, resource_id, interval_ms, first_seen_at, last_received_at)
         select gen_random_uuid(), 'scrape', 'http://h/metrics', 'h', id, 60000, '2026-11-01', '2026-11-02' from resource where external_id = 'bbbbbbbb' returning id),
       s as (insert into series (source_id, metric, labels, labels_hash, is_counter, run_id, first_at, last_at, last_value)
         select t.id, 'tokens_total', '{"model_name": "chat-8b"}', '\\x01', true, r.id, '2026-11-01', '2026-11-02', 5 from t, run r where r.external_id = 'r1' returning id)
       insert into series_hour (series_id, hour, n, sum, min, max, last, increase) select id, '2026-11-01T05:00:00Z', 60, 1, 0, 1, 1, 10000000 from s`,
    );
    const { groups, estimates, total } = await readUnits(ctx(NOW), { days: 7, by: "model" });
    expect(groups).toMatchObject([
      { key: "chat-8b", costMicros: "22900000", prices: { perMillionTokens: "2290000", perEpoch: null } },
    ]);
    expect(total).toMatchObject({ works: 1, unknown: 0 });
    expect(estimates).toMatchObject([
      { estimateMicros: "22900000", actualMicros: "22900000", offPct: 0, isGood: true },
    ]);
  });
});

test("the forecast of a day knows the leases and working hours that are armed on it; one that is made up for does not", async () => {
  const machines = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map((id) => ({ id, status: "active" }));
  await story.look("2026-11-05T00:15:00Z", ...machines);
  await story.meter("2026-11-05T00:15:00Z");
  await rows("update resource set lease_until = '2026-11-07T00:00:00Z' where external_id = 'bbbbbbbb'");
  const made = systemCtx("test", new Date("2026-10-20T00:00:00Z"));
  const { id } = await createPolicy(made, NewPolicy.parse({ kind: "lease", name: "Leases", params: {} }));
  await armPolicy(ctx("2026-11-01T00:00:00Z"), { policyId: id, version: 1 });
  await keepDailyForecasts(ctx("2026-11-05T00:20:00Z"));
  const kept = await rows<{ day: string; hours: number; planned: number }>(
    `select made_on::text as day, (inputs ->> 'planned')::int as planned,
            round((base_micros - (inputs ->> 'monthToDateMicros')::bigint)::numeric / ${HOURLY})::int as hours
     from forecast where scope = 'team:serving' and month = '2026-11-01' and made_on > '2026-11-03' order by 1`,
  );
  expect(kept).toEqual([
    { day: "2026-11-04", planned: 0, hours: 27 * 24 },
    { day: "2026-11-05", planned: 1, hours: 2 * 24 },
  ]);
});
