import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultNames } from "./faults";
import { DEFAULT_KEY, type Simulator } from "./start";
import { admin, advance, at, call, launch, launchBody, startTestCloud } from "./testing";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startTestCloud();
});
afterEach(() => simulator.close());

const fault = (name: string, more: Record<string, unknown> = {}) =>
  admin(simulator, "POST", "/faults", { name, ...more });

async function listed(): Promise<unknown[]> {
  const data = at((await call(simulator, "GET", "/instances")).json, "data");
  return Array.isArray(data) ? data : [];
}

/** A launch whose answer the caller does not wait for. */
async function impatientLaunch(): Promise<string> {
  simulator.cloud.clock.moveTo(simulator.cloud.now() + 13_000);
  return fetch(`${simulator.apiUrl}/instance-operations/launch`, {
    method: "POST",
    headers: { authorization: `Bearer ${DEFAULT_KEY}` },
    body: JSON.stringify(launchBody({ name: "lost" })),
    signal: AbortSignal.timeout(300),
  }).then(
    (response) => `answered ${response.status}`,
    (error: unknown) => (error instanceof Error ? error.name : "?"),
  );
}

describe("a launch whose answer is lost", () => {
  test("may have made a machine, which bills", async () => {
    await fault("launch_timeout_created", { count: 1 });
    expect(await impatientLaunch()).toBe("TimeoutError");
    expect((await listed()).map((instance) => at(instance, "name"))).toEqual(["lost"]);
  });

  test("may have made none", async () => {
    await fault("launch_timeout_not_created", { count: 1 });
    expect(await impatientLaunch()).toBe("TimeoutError");
    expect(await listed()).toEqual([]);
  });

  test("may end with the connection", async () => {
    await fault("launch_timeout_created", { count: 1, resetAfterMs: 20 });
    expect(await impatientLaunch()).toBe("TypeError");
    expect((await listed()).length).toBe(1);
  });

  test("may say 500 and have made a machine", async () => {
    await fault("launch_500_created", { count: 1 });
    const answer = await call(simulator, "POST", "/instance-operations/launch", launchBody());
    expect([answer.status, at(answer.json, "error", "code")]).toEqual([500, "global/internal-error"]);
    expect((await listed()).length).toBe(1);
  });
});

test("a launch is refused for lack of capacity although the list has some", async () => {
  await fault("insufficient_capacity", { count: 1 });
  const answer = await call(simulator, "POST", "/instance-operations/launch", launchBody());
  expect(at(answer.json, "error", "code")).toBe("instance-operations/launch/insufficient-capacity");
  await launch(simulator);
});

test("launches may be refused at random, with a given chance", async () => {
  const own = await startTestCloud({ behaviour: { refusal: 0.4 } });
  const refused = [];
  for (let i = 0; i < 40; i++) {
    refused.push((await call(own, "POST", "/instance-operations/launch", launchBody())).status === 400);
  }
  const share = refused.filter(Boolean).length / refused.length;
  expect(share).toBeGreaterThan(0.15);
  expect(share).toBeLessThan(0.65);
  await own.close();
});

test("a machine that boots unhealthy never gets active, never reports and is never billed", async () => {
  await fault("unhealthy_boot", { count: 1 });
  const id = await launch(simulator);
  await advance(simulator, 3_600_000);
  expect(at((await listed())[0], "status")).toBe("unhealthy");
  expect(simulator.cloud.bills()).toMatchObject([{ id, minutes: 0, micros: 0n }]);
});

test("a new machine is known by its id at once and listed later", async () => {
  await fault("list_lag", { seconds: 45, count: 1 });
  const id = await launch(simulator);
  expect(await listed()).toEqual([]);
  expect((await call(simulator, "GET", `/instances/${id}`)).status).toBe(200);
  await advance(simulator, 45_000);
  expect((await listed()).length).toBe(1);
});

test("the list may be empty, or lose half of its machines, for a while", async () => {
  for (let i = 0; i < 4; i++) await launch(simulator);
  await fault("empty_list", { count: 1 });
  expect(await listed()).toEqual([]);
  await fault("half_list", { count: 1 });
  expect((await listed()).length).toBe(2);
  await fault("half_list", { count: 1, keep: 1 });
  expect((await listed()).length).toBe(1);
  expect((await listed()).length).toBe(4);
});

test("a status that nobody knows, for all machines or for one", async () => {
  const [first] = [await launch(simulator), await launch(simulator)];
  await fault("unknown_status", { count: 1 });
  expect((await listed()).map((instance) => at(instance, "status"))).toEqual(["hibernating", "hibernating"]);
  await fault("unknown_status", { count: 1, status: "migrating", id: first });
  expect((await listed()).map((instance) => at(instance, "status"))).toEqual(["migrating", "booting"]);
});

test("fields of the future, on every level", async () => {
  await launch(simulator);
  await fault("extra_fields");
  for (const path of ["/instances", "/instance-types", "/ssh-keys", "/audit-events"]) {
    const answer = await call(simulator, "GET", path);
    expect(answer.json).toHaveProperty("x_future");
  }
  expect(at((await listed())[0], "region", "x_workspace_id")).toBe("w-01");
});

