import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimIntent, findIntent, type Intent, insertIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { insertToken } from "@/lib/db/tokens";
import { NO_LABELS } from "@/lib/domain/fleet/labels";
import type { IntentKind } from "@/lib/domain/intents/intent";
import { planHash } from "@/lib/domain/intents/plan";
import { lambdaConnection, lambdaOf } from "@/lib/services/fleet/lambda";
import { pollInstances } from "@/lib/services/fleet/poll";
import { seenInstance } from "@/lib/services/fleet/translate";
import { enrolmentToken } from "@/lib/services/tokens";
import { statusAt } from "@/lib/simulator/lifecycle";
import { admin, launchBody } from "@/lib/simulator/testing";
import { rows, startWorld, tablesHolding, told, type World } from "@/lib/testing/world";
import { hashBytes } from "./hash";
import { sendIntents, settleIntents } from "./send";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 120_000, terminateMs: 60_000 } });
});
beforeEach(async () => {
  world.cloud.cloud.behaviour.launchLatencyMs = [0, 0];
  await world.reset();
});
afterAll(() => world.close());

const STEP_MS = 5_000;
const LOOK = { everyMs: 15_000, run: pollInstances };
const SEND = { everyMs: STEP_MS, run: (ctx: Parameters<typeof sendIntents>[0]) => sendIntents(ctx) };
const SETTLE = { everyMs: STEP_MS, run: settleIntents };
/** The first minute in small steps, the rest in larger ones. */
async function work(ms: number): Promise<void> {
  await world.advance(Math.min(ms, 60_000), [LOOK, SEND, SETTLE], STEP_MS);
  await world.advance(Math.max(0, ms - 60_000), [LOOK, SEND, SETTLE], 15_000);
}

const LAUNCH = "/instance-operations/launch";
const TERMINATE = "/instance-operations/terminate";
const RESTART = "/instance-operations/restart";
const posts = (path: string) => world.requests.filter((one) => one.method === "POST" && one.path === path);
const machines = () => world.cloud.cloud.state.machines;

async function ask(kind: IntentKind, facts: Partial<Parameters<typeof insertIntent>[1]>): Promise<string> {
  const ctx = world.ctx();
  const id = randomUUID();
  const connection = await lambdaConnection(ctx.now);
  await mutate(ctx, `intent:${kind}`, async (tx) => {
    await insertIntent(tx, {
      id,
      kind,
      connectionId: connection.id,
      targetId: null,
      request: { externalId: "", name: null },
      plan: {},
      reason: null,
      requestedById: null,
      requestedBy: "test",
      createdAt: ctx.now,
      planHash: hashBytes(""),
      ...facts,
    });
    if (kind === "launch") {
      const { prefix, secretHash } = enrolmentToken(id);
      await insertToken(tx, { kind: "enrolment", name: "gh", prefix, secretHash, intentId: id, createdAt: ctx.now });
    }
    return { action: `${kind}.requested`, subjectKind: "intent", subjectId: id, subject: "gh", result: null };
  });
  return id;
}

const askForLaunch = (name = "gh-new") =>
  ask("launch", {
    request: {
      typeName: "gpu_1x_gh200",
      region: "us-east-3",
      imageFamily: null,
      sshKeyName: "team-key",
      fileSystemName: null,
      name,
      labels: { ...NO_LABELS, team: "research" },
    },
  });

/** Asks to end a machine as it is known now. */
async function askToEnd(kind: "terminate" | "restart", externalId: string): Promise<string> {
  const connection = await lambdaConnection(world.ctx().now);
  const seen = seenInstance(await lambdaOf(connection, "look").getInstance(externalId));
  const [resource] = await rows<{ id: string }>("select id from resource where external_id = $1", [externalId]);
  return ask(kind, {
    targetId: resource?.id ?? null,
    request: { externalId, name: seen.name },
    planHash: hashBytes(planHash(seen)),
  });
}

async function intentOf(id: string): Promise<Intent> {
  const intent = await findIntent(id);
  if (!intent) throw new Error("no such intent");
  return intent;
}

type Resource = { externalId: string; intentId: string | null; goneAt: Date | null };
const resources = () =>
  rows<Resource>(
    `select external_id as "externalId", launch_intent_id as "intentId", gone_at as "goneAt" from resource`,
  );

