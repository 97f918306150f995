import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { writeSetting } from "@/lib/db/settings";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { measure } from "@/lib/testing/alerting";
import { askForLaunch, LOOK, posts, SEND, TERMINATE, work } from "@/lib/testing/intents";
import { rows, startWorld, type World } from "@/lib/testing/world";
import { terminateByPolicy } from "./automatic";

const HOUR = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 30_000, terminateMs: 30_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const machines = () => world.cloud.cloud.state.machines;

describe("what automation asked for", () => {
  async function heard(): Promise<{ resourceId: string; sourceId: string; gpuId: number; externalId: string }> {
    await ensurePartitions(new Date(world.now() - 24 * HOUR), new Date(world.now() + 48 * HOUR));
    const launch = await askForLaunch(world);
    await work(world, 90_000);
    const [resource] = await rows<{ id: string; externalId: string }>(
      `select id, external_id as "externalId" from resource where launch_intent_id = $1`,
      [launch],
    );
    if (!resource) throw new Error("no machine");
    const now = new Date(world.now());
    const token = await prisma.token.findFirstOrThrow({ where: { intentId: launch } });
    const { id: sourceId } = await prisma.telemetrySource.create({
      data: { tokenId: token.id, hostname: "gh", resourceId: resource.id, firstSeenAt: now, lastReceivedAt: now },
    });
    const { id: gpuId } = await prisma.gpu.create({
      data: {
        uuid: `GPU-${randomUUID()}`,
        resourceId: resource.id,
        sourceId,
        model: "NVIDIA GH200",
        memoryMib: 97_871,
        firstSeenAt: now,
      },
    });
    const one = { resourceId: resource.id, sourceId, gpuId, externalId: resource.externalId };
    await report(one, 1, 13 * 60_000);
    await prisma.resource.update({ where: { id: one.resourceId }, data: { idleSince: now, idleKind: "empty" } });
    return one;
  }
  const report = async (
    one: { resourceId: string; sourceId: string; gpuId: number },
    utilizationPct: number,
    backMs = 0,
  ) => {
    for (let at = world.now() - backMs; at <= world.now(); at += 10_000)
      await measure({ ...one, name: "gh" }, at, { utilizationPct, memoryUsedMib: 100 });
  };

  async function policy(): Promise<string> {
    const now = new Date(world.now());
    const row = await prisma.policy.create({
      data: {
        kind: "idle_termination",
        name: "Idle",
        mode: "armed",
        shadowSince: new Date(world.now() - 8 * 24 * HOUR),
        armedAt: now,
        createdAt: now,
        updatedAt: now,
      },
    });
    return row.id;
  }
  const SLOT = new Date(Date.UTC(2026, 10, 21, 20));
  const ask = (policyId: string, resourceId: string, slot = SLOT) =>
    terminateByPolicy(world.ctx(), {
      policyId,
      resourceId,
      slot,
      reason: "Idle for two hours",
      evidence: { idleMs: 2 * HOUR },
      whileIdle: true,
      isForIdleness: true,
    });
  const setAutomation = (stoppedAt: number | null) =>
    prisma.$transaction((tx) =>
      writeSetting(
        tx as Parameters<typeof writeSetting>[0],
        "automation",
        { stoppedAt, by: "Ada", reason: "" },
        world.ctx().now,
      ),
    );

  test("is one request for a policy, a machine and a slot, however often it is asked", async () => {
    const one = await heard();
    const policyId = await policy();
    const answers = await Promise.all([ask(policyId, one.resourceId), ask(policyId, one.resourceId)]);
    const again = await ask(policyId, one.resourceId);
    expect(answers.filter((answer) => answer.kind === "asked" && answer.isNew)).toHaveLength(1);
    expect(again).toMatchObject({ kind: "asked", isNew: false });
    await work(world, 2 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(1);
    const [intent] = await rows<{ state: string; requested_by: string; policy_id: string }>(
      "select state, requested_by, policy_id from intent where kind = 'terminate'",
    );
    expect(intent).toEqual({ state: "confirmed", requested_by: "Policy Idle", policy_id: policyId });
    // Done or not, the same slot is never asked twice.
    expect(await ask(policyId, one.resourceId)).toMatchObject({ kind: "asked", isNew: false });
  });

  type Spoil = (one: Awaited<ReturnType<typeof heard>>, policyId: string) => Promise<unknown>;
  const spoils: [string, Spoil, RegExp][] = [
    [
      "protection",
      ({ resourceId }) => prisma.resource.update({ where: { id: resourceId }, data: { isProtected: true } }),
      /protected/,
    ],
    ["the switch", () => setAutomation(world.now()), /stopped by Ada/],
    ["a paused policy", (_, id) => prisma.policy.update({ where: { id }, data: { mode: "paused" } }), /paused/],
    [
      "work that begins",
      async (one) => {
        await world.advance(60_000, [LOOK], 10_000);
        await report(one, 90, 50_000);
      },
      /work again/,
    ],
    [
      "work that begins at that very moment",
      async (one) => {
        await world.advance(5_000, [LOOK], 5_000);
        await measure({ ...one, name: "gh" }, world.now() + 5_000, { utilizationPct: 90, memoryUsedMib: 100 });
      },
      /work again/,
    ],
    [
      "idleness that began anew",
      ({ resourceId }) =>
        prisma.resource.update({ where: { id: resourceId }, data: { idleSince: new Date(world.now() + 1_000) } }),
      /since its end was asked for/,
    ],
    ["telemetry that stays away", () => world.advance(100_000, [], 100_000), /not heard|not up to date/],
    [
      "another name",
      async ({ externalId }) =>
        machines()
          .find(({ id }) => id === externalId)
          ?.names.push({ from: world.now(), value: "kept" }),
      /no longer what was confirmed/,
    ],
  ];
  test.each(spoils)("is not sent after all: %s", async (_, spoil, words) => {
    const one = await heard();
    const policyId = await policy();
    expect(await ask(policyId, one.resourceId)).toEqual({ kind: "asked", isNew: true, id: expect.any(String) });
    await spoil(one, policyId);
    await world.advance(5_000, [SEND], 5_000);
    const [intent] = await rows<{ state: string; error: string; sends: number }>(
      "select state, error, sends from intent where kind = 'terminate'",
    );
    expect(intent?.state).toMatch(/cancelled|refused/);
    expect(intent?.error).toMatch(words);
    expect(posts(world, TERMINATE)).toHaveLength(0);
    await setAutomation(null);
  });

  test("is held before it is written, while nothing is known", async () => {
    const one = await heard();
    const policyId = await policy();
    await world.advance(10 * 60_000, [], 10 * 60_000);
    expect(await ask(policyId, one.resourceId)).toMatchObject({ kind: "held" });
    expect(await rows("select 1 from intent where kind = 'terminate'")).toHaveLength(0);
  });
});
