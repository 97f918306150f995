import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Ctx, Role } from "@/lib/domain/access";
import { NewLaunch } from "@/lib/domain/intents/launch";
import { pollCatalog, pollFilesystems, pollInstances, pollTypes } from "@/lib/services/fleet/poll";
import { enrolmentToken } from "@/lib/services/tokens";
import { intentOf, LAUNCH, posts, running, work } from "@/lib/testing/intents";
import { as, lastAudit } from "@/lib/testing/people";
import { count, rows, startWorld, tablesHolding, told, type World } from "@/lib/testing/world";
import { cancelIntent } from "./change";
import { requestLaunch } from "./launch";
import { readLaunchOffers } from "./offers";
import { readIntent, readIntents } from "./read";

let world: World;
let begun: number;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 60_000 } });
});
beforeEach(async () => {
  await world.reset();
  begun = world.now();
  await look();
});
afterAll(() => world.close());

/** Everything that a launch is judged by is read anew. */
async function look(): Promise<void> {
  for (const read of [pollTypes, pollInstances, pollFilesystems, pollCatalog]) {
    await read(world.ctx());
    await world.advance(1_000);
  }
}

const who = (role: Role): Promise<Ctx> => as(role, new Date(world.now()));

const wanted = (more: Record<string, unknown> = {}) =>
  NewLaunch.parse({
    intentId: randomUUID(),
    typeName: "gpu_1x_gh200",
    region: "us-east-3",
    sshKeyName: "team-key",
    name: "gh-train",
    team: "research",
    workload: "training",
    priceMicros: "2290000",
    ...more,
  });

const launches = () => count("select 1 from intent where kind = 'launch'");
const nothing = async () => {
  expect(await launches()).toBe(0);
  expect(await count("select 1 from token where kind = 'enrolment'")).toBe(0);
  expect((await told(begun)).filter(({ action }) => action.startsWith("launch."))).toEqual([]);
};

describe("what is offered", () => {
  test("is what the cloud has now, with prices, places, images, keys and the words in use", async () => {
    const offers = await readLaunchOffers(await who("viewer"));
    const gh200 = offers.offers.find(({ typeName }) => typeName === "gpu_1x_gh200");
    expect(gh200).toMatchObject({ priceMicros: "2290000", architecture: "arm64", gpus: 1, gpuMemoryGb: 96 });
    expect(gh200?.regions).toContainEqual({
      name: "us-east-3",
      isListed: true,
      share: expect.any(Number),
      seenAt: world.now(),
    });
    expect(offers.sshKeys).toEqual(["team-key"]);
    expect(offers.images.some(({ architecture }) => architecture === "arm64")).toBe(true);
    expect(offers.freshness.isFrozen).toBe(false);
    expect(offers.unreachable).toBeNull();
    expect(offers.budgets).toEqual([]);
  });

  test("a place whose capacity went is still named, with how long it had some", async () => {
    world.cloud.cloud.state.capacity.gpu_1x_gh200 = [{ from: world.now(), value: [] }];
    await world.advance(3 * 60_000, [{ everyMs: 60_000, run: pollTypes }]);
    const offers = await readLaunchOffers(await who("operator"));
    const gh200 = offers.offers.find(({ typeName }) => typeName === "gpu_1x_gh200");
    expect(gh200?.regions.find(({ name }) => name === "us-east-3")).toMatchObject({ isListed: false });
  });

  test("a name is taken while its machine runs, without the mark of its launch", async () => {
    const ctx = await who("operator");
    await requestLaunch(ctx, wanted());
    await work(world, 3 * 60_000);
    expect((await readLaunchOffers(ctx)).names).toEqual(["gh-train"]);
    expect((await readLaunchOffers(ctx)).words.teams).toEqual(["research"]);
  });
});

