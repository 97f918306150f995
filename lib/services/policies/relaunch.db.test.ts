import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { writeSamples } from "@/lib/db/telemetry/write";
import { LaunchTemplate } from "@/lib/domain/intents/templates";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { type Heard, hear, reports } from "@/lib/testing/heard";
import { askForLaunch, LAUNCH, posts, TERMINATE } from "@/lib/testing/intents";
import { count, type Duty, rows, startWorld, type World } from "@/lib/testing/world";
import { jobs } from "@/lib/worker/jobs";
import { armPolicy, createPolicy } from "./policies";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Between the first calls of a worker, so that Lambda's rate limit lets each through. */
const START_MS = 6_000;
/** In Berlin seven in the evening, and eight in the morning after a night of an hour less. */
const EVENING = Date.UTC(2027, 2, 27, 18);
const MORNING = Date.UTC(2027, 2, 28, 6);

let world: World;
beforeAll(async () => {
  world = await startWorld({ now: EVENING - 3 * HOUR, behaviour: { bootMs: 30_000, terminateMs: 60_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

/** Two workers that do the same at the same moment, on their beats. */
const WORKERS: Duty[] = [
  "poll-types",
  "poll-instances",
  "poll-filesystems",
  "poll-catalog",
  "send-intents",
  "settle-intents",
  "run-policies",
].map((name) => {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}`);
  const signal = new AbortController().signal;
  return {
    everyMs: job.everyMs,
    run: async (ctx) => void (await Promise.allSettled([1, 2].map(() => job.run(ctx, signal)))),
  };
});

/** Nobody works until an instant; just before it the workers start. */
async function sleepUntil(at: number): Promise<void> {
  const start = at - WORKERS.length * START_MS;
  await world.advance(start - world.now(), [], start - world.now());
  for (const { run } of WORKERS) {
    await run(world.ctx());
    await world.advance(START_MS);
  }
}
const workUntil = (at: number, more: readonly Duty[] = [], stepMs = 20_000) =>
  world.advance(at - world.now(), [...more, ...WORKERS], stepMs);

const acts = () =>
  prisma.policyAction.findMany({
    orderBy: { decidedAt: "asc" },
    select: { target: true, decision: true, reason: true },
  });

/** Working hours in Berlin with a template for the morning, on Saturdays and Sundays too; armed. */
async function hours(): Promise<string> {
  const at = new Date(world.now());
  const template = await prisma.savedItem.create({
    data: {
      kind: "launch_template",
      name: "Mornings",
      isShared: true,
      body: LaunchTemplate.parse({
        typeName: "gpu_1x_gh200",
        region: "us-east-3",
        sshKeyName: "team-key",
        name: "gh-day-{n}",
        team: "research",
      }),
      createdAt: at,
      updatedAt: at,
    },
  });
  const days = [1, 2, 3, 4, 5, 6, 7];
  const params = { days, from: "08:00", to: "19:00", noticeMinutes: 0, templateId: template.id };
  const policy = NewPolicy.parse({ kind: "schedule", name: "Hours", zone: "Europe/Berlin", params });
  const before = { ...world.ctx(), now: new Date(world.now() - 8 * DAY) };
  const { id } = await createPolicy(before, policy);
  await armPolicy(world.ctx(), { policyId: id, version: 1 });
  return id;
}

test("what the evening ended comes back in the morning once, over a clock change, an outage and two workers", async () => {
  await sleepUntil(EVENING - 5 * MINUTE);
  await ensurePartitions(new Date(EVENING - DAY), new Date(EVENING + 2 * DAY));
  const asked = [await askForLaunch(world, "gh-one"), await askForLaunch(world, "gh-two")];
  await workUntil(EVENING - 2 * MINUTE);
  await hours();
  const known = await rows<{ id: string; intentId: string }>(
    `select id, launch_intent_id as "intentId" from resource where launch_intent_id = any ($1::uuid[]) order by first_seen_at`,
    [asked],
  );
  const heard: Heard[] = [];
  for (const one of known) heard.push(await hear(one, world.now() - HOUR, world.now()));
  expect(heard).toHaveLength(2);
  const [one, two] = heard;
  if (!one || !two) return;
  let from = world.now() - 40 * MINUTE;
  // The collector loses the second machine two minutes before its evening.
  const collect: Duty = {
    everyMs: 10_000,
    run: async () => {
      const { now } = world;
      const sources = [
        reports(one, 0, from, now()),
        ...(now() < EVENING - 100_000 ? [reports(two, 0, from, now())] : []),
      ];
      from = now();
      await writeSamples(sources, new Date(now()));
    },
  };
  await workUntil(EVENING + 3 * MINUTE, [collect]);
  expect(posts(world, TERMINATE)).toHaveLength(1);
  expect(await acts()).toMatchObject([{ target: known[0]?.id, decision: "acted" }]);

  // At night nothing of ours runs while the clocks go forward.
  await sleepUntil(MORNING - MINUTE);
  await workUntil(MORNING - 1_000);
  expect(posts(world, LAUNCH)).toHaveLength(2);
  await workUntil(MORNING + 2 * MINUTE);
  expect(posts(world, LAUNCH)).toHaveLength(3);
  await workUntil(MORNING + 3 * HOUR, [], 15 * MINUTE);
  expect(posts(world, LAUNCH)).toHaveLength(3);
  expect(posts(world, TERMINATE)).toHaveLength(1);
  expect(
    await count(
      "select 1 from intent where kind = 'launch' and policy_id is not null and state in ('confirmed', 'adopted')",
    ),
  ).toBe(1);
  const [made] = await rows<{ name: string }>(
    "select i.request ->> 'name' as name from intent i join resource r on r.launch_intent_id = i.id where i.policy_id is not null",
  );
  expect(made?.name).toMatch(/^gh-day-1-/);
});

test.each([
  ["comes back late when the outage ends within half an hour", 1, 20, 1, "acted"],
  ["stays away, and says so, when nobody looked for longer", 2, 45, 0, "skipped"],
])("a machine of the evening %s", async (_, day, minutes, launches, decision) => {
  const morning = MORNING + day * DAY;
  const evening = morning - 13 * HOUR;
  await sleepUntil(morning - 10 * MINUTE);
  const policyId = await hours();
  const { id: connectionId } = await prisma.connection.findFirstOrThrow();
  const gone = {
    kind: "instance" as const,
    connectionId,
    externalId: "gone",
    firstSeenAt: new Date(evening - DAY),
    goneAt: new Date(evening),
    goneReason: "vanished" as const,
  };
  const { id: resourceId } = await prisma.resource.create({ data: gone });
  const evidence = { name: "gh-one", act: "terminate", dueAt: evening, priceMicros: null };
  await prisma.policyAction.create({
    data: {
      policyId,
      target: resourceId,
      resourceId,
      slot: new Date(evening),
      decision: "acted",
      reason: "Working hours are over.",
      evidence,
      decidedAt: new Date(evening),
    },
  });
  await workUntil(morning - 9 * MINUTE);
  await sleepUntil(morning + minutes * MINUTE);
  await workUntil(morning + (minutes + 3) * MINUTE);
  expect(posts(world, LAUNCH)).toHaveLength(launches);
  expect((await acts()).at(-1)).toMatchObject({ target: `launch:${resourceId}`, decision });
  expect(posts(world, TERMINATE)).toEqual([]);
});
