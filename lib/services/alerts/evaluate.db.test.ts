import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { storeSecret } from "@/lib/services/secrets";
import {
  by,
  emptyHouse,
  evaluateAt,
  MINUTE,
  machine,
  measure,
  NOON,
  onlyAlert,
  person,
  rule,
  run,
  SECOND,
  system,
} from "@/lib/testing/alerting";
import { evaluateAlerts } from "./evaluate";
import { readAlert, readAlertCounts, readInbox } from "./read";

beforeEach(emptyHouse);

const SLOT = 10 * SECOND;
const kinds = async () => (await onlyAlert()).history.map(({ kind }) => kind);
const queued = () => prisma.outbox.findMany({ orderBy: { createdAt: "asc" }, select: { kind: true, state: true } });

/** A channel to which nothing is sent here: what is queued is what counts. */
async function channel(name = "hook"): Promise<string> {
  const at = new Date(NOON);
  const secretId = await prisma.$transaction((tx) => storeSecret(tx, "channel", "https://hooks.example.com/x", at));
  const { id } = await prisma.channel.create({
    data: {
      kind: "webhook",
      name: `${name} ${crypto.randomUUID()}`,
      host: "hooks.example.com",
      secretId,
      updatedAt: at,
    },
  });
  return id;
}

/** As if the receiver had got everything that waits. */
async function delivered(): Promise<void> {
  await prisma.outbox.updateMany({ where: { state: "queued" }, data: { state: "delivered", doneAt: new Date(NOON) } });
}

describe("one episode", () => {
  test("is pending for its time, fires once, is told once per channel, and resolves", async () => {
    await Promise.all([channel("a"), channel("b")]);
    await rule({ forMs: MINUTE });
    const gh = await machine("gh-1");
    const last = await run(gh, NOON, [90, 91, 92, 93, 94, 95]);
    expect(await onlyAlert()).toMatchObject({ status: "pending", firedAt: null });
    expect(await queued()).toEqual([]);
    await run(gh, last + SLOT, [96, 97]);
    expect(await onlyAlert()).toMatchObject({ status: "firing", firedAt: new Date(NOON + MINUTE), peakValue: 97 });
    expect(await queued()).toEqual(Array(2).fill({ kind: "fired", state: "queued" }));
    await delivered();
    await run(gh, last + 3 * SLOT, [79, 79]);
    expect(await kinds()).toEqual(["pending", "fired", "resolved"]);
    expect((await queued()).map(({ kind }) => kind)).toEqual(["fired", "fired", "resolved", "resolved"]);
  });

  test("a slot that was judged is not judged again", async () => {
    await channel();
    await rule();
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    const before = await onlyAlert();
    await evaluateAt(NOON);
    await evaluateAt(NOON + SLOT - 1);
    expect(await onlyAlert()).toEqual(before);
    expect(await queued()).toHaveLength(1);
  });

  test("B27: two evaluators at once make one episode and one message", async () => {
    await channel();
    await rule();
    const [one, two] = [await machine("gh-1"), await machine("gh-2")];
    for (const [i, at] of [NOON, NOON + SLOT, NOON + 2 * SLOT].entries()) {
      await Promise.all([one, two].map((target) => measure(target, at, { temperatureC: i === 1 ? 70 : 90 })));
      await Promise.all([1, 2, 3].map(() => evaluateAlerts(system(at))));
    }
    const alerts = await prisma.alert.findMany({ include: { history: true } });
    expect(alerts).toHaveLength(4);
    for (const { history } of alerts) expect(new Set(history.map(({ kind }) => kind)).size).toBe(history.length);
    expect((await queued()).filter(({ kind }) => kind === "fired")).toHaveLength(4);
  });

  test("a machine that is gone ends it, and says so", async () => {
    await rule();
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    await prisma.resource.update({
      where: { id: gh.resourceId },
      data: { goneAt: new Date(NOON + 5 * SECOND), goneReason: "vanished" },
    });
    await evaluateAt(NOON + SLOT);
    expect(await onlyAlert()).toMatchObject({ status: "resolved", resolveReason: "instance_gone" });
    const { rows } = await readInbox(system(NOON + SLOT));
    expect(rows).toMatchObject([{ part: "resolved", microsPerHour: null }]);
  });
});

