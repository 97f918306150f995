import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { LaunchTemplate } from "@/lib/domain/intents/templates";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { pollCatalog, pollFilesystems, pollInstances, pollTypes } from "@/lib/services/fleet/poll";
import { LAUNCH, posts, work } from "@/lib/testing/intents";
import { startWorld, type World } from "@/lib/testing/world";
import { armPolicy, createPolicy } from "./policies";
import { readPolicies } from "./read";
import { runPolicies } from "./run";

const HOUR = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 60_000 } });
});
beforeEach(async () => {
  await world.reset();
  await look();
});
afterAll(() => world.close());

async function look(): Promise<void> {
  for (const read of [pollTypes, pollInstances, pollFilesystems, pollCatalog]) {
    await read(world.ctx());
    await world.advance(1_000);
  }
}

async function watch(params: object): Promise<string> {
  const template = await prisma.savedItem.create({
    data: {
      kind: "launch_template",
      name: "Evaluation",
      isShared: true,
      body: LaunchTemplate.parse({ sshKeyName: "team-key", name: "gh-eval-{n}", team: "research" }),
      createdAt: new Date(world.now()),
      updatedAt: new Date(world.now()),
    },
  });
  const policy = NewPolicy.parse({
    kind: "capacity_watch",
    name: "Two for the evaluation",
    params: {
      typeNames: "gpu_1x_gh200",
      count: 2,
      until: world.now() + 12 * HOUR,
      act: "launch",
      templateId: template.id,
      ...params,
    },
  });
  const { id } = await createPolicy(world.ctx(), policy);
  // Somebody's own request needs no week.
  await armPolicy(world.ctx(), { policyId: id, version: 1 });
  return id;
}

const lookThrice = () => Promise.all([1, 2, 3].map(() => runPolicies(world.ctx())));
const launches = () => prisma.intent.findMany({ where: { kind: "launch" } });

test("a watch launches what it was asked for once, however many workers look and however often capacity comes back", async () => {
  const policyId = await watch({});
  await lookThrice();
  await lookThrice();
  const asked = await launches();
  expect(asked).toHaveLength(2);
  expect(asked.map((intent) => intent.policyId)).toEqual([policyId, policyId]);
  await work(world, 3 * 60_000);
  expect(posts(world, LAUNCH)).toHaveLength(2);
  for (let hour = 0; hour < 2; hour++) {
    await world.advance(HOUR, [], HOUR);
    await look();
    await lookThrice();
  }
  expect(await launches()).toHaveLength(2);
  expect((await prisma.policyAction.findMany()).map(({ decision }) => decision)).toEqual(["acted", "acted"]);
});

test("what it costs is judged before it is asked for, and it waits", async () => {
  await watch({ maxUsdPerHour: "1.00" });
  await lookThrice();
  expect(await launches()).toEqual([]);
  const [policy] = (await readPolicies(world.ctx())).policies;
  expect(policy?.outlook).toMatchObject([
    { state: "waits", words: "it costs more than was allowed" },
    { state: "waits", words: "it costs more than was allowed" },
  ]);
});

test("a list of types that is old launches nothing", async () => {
  await watch({});
  await world.advance(HOUR, [], HOUR);
  await pollInstances(world.ctx());
  await lookThrice();
  expect(await launches()).toEqual([]);
});

test("a watch that only tells begins at once, and tells of each appearance once", async () => {
  const policy = {
    kind: "capacity_watch",
    name: "Tell",
    params: { typeNames: "gpu_1x_gh200", until: world.now() + HOUR },
  };
  await createPolicy(world.ctx(), NewPolicy.parse(policy));
  expect((await readPolicies(world.ctx())).policies[0]?.mode).toBe("armed");
  await lookThrice();
  const told = await prisma.policyAction.findMany();
  expect(told.length).toBeGreaterThan(0);
  await world.advance(30_000);
  await lookThrice();
  expect(await prisma.policyAction.count()).toBe(told.length);
  expect(new Set(told.map(({ decision }) => decision))).toEqual(new Set(["acted"]));
  expect(await launches()).toEqual([]);
});
