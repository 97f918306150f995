import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { forgetSetting } from "@/lib/db/settings";
import { writeSamples } from "@/lib/db/telemetry/write";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { resumeAutomation, stopAutomation } from "@/lib/services/policies/automation";
import { by, emptyHouse, MINUTE, machine, NOON, person, system, type TestMachine } from "@/lib/testing/alerting";
import { launchesStoppedBy } from "./launch-stop";
import { extendLease } from "./lease";
import { armPolicy, changePolicy, createPolicy, keepTarget, pausePolicy, shadowPolicy } from "./policies";
import { readPolicies, readPolicy } from "./read";
import { runPolicies } from "./run";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NONE = Object.fromEntries(WIDE_METRICS.map((metric) => [metric, null])) as Record<WideMetric, null>;

beforeEach(async () => {
  await emptyHouse();
  await prisma.setting.deleteMany({ where: { id: "automation" } });
  forgetSetting("automation");
});

/** A minute of a GPU each, up to an instant; `skip`: minutes ago that were never heard. */
async function report(target: TestMachine, to: number, minutes: number, pct = 0, skip: readonly number[] = []) {
  const rest = { throttleReasons: null, eccUncorrected: null, missing: null, quality: null };
  const rows = Array.from({ length: minutes }, (_, i) => minutes - 1 - i)
    .filter((ago) => !skip.includes(ago))
    .map((ago) => ({
      gpuId: target.gpuId,
      at: to - ago * MINUTE,
      values: { ...NONE, utilizationPct: pct, memoryUsedMib: 10 },
      ...rest,
    }));
  await writeSamples([{ sourceId: target.sourceId, rows }], new Date(to));
  await prisma.telemetrySource.update({ where: { id: target.sourceId }, data: { lastReceivedAt: new Date(to) } });
}

type How = { outside?: boolean; pct?: number; skip?: readonly number[]; minutes?: number };

/** A machine that was launched from here and has been empty for four hours, as the measure has it. */
async function idleMachine(name: string, { outside = false, pct = 0, skip = [], minutes = 130 }: How = {}) {
  const made = await machine(name, { workload: "dev" });
  const { connectionId } = await prisma.resource.findUniqueOrThrow({ where: { id: made.resourceId } });
  const intent = outside
    ? null
    : await prisma.intent.create({
        data: {
          id: randomUUID(),
          kind: "launch",
          state: "confirmed",
          connectionId,
          token: randomUUID(),
          request: {},
          planHash: new Uint8Array(32),
          requestedBy: "test",
          createdAt: new Date(NOON - DAY),
          sends: 1,
          sentAt: new Date(NOON - DAY),
          settledAt: new Date(NOON - DAY),
        },
      });
  await prisma.resource.update({
    where: { id: made.resourceId },
    data: { launchIntentId: intent?.id ?? null, idleSince: new Date(NOON - 4 * HOUR), idleKind: "empty" },
  });
  await prisma.gpuProcessSpan.create({
    data: { gpuId: made.gpuId, validFrom: new Date(NOON - DAY), lastSeenAt: new Date(NOON + DAY), processes: [] },
  });
  await report(made, NOON, minutes, pct, skip);
  return made;
}

async function lambdaAnswered(at: number) {
  await prisma.connection.updateMany({ data: { lastOkAt: new Date(at), lastPollAt: new Date(at), staleSince: null } });
}

/** One look of the worker. */
async function lookAt(at: number, isFresh = true) {
  await setTestClock(new Date(at));
  if (isFresh) await lambdaAnswered(at);
  await runPolicies(system(at));
}

const IDLE = { kind: "idle_termination", name: "Empty", params: { afterMinutes: 120, noticeMinutes: 0 } } as const;

/** A policy whose week is over, armed. */
async function armed(policy: object = IDLE): Promise<string> {
  const { id } = await createPolicy(system(NOON - 8 * DAY), NewPolicy.parse(policy));
  await armPolicy(system(NOON - HOUR), { policyId: id, version: 1 });
  return id;
}

const ends = () =>
  prisma.intent.findMany({ where: { kind: "terminate" }, include: { target: { include: { spans: true } } } });
const endedNames = async () => (await ends()).map(({ target }) => target?.spans[0]?.name).sort();
const decisions = async () =>
  (await prisma.policyAction.findMany({ orderBy: { decidedAt: "asc" } })).map(({ decision }) => decision);