describe("silence", () => {
  test("makes a firing alert unknown, for as long as it lasts, and resolves nothing", async () => {
    await channel();
    await rule();
    await run(await machine("gh-1"), NOON, [90]);
    await delivered();
    for (const at of [2 * MINUTE, 30 * MINUTE, 300 * MINUTE, 1_439 * MINUTE]) {
      await evaluateAt(NOON + at);
      expect(await onlyAlert()).toMatchObject({ status: "unknown", resolvedAt: null });
      expect(await readAlertCounts(system(NOON + at))).toMatchObject({ firing: 0, unknown: 1, critical: 1 });
    }
    expect(await kinds()).toEqual(["fired", "unknown"]);
    expect(await queued()).toHaveLength(1);
  });

  test("data that come back hot go on with the episode and tell nobody again; cool ones end it", async () => {
    await channel();
    await rule();
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    await delivered();
    await evaluateAt(NOON + 10 * MINUTE);
    await run(gh, NOON + 20 * MINUTE, [91]);
    expect(await onlyAlert()).toMatchObject({ status: "firing" });
    expect(await queued()).toHaveLength(1);
    await evaluateAt(NOON + 30 * MINUTE);
    await run(gh, NOON + 40 * MINUTE, [60]);
    expect(await kinds()).toEqual(["fired", "unknown", "resumed", "unknown", "resolved"]);
    expect((await queued()).map(({ kind }) => kind)).toEqual(["fired", "resolved"]);
  });

  test("a pending alert that goes silent does not fire for its silence", async () => {
    await rule({ forMs: 5 * MINUTE });
    await run(await machine("gh-1"), NOON, [90, 90]);
    await evaluateAt(NOON + 10 * MINUTE);
    expect(await onlyAlert()).toMatchObject({ status: "unknown", firedAt: null });
    expect((await readInbox(system(NOON + 10 * MINUTE))).rows).toMatchObject([{ part: "unknown", firedAt: null }]);
  });

  test("of a machine that bills is an alert of its own", async () => {
    await rule({
      name: "Lost",
      kind: "telemetry",
      metric: "overdueMs",
      comparison: "at_least",
      threshold: 0,
      intervalMs: 30 * SECOND,
    });
    const gh = await machine("gh-1");
    await run(gh, NOON, [60]);
    expect(await prisma.alert.count()).toBe(0);
    await evaluateAt(NOON + 90 * SECOND);
    expect(await onlyAlert()).toMatchObject({ status: "firing", lastValue: 0 });
  });
});

describe("flapping", () => {
  test("is told once; what happens meanwhile is held until it is calm, and what stands then is told", async () => {
    await channel();
    await rule();
    const gh = await machine("gh-1");
    let at = NOON;
    for (let i = 0; i < 5; i++) {
      await run(gh, at, [90]);
      await delivered();
      at = await run(gh, at + SLOT, [70]);
      await delivered();
      at += SLOT;
    }
    const told = (await queued()).map(({ kind }) => kind);
    // The seventh change within half an hour is the fourth fire.
    expect(told).toEqual(["fired", "resolved", "fired", "resolved", "fired", "resolved", "flapping"]);
    const held = told.length;
    at = await run(gh, at, [90]);
    expect((await queued()).length).toBe(held);
    const { rows } = await readInbox(system(at));
    expect(rows.find(({ part }) => part === "firing")).toMatchObject({ isFlapping: true });
    await run(gh, at + MINUTE, Array(17).fill(90), MINUTE);
    const after = (await queued()).map(({ kind }) => kind);
    expect(after.slice(held)).toEqual(["fired"]);
  });
});

test("the page of an alert has its evidence, its history and its money", async () => {
  await rule({ forMs: MINUTE });
  const gh = await machine("gh-1", { microsPerHour: 3_600_000n });
  await run(gh, NOON, Array(13).fill(90));
  const { id } = await onlyAlert();
  const now = NOON + 2 * MINUTE;
  const answer = await readAlert(by(await person("Vi", "viewer"), now), { alertId: id });
  expect(answer.row).toMatchObject({
    firedAt: NOON + MINUTE,
    spentMicros: "60000",
    microsPerHour: "3600000",
    value: 90,
  });
  expect(answer.series).toMatchObject({ metric: "temperatureC", isJudged: true });
  expect(answer.series?.mean.filter((value) => value !== null).length).toBeGreaterThan(2);
  expect(answer.history.map(({ kind }) => kind)).toEqual(["pending", "fired"]);
  expect(answer.instance).toMatchObject({ name: "gh-1" });
  expect(answer.rule).toMatchObject({ action: "Look at it", isCurrent: true, isDeleted: false });
  await expect(readAlert(system(now), { alertId: crypto.randomUUID() })).rejects.toMatchObject({ code: "not-found" });
});
