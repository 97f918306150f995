import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import {
  by,
  emptyHouse,
  evaluateAt,
  MINUTE,
  machine,
  measure,
  NOON,
  person,
  rule,
  run,
  SECOND,
} from "@/lib/testing/alerting";
import { acknowledgeAlert } from "./acknowledge";
import { assignAlert, assignAlerts, readAssignable, snoozeAlert } from "./assign";
import { settleAlertCosts } from "./costs";
import { explainAlert } from "./explain";
import { mergeAlerts, unmergeAlert } from "./incidents";
import { readAlert, readInbox } from "./read";

beforeEach(emptyHouse);

/** So many machines that fire from noon on; their alerts in the order of their names. */
async function firing(count: number): Promise<string[]> {
  await rule();
  for (let i = 0; i < count; i++) await run(await machine(`gh-${i}`), NOON + i * 10 * SECOND, [90]);
  return (await prisma.alert.findMany({ orderBy: { targetName: "asc" } })).map(({ id }) => id);
}

const at = (minutes: number) => NOON + minutes * MINUTE;
// The trail outlives the house.
const audited = async (action: string) => {
  const ids = (await prisma.alert.findMany({ select: { id: true } })).map(({ id }) => id);
  return prisma.auditEvent.findMany({ where: { action, subjectId: { in: ids } } });
};

describe("assigning", () => {
  test("names who looks after it, once, and says so in history, inbox and trail", async () => {
    const [alertId = ""] = await firing(1);
    const [ada, ben] = [await person("Ada", "operator"), await person("Ben", "on_call")];
    await assignAlert(by(ada, at(1)), { alertId, assigneeId: ben.id });
    await expect(assignAlert(by(ada, at(2)), { alertId, assigneeId: ben.id })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Ben"),
    });
    expect((await readInbox(by(ada, at(2)))).rows).toMatchObject([{ part: "firing", assignee: { name: "Ben" } }]);
    expect((await readAlert(by(ada, at(2)), { alertId })).history.at(-1)).toMatchObject({
      kind: "assigned",
      actor: "Ada",
      note: "to Ben",
    });
    expect(await audited("alert.assigned")).toMatchObject([{ actor: "Ada", subject: "Hot, gh-0" }]);
  });

  test("goes to nobody who may not take alerts, and several go each for itself", async () => {
    const [one = "", two = ""] = await firing(2);
    const [ada, vi] = [await person("Ada", "operator"), await person("Vi", "viewer")];
    await expect(assignAlert(by(ada, at(1)), { alertId: one, assigneeId: vi.id })).rejects.toMatchObject({
      code: "invalid",
    });
    await expect(assignAlert(by(vi, at(1)), { alertId: one, assigneeId: ada.id })).rejects.toMatchObject({
      code: "forbidden",
    });
    await assignAlert(by(ada, at(1)), { alertId: one, assigneeId: ada.id });
    const outcome = await assignAlerts(by(ada, at(2)), { alertIds: [one, two], assigneeId: ada.id });
    expect(outcome).toMatchObject({ assigned: [two], refused: [{ id: one }] });
    const { people } = await readAssignable(by(ada, at(2)));
    expect(people.map(({ name }) => name)).toEqual(["Ada"]);
  });

  test("of two who give it to the same person at once, one writes", async () => {
    const [alertId = ""] = await firing(1);
    const people = await Promise.all([person("Ada", "operator"), person("Ben", "operator")]);
    const target = await person("Cid", "on_call");
    const tried = await Promise.allSettled(
      people.map((one) => assignAlert(by(one, at(1)), { alertId, assigneeId: target.id })),
    );
    expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await audited("alert.assigned")).toHaveLength(1);
  });
});

test("snoozing holds until its time, is shown until then, and can be ended", async () => {
  const [alertId = ""] = await firing(1);
  const ada = await person("Ada", "on_call");
  const until = at(60);
  await expect(snoozeAlert(by(ada, at(1)), { alertId, until: at(0), note: "" })).rejects.toMatchObject({
    code: "invalid",
  });
  await snoozeAlert(by(ada, at(1)), { alertId, until, note: "batch ends then" });
  expect((await readInbox(by(ada, at(59)))).rows).toMatchObject([{ part: "firing", snoozedUntil: until }]);
  expect((await readInbox(by(ada, at(61)))).rows).toMatchObject([{ snoozedUntil: null }]);
  await snoozeAlert(by(ada, at(2)), { alertId, until: null, note: "" });
  await expect(snoozeAlert(by(ada, at(3)), { alertId, until: null, note: "" })).rejects.toMatchObject({
    code: "conflict",
  });
  expect((await readAlert(by(ada, at(3)), { alertId })).history.map(({ kind }) => kind)).toEqual([
    "fired",
    "snoozed",
    "snoozed",
  ]);
  expect([await audited("alert.snoozed"), await audited("alert.woken")].map(({ length }) => length)).toEqual([1, 1]);
});