/** A machine that runs and is known. */
async function running(name = "gh-old"): Promise<string> {
  await admin(world.cloud, "POST", "/launch-outside", launchBody({ name }));
  await work(3 * 60_000);
  return machines().at(-1)?.id ?? "";
}

describe("a launch makes one machine or none, whatever goes wrong", () => {
  type Fault = Record<string, unknown>;
  const created: Fault = { name: "launch_timeout_created", count: 1, resetAfterMs: 20 };
  const onLaunch = { method: "POST", path: LAUNCH, count: 1 };
  const onList = { method: "GET", path: "/instances" };

  const cases: [string, Fault[], number, Intent["state"]][] = [
    ["all goes well", [], 1, "confirmed"],
    ["it is listed 90 s later", [{ name: "list_lag", seconds: 90, count: 1 }], 1, "confirmed"],
    ["the machine never passes its health check", [{ name: "unhealthy_boot", count: 1 }], 1, "confirmed"],
    ["the answer is lost, and there is a machine", [created], 1, "adopted"],
    ["the answer is 500, and there is a machine", [{ name: "launch_500_created", count: 1 }], 1, "adopted"],
    ["the answer is lost, and it is listed 90 s later", [created, { name: "list_lag", seconds: 90 }], 1, "adopted"],
    [
      "the answer is lost, and it is listed when nobody looks for it",
      [created, { name: "list_lag", seconds: 400 }],
      1,
      "adopted",
    ],
    [
      "the answer is lost, and listings fail for a while",
      [created, { name: "edge_page", ...onList, count: 6 }],
      1,
      "adopted",
    ],
    [
      "the answer is lost, and listings are empty for a while",
      [created, { name: "empty_list", count: 6 }],
      1,
      "adopted",
    ],
    [
      "the answer is lost, and the key is refused for a while",
      [created, { name: "unauthorised", ...onList, count: 6 }],
      1,
      "adopted",
    ],
    [
      "the answer is lost, and there is no machine",
      [{ name: "launch_timeout_not_created", count: 1, resetAfterMs: 20 }],
      0,
      "closed_unconfirmed",
    ],
    ["rate limiting", [{ name: "rate_limited", ...onLaunch }], 0, "closed_unconfirmed"],
    ["an edge page", [{ name: "edge_page", ...onLaunch }], 0, "closed_unconfirmed"],
    ["an edge page that says 200", [{ name: "edge_page", status: 200, ...onLaunch }], 0, "closed_unconfirmed"],
    ["a server error", [{ name: "server_error", ...onLaunch }], 0, "closed_unconfirmed"],
    ["no capacity", [{ name: "insufficient_capacity", count: 1 }], 0, "refused"],
    ["a refused key", [{ name: "unauthorised", ...onLaunch }], 0, "refused"],
  ];

  test.each(cases)("%s", async (_, faults, expected, state) => {
    for (const fault of faults) world.cloud.faults.add(fault);
    const id = await askForLaunch();
    await work(12 * 60_000);
    expect(machines()).toHaveLength(expected);
    expect(posts(LAUNCH)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state, sends: 1 });
    expect(await resources()).toEqual(
      machines().map(({ id: externalId }) => ({ externalId, intentId: id, goneAt: null })),
    );
    expect((await intentOf(id)).externalId).toBe(machines()[0]?.id ?? null);
    // Said once, in the words of what happened.
    const action = { confirmed: "instance.launched", adopted: "intent.adopted", refused: "launch.refused" }[
      String(state)
    ];
    const said = (await told(0)).filter(({ action: one }) => one === (action ?? "intent.closed-unconfirmed"));
    expect(said.filter(({ subject }) => subject === "gh-new").length).toBeGreaterThan(0);
  });

  test("its machine carries our mark and its own credential, and the credential is stored nowhere", async () => {
    const id = await askForLaunch("gh-marked");
    await work(60_000);
    const [machine] = machines();
    expect(machine?.tags).toContainEqual({ key: "hopperdeck-intent", value: id });
    expect(machine?.tags).toContainEqual({ key: "team", value: "research" });
    expect(machine?.agent.target?.token).toBe(enrolmentToken(id).secret);
    expect(await tablesHolding(enrolmentToken(id).secret)).toEqual([]);
    expect(await rows("select 1 from token where intent_id = $1 and resource_id is not null", [id])).toHaveLength(1);
  });

  test("a second machine with the mark of the same launch is not hidden: it is said, and bills as its own", async () => {
    const id = await askForLaunch();
    await work(60_000);
    const [machine] = machines();
    if (!machine) throw new Error("no machine");
    await admin(world.cloud, "POST", "/launch-outside", launchBody({ name: "twin", tags: machine.tags }));
    await work(2 * 60_000);
    expect((await resources()).map(({ intentId }) => intentId).sort()).toEqual([id, null].sort());
    expect(
      (await told(0)).filter(({ action, subject }) => action === "intent.orphan-found" && subject === "twin"),
    ).toHaveLength(1);
  });

  test("a launch that could not be sent for half an hour is not sent any more", async () => {
    world.cloud.faults.add({ name: "unauthorised" });
    await work(60_000);
    const id = await askForLaunch();
    await work(31 * 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "expired", sends: 0 });
    world.cloud.faults.clear(null);
    await work(5 * 60_000);
    expect(machines()).toHaveLength(0);
    expect(posts(LAUNCH)).toHaveLength(0);
  });

  test("the same intent twice is one intent", async () => {
    const id = await askForLaunch();
    await mutate(world.ctx(), "intent:launch", async (tx) => {
      const again = await insertIntent(tx, { ...(await intentOf(id)), planHash: hashBytes("") });
      expect(again).toBeNull();
      return { action: "launch.requested", subjectKind: "intent", subjectId: id, subject: "gh", result: null };
    });
    await work(2 * 60_000);
    expect(machines()).toHaveLength(1);
  });
});

