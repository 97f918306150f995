import { beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { recordFailedPoll } from "@/lib/db/fleet/connection";
import { readSetting } from "@/lib/db/settings";
import { systemCtx } from "@/lib/domain/access";
import { emptyDatabase } from "@/lib/testing/empty";
import { stubEnv } from "@/lib/testing/env";
import { as, lastAudit } from "@/lib/testing/people";
import { instance } from "@/lib/testing/senders";
import { count } from "@/lib/testing/world";
import { lambdaConnection } from "./fleet/lambda";
import { recordListing } from "./fleet/poll";
import { readHealth } from "./health";
import { prepareHouse } from "./house";
import {
  changeAccountingZone,
  changeAnomalies,
  changeRetention,
  changeSessionLimits,
  changeStoragePrice,
  readConnection,
  readSettings,
} from "./settings";
import { readHouse } from "./settings-house";

stubEnv({ LAMBDA_API_KEY: "secret_canary_0123456789abcdefWXYZ" });

let now = new Date("2026-11-20T12:00:00Z");
const system = () => systemCtx("test", now);

beforeEach(async () => {
  now = new Date(now.getTime() + 3_600_000);
  await emptyDatabase();
  await setTestClock(now);
  await prepareHouse(system());
});

const HOUR = 3_600_000;
const limits = { idleMs: HOUR / 2, absoluteMs: 12 * HOUR };

test("finance sets the least anomaly; it stands, is said with before and after, and other processes' memory is not in the way", async () => {
  const finance = await as("finance", now);
  expect(await readSetting("anomalies")).toEqual({ minMicros: "5000000" });
  await changeAnomalies(finance, { minMicros: "25000000" });
  expect((await readSettings(finance)).anomalies).toEqual({ minMicros: "25000000" });
  expect(await readSetting("anomalies")).toEqual({ minMicros: "25000000" });
  expect(await lastAudit("anomalies")).toEqual({
    action: "setting.changed",
    actor: finance.actor.name,
    subject: "Anomalies",
    changes: { minMicros: { from: "5000000", to: "25000000" } },
    ip: "192.0.2.7",
  });
});

test("each setting is for its roles and for no others", async () => {
  const acts = {
    anomalies: { may: ["finance", "admin"], act: (ctx) => changeAnomalies(ctx, { minMicros: "1" }) },
    zone: {
      may: ["finance", "admin"],
      act: (ctx) => changeAccountingZone(ctx, { zone: "Asia/Tokyo", price: "current" }),
    },
    price: { may: ["finance", "admin"], act: (ctx) => changeStoragePrice(ctx, { micros: 200_000n }) },
    retention: {
      may: ["admin"],
      act: (ctx) => changeRetention(ctx, { samplesDays: 3, distributionsDays: 3, hoursDays: 60 }),
    },
    session: { may: ["admin"], act: (ctx) => changeSessionLimits(ctx, limits) },
  } satisfies Record<string, { may: string[]; act: (ctx: Awaited<ReturnType<typeof as>>) => Promise<unknown> }>;
  for (const role of ["viewer", "finance", "on_call", "operator", "admin"] as const) {
    const ctx = await as(role, now);
    await readSettings(ctx);
    for (const [name, { may, act }] of Object.entries(acts)) {
      const before = await prisma.auditEvent.count();
      const code = await act(ctx).then(
        () => "done",
        (error: { code: string }) => error.code,
      );
      const isAllowed = (may as string[]).includes(role);
      expect({ role, name, code }).toEqual({ role, name, code: isAllowed ? "done" : "forbidden" });
      expect(await prisma.auditEvent.count()).toBe(before + (isAllowed ? 1 : 0));
    }
  }
});

test("older versions of a setting stay on record", async () => {
  const admin = await as("admin", now);
  for (const samplesDays of [30, 20, 10])
    await changeRetention(admin, { samplesDays, distributionsDays: 60, hoursDays: 730 });
  const versions = await count("select 1 from row_version where table_name = 'setting' and row_id = 'retention'");
  expect(versions).toBeGreaterThanOrEqual(2);
  expect((await readSettings(admin)).retention.samplesDays).toBe(10);
});

test("session limits hold for sessions that are open", async () => {
  const admin = await as("admin", now);
  await changeSessionLimits(admin, limits);
  expect(await readSetting("session")).toEqual(limits);
});

test("two changes at the same moment: both are said, one stands", async () => {
  const admin = await as("admin", now);
  await Promise.all(["1", "2", "3"].map((minMicros) => changeAnomalies(admin, { minMicros })));
  const said = "select 1 from audit_event where action = 'setting.changed' and actor_id = $1";
  expect(await count(said, [admin.actor.id])).toBe(3);
  expect(["1", "2", "3"]).toContain((await readSettings(admin)).anomalies.minMicros);
});

test("another zone opens the whole ledger again", async () => {
  const { ids } = (await recordListing(system(), await lambdaConnection(now), [instance("gh-1")], 5)) ?? {};
  await prisma.resource.update({ where: { id: ids?.get("gh-1") ?? "" }, data: { meteredFinal: true } });
  await changeAccountingZone(await as("finance", now), { zone: "America/Los_Angeles", price: "current" });
  expect(await count("select 1 from resource where metered_final")).toBe(0);
});

test("the first storage price holds for the past, the next from now on; figures never change", async () => {
  const finance = await as("finance", now);
  expect((await readSettings(finance)).storagePrice).toBeNull();
  await changeStoragePrice(finance, { micros: 200_000n });
  expect((await readSettings(finance)).storagePrice).toEqual({ micros: "200000", since: now.getTime() });
  await expect(changeStoragePrice(finance, { micros: 200_000n })).resolves.toEqual({ micros: "200000" });
  const later = { ...finance, now: new Date(now.getTime() + HOUR) };
  await changeStoragePrice(later, { micros: 250_000n });
  const prices = await prisma.price.findMany({ where: { unit: "gib_month" }, orderBy: { validFrom: "asc" } });
  expect(prices.map(({ micros, validFrom, validTo }) => [micros, validFrom.getTime(), validTo?.getTime()])).toEqual([
    [200_000n, 0, later.now.getTime()],
    [250_000n, later.now.getTime(), undefined],
  ]);
  // Within the same instant there is no room for another price.
  await expect(changeStoragePrice(later, { micros: 300_000n })).rejects.toMatchObject({ code: "conflict" });
});

test("Settings shows the ends of the keys, how the looks went, and never a key", async () => {
  const viewer = await as("viewer", now);
  const connection = await lambdaConnection(now);
  await recordListing(system(), connection, [instance("gh-1")], 212);
  const answer = await readConnection(viewer);
  expect(answer.lambda).toMatchObject({
    keyLast4: "WXYZ",
    mutateKeyLast4: null,
    lastOkAt: now.getTime(),
    instances: 1,
    tookMs: 212,
    failed24h: 0,
    staleSince: null,
    isFrozen: false,
  });
  expect(JSON.stringify(answer)).not.toContain("canary");
  const later = new Date(now.getTime() + 5 * 60_000);
  await recordFailedPoll({
    connectionId: connection.id,
    at: later,
    outcome: "unauthorised",
    durationMs: 9,
    error: "401",
  });
  expect((await readConnection({ ...viewer, now: later })).lambda).toMatchObject({
    failed24h: 1,
    isFrozen: true,
    error: "401",
    lastOkAt: now.getTime(),
    staleSince: expect.any(Number),
  });
});

test("what runs here can be read by everyone", async () => {
  const house = await readHouse(await as("viewer", now));
  expect(house.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(house.database).toMatchObject({ version: expect.stringMatching(/^\d+/), bytes: expect.any(Number) });
  expect(house.telemetry.map(({ table }) => table)).toEqual([
    "gpu_chunk",
    "gpu_hour",
    "gpu_sample",
    "metric_dist",
    "metric_dist_hour",
    "series_hour",
    "series_sample",
  ]);
});

test("health is good only when all serve, and says which part does not", async () => {
  const failing = async () => (await readHealth()).checks.filter((check) => !check.isOk).map((check) => check.name);
  expect(await failing()).toEqual(["worker", "inventory"]);
  await prisma.workerJob.create({ data: { name: "poll-instances", startedAt: now } });
  const connection = await lambdaConnection(now);
  await recordListing(system(), connection, [instance("gh-1")], 5);
  expect(await failing()).toEqual(["telemetry"]);
  expect((await readHealth()).isOk).toBe(false);
  await recordListing(
    systemCtx("test", new Date(now.getTime() + 1_000)),
    connection,
    [instance("gh-1", { status: "booting", rawStatus: "booting" })],
    5,
  );
  expect(await readHealth()).toMatchObject({ isOk: true });
  await setTestClock(new Date(now.getTime() + 61_000));
  expect(await failing()).toContain("worker");
});
