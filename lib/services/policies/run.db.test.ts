import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { by, MINUTE, machine, NOON, person, system } from "@/lib/testing/alerting";
import {
  armed,
  decisions,
  endedNames,
  ends,
  HOUR,
  IDLE,
  idleMachine,
  lambdaAnswered,
  lookAt,
  policyHouse,
  report,
} from "@/lib/testing/policies";
import { keepTarget } from "./policies";
import { readPolicies, readPolicy } from "./read";
import { runPolicies } from "./run";

beforeEach(policyHouse);

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
