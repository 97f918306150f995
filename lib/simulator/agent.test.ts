import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import { isRecord } from "./request-body";
import type { Simulator } from "./start";
import {
  admin,
  advance,
  at,
  call,
  type Dashboard,
  launch,
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

async function agentState(id: string): Promise<Record<string, unknown>> {
  const answer = await admin(simulator, "GET", `/machines/${id}`);
  const agent = at(answer.json, "agent");
  return isRecord(agent) ? agent : {};
}

const arrived = () => sampledAt(dashboard.received);
const everyTenSeconds = (from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / 10_000) + 1 }, (_, i) => from + i * 10_000);

test("a machine reports with the address and token of its user data, before it is active", async () => {
  const id = await enrolled();
  const launched = simulator.cloud.now();
  await advance(simulator, 15_000);
  expect(arrived()).toEqual([]);
  for (let i = 0; i < 6; i++) await advance(simulator, 10_000);
  const [first] = dashboard.received;
  expect(first).toMatchObject({ path: "/api/v1/ingest/nvidia-smi", authorization: "Bearer hd_enrol_1" });
  const instants = arrived();
  expect(instants[0]).toBeGreaterThan(launched);
  expect(instants[0]).toBeLessThan(launched + 61_000);
  expect(instants).toEqual(everyTenSeconds(instants[0] ?? 0, instants.at(-1) ?? 0));
  const report = parseReport(first?.text ?? "", simulator.cloud.now());
  expect(report.problems).toEqual([]);
  expect(report.agent?.machine).toBe("aarch64");
  expect(report.batches[0]?.readings[0]).toMatchObject({ name: "NVIDIA GH200 480GB", memoryTotalMib: 97_871 });
  expect((await agentState(id)).pending).toBe(0);
});

test("a machine without an install line never reports, and one that boots unhealthy neither", async () => {
  await launch(simulator);
  simulator.faults.add({ name: "unhealthy_boot", count: 1 });
  await enrolled();
  await advance(simulator, HOUR);
  expect(dashboard.received).toEqual([]);
});

test("one move of the clock sends everything that fell due meanwhile, each with its own time", async () => {
  await enrolled();
  await advance(simulator, 2 * HOUR);
  const instants = arrived().toSorted((a, b) => a - b);
  expect(instants.length).toBeGreaterThan(700);
  expect(instants).toEqual(everyTenSeconds(instants[0] ?? 0, instants.at(-1) ?? 0));
  expect(new Set(instants).size).toBe(instants.length);
  expect(simulator.cloud.now() - (instants.at(-1) ?? 0)).toBeLessThan(10_000);
});

describe("through an outage", () => {
  test("nothing is lost and nothing is sent twice; the newest sample comes with the first request", async () => {
    const id = await enrolled();
    await advance(simulator, 2 * MINUTE);
    const before = arrived().length;
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "offline" });
    const cut = simulator.cloud.now();
    await advance(simulator, 90 * MINUTE);
    expect(arrived().length).toBe(before);
    expect((await agentState(id)).pending).toBe(540);
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "running" });
    await advance(simulator, 10_000);
    const firstAfter = dashboard.received.findIndex(({ text }) =>
      sampledAt([{ path: "", authorization: "", text }]).some((one) => one > cut),
    );
    const sent = sampledAt(dashboard.received.slice(firstAfter, firstAfter + 1));
    expect(sent.at(-1)).toBe(Math.floor(simulator.cloud.now() / 10_000) * 10_000);
    const instants = arrived().toSorted((a, b) => a - b);
    expect(instants).toEqual(everyTenSeconds(instants[0] ?? 0, instants.at(-1) ?? 0));
  });

  test("a stopped agent leaves a gap", async () => {
    const id = await enrolled();
    await advance(simulator, 2 * MINUTE);
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "stopped" });
    const from = simulator.cloud.now();
    await advance(simulator, 10 * MINUTE);
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "running" });
    const to = simulator.cloud.now();
    await advance(simulator, MINUTE);
    expect(arrived().filter((one) => one > from && one < to)).toEqual([]);
    expect(arrived().filter((one) => one > to).length).toBeGreaterThan(4);
  });

  test("the buffer holds a day; what is older is lost and counted", async () => {
    const id = await enrolled();
    await advance(simulator, 2 * MINUTE);
    await admin(simulator, "POST", `/machines/${id}/agent`, { state: "offline" });
    for (let i = 0; i < 26; i++) await advance(simulator, HOUR);
    const state = await agentState(id);
    expect(state.pending).toBe(8_640);
    expect(state.dropped).toBe(2 * 360);
    expect(at((await admin(simulator, "GET", "/state")).json, "machines", 0, "agent", "dropped")).toBe(720);
  });
});