describe("a launch that is asked for", () => {
  test("becomes one intent with the machine's own credential, by whom it was asked", async () => {
    const ctx = await who("operator");
    const input = wanted({ owner: "ada", imageFamily: "" });
    const { id } = await requestLaunch(ctx, input);
    expect(id).toBe(input.intentId);
    const intent = await intentOf(id);
    expect(intent).toMatchObject({
      kind: "launch",
      state: "ready",
      sends: 0,
      requestedBy: ctx.actor.name,
      requestedById: "id" in ctx.actor ? ctx.actor.id : null,
    });
    expect(intent.request).toMatchObject({
      name: `gh-train-${id.slice(-8)}`,
      labels: { owner: "ada", team: "research", workload: "training" },
    });
    expect(await lastAudit(id)).toMatchObject({
      action: "launch.requested",
      actor: ctx.actor.name,
      subject: `gh-train-${id.slice(-8)}`,
      ip: "192.0.2.7",
    });
    expect(await rows("select prefix from token where intent_id = $1", [id])).toEqual([
      { prefix: enrolmentToken(id).prefix },
    ]);
    expect(await tablesHolding(enrolmentToken(id).secret)).toEqual([]);
    expect(posts(world, LAUNCH)).toHaveLength(0);
  });

  test("is sent by the worker, boots, and can be followed to its machine", async () => {
    const ctx = await who("operator");
    const { id } = await requestLaunch(ctx, wanted());
    const steps = async () => (await readIntent(ctx, { intentId: id })).row;
    expect(await steps()).toMatchObject({ state: "ready", isCancellable: true, instance: null });
    expect((await steps()).etaAt).not.toBeNull();
    await work(world, 30_000);
    expect(await steps()).toMatchObject({
      state: "confirmed",
      isCancellable: false,
      etaAt: null,
      instance: { status: "booting", activeAt: null },
    });
    await work(world, 3 * 60_000);
    const row = await steps();
    expect(row.instance).toMatchObject({ status: "active", activeAt: expect.any(Number) });
    expect((await readIntents(ctx)).rows).toEqual([row]);
    const [labels] = await rows("select team, workload from resource_label where resource_id = $1", [row.instance?.id]);
    expect(labels).toEqual({ team: "research", workload: "training" });
  });

  test("by a double click, fifty times at once, is one launch, one credential and one entry in the trail", async () => {
    const ctx = await who("operator");
    const input = wanted();
    const answers = await Promise.all(Array.from({ length: 50 }, () => requestLaunch(ctx, input)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([input.intentId]));
    expect(await launches()).toBe(1);
    expect(await count("select 1 from token where intent_id = $1", [input.intentId])).toBe(1);
    expect(await count("select 1 from audit_event where subject_id = $1", [input.intentId])).toBe(1);
    await work(world, 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(1);
  });

  test("again with other words is still the first one", async () => {
    const ctx = await who("operator");
    const input = wanted();
    await requestLaunch(ctx, input);
    await requestLaunch(ctx, { ...input, name: "another", priceMicros: "1" });
    expect((await intentOf(input.intentId)).request.name).toMatch(/^gh-train-/);
    expect(await launches()).toBe(1);
  });
});

describe("a launch is refused, and nothing is written,", () => {
  test.each<Role>(["viewer", "finance", "on_call"])("when a %s asks", async (role) => {
    await expect(requestLaunch(await who(role), wanted())).rejects.toMatchObject({ code: "forbidden" });
    await nothing();
  });

  test("when an admin has not signed in lately", async () => {
    const ctx = await who("admin");
    await world.advance(11 * 60_000, [{ everyMs: 60_000, run: pollTypes }], 60_000);
    await expect(requestLaunch({ ...ctx, now: new Date(world.now()) }, wanted())).rejects.toMatchObject({
      code: "forbidden",
      fields: { stepUp: "required" },
    });
    await nothing();
  });

  test("when the price moved since it was seen", async () => {
    const ctx = await who("operator");
    await expect(requestLaunch(ctx, wanted({ priceMicros: "1490000" }))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/\$2\.29.*\$1\.49/),
    });
    await nothing();
  });

  test("when what was read is too old to be true", async () => {
    const ctx = await who("operator");
    await world.advance(6 * 60_000, [], 60_000);
    await expect(requestLaunch({ ...ctx, now: new Date(world.now()) }, wanted())).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("more than 5 min old"),
    });
    await nothing();
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a key that the account has not", { sshKeyName: "stolen" }, "sshKeyName"],
    ["a file system that there is not", { fileSystemName: "gone" }, "fileSystemName"],
    ["an image that there is not", { imageFamily: "windows" }, "imageFamily"],
    ["a machine that there is not", { typeName: "gpu_9x" }, "typeName"],
  ])("with %s", async (_, more, field) => {
    await expect(requestLaunch(await who("operator"), wanted(more))).rejects.toMatchObject({
      code: "invalid",
      fields: { [field]: expect.any(String) },
    });
    await nothing();
  });

  test("until each warning was read, and then it goes", async () => {
    const ctx = await who("operator");
    const input = wanted({ team: "", region: "us-west-1" });
    await expect(requestLaunch(ctx, input)).rejects.toMatchObject({
      code: "conflict",
      fields: { accepted: "capacity" },
    });
    await expect(requestLaunch(ctx, { ...input, accepted: ["capacity"] })).rejects.toMatchObject({
      fields: { accepted: "owner" },
    });
    await nothing();
    await requestLaunch(ctx, { ...input, accepted: ["capacity", "owner"] });
    expect((await intentOf(input.intentId)).plan).toMatchObject({ accepted: ["capacity", "owner"] });
  });

  test("while Lambda refuses the key", async () => {
    world.cloud.faults.add({ name: "unauthorised" });
    await pollInstances(world.ctx());
    await expect(requestLaunch(await who("operator"), wanted())).rejects.toMatchObject({ code: "unavailable" });
    await nothing();
    world.cloud.faults.clear(null);
    await world.advance(60_000, [{ everyMs: 15_000, run: pollInstances }]);
    await pollTypes(world.ctx());
    await requestLaunch(await who("operator"), wanted());
    expect(await launches()).toBe(1);
  });
});

describe("taking a launch back", () => {
  test("works while it was not sent, once, and nothing goes out", async () => {
    const ctx = await who("operator");
    const { id } = await requestLaunch(ctx, wanted());
    const outcomes = await Promise.allSettled([1, 2].map(() => cancelIntent(ctx, { intentId: id })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await work(world, 2 * 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "cancelled", sends: 0 });
    expect(await lastAudit(id)).toMatchObject({ action: "launch.cancelled", actor: ctx.actor.name });
  });

  test("comes too late when it was sent", async () => {
    const ctx = await who("operator");
    const { id } = await requestLaunch(ctx, wanted());
    await work(world, 30_000);
    await expect(cancelIntent(ctx, { intentId: id })).rejects.toMatchObject({ code: "conflict" });
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
  });

  test("is not for those who may not launch, nor of what there is not", async () => {
    const { id } = await requestLaunch(await who("operator"), wanted());
    await expect(cancelIntent(await who("on_call"), { intentId: id })).rejects.toMatchObject({ code: "forbidden" });
    await expect(cancelIntent(await who("operator"), { intentId: randomUUID() })).rejects.toMatchObject({
      code: "not-found",
    });
    expect(await intentOf(id)).toMatchObject({ state: "ready" });
  });
});

test("a machine that was launched elsewhere takes its name from those that are free", async () => {
  await running(world, "gh-train");
  await look();
  const ctx = await who("operator");
  await expect(requestLaunch(ctx, wanted())).rejects.toMatchObject({ fields: { accepted: "name" } });
});