test("null where a field would be left out", async () => {
  await launch(simulator);
  await fault("null_fields", { count: 1 });
  expect((await listed())[0]).toMatchObject({ ip: null, jupyter_url: null });
  expect((await listed())[0]).not.toHaveProperty("ip");
});

test.each([
  ["rate_limited", {}, 429, "application/json"],
  ["server_error", {}, 500, "application/json"],
  ["server_error", { status: 503 }, 503, "application/json"],
  ["unauthorised", {}, 401, "application/json"],
  ["account_inactive", {}, 403, "application/json"],
  ["edge_page", {}, 403, "text/html"],
  ["edge_page", { status: 429 }, 429, "text/html"],
  ["edge_page", { status: 502 }, 502, "text/html"],
])("%s %j answers %i as %s, and then no more", async (name, more, status, type) => {
  await fault(name, { ...more, count: 1 });
  const answer = await call(simulator, "GET", "/instances");
  expect(answer.status).toBe(status);
  expect(answer.type).toContain(type);
  expect((await call(simulator, "GET", "/instances")).status).toBe(200);
});

test("the page of whatever stands in front of the API speaks of a ban", async () => {
  await fault("edge_page", { count: 1 });
  expect((await call(simulator, "GET", "/instances")).text).toContain("banned you temporarily");
});

test("a fault may be for some requests only", async () => {
  const id = await launch(simulator);
  await fault("server_error", { method: "post", path: "/instance-operations/terminate" });
  expect((await listed()).length).toBe(1);
  const refused = await call(simulator, "POST", "/instance-operations/terminate", { instance_ids: [id] });
  expect(refused.status).toBe(500);
  expect(at((await listed())[0], "status")).toBe("booting");
  await admin(simulator, "DELETE", "/faults?name=server_error");
  const taken = await call(simulator, "POST", "/instance-operations/terminate", { instance_ids: [id] });
  expect(taken.status).toBe(200);
});

test("an answer may be slow", async () => {
  await fault("slow", { count: 1, ms: 120 });
  const before = performance.now();
  await call(simulator, "GET", "/regions");
  expect(performance.now() - before).toBeGreaterThan(100);
});

test("a request that hangs does not keep the cloud from closing", async () => {
  const own = await startTestCloud();
  own.faults.add({ name: "hang" });
  const hanging = fetch(`${own.apiUrl}/instances`, { headers: { authorization: `Bearer ${DEFAULT_KEY}` } }).then(
    () => "answered",
    () => "cut off",
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  await own.close();
  expect(await hanging).toBe("cut off");
});

describe("the audit log", () => {
  test("may be out of order, and every event is still there once", async () => {
    const own = await startTestCloud({ behaviour: { auditPageSize: 4 } });
    for (let i = 0; i < 6; i++) await launch(own);
    own.faults.add({ name: "audit_out_of_order" });
    const first = await call(own, "GET", "/audit-events?resource_type=cloud.instance");
    const token = String(at(first.json, "page_token"));
    const rest = await call(own, "GET", `/audit-events?resource_type=cloud.instance&page_token=${token}`);
    const times = [first, rest].flatMap((page) => {
      const data = at(page.json, "data");
      return Array.isArray(data) ? data.map((event) => String(at(event, "event_time"))) : [];
    });
    expect(new Set(times).size).toBe(6);
    expect(times).not.toEqual(times.toSorted());
    await own.close();
  });

  test("may be late, or closed to this key", async () => {
    await launch(simulator);
    await fault("audit_lag", { seconds: 60 });
    expect(at((await call(simulator, "GET", "/audit-events")).json, "data")).toEqual([]);
    await advance(simulator, 60_000);
    expect(at((await call(simulator, "GET", "/audit-events")).json, "data")).toMatchObject([{ action: "launched" }]);
    await fault("audit_forbidden", { count: 1 });
    expect((await call(simulator, "GET", "/audit-events")).status).toBe(403);
  });

  test("is bounded by start and end, both included", async () => {
    const before = simulator.cloud.now();
    await launch(simulator);
    const instant = new Date(simulator.cloud.now()).toISOString();
    await launch(simulator);
    const one = await call(simulator, "GET", `/audit-events?start=${instant}&end=${instant}`);
    expect(at(one.json, "data")).toMatchObject([{ event_time: instant.replace("Z", "000Z") }]);
    const none = await call(simulator, "GET", `/audit-events?end=${new Date(before).toISOString()}`);
    expect(at(none.json, "data")).toEqual([]);
  });
});

test("a fault that nobody knows is refused, and all known ones can be switched", async () => {
  expect((await fault("bad_mood")).status).toBe(400);
  for (const name of faultNames) expect((await fault(name)).status).toBe(200);
  expect(simulator.faults.list().length).toBe(faultNames.length);
  await admin(simulator, "DELETE", "/faults");
  expect(simulator.faults.list()).toEqual([]);
});