describe("what the dashboard answers", () => {
  test.each([
    [401, 60_000],
    [403, 60_000],
    [429, 2_000],
    [503, 2_000],
  ])("%i: the sample is kept and sent after %i ms", async (status, ms) => {
    const id = await enrolled();
    await advance(simulator, 2 * MINUTE);
    const before = arrived().length;
    dashboard.status = status;
    await advance(simulator, 10_000);
    const refusedAt = simulator.cloud.now();
    expect((await agentState(id)).lastStatus).toBe(status);
    dashboard.status = 202;
    await advance(simulator, ms - 1_000);
    expect(arrived().length).toBe(before);
    await advance(simulator, refusedAt + ms + 1_000 - simulator.cloud.now());
    expect(arrived().length).toBeGreaterThan(before);
    expect((await agentState(id)).pending).toBe(0);
  });

  test("Retry-After is honoured", async () => {
    await enrolled();
    await advance(simulator, 2 * MINUTE);
    const before = arrived().length;
    dashboard.status = 429;
    dashboard.retryAfter = "120";
    await advance(simulator, 10_000);
    dashboard.status = 202;
    await advance(simulator, 100_000);
    expect(arrived().length).toBe(before);
    await advance(simulator, 30_000);
    expect(arrived().length).toBe(before + 14);
  });

  test.each([400, 413, 415, 422])("%i: the report is given up and counted", async (status) => {
    const id = await enrolled();
    await advance(simulator, 2 * MINUTE);
    dashboard.status = status;
    await advance(simulator, 10_000);
    expect(await agentState(id)).toMatchObject({ pending: 0, dropped: 1 });
  });

  test("nothing at all: the machine keeps its samples", async () => {
    const id = await launch(simulator, { user_data: userData("http://127.0.0.1:9", "t") });
    await advance(simulator, 5 * MINUTE);
    expect(Number((await agentState(id)).pending)).toBeGreaterThan(20);
  });
});

test("a restart is a short silence, and the work is gone", async () => {
  const id = await enrolled({ tags: [{ key: "workload", value: "training" }] });
  await advance(simulator, 30 * MINUTE);
  expect(at((await admin(simulator, "GET", `/machines/${id}`)).json, "workload")).toBe("training");
  await call(simulator, "POST", "/instance-operations/restart", { instance_ids: [id] });
  const from = simulator.cloud.now();
  await advance(simulator, 5 * MINUTE);
  const silent = arrived().filter((one) => one >= from && one < from + 75_000);
  expect(silent).toEqual([]);
  expect(arrived().filter((one) => one > from + 75_000).length).toBeGreaterThan(20);
  expect(at((await admin(simulator, "GET", `/machines/${id}`)).json, "workload")).toBe("idle-empty");
});

test("a terminated machine falls silent for good", async () => {
  const id = await enrolled();
  await advance(simulator, 5 * MINUTE);
  await call(simulator, "POST", "/instance-operations/terminate", { instance_ids: [id] });
  const end = simulator.cloud.now();
  await advance(simulator, HOUR);
  expect(arrived().filter((one) => one >= end)).toEqual([]);
});
