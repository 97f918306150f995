import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { statusAt } from "@/lib/simulator/lifecycle";
import { admin } from "@/lib/simulator/testing";
import { askToEnd, intentOf, LOOK, posts, RESTART, resources, running, TERMINATE, work } from "@/lib/testing/intents";
import { rows, startWorld, told, type World } from "@/lib/testing/world";
import { settleIntents } from "./send";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 120_000, terminateMs: 60_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const machines = () => world.cloud.cloud.state.machines;

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
    const machine = await running(world);
    const other = await running(world, "other");
    const id = await askToEnd(world, "terminate", machine);
    if (fault) world.cloud.faults.add(fault);
    await work(world, 10 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(sent);
    expect(posts(world, TERMINATE).every(({ body }) => body === JSON.stringify({ instance_ids: [machine] }))).toBe(
      true,
    );
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
    const machine = await running(world);
    const id = await askToEnd(world, "terminate", machine);
    machines()[0]?.names.push({ from: world.now(), value: "somebody else's now" });
    await work(world, 3 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "refused", errorCode: "changed" });
  });

  test("a machine that was ended elsewhere meanwhile is done when looks go on lacking it", async () => {
    const machine = await running(world);
    const id = await askToEnd(world, "terminate", machine);
    await admin(world.cloud, "POST", "/terminate-outside", { id: machine });
    await world.advance(7 * 60_000);
    await work(world, 7 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
  });

  test("listings that lack a machine for a while do not make its end known", async () => {
    const machine = await running(world);
    await running(world, "second");
    await running(world, "third");
    const id = await askToEnd(world, "terminate", machine);
    world.cloud.faults.add({ name: "server_error", method: "POST", path: TERMINATE, count: 20 });
    await work(world, 20_000);
    const listed = machines()[0];
    if (!listed) throw new Error("no machine");
    machines().splice(machines().indexOf(listed), 1);
    await work(world, 2 * 60_000);
    expect(await rows("select 1 from resource where external_id = $1 and gone_at is not null", [machine])).toHaveLength(
      1,
    );
    expect(await intentOf(id)).toMatchObject({ state: "sending" });
    machines().push(listed);
    world.cloud.faults.clear(null);
    await work(world, 5 * 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
    expect(statusAt(listed, world.now())).toBe("terminated");
  });

  test("while the key is refused nothing is sent, and afterwards it is", async () => {
    const machine = await running(world);
    world.cloud.faults.add({ name: "unauthorised" });
    await work(world, 60_000);
    world.cloud.faults.clear(null);
    const id = await askToEnd(world, "terminate", machine);
    world.cloud.faults.add({ name: "unauthorised" });
    await work(world, 2 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "ready" });
    world.cloud.faults.clear(null);
    await work(world, 4 * 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
  });

  test("a machine that was gone before anything was sent needs no terminate", async () => {
    const machine = await running(world);
    const id = await askToEnd(world, "terminate", machine);
    await admin(world.cloud, "POST", "/terminate-outside", { id: machine });
    await world.advance(5 * 60_000, [LOOK], 15_000);
    await settleIntents(world.ctx());
    await work(world, 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(0);
    expect(await intentOf(id)).toMatchObject({ state: "cancelled", sends: 0 });
  });

  test("a restart whose answer is lost is not repeated", async () => {
    const machine = await running(world);
    const id = await askToEnd(world, "restart", machine);
    world.cloud.faults.add({ name: "hang", resetAfterMs: 20, method: "POST", path: RESTART, count: 1 });
    await work(world, 8 * 60_000);
    expect(posts(world, RESTART)).toHaveLength(1);
    expect(await intentOf(id)).toMatchObject({ state: "closed_unconfirmed" });
    expect(await resources()).toMatchObject([{ goneAt: null }]);
  });
});