describe("a worker that dies over an intent", () => {
  test("while Lambda works on the launch: it is never sent again, and its machine is adopted", async () => {
    world.cloud.cloud.behaviour.launchLatencyMs = [5_000, 5_000];
    const id = await askForLaunch();
    const worker = spawn(process.execPath, ["--import", "tsx", "lib/testing/send-once.ts"], { stdio: "inherit" });
    const ended = once(worker, "exit");
    const deadline = Date.now() + 20_000;
    while (machines().length === 0 && Date.now() < deadline) await sleep(20);
    worker.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
    world.cloud.cloud.behaviour.launchLatencyMs = [0, 0];
    expect(await intentOf(id)).toMatchObject({ state: "sending", sends: 1 });
    await work(10 * 60_000);
    expect(machines()).toHaveLength(1);
    expect(posts(LAUNCH)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "adopted", externalId: machines()[0]?.id });
  });

  test("before a launch left it: nothing is sent, and the intent says so in the end", async () => {
    const id = await askForLaunch();
    expect(await claimIntent(await intentOf(id), randomUUID(), world.ctx().now)).not.toBeNull();
    await work(10 * 60_000);
    expect(posts(LAUNCH)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "closed_unconfirmed" });
    // It does not stand in the way of the next one.
    await askForLaunch("gh-next");
    await work(60_000);
    expect(machines()).toHaveLength(1);
  });

  test("over a terminate: it is sent again until the machine is gone", async () => {
    const machine = await running();
    const id = await askToEnd("terminate", machine);
    expect(await claimIntent(await intentOf(id), randomUUID(), world.ctx().now)).not.toBeNull();
    await work(8 * 60_000);
    expect(posts(TERMINATE)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
    expect(await resources()).toMatchObject([{ externalId: machine, goneAt: expect.any(Date) }]);
  });
});