describe("an incident", () => {
  test("has one lead; what another one led comes along, and leaving undoes it", async () => {
    const [a = "", b = "", c = ""] = await firing(3);
    const ctx = by(await person("Ada", "on_call"), at(1));
    await mergeAlerts(ctx, { alertId: b, alertIds: [c] });
    await mergeAlerts(ctx, { alertId: a, alertIds: [b] });
    const leads = async () =>
      (await prisma.alert.findMany({ orderBy: { targetName: "asc" } })).map(({ leadId }) => leadId);
    expect(await leads()).toEqual([null, a, a]);
    expect((await readAlert(ctx, { alertId: c })).incident).toMatchObject({
      leadId: a,
      others: [{ id: a }, { id: b }],
    });
    await unmergeAlert(ctx, { alertId: c });
    expect(await leads()).toEqual([null, a, null]);
    await unmergeAlert(ctx, { alertId: a });
    expect(await leads()).toEqual([null, null, null]);
    await expect(unmergeAlert(ctx, { alertId: a })).rejects.toMatchObject({ code: "conflict" });
  });

  test("of two that lead each other at once, one leads", async () => {
    const [a = "", b = ""] = await firing(2);
    const [ada, ben] = [await person("Ada", "on_call"), await person("Ben", "on_call")];
    const tried = await Promise.allSettled([
      mergeAlerts(by(ada, at(1)), { alertId: a, alertIds: [b] }),
      mergeAlerts(by(ben, at(1)), { alertId: b, alertIds: [a] }),
    ]);
    expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await prisma.alert.count({ where: { leadId: null } })).toBe(1);
  });

  test("is taken in hand as one, and a viewer makes none", async () => {
    const [a = "", b = ""] = await firing(2);
    const [ada, vi] = [await person("Ada", "on_call"), await person("Vi", "viewer")];
    await expect(mergeAlerts(by(vi, at(1)), { alertId: a, alertIds: [b] })).rejects.toMatchObject({
      code: "forbidden",
    });
    await mergeAlerts(by(ada, at(1)), { alertId: a, alertIds: [b] });
    await acknowledgeAlert(by(ada, at(2)), { alertId: a, note: "", minutes: null });
    expect((await readInbox(by(ada, at(2)))).rows.map(({ part }) => part)).toEqual(["acknowledged", "acknowledged"]);
    expect(await audited("alert.acknowledged")).toHaveLength(1);
  });
});

