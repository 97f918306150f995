import { afterEach, beforeEach, expect, test } from "vitest";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import type { Simulator } from "./start";
import {
  admin,
  advance,
  at,
  call,
  type Dashboard,
  launch,
  request,
  sampledAt,
  startDashboard,
  startTestCloud,
  userData,
} from "./testing";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let dashboard: Dashboard;
let simulator: Simulator;
beforeEach(async () => {
  dashboard = await startDashboard();
  simulator = await startTestCloud();
});
afterEach(async () => {
  await simulator.close();
  await dashboard.close();
});

const enrolled = (more: Record<string, unknown> = {}) =>
  launch(simulator, { user_data: userData(dashboard.url, "hd_enrol_1"), ...more });

const arrived = () => sampledAt(dashboard.received);
const everyTenSeconds = (from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / 10_000) + 1 }, (_, i) => from + i * 10_000);

test("a machine that somebody else started reports from the moment it is enrolled", async () => {
  const body = {
    region_name: "us-east-1",
    instance_type_name: "gpu_1x_a10",
    ssh_key_names: ["team-key"],
    name: "stray",
  };
  const outside = await admin(simulator, "POST", "/launch-outside", body);
  const id = String(at(outside.json, "id"));
  expect(simulator.cloud.state.audit.at(-1)?.actor.apiKeyLrn).toBeNull();
  await advance(simulator, 10 * MINUTE);
  expect(arrived()).toEqual([]);
  await admin(simulator, "POST", `/machines/${id}/enrol`, { url: `${dashboard.url}/`, token: "hd_late" });
  const from = simulator.cloud.now();
  await advance(simulator, MINUTE);
  expect(arrived()).toEqual(everyTenSeconds(from + 10_000, from + MINUTE));
  expect(dashboard.received[0]?.authorization).toBe("Bearer hd_late");
  await admin(simulator, "POST", "/terminate-outside", { id });
  expect(at((await call(simulator, "GET", `/instances/${id}`)).json, "data", "status")).toBe("terminating");
});

test("memory that is driven up arrives as readings that climb from where they were", async () => {
  const id = await enrolled({ tags: [{ key: "workload", value: "training" }] });
  await advance(simulator, 30 * MINUTE);
  await admin(simulator, "POST", `/machines/${id}/workload`, {
    kind: "memory-climb",
    params: { memoryPct: 95, overMinutes: 20 },
  });
  const from = simulator.cloud.now();
  await advance(simulator, 30 * MINUTE);
  const used = dashboard.received
    .flatMap(({ text }) => parseReport(text, from).batches)
    .filter((batch) => batch.at > from)
    .map(({ readings }) => (100 * (readings[0]?.values.memoryUsedMib ?? 0)) / 97_871);
  expect(used[0]).toBeGreaterThan(74);
  expect(used[0]).toBeLessThan(79);
  expect(used.at(-1)).toBeGreaterThan(94);
});

test("the token is nowhere in what the admin port shows", async () => {
  await enrolled();
  await advance(simulator, 2 * MINUTE);
  expect((await admin(simulator, "GET", "/state")).text).not.toContain("hd_enrol_1");
});

test("the clock never goes back, and wrong words are refused in words", async () => {
  const id = await enrolled();
  expect((await admin(simulator, "POST", "/clock", { now: 0 })).status).toBe(400);
  expect((await admin(simulator, "POST", "/clock", {})).status).toBe(400);
  expect((await admin(simulator, "POST", `/machines/${id}/workload`, { kind: "party" })).status).toBe(400);
  expect((await admin(simulator, "POST", `/machines/${id}/agent`, {})).status).toBe(400);
  expect((await admin(simulator, "POST", "/machines/none/agent", { state: "running" })).status).toBe(400);
  expect((await admin(simulator, "GET", "/nothing")).status).toBe(404);
  const page = await request(`${simulator.adminUrl}/state`, "GET", undefined, { origin: "http://elsewhere.example" });
  expect(page.status).toBe(403);
});

test("a preempted machine falls silent, and is listed as what it is", async () => {
  const id = await enrolled();
  await advance(simulator, 5 * MINUTE);
  await admin(simulator, "POST", `/machines/${id}/health`, { status: "preempted" });
  const end = simulator.cloud.now();
  await advance(simulator, HOUR);
  expect(arrived().filter((one) => one > end)).toEqual([]);
  expect(at((await call(simulator, "GET", "/instances")).json, "data", 0, "status")).toBe("preempted");
});

test("work that is set counts at once, and what was planned is off", async () => {
  const id = await enrolled({ tags: [{ key: "workload", value: "training" }] });
  await advance(simulator, 70_000);
  await admin(simulator, "POST", `/machines/${id}/workload`, { kind: "idle-held", params: { memoryPct: 33 } });
  await advance(simulator, HOUR);
  expect(at((await admin(simulator, "GET", `/machines/${id}`)).json, "workload")).toBe("idle-held");
});

test("a card that is exchanged reports itself with another UUID, while the listing says what it said", async () => {
  const id = await enrolled({ instance_type_name: "gpu_1x_gh200" });
  await advance(simulator, 5 * MINUTE);
  const before = at((await admin(simulator, "GET", `/machines/${id}`)).json, "gpus", 0);
  await admin(simulator, "POST", `/machines/${id}/cards`, { type: "gpu_1x_h100_pcie" });
  const after = await admin(simulator, "GET", `/machines/${id}`);
  expect(at(after.json, "gpus", 0)).not.toBe(before);
  expect(at(after.json, "type")).toBe("gpu_1x_gh200");
  const query = encodeURIComponent("--query-gpu=name,memory.total --format=csv,noheader");
  const printed = await admin(simulator, "GET", `/machines/${id}/nvidia-smi?args=${query}`);
  expect(printed.text).toContain("NVIDIA H100 PCIe, 81559 MiB");
  expect((await admin(simulator, "POST", `/machines/${id}/cards`, { type: "cpu_4x_general" })).status).toBe(400);
});