describe("several workers at once", () => {
  const four = (run: (ctx: Parameters<typeof sendIntents>[0]) => Promise<void>) => async () => {
    const ctx = world.ctx();
    await Promise.all([1, 2, 3, 4].map(() => run(ctx)));
  };

  test("send each launch once, 12 s apart, and each terminate to its own machine", async () => {
    const old = [await running("old-1"), await running("old-2")];
    const launches: string[] = [];
    for (let i = 0; i < 5; i++) launches.push(await askForLaunch(`gh-${i}`));
    const ends: string[] = [];
    for (const machine of old) ends.push(await askToEnd("terminate", machine));
    const duties = [LOOK, SEND, SETTLE].map(({ everyMs, run }) => ({ everyMs, run: four(run) }));
    await world.advance(5 * 60_000, duties, STEP_MS);
    const sent = posts(LAUNCH);
    expect(sent).toHaveLength(5);
    for (let i = 1; i < sent.length; i++)
      expect((sent[i]?.at ?? 0) - (sent[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(12_000);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const made = await resources();
    expect(
      made
        .filter(({ intentId }) => intentId !== null)
        .map(({ intentId }) => intentId)
        .sort(),
    ).toEqual(launches.sort());
    expect(
      made
        .filter(({ goneAt }) => goneAt !== null)
        .map(({ externalId }) => externalId)
        .sort(),
    ).toEqual(old.sort());
    for (const id of launches) expect(await intentOf(id)).toMatchObject({ state: "confirmed", sends: 1 });
    for (const id of ends) expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
    expect(
      posts(TERMINATE)
        .map(({ body }) => body)
        .sort(),
    ).toEqual(old.map((id) => JSON.stringify({ instance_ids: [id] })).sort());
  });
});

describe("a terminate is repeated until the machine is gone", () => {
  const once = { method: "POST", path: TERMINATE };
  const cases: [string, Record<string, unknown> | null, number][] = [
    ["all goes well", null, 1],
    ["the first two answers are 500", { name: "server_error", ...once, count: 2 }, 3],
    ["the first two are edge pages", { name: "edge_page", ...once, count: 2 }, 3],
    ["the first two are rate limited", { name: "rate_limited", ...once, count: 2 }, 3],
    ["the first two answers are lost", { name: "hang", resetAfterMs: 20, ...once, count: 2 }, 3],
    ["the look before the act fails twice", { name: "server_error", method: "GET", path: "/instances/", count: 2 }, 1],
  ];

  test.each(cases)("%s", async (_, fault, sent) => {
    const machine = await running();
    const other = await running("other");
    const id = await askToEnd("terminate", machine);
    if (fault) world.cloud.faults.add(fault);
    await work(10 * 60_000);
    expect(posts(TERMINATE)).toHaveLength(sent);
    expect(posts(TERMINATE).every(({ body }) => body === JSON.stringify({ instance_ids: [machine] }))).toBe(true);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
    expect(machines().map((one) => [one.id, statusAt(one, world.now())])).toEqual([
      [machine, "terminated"],
      [other, "active"],
    ]);
    const [row] = await rows("select gone_reason as reason from resource where external_id = $1", [machine]);
    expect(row).toEqual({ reason: "terminated_here" });
    expect(
      (await told(0)).filter(({ action, subject }) => action === "instance.terminated" && subject === "gh-old").length,
    ).toBeGreaterThan(0);
  });

  test("a machine that is no longer what was confirmed is left alone", async () => {
    const machine = await running();
    const id = await askToEnd("terminate", machine);
    machines()[0]?.names.push({ from: world.now(), value: "somebody else's now" });
    await work(3 * 60_000);
    expect(posts(TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "refused", errorCode: "changed" });
  });

  test("a machine that was ended elsewhere meanwhile is done when two looks lack it", async () => {
    const machine = await running();
    const id = await askToEnd("terminate", machine);
    await admin(world.cloud, "POST", "/terminate-outside", { id: machine });
    await world.advance(7 * 60_000);
    await work(4 * 60_000);
    expect(posts(TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
  });

  test("while the key is refused nothing is sent, and afterwards it is", async () => {
    const machine = await running();
    world.cloud.faults.add({ name: "unauthorised" });
    await work(60_000);
    world.cloud.faults.clear(null);
    const id = await askToEnd("terminate", machine);
    world.cloud.faults.add({ name: "unauthorised" });
    await work(2 * 60_000);
    expect(posts(TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "ready" });
    world.cloud.faults.clear(null);
    await work(4 * 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
  });

  test("a machine that was gone before anything was sent needs no terminate", async () => {
    const machine = await running();
    const id = await askToEnd("terminate", machine);
    await admin(world.cloud, "POST", "/terminate-outside", { id: machine });
    await world.advance(5 * 60_000, [LOOK], 15_000);
    await settleIntents(world.ctx());
    await work(60_000);
    expect(posts(TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "cancelled", sends: 0 });
  });

  test("a restart whose answer is lost is not repeated", async () => {
    const machine = await running();
    const id = await askToEnd("restart", machine);
    world.cloud.faults.add({ name: "hang", resetAfterMs: 20, method: "POST", path: RESTART, count: 1 });
    await work(8 * 60_000);
    expect(posts(RESTART)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "closed_unconfirmed" });
    expect(await resources()).toMatchObject([{ goneAt: null }]);
  });
});