describe("an armed policy", () => {
  test("ends an empty machine, and none that is protected, silent, outside, busy, or has a minute missing", async () => {
    const policyId = await armed({ ...IDLE, maxPerHour: 10 });
    await idleMachine("empty");
    const safe = await idleMachine("protected");
    await prisma.resource.update({ where: { id: safe.resourceId }, data: { isProtected: true } });
    await idleMachine("outside", { outside: true });
    await idleMachine("gap", { skip: [70] });
    await idleMachine("late", { skip: [5] });
    await idleMachine("short", { minutes: 40 });
    const busy = await idleMachine("busy");
    await report(busy, NOON + 20_000, 1, 80);
    const silent = await machine("silent", { workload: "dev" });
    await prisma.resource.update({
      where: { id: silent.resourceId },
      data: { idleSince: new Date(NOON - 4 * HOUR), idleKind: "empty" },
    });
    await lookAt(NOON + 30_000);
    expect(await endedNames()).toEqual(["empty"]);
    const { policies } = await readPolicies(system(NOON + 30_000));
    const why = Object.fromEntries(policies[0]?.outlook.map(({ name, words }) => [name, words]) ?? []);
    expect(why.protected).toContain("protected");
    expect(why.outside).toContain("not launched from here");
    expect(why.gap ?? why.late).toBeDefined();
    const [act] = await prisma.policyAction.findMany({ where: { policyId, decision: "acted" } });
    expect(act?.intentId).toBe((await ends())[0]?.id);
  });

  test("two workers at once, again and again: one act, one request, and no more of them an hour than it may", async () => {
    await armed({ ...IDLE, maxPerHour: 1 });
    for (const name of ["a", "b", "c"]) await idleMachine(name);
    await setTestClock(new Date(NOON));
    await lambdaAnswered(NOON);
    for (let turn = 0; turn < 3; turn++)
      await Promise.all([1, 2, 3].map(() => runPolicies(system(NOON + turn * 30_000))));
    expect(await ends()).toHaveLength(1);
    expect((await decisions()).filter((decision) => decision === "acted")).toHaveLength(1);
  });

  test("says beforehand what it will do; what somebody keeps is kept, the rest is done when its hour has come", async () => {
    const policyId = await armed({ ...IDLE, params: { afterMinutes: 120, noticeMinutes: 10 } });
    const [kept, other] = [await idleMachine("kept"), await idleMachine("other")];
    await lookAt(NOON);
    expect(await decisions()).toEqual(["planned", "planned"]);
    const { acts } = await readPolicy(system(NOON), { policyId });
    const announced = acts.find(({ resourceId }) => resourceId === kept.resourceId);
    const ada = await person("Ada", "on_call");
    await keepTarget(by(ada, NOON), {
      policyId,
      target: kept.resourceId,
      slot: announced?.slot ?? 0,
      reason: "in use",
    });
    for (const at of [NOON + 5 * MINUTE, NOON + 11 * MINUTE]) {
      for (const one of [kept, other]) await report(one, at, 6);
      await lookAt(at + 10_000);
      expect(await endedNames()).toEqual(at < NOON + 10 * MINUTE ? [] : ["other"]);
    }
  });

  test("what it announced is taken back when work comes", async () => {
    await armed({ ...IDLE, params: { afterMinutes: 120, noticeMinutes: 30 } });
    const one = await idleMachine("one");
    await lookAt(NOON);
    await report(one, NOON + MINUTE, 1, 90);
    await prisma.resource.update({ where: { id: one.resourceId }, data: { idleSince: null, idleKind: null } });
    await lookAt(NOON + 90_000);
    expect(await decisions()).toEqual(["cancelled"]);
  });

  test("a worker that stopped between the act and its request finishes it once", async () => {
    const policyId = await armed();
    const one = await idleMachine("one");
    await prisma.policyAction.create({
      data: {
        policyId,
        target: one.resourceId,
        resourceId: one.resourceId,
        slot: new Date(NOON - 2 * HOUR),
        decision: "acted",
        reason: "It has been empty.",
        evidence: { name: "one", act: "terminate", dueAt: NOON - 2 * HOUR, priceMicros: null },
        decidedAt: new Date(NOON - 2 * MINUTE),
      },
    });
    await lookAt(NOON);
    await lookAt(NOON + 30_000);
    expect(await ends()).toHaveLength(1);
    expect(await prisma.policyAction.findMany({ select: { decision: true, intentId: true } })).toEqual([
      { decision: "acted", intentId: (await ends())[0]?.id },
    ]);
  });
});

test("a lease that is over and an evening that has come end what is heard and does nothing", async () => {
  await armed({ kind: "lease", name: "Leases", params: { noticeMinutes: 0, warnHours: 1 } });
  await armed({
    kind: "schedule",
    name: "Hours",
    selector: { instance: "evening" },
    params: { days: [5], from: "08:00", to: "12:00", noticeMinutes: 0 },
  });
  const leased = await idleMachine("leased");
  await idleMachine("evening");
  await prisma.resource.update({ where: { id: leased.resourceId }, data: { leaseUntil: new Date(NOON + 10_000) } });
  await lookAt(NOON - 30_000);
  expect(await endedNames()).toEqual([]);
  await lookAt(NOON + 30_000);
  // Half an hour's notice is the least where a warning of an hour came late.
  expect(await endedNames()).toEqual(["evening"]);
  await report(leased, NOON + 31 * MINUTE, 31);
  await lookAt(NOON + 31 * MINUTE);
  expect(await endedNames()).toEqual(["evening", "leased"]);
});

