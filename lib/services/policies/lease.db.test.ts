import { beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { by, machine, NOON, person } from "@/lib/testing/alerting";
import { DAY, policyHouse } from "@/lib/testing/policies";
import { extendLease } from "./lease";

beforeEach(policyHouse);

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
