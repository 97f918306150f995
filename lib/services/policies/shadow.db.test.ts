import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { by, MINUTE, NOON, person, system } from "@/lib/testing/alerting";
import {
  armed,
  DAY,
  decisions,
  ends,
  HOUR,
  IDLE,
  idleMachine,
  lookAt,
  policyHouse,
  report,
} from "@/lib/testing/policies";
import { armPolicy, changePolicy, createPolicy, pausePolicy, shadowPolicy } from "./policies";
import { readPolicies, readPolicy } from "./read";

beforeEach(policyHouse);

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
