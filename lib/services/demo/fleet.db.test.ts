import { afterAll, beforeAll, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { readFleet } from "@/lib/services/fleet/read";
import { DEFAULT_KEY, type Simulator } from "@/lib/simulator/start";
import { startTestCloud } from "@/lib/simulator/testing";
import { stubEnv, unstubEnv } from "@/lib/testing/env";
import { count, rows, told } from "@/lib/testing/world";
import { seedDemo } from "./seed";

const DAY = 24 * 3_600_000;
/** Long enough to hold an idle weekend. */
const DAYS = 9;

let cloud: Simulator;
let now = 0;
let tookMs = 0;
let seeded: Awaited<ReturnType<typeof seedDemo>>;

beforeAll(async () => {
  cloud = await startTestCloud({ scenario: "demo", days: DAYS, behaviour: { bootMs: "lambda" } });
  cloud.cloud.state.prices.gpu_1x_gh200 = [
    { from: 0, value: 149 },
    { from: cloud.cloud.now() - 4 * DAY, value: 229 },
  ];
  stubEnv({
    LAMBDA_API_URL: cloud.apiUrl,
    LAMBDA_API_KEY: DEFAULT_KEY,
    HOPPERDECK_MODE: "demo",
    PUBLIC_URL: "http://127.0.0.1:9",
    TEST_CLOCK: "1",
  });
  now = cloud.cloud.now();
  await setTestClock(new Date(now));
  const began = performance.now();
  seeded = await seedDemo(systemCtx("demo", new Date(now)), cloud.adminUrl, DAYS);
  tookMs = performance.now() - began;
}, 180_000);
afterAll(async () => {
  await cloud.close();
  unstubEnv();
});

const fleet = () => readFleet(systemCtx("test", new Date(now)));

test("it is told within a minute, once", async () => {
  expect(seeded).toMatchObject({ isNew: true });
  expect(seeded.samples).toBeGreaterThan(150_000);
  expect(await count("select 1 from gpu_sample")).toBe(seeded.samples);
  expect(tookMs).toBeLessThan(60_000);
  const again = await seedDemo(systemCtx("demo", new Date(now)), cloud.adminUrl, DAYS);
  expect(again).toEqual({ isNew: false, samples: 0, machines: 0 });
});

test("three GH200 in us-east-3 are its heart, with teams, work and telemetry", async () => {
  const { rows: shown } = await fleet();
  const heart = shown.filter((row) => row.typeName === "gpu_1x_gh200" && row.region === "us-east-3" && !row.isGone);
  expect(heart.map(({ name }) => name).sort()).toEqual(["gh-serve-01", "gh-train-01", "gh-train-02"]);
  for (const row of heart) {
    expect(row).toMatchObject({ status: "active", isBilled: true, telemetry: { state: "reporting" } });
    expect(row.memoryTotalMib).toBe(97_871);
    expect(row.labels.team).not.toBe("");
  }
  expect(shown.some((row) => row.typeName === "gpu_8x_h100_sxm5" && row.gpus === 8)).toBe(true);
});

test("the price of a GH200 rose once, and everything before was metered at the old one", async () => {
  const prices = await rows<{ id: number; micros: string; from: Date; to: Date | null }>(
    "select id, micros::text, valid_from as from, valid_to as to from price where sku = 'gpu_1x_gh200' order by valid_from",
  );
  expect(prices.map(({ micros }) => micros)).toEqual(["1490000", "2290000"]);
  const [before, after] = prices;
  expect(before?.to).toEqual(after?.from);
  const changedAt = after?.from ?? new Date(0);
  // A minute takes the price in force when it starts.
  const lastMinute = new Date(changedAt.getTime() + 60_000);
  expect(await count("select 1 from ledger_row where price_id = $1 and ends_at >= $2", [before?.id, lastMinute])).toBe(
    0,
  );
  expect(await count("select 1 from ledger_row where price_id = $1 and starts_at < $2", [after?.id, changedAt])).toBe(
    0,
  );
  expect(await count("select 1 from ledger_row where price_id = $1", [before?.id])).toBeGreaterThan(0);
  expect(
    (await told(0)).filter(({ action, subject }) => action === "price.changed" && subject === "gpu_1x_gh200"),
  ).toHaveLength(1);
});

test("one machine was started elsewhere: no mark of ours, no agent, no team, and it bills", async () => {
  const { rows: shown } = await fleet();
  // Machines that were there before anybody looked were launched by nobody knows whom.
  const outside = shown.filter((row) => !row.isOurs && !row.isGone && row.launchedBy !== null);
  expect(outside).toMatchObject([
    { name: "tmp benchmark", isBilled: true, telemetry: { state: "never" }, labels: { team: "" } },
  ]);
});

test("one agent is silent while its machine bills, and an alert says so", async () => {
  const { rows: shown } = await fleet();
  expect(shown.filter((row) => row.telemetry.state === "silent").map(({ name }) => name)).toEqual(["a100-batch-01"]);
  const open = await rows<{ target: string }>(
    `select a.target_name as target from alert a join alert_rule r on r.id = a.rule_id
     where r.metric = 'overdueMs' and a.resolved_at is null and a.fired_at is not null`,
  );
  expect(new Set(open.map(({ target }) => target))).toContain("a100-batch-01");
});

test("a weekend was idle with its memory held, and it is money", async () => {
  const idle = await rows<{ name: string; minutes: number; micros: string }>(
    `select s.name, sum(u.idle_held_minutes)::int as minutes, sum(u.idle_held_micros)::text as micros
     from usage_day u join resource_span s on s.resource_id = u.resource_id and s.valid_to is null where s.name = 'gh-train-01' group by 1`,
  );
  expect(idle[0]?.minutes).toBeGreaterThan(40 * 60);
  expect(BigInt(idle[0]?.micros ?? 0)).toBeGreaterThan(80_000_000n);
});

test("what is derived agrees with what it comes from", async () => {
  expect(
    await count(
      `select gpu_id, date_trunc('hour', at, 'UTC') as hour, count(*)::int from gpu_sample
       where at < (select max(hour) + interval '1 hour' from telemetry_hour) group by 1, 2
       except select gpu_id, hour, samples::int from gpu_hour`,
    ),
  ).toBe(0);
});