describe("the burn of an alert", () => {
  const row = async (resourceId: string, from: number, minutes: number, micros: bigint) => {
    const { id: priceId } = await prisma.price.create({
      data: {
        provider: "lambda",
        sku: `test-${randomUUID()}`,
        region: "*",
        unit: "instance_hour",
        micros: 2_290_000n,
        source: "api",
        validFrom: new Date(from),
        recordedAt: new Date(from),
      },
    });
    await prisma.ledgerRow.create({
      data: {
        key: randomUUID(),
        priceId,
        resourceId,
        charge: "usage",
        day: new Date("2026-11-20"),
        period: new Date("2026-11-01"),
        ownerId: 0,
        startsAt: new Date(from),
        endsAt: new Date(from + minutes * MINUTE),
        minutes,
        micros,
        lowMicros: micros,
        highMicros: micros,
      },
    });
  };

  test("is frozen where it ends, equal to the ledger, and settled when the ledger comes later", async () => {
    await rule();
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    await run(gh, at(60), [70]);
    const frozen = async () => (await prisma.alert.findFirstOrThrow()).costMicros;
    expect(await frozen()).toBe(2_290_000n);
    await row(gh.resourceId, NOON, 30, 1_145_001n);
    await row(gh.resourceId, at(30), 30, 1_300_000n);
    await settleAlertCosts({ actor: { kind: "system", name: "test" }, now: new Date(at(61)) });
    const { micros } =
      (await prisma.$queryRaw<{ micros: bigint }[]>`SELECT sum(micros)::bigint AS micros FROM ledger_row`)[0] ?? {};
    expect(await frozen()).toBe(micros);
    const alert = await prisma.alert.findFirstOrThrow();
    const { burn } = await readAlert(by(await person("Ada", "viewer"), at(90)), { alertId: alert.id });
    expect(burn).toMatchObject({ stands: "resolved", sinceFired: "2445001", ahead: null, microsPerHour: null });
  });

  test("stands still from the end of the machine on, even while the alert waits for data", async () => {
    await rule();
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    const { id: alertId } = await prisma.alert.findFirstOrThrow();
    const ada = await person("Ada", "viewer");
    const running = (await readAlert(by(ada, at(30)), { alertId })).burn;
    expect(running).toMatchObject({ stands: null, sinceFired: "1145000", ahead: { until: Date.UTC(2026, 10, 23, 9) } });
    const end = new Date(at(20));
    await prisma.resource.update({
      where: { id: gh.resourceId },
      data: { goneAt: end, goneReason: "terminated_here", billToBest: end },
    });
    for (const minute of [30, 300]) {
      const { burn } = await readAlert(by(ada, at(minute)), { alertId });
      expect(burn).toMatchObject({ stands: "terminated", sinceFired: "763333", ahead: null });
    }
  });
});

test("explains rules that look at no samples by what each evaluation saw, as it was judged", async () => {
  await rule({ kind: "telemetry", metric: "silentMs", comparison: "above", threshold: MINUTE, forMs: 20 * SECOND });
  const gh = await machine("gh-0");
  const evaluated = [0, 30, 60, 70, 80, 90, 100, 120, 130].map((seconds) => NOON + seconds * SECOND);
  for (const slot of evaluated) {
    if (slot === NOON || slot === NOON + 130 * SECOND) await measure(gh, slot, { temperatureC: 50 });
    await evaluateAt(slot);
  }
  const [{ id: alertId } = { id: "" }] = await prisma.alert.findMany();
  const explained = await explainAlert(by(await person("Vi", "viewer"), at(10)), { alertId });
  expect(explained.asked).toContain("Silence while billing");
  expect(explained.samples).toEqual([]);
  // Slot 110 was judged by nobody, and is not made up.
  expect(explained.slots.map(({ slot, value, state }) => [(slot - NOON) / SECOND, value, state])).toEqual([
    [70, 70 * SECOND, "pending"],
    [80, 80 * SECOND, "pending"],
    [90, 90 * SECOND, "firing"],
    [100, 100 * SECOND, "firing"],
    [120, 120 * SECOND, "firing"],
    [130, 0, "inactive"],
  ]);
  expect(explained.slots.filter(({ isChange }) => isChange).map(({ why }) => why.split(":")[0])).toEqual([
    "pending",
    "fired",
    "resolved",
  ]);
  // Three stretches of an even rise, and the end.
  expect(await prisma.alertJudgement.count()).toBe(4);
});

test("explains each evaluation by the samples that counted", async () => {
  await rule({ forMs: 30 * SECOND });
  const gh = await machine("gh-1");
  await run(gh, NOON, [70, 90, 91, 92, 93]);
  await evaluateAt(at(10));
  const { id: alertId } = await prisma.alert.findFirstOrThrow();
  const explained = await explainAlert(by(await person("Vi", "viewer"), at(10)), { alertId });
  const slot = (seconds: number) => explained.slots.find((one) => one.slot === NOON + seconds * SECOND);
  expect(slot(0)).toMatchObject({ value: 70, state: "inactive", why: "70 is not above 80", isChange: false });
  expect(slot(10)).toMatchObject({ value: 90, sampleAt: NOON + 10 * SECOND, state: "pending", isChange: true });
  expect(slot(20)?.why).toContain("fires in 20 s");
  expect(slot(40)).toMatchObject({ value: 93, state: "firing", isChange: true });
  expect(explained.slots.at(-1)).toMatchObject({ value: null, state: "unknown" });
  const alert = await prisma.alert.findFirstOrThrow();
  expect(slot(40)?.slot).toBe(alert.firedAt?.getTime());
  expect(explained.samples.map(({ value }) => value)).toEqual([70, 90, 91, 92, 93]);
});
