import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { probeSections } from "./probes";
import { DEFAULT_KEY, type Simulator } from "./start";
import { admin, advance, at, call, launch, launchBody, request, startTestCloud } from "./testing";

const LAUNCH = "/instance-operations/launch";
const TERMINATE = "/instance-operations/terminate";
const OTHER_KEY = "secret_simulator_other_0123456789ab";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startTestCloud({ apiKeys: [DEFAULT_KEY, OTHER_KEY] });
});
afterEach(() => simulator.close());

const fault = (name: string, more: Record<string, unknown> = {}) =>
  admin(simulator, "POST", "/faults", { name, count: 1, ...more });
const status = async (id: string) => at((await call(simulator, "GET", `/instances/${id}`)).json, "data", "status");
const end = (...ids: string[]) => call(simulator, "POST", TERMINATE, { instance_ids: ids });

describe("what was asked for is done, and nobody says so", () => {
  test("the answer of a terminate is cut off", async () => {
    const id = await launch(simulator);
    await fault("answer_lost", { path: TERMINATE, resetAfterMs: 10 });
    await expect(end(id)).rejects.toThrow();
    expect(await status(id)).toBe("terminating");
  });

  test("the answer of a terminate is a 500", async () => {
    const id = await launch(simulator);
    await fault("answer_500", { path: TERMINATE });
    expect((await end(id)).status).toBe(500);
    expect(await status(id)).toBe("terminating");
  });

  test("the answer of a launch is a page", async () => {
    await fault("answer_page", { path: LAUNCH });
    const answer = await call(simulator, "POST", LAUNCH, launchBody());
    expect([answer.status, answer.type]).toEqual([502, "text/html; charset=UTF-8"]);
    expect(simulator.cloud.state.machines).toHaveLength(1);
  });

  test.each([0, 2])("a launch names %i machines", async (ids) => {
    await fault("odd_ids", { ids });
    const answer = await call(simulator, "POST", LAUNCH, launchBody());
    expect(at(answer.json, "data", "instance_ids")).toHaveLength(ids);
    expect(simulator.cloud.state.machines).toHaveLength(1);
  });
});

test("a terminate may be answered 404 and do nothing", async () => {
  const id = await launch(simulator);
  await fault("terminate_not_found");
  expect((await end(id)).status).toBe(404);
  expect(await status(id)).toBe("booting");
});

test("one unknown id stops all others, or none of them", async () => {
  const id = await launch(simulator);
  expect((await end(id, "0".repeat(32))).status).toBe(404);
  expect(await status(id)).toBe("booting");
  await fault("partial_batch");
  expect((await end(id, "0".repeat(32))).status).toBe(200);
  expect(await status(id)).toBe("terminating");
});

test("a new machine may be unknown by its id for a while", async () => {
  await fault("unknown_by_id", { count: undefined, seconds: 30 });
  const id = await launch(simulator);
  expect((await call(simulator, "GET", `/instances/${id}`)).status).toBe(404);
  await advance(simulator, 30_000);
  expect(await status(id)).toBe("booting");
});

test("a boot may take much longer than others", async () => {
  await fault("slow_boot", { seconds: 857 });
  const id = await launch(simulator);
  await advance(simulator, 850_000);
  expect(await status(id)).toBe("booting");
  await advance(simulator, 10_000);
  expect(await status(id)).toBe("active");
});

test("a machine may be active while no program can use its GPUs", async () => {
  await fault("cuda_dead");
  const id = await launch(simulator);
  await advance(simulator, 10 * 60_000);
  expect(await status(id)).toBe("active");
  const machine = simulator.cloud.state.machines.find((one) => one.id === id);
  if (!machine) throw new Error("no machine");
  expect(probeSections(machine, simulator.cloud.now())).toContain("usable=no");
  expect(probeSections(machine, simulator.cloud.now())).toContain("error 802");
});

test("capacity comes and goes, in the list and for launches alike", async () => {
  await fault("capacity_flicker", { count: undefined, stepMs: 60_000 });
  const seen = new Set<string>();
  for (let i = 0; i < 40; i++) {
    const types = await call(simulator, "GET", "/instance-types");
    const regions = at(types.json, "data", "gpu_1x_gh200", "regions_with_capacity_available");
    const isListed = Array.isArray(regions) && regions.length > 0;
    const answer = await call(simulator, "POST", LAUNCH, launchBody());
    seen.add(`${isListed} ${answer.status}`);
    await advance(simulator, 60_000);
  }
  expect(seen).toContain("true 200");
  expect(seen).toContain("false 400");
});

test("somebody else may register an SSH key of the same name a moment before", async () => {
  await fault("ssh_key_taken");
  const answer = await call(simulator, "POST", "/ssh-keys", { name: "laptop" });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("must be unique");
  expect((await call(simulator, "GET", "/ssh-keys")).text).toContain("laptop");
});

test("one key may be refused while another is accepted", async () => {
  await fault("unauthorised", { count: undefined, key: OTHER_KEY.slice(-4) });
  expect((await call(simulator, "GET", "/instances")).status).toBe(200);
  const other = await request(`${simulator.apiUrl}/instances`, "GET", undefined, {
    authorization: `Bearer ${OTHER_KEY}`,
  });
  expect(other.status).toBe(401);
});

test("a 429 says when to come back only where it is told to", async () => {
  await fault("rate_limited");
  expect((await call(simulator, "GET", "/regions")).headers.get("retry-after")).toBeNull();
  await fault("rate_limited", { retryAfter: 7 });
  expect((await call(simulator, "GET", "/regions")).headers.get("retry-after")).toBe("7");
});

test("a fault with a chance strikes about so often, and the same way again", async () => {
  async function strikes(): Promise<number[]> {
    const own = await startTestCloud({ seed: 7 });
    own.faults.add({ name: "server_error", chance: 0.3 });
    const found: number[] = [];
    for (let i = 0; i < 60; i++) found.push((await call(own, "GET", "/regions")).status);
    await own.close();
    return found;
  }
  const [first, second] = [await strikes(), await strikes()];
  expect(first).toEqual(second);
  const share = first.filter((one) => one === 500).length / first.length;
  expect(share).toBeGreaterThan(0.1);
  expect(share).toBeLessThan(0.55);
});

test("a machine that is shut down from inside goes on being active and billed", async () => {
  const id = await launch(simulator);
  await advance(simulator, 120_000);
  await admin(simulator, "POST", `/machines/${id}/poweroff`, {});
  await advance(simulator, 60 * 60_000);
  expect(await status(id)).toBe("active");
  expect(simulator.cloud.bills()).toMatchObject([{ id, minutes: expect.any(Number) }]);
  expect(simulator.cloud.bills()[0]?.minutes).toBeGreaterThanOrEqual(60);
});
