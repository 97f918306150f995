import { beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Ctx, Role } from "@/lib/domain/access";
import { NewDeploy } from "@/lib/domain/events/deploy";
import { EventsQuestion } from "@/lib/domain/events/view";
import { readAlert } from "@/lib/services/alerts/read";
import { emptyHouse, evaluateAt, MINUTE, machine, measure, NOON, rule, system } from "@/lib/testing/alerting";
import { markDeploy } from "./deploy";
import { readEvents } from "./read";

beforeEach(emptyHouse);

/** A program with an API token. */
const ci = (role: Role = "on_call", scopes: string[] = ["deploy:write"]): Ctx => ({
  actor: { kind: "token", id: "00000000-0000-7000-8000-000000000001", name: "ci", role, scopes },
  now: new Date(NOON),
});

const deploysOf = async (instanceId: string) =>
  (await readEvents(system(NOON), EventsQuestion.parse({ instanceId, range: "24h" }))).deploys;

test("stands on the axes of its machines, of a team's, or of all; the same id again changes nothing", async () => {
  const [a, b] = [await machine("gh-a"), await machine("gh-b")];
  await prisma.resourceLabel.updateMany({ where: { resourceId: b.resourceId }, data: { team: "serving" } });
  const named = NewDeploy.parse({ id: "7f3", name: "chat 2.4", instances: ["gh-a"], url: "https://ci.example.com/7" });
  expect(await markDeploy(ci(), named)).toMatchObject({ outcome: "marked", instances: [{ name: "gh-a" }] });
  expect(await markDeploy(ci(), { ...named, name: "chat 2.5" })).toMatchObject({ id: "7f3", outcome: "known" });
  await markDeploy(ci(), NewDeploy.parse({ name: "driver 580", team: "serving", at: "2026-11-20T11:50:00Z" }));
  await markDeploy(ci(), NewDeploy.parse({ name: "new proxy", at: NOON - 30 * MINUTE }));
  expect(await deploysOf(a.resourceId)).toMatchObject([
    { name: "chat 2.4", at: NOON, by: "ci", url: "https://ci.example.com/7", isOfAll: false },
    { name: "new proxy", at: NOON - 30 * MINUTE, isOfAll: true },
  ]);
  expect((await deploysOf(b.resourceId)).map(({ name }) => name)).toEqual(["driver 580", "new proxy"]);
  expect(await prisma.auditEvent.count({ where: { action: "deploy.marked" } })).toBe(3);
});

test("stands on the alert's axis beside what else happened, and on that of an alert of no machine", async () => {
  const [gh, other] = [await machine("gh-1"), await machine("gh-2")];
  await rule();
  await rule({ name: "Burn", kind: "money", metric: "burnUsdPerHour", threshold: 1 });
  await markDeploy(ci(), NewDeploy.parse({ name: "chat 2.4", instances: ["gh-1"], at: NOON - 5 * MINUTE }));
  await markDeploy(ci(), NewDeploy.parse({ name: "elsewhere", instances: ["gh-2"], at: NOON - 4 * MINUTE }));
  await measure(gh, NOON, { temperatureC: 90 });
  await measure(other, NOON, { temperatureC: 50 });
  await evaluateAt(NOON);
  const alerts = await prisma.alert.findMany();
  const marksOf = async (ruleName: string) => {
    for (const { id } of alerts) {
      const { row, happenings } = await readAlert(system(NOON), { alertId: id });
      if (row.ruleName === ruleName) return happenings.filter(({ kind }) => kind === "deploy").map(({ text }) => text);
    }
    return null;
  };
  expect(await marksOf("Hot")).toEqual(["chat 2.4, by ci"]);
  expect(await marksOf("Burn")).toEqual(["chat 2.4, by ci", "elsewhere, by ci"]);
});

test("a place that is not there, a time to come and a token without the right mark nothing", async () => {
  await machine("gh-1");
  await expect(markDeploy(ci(), NewDeploy.parse({ name: "x", instances: ["gh-9"] }))).rejects.toMatchObject({
    code: "invalid",
    fields: { "instances.0": "means no instance here" },
  });
  await expect(markDeploy(ci(), NewDeploy.parse({ name: "x", team: "nobody" }))).rejects.toMatchObject({
    code: "invalid",
  });
  await expect(markDeploy(ci(), NewDeploy.parse({ name: "x", at: NOON + 10 * MINUTE }))).rejects.toMatchObject({
    code: "invalid",
  });
  await expect(markDeploy(ci("viewer"), NewDeploy.parse({ name: "x" }))).rejects.toMatchObject({ code: "forbidden" });
  await expect(markDeploy(ci("operator", ["run:write"]), NewDeploy.parse({ name: "x" }))).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(NewDeploy.safeParse({ name: "x", url: "javascript:alert(1)" }).success).toBe(false);
  expect(NewDeploy.safeParse({ name: " \u200b " }).success).toBe(false);
  expect(await prisma.event.count()).toBe(0);
});