describe("nothing is ended", () => {
  test.each<[string, (one: TestMachine) => Promise<void>]>([
    [
      "while Lambda does not answer",
      async (one) => {
        await report(one, NOON + 10 * MINUTE, 10);
        await lookAt(NOON + 10 * MINUTE, false);
      },
    ],
    ["after an outage of the collector", () => lookAt(NOON + 3 * HOUR)],
    ["when the clock jumps a day ahead", () => lookAt(NOON + DAY)],
    [
      "when the clock goes back",
      async () => {
        await lookAt(NOON + 3 * HOUR);
        await lookAt(NOON - HOUR);
      },
    ],
    [
      "at once, when an outage is over and the reports are back",
      async (one) => {
        await report(one, NOON + 3 * HOUR, 20);
        await lookAt(NOON + 3 * HOUR);
      },
    ],
  ])("%s", async (_, happens) => {
    await lambdaAnswered(NOON);
    await armed();
    const one = await idleMachine("one");
    await prisma.resource.update({
      where: { id: one.resourceId },
      data: { leaseUntil: new Date(NOON + MINUTE) },
    });
    await armed({ kind: "lease", name: "Leases", params: { noticeMinutes: 0, warnHours: 1 } });
    await armed({
      kind: "schedule",
      name: "Hours",
      params: { days: [5], from: "08:00", to: "12:00", noticeMinutes: 0, endBusy: true },
    });
    await happens(one);
    expect(await ends()).toEqual([]);
    expect(await decisions()).not.toContain("acted");
  });

  test("while all automation is stopped; anyone on call stops it, an admin lets it go on", async () => {
    await armed();
    await idleMachine("one");
    const [ada, ben, root] = [
      await person("Ada", "on_call"),
      await person("Ben", "operator"),
      await person("Root", "admin"),
    ];
    await expect(stopAutomation(by(await person("Vera", "viewer"), NOON), { reason: "x" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await stopAutomation(by(ada, NOON), { reason: "it ends what is used" });
    await expect(stopAutomation(by(ben, NOON), { reason: "again" })).rejects.toMatchObject({ code: "conflict" });
    await lookAt(NOON);
    expect(await ends()).toEqual([]);
    expect((await readPolicies(system(NOON))).automation).toMatchObject({ stoppedAt: NOON, by: "Ada" });
    await resumeAutomation(by(root, NOON + MINUTE), { reason: "" });
    await lookAt(NOON + MINUTE);
    expect(await ends()).toHaveLength(1);
    expect(
      await prisma.auditEvent.findMany({ where: { subjectId: "automation" }, orderBy: { seq: "asc" } }),
    ).toMatchObject([
      { action: "automation.stopped", actor: "Ada", reason: "it ends what is used" },
      { action: "automation.resumed", actor: "Root" },
    ]);
  });
});

describe("the week in shadow", () => {
  test("is waited for by everybody, and by the database", async () => {
    const root = await person("Root", "admin");
    const { id } = await createPolicy(by(root, NOON - 6 * DAY), NewPolicy.parse(IDLE));
    const fresh = { ...root, signedInAt: new Date(NOON) };
    await expect(armPolicy(by(fresh, NOON), { policyId: id, version: 1 })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("nobody may skip"),
    });
    await expect(
      prisma.policy.update({ where: { id }, data: { mode: "armed", armedAt: new Date(NOON) } }),
    ).rejects.toThrow(/policy_week/);
    await expect(
      armPolicy(by(await person("Ben", "operator"), NOON), { policyId: id, version: 1 }),
    ).rejects.toMatchObject({ code: "forbidden" });
  });

  test("begins anew when what it does is changed, and when it was paused within it", async () => {
    const id = await armed();
    const policy = NewPolicy.parse(IDLE);
    const renamed = await changePolicy(system(NOON), {
      policyId: id,
      version: 2,
      policy: { ...policy, name: "Still empty" },
    });
    expect(renamed.restarted).toBe(false);
    const { restarted } = await changePolicy(system(NOON), {
      policyId: id,
      version: 3,
      policy: NewPolicy.parse({ ...IDLE, params: { afterMinutes: 60, noticeMinutes: 0 } }),
    });
    expect(restarted).toBe(true);
    expect(await prisma.policy.findUnique({ where: { id } })).toMatchObject({
      mode: "shadow",
      shadowSince: new Date(NOON),
    });
    await pausePolicy(system(NOON + DAY), { policyId: id, version: 4 });
    await shadowPolicy(system(NOON + 8 * DAY), { policyId: id, version: 5 });
    expect(await prisma.policy.findUnique({ where: { id } })).toMatchObject({ shadowSince: new Date(NOON + 8 * DAY) });
    const { versions } = await readPolicy(system(NOON + 8 * DAY), { policyId: id });
    expect(versions.map(({ version, mode }) => [version, mode])).toEqual([
      [6, "shadow"],
      [5, "paused"],
      [4, "shadow"],
      [3, "armed"],
      [2, "armed"],
      [1, "shadow"],
    ]);
  });

  test("would have ended, counts what that saves, and stops counting when work comes", async () => {
    await createPolicy(system(NOON - 8 * DAY), NewPolicy.parse(IDLE));
    const one = await idleMachine("one");
    await lookAt(NOON);
    await lookAt(NOON + 30_000);
    expect(await decisions()).toEqual(["would_act"]);
    await report(one, NOON + HOUR, 60);
    await lookAt(NOON + HOUR);
    const tally = async () => (await readPolicies(system(NOON + HOUR))).policies[0]?.tally;
    expect(await tally()).toMatchObject({ wouldAct: 1, machines: 1, savedMicros: "2290000", resumed: 0 });
    await report(one, NOON + 2 * HOUR, 60, 90);
    await lookAt(NOON + 2 * HOUR);
    await lookAt(NOON + 2 * HOUR + MINUTE);
    expect(await tally()).toMatchObject({ wouldAct: 1, savedMicros: "4580000", resumed: 1 });
    expect(await ends()).toEqual([]);
  });
});

test("an armed guard of a spent budget stops launches, and no other does", async () => {
  const budget = await prisma.budget.create({
    data: {
      name: "Fleet",
      micros: 1n,
      selector: {},
      fromDay: new Date("2026-11-01"),
      createdAt: new Date(NOON),
      updatedAt: new Date(NOON),
    },
  });
  const one = await machine("gh-1");
  const guard = { kind: "budget_guard", name: "Guard", params: { budgetId: budget.id, pct: 100 } };
  await createPolicy(system(NOON - 8 * DAY), NewPolicy.parse(guard));
  expect(await launchesStoppedBy(new Date(NOON))).toBeNull();
  await armed({ ...guard, params: { ...guard.params, act: "ask" } });
  const { id: priceId } = await prisma.price.create({
    data: {
      provider: "lambda",
      sku: `test-${randomUUID()}`,
      region: "*",
      unit: "instance_hour",
      micros: 2_290_000n,
      source: "api",
      validFrom: new Date(NOON - DAY),
      recordedAt: new Date(NOON - DAY),
    },
  });
  await prisma.ledgerRow.create({
    data: {
      key: randomUUID(),
      priceId,
      resourceId: one.resourceId,
      charge: "usage",
      day: new Date("2026-11-20"),
      period: new Date("2026-11-01"),
      ownerId: 0,
      startsAt: new Date(NOON - HOUR),
      endsAt: new Date(NOON),
      minutes: 60,
      micros: 2_290_000n,
      lowMicros: 2_290_000n,
      highMicros: 2_290_000n,
    },
  });
  const stop = await launchesStoppedBy(new Date(NOON));
  expect(stop).toMatchObject({ policy: "Guard", act: "ask", words: expect.stringContaining("Fleet is") });
  await stopAutomation(system(NOON), { reason: "x" });
  forgetSetting("automation");
  expect(await launchesStoppedBy(new Date(NOON))).toBeNull();
});

test("a lease is extended by whoever may, no further than they may, and never into the past", async () => {
  const one = await machine("gh-1");
  const [ada, ben, vera] = [
    await person("Ada", "on_call"),
    await person("Ben", "operator"),
    await person("Vera", "viewer"),
  ];
  const set = (who: typeof ada, until: number | null) =>
    extendLease(by(who, NOON), { instanceId: one.resourceId, until, reason: "" });
  await expect(set(vera, NOON + DAY)).rejects.toMatchObject({ code: "forbidden" });
  await expect(set(ada, NOON + 20 * DAY)).rejects.toMatchObject({ code: "forbidden" });
  await expect(set(ada, null)).rejects.toMatchObject({ code: "forbidden" });
  await expect(set(ben, NOON - 1)).rejects.toMatchObject({ code: "invalid" });
  await set(ada, NOON + 3 * DAY);
  expect(await prisma.resource.findUnique({ where: { id: one.resourceId } })).toMatchObject({
    leaseUntil: new Date(NOON + 3 * DAY),
  });
  await set(ben, null);
  expect(await prisma.auditEvent.findMany({ where: { subjectId: one.resourceId } })).toMatchObject([
    { action: "lease.extended", actor: "Ada" },
    { action: "lease.lifted", actor: "Ben" },
  ]);
});
