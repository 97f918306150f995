import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import {
  by,
  emptyHouse,
  evaluateAt,
  MINUTE,
  machine,
  NOON,
  onlyAlert,
  person,
  rule,
  run,
} from "@/lib/testing/alerting";
import { acknowledgeAlert, acknowledgeAlerts, commentOnAlert, unacknowledgeAlert } from "./acknowledge";
import { readAlert, readAlertCounts, readInbox } from "./read";

beforeEach(emptyHouse);

async function firing() {
  await rule();
  const gh = await machine("gh-1");
  await run(gh, NOON, [90]);
  return { gh, alertId: (await onlyAlert()).id };
}

const take = (alertId: string) => ({ alertId, note: "", minutes: null });
const kinds = async () => (await onlyAlert()).history.map(({ kind }) => kind);

describe("acknowledging", () => {
  test("puts a name to the alert and takes it out of what needs somebody", async () => {
    const { alertId } = await firing();
    const ada = await person("Ada", "on_call");
    expect(await readAlertCounts(by(ada, NOON))).toMatchObject({ firing: 1, unknown: 0, critical: 1 });
    await acknowledgeAlert(by(ada, NOON + MINUTE), { alertId, note: "looking", minutes: null });
    expect(await readAlertCounts(by(ada, NOON + MINUTE))).toMatchObject({ firing: 0, unknown: 0, critical: 0 });
    expect((await readInbox(by(ada, NOON + MINUTE))).rows).toMatchObject([
      { part: "acknowledged", acknowledgedBy: "Ada", acknowledgeNote: "looking", status: "firing" },
    ]);
    expect(await prisma.auditEvent.findMany({ where: { subjectId: alertId } })).toMatchObject([
      { action: "alert.acknowledged", actor: "Ada", subject: "Hot, gh-1" },
    ]);
  });

  test("of two at once one is first, and the other reads who it was", async () => {
    const { alertId } = await firing();
    const people = await Promise.all([person("Ada", "on_call"), person("Ben", "operator")]);
    const outcomes = await Promise.allSettled(
      people.map((one) => acknowledgeAlert(by(one, NOON + MINUTE), take(alertId))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const winner = outcomes[0]?.status === "fulfilled" ? "Ada" : "Ben";
    const loser = outcomes.find((one) => one.status === "rejected");
    expect(loser?.reason).toMatchObject({ code: "conflict", message: expect.stringContaining(winner) });
    expect(await kinds()).toEqual(["fired", "acknowledged"]);
    expect(await prisma.auditEvent.count({ where: { action: "alert.acknowledged", subjectId: alertId } })).toBe(1);
  });

  test("a viewer sees it and cannot take it, comment on it or give it back", async () => {
    const { alertId } = await firing();
    const ctx = by(await person("Vi", "viewer"), NOON);
    for (const attempt of [
      () => acknowledgeAlert(ctx, take(alertId)),
      () => acknowledgeAlerts(ctx, { alertIds: [alertId] }),
      () => unacknowledgeAlert(ctx, { alertId }),
      () => commentOnAlert(ctx, { alertId, note: "hm" }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
    expect(await kinds()).toEqual(["fired"]);
    expect((await readAlert(ctx, { alertId })).row.ruleName).toBe("Hot");
  });

  test("several at once: what cannot be taken keeps none of the others from it", async () => {
    await rule();
    const [one, two] = [await machine("gh-1"), await machine("gh-2")];
    await run(one, NOON, [90]);
    await run(two, NOON + 10_000, [90]);
    const ids = (await prisma.alert.findMany()).map(({ id }) => id);
    const [ada, ben] = [await person("Ada", "on_call"), await person("Ben", "on_call")];
    await acknowledgeAlert(by(ada, NOON + MINUTE), take(ids[0] ?? ""));
    const outcome = await acknowledgeAlerts(by(ben, NOON + MINUTE), { alertIds: [...ids, ...ids] });
    expect(outcome.acknowledged).toEqual([ids[1]]);
    expect(outcome.refused).toMatchObject([{ id: ids[0], message: expect.stringContaining("Ada") }]);
  });

  test("a pending alert cannot be taken or commented on, and leaves nothing when it passes", async () => {
    await rule({ forMs: 5 * MINUTE });
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    const { id: alertId } = await onlyAlert();
    const ctx = by(await person("Ada", "on_call"), NOON);
    await expect(acknowledgeAlert(ctx, take(alertId))).rejects.toMatchObject({ code: "conflict" });
    await expect(commentOnAlert(ctx, { alertId, note: "hm" })).rejects.toMatchObject({ code: "conflict" });
    expect((await readInbox(ctx)).rows).toMatchObject([{ part: "pending", firesAt: NOON + 5 * MINUTE }]);
    await run(gh, NOON + 10_000, [70]);
    expect(await prisma.alert.count()).toBe(0);
  });

  test("what has resolved cannot be taken any more, and still be commented on", async () => {
    const { gh, alertId } = await firing();
    await run(gh, NOON + 10_000, [70]);
    const ctx = by(await person("Ada", "on_call"), NOON + MINUTE);
    await expect(acknowledgeAlert(ctx, take(alertId))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("resolved"),
    });
    await commentOnAlert(ctx, { alertId, note: "it was the fan" });
    expect((await readAlert(ctx, { alertId })).history.at(-1)).toMatchObject({
      kind: "commented",
      actor: "Ada",
      note: "it was the fan",
    });
  });
});

describe("an acknowledgement", () => {
  test("is given back once; giving back what nobody has is refused", async () => {
    const { alertId } = await firing();
    const ctx = by(await person("Ada", "on_call"), NOON + MINUTE);
    await acknowledgeAlert(ctx, take(alertId));
    await unacknowledgeAlert(ctx, { alertId });
    expect((await readInbox(ctx)).rows).toMatchObject([{ part: "firing", acknowledgedBy: null }]);
    await expect(unacknowledgeAlert(ctx, { alertId })).rejects.toMatchObject({ code: "conflict" });
    await acknowledgeAlert(ctx, take(alertId));
    expect(await kinds()).toEqual(["fired", "acknowledged", "unacknowledged", "acknowledged"]);
  });

  test("survives silence and ends with the episode", async () => {
    const { gh, alertId } = await firing();
    const ada = await person("Ada", "on_call");
    await acknowledgeAlert(by(ada, NOON), take(alertId));
    await evaluateAt(NOON + 10 * MINUTE);
    expect((await readInbox(by(ada, NOON + 10 * MINUTE))).rows).toMatchObject([
      { part: "acknowledged", status: "unknown", acknowledgedBy: "Ada" },
    ]);
    await run(gh, NOON + 11 * MINUTE, [70, 90]);
    const parts = (await readInbox(by(ada, NOON + 12 * MINUTE))).rows.map(({ part }) => part);
    expect(parts.sort()).toEqual(["firing", "resolved"]);
  });

  test("with a timer is raised again when it runs out, once", async () => {
    const { gh, alertId } = await firing();
    const ada = await person("Ada", "on_call");
    await acknowledgeAlert(by(ada, NOON), { alertId, note: "", minutes: 5 });
    await run(gh, NOON + 5 * MINUTE - 10_000, [90]);
    expect(await kinds()).toEqual(["fired", "acknowledged"]);
    await run(gh, NOON + 5 * MINUTE, [90, 90]);
    expect(await kinds()).toEqual(["fired", "acknowledged", "reraised"]);
    expect((await readInbox(by(ada, NOON + 6 * MINUTE))).rows).toMatchObject([{ part: "firing" }]);
  });
});
