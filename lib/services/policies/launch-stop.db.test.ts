import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { forgetSetting } from "@/lib/db/settings";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { stopAutomation } from "@/lib/services/policies/automation";
import { machine, NOON, system } from "@/lib/testing/alerting";
import { armed, DAY, HOUR, policyHouse } from "@/lib/testing/policies";
import { launchesStoppedBy } from "./launch-stop";
import { createPolicy } from "./policies";

beforeEach(policyHouse);

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
