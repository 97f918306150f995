import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { claimIntent, type Intent, insertIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { pollInstances } from "@/lib/services/fleet/poll";
import { enrolmentToken } from "@/lib/services/tokens";
import { admin, launchBody } from "@/lib/simulator/testing";
import {
  askForLaunch,
  askToEnd,
  intentOf,
  LAUNCH,
  LOOK,
  posts,
  resources,
  running,
  SEND,
  SETTLE,
  STEP_MS,
  TERMINATE,
  work,
} from "@/lib/testing/intents";
import { type Duty, rows, startWorld, tablesHolding, told, type World } from "@/lib/testing/world";
import { hashBytes } from "./hash";
import { sendIntents } from "./send";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 120_000, terminateMs: 60_000 } });
});
beforeEach(async () => {
  world.cloud.cloud.behaviour.launchLatencyMs = [0, 0];
  await world.reset();
});
afterAll(() => world.close());

const machines = () => world.cloud.cloud.state.machines;

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
    const id = await askForLaunch(world);
    await work(world, 12 * 60_000);
    expect(machines()).toHaveLength(expected);
    expect(posts(world, LAUNCH)).toHaveLength(1);
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
    const id = await askForLaunch(world, "gh-marked");
    await work(world, 60_000);
    const [machine] = machines();
    expect(machine?.tags).toContainEqual({ key: "hopperdeck-intent", value: id });
    expect(machine?.tags).toContainEqual({ key: "team", value: "research" });
    expect(machine?.agent.target?.token).toBe(enrolmentToken(id).secret);
    expect(await tablesHolding(enrolmentToken(id).secret)).toEqual([]);
    expect(await rows("select 1 from token where intent_id = $1 and resource_id is not null", [id])).toHaveLength(1);
  });

  test("a second machine with the mark of the same launch is not hidden: it is said, and bills as its own", async () => {
    const id = await askForLaunch(world);
    await work(world, 60_000);
    const [machine] = machines();
    if (!machine) throw new Error("no machine");
    await admin(world.cloud, "POST", "/launch-outside", launchBody({ name: "twin", tags: machine.tags }));
    await work(world, 2 * 60_000);
    expect((await resources()).map(({ intentId }) => intentId).sort()).toEqual([id, null].sort());
    expect(
      (await told(0)).filter(({ action, subject }) => action === "intent.orphan-found" && subject === "twin"),
    ).toHaveLength(1);
  });

  test("a machine that is listed before its launch is answered is taken as it is", async () => {
    world.cloud.cloud.behaviour.launchLatencyMs = [600, 600];
    const id = await askForLaunch(world);
    const sending = sendIntents(world.ctx());
    await vi.waitFor(() => expect(machines()).toHaveLength(1), 10_000);
    await world.advance(5_000);
    await pollInstances(world.ctx());
    expect(await intentOf(id)).toMatchObject({ state: "adopted" });
    await sending;
    await work(world, 2 * 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "adopted", externalId: machines()[0]?.id });
    expect(await resources()).toMatchObject([{ intentId: id }]);
  });

  test("a launch that could not be sent for half an hour is not sent any more", async () => {
    world.cloud.faults.add({ name: "unauthorised" });
    await work(world, 60_000);
    const id = await askForLaunch(world);
    await work(world, 31 * 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "expired", sends: 0 });
    world.cloud.faults.clear(null);
    await work(world, 5 * 60_000);
    expect(machines()).toHaveLength(0);
    expect(posts(world, LAUNCH)).toHaveLength(0);
  });

  test("the same intent twice is one intent", async () => {
    const id = await askForLaunch(world);
    await mutate(world.ctx(), "intent:launch", async (tx) => {
      const again = await insertIntent(tx, { ...(await intentOf(id)), planHash: hashBytes("") });
      expect(again).toBeNull();
      return { action: "launch.requested", subjectKind: "intent", subjectId: id, subject: "gh", result: null };
    });
    await work(world, 2 * 60_000);
    expect(machines()).toHaveLength(1);
  });
});

describe("a worker that dies over an intent", () => {
  test("while Lambda works on the launch: it is never sent again, and its machine is adopted", async () => {
    world.cloud.cloud.behaviour.launchLatencyMs = [5_000, 5_000];
    const id = await askForLaunch(world);
    const worker = spawn(process.execPath, ["--import", "tsx", "lib/testing/send-once.ts"], { stdio: "inherit" });
    const ended = once(worker, "exit");
    const deadline = Date.now() + 20_000;
    while (machines().length === 0 && Date.now() < deadline) await sleep(20);
    worker.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
    world.cloud.cloud.behaviour.launchLatencyMs = [0, 0];
    expect(await intentOf(id)).toMatchObject({ state: "sending", sends: 1 });
    await work(world, 10 * 60_000);
    expect(machines()).toHaveLength(1);
    expect(posts(world, LAUNCH)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "adopted", externalId: machines()[0]?.id });
  });

  test("before a launch left it: nothing is sent, and the intent says so in the end", async () => {
    const id = await askForLaunch(world);
    expect(await claimIntent(await intentOf(id), randomUUID(), world.ctx().now)).not.toBeNull();
    await work(world, 10 * 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "closed_unconfirmed" });
    // It does not stand in the way of the next one.
    await askForLaunch(world, "gh-next");
    await work(world, 60_000);
    expect(machines()).toHaveLength(1);
  });

  test("over a terminate: it is sent again until the machine is gone", async () => {
    const machine = await running(world);
    const id = await askToEnd(world, "terminate", machine);
    expect(await claimIntent(await intentOf(id), randomUUID(), world.ctx().now)).not.toBeNull();
    await work(world, 8 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
    expect(await resources()).toMatchObject([{ externalId: machine, goneAt: expect.any(Date) }]);
  });
});

describe("several workers at once", () => {
  const four = (run: Duty["run"]) => async () => {
    const ctx = world.ctx();
    await Promise.all([1, 2, 3, 4].map(() => run(ctx)));
  };

  test("send each launch once, 12 s apart, and each terminate to its own machine", async () => {
    const old = [await running(world, "old-1"), await running(world, "old-2")];
    const launches: string[] = [];
    for (let i = 0; i < 5; i++) launches.push(await askForLaunch(world, `gh-${i}`));
    const ends: string[] = [];
    for (const machine of old) ends.push(await askToEnd(world, "terminate", machine));
    const duties = [LOOK, SEND, SETTLE].map(({ everyMs, run }) => ({ everyMs, run: four(run) }));
    await world.advance(5 * 60_000, duties, STEP_MS);
    const sent = posts(world, LAUNCH);
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
      posts(world, TERMINATE)
        .map(({ body }) => body)
        .sort(),
    ).toEqual(old.map((id) => JSON.stringify({ instance_ids: [id] })).sort());
  });
});
