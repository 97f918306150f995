import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { resumeAutomation, stopAutomation } from "@/lib/services/policies/automation";
import { by, MINUTE, machine, NOON, person, system, type TestMachine } from "@/lib/testing/alerting";
import {
  armed,
  DAY,
  decisions,
  endedNames,
  ends,
  HOUR,
  idleMachine,
  lambdaAnswered,
  lookAt,
  policyHouse,
  report,
} from "@/lib/testing/policies";
import { readPolicies } from "./read";

beforeEach(policyHouse);

describe("nothing is ended", () => {
  test.each<[string, (one: TestMachine) => Promise<void>]>([
    [
      "of which one minute of the last ten is missing",
      async (one) => {
        await report(one, NOON + 12 * MINUTE, 12, 0, [5]);
        await lookAt(NOON + 12 * MINUTE);
      },
    ],
    [
      "of which no use was measured, though it reports",
      async (one) => {
        await report(one, NOON + 12 * MINUTE, 12, null);
        await lookAt(NOON + 12 * MINUTE);
      },
    ],
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

  test("that never reported, whatever its lease and the hour say", async () => {
    const one = await machine("one", { workload: "dev" });
    const leaseUntil = new Date(NOON + MINUTE);
    await prisma.resource.update({ where: { id: one.resourceId }, data: { leaseUntil } });
    await armed({ kind: "lease", name: "Leases", params: { noticeMinutes: 0, warnHours: 1, endBusy: true } });
    for (const minutes of [2, 35, 70]) await lookAt(NOON + minutes * MINUTE);
    expect(await ends()).toEqual([]);
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

/** Every look before an end that a clock change moves; and the end itself, so that the silence means something. */
describe("when the clocks change", () => {
  const NIGHT = { from: "20:00", to: "02:30" };
  test.each<[string, string, object, number]>([
    ["back, the evening after is not an hour early", "Australia/Sydney", { to: "19:00" }, Date.UTC(2027, 3, 4, 9)],
    ["back, an end that comes twice comes with the second", "Australia/Sydney", NIGHT, Date.UTC(2027, 3, 3, 16, 30)],
    ["forward, an end that is left out comes after the gap", "Europe/Berlin", NIGHT, Date.UTC(2027, 2, 28, 1)],
  ])("%s", async (_, zone, params, endAt) => {
    await ensurePartitions(new Date(endAt - DAY), new Date(endAt + DAY));
    const days = [1, 2, 3, 4, 5, 6, 7];
    await armed({ kind: "schedule", name: "Hours", zone, params: { days, noticeMinutes: 0, ...params } });
    const one = await idleMachine("one");
    for (const minutes of [-90, -61, -59, -31, -29, -1]) {
      const at = endAt + minutes * MINUTE;
      await report(one, at, 15);
      await lookAt(at);
    }
    expect(await ends()).toEqual([]);
    await report(one, endAt + MINUTE, 15);
    await lookAt(endAt + MINUTE);
    expect(await endedNames()).toEqual(["one"]);
  });
});
