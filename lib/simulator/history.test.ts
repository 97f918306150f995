import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HistoryLine, historyOfListings, historyOfSamples, type SampleChunk } from "./history";
import { demoScenario } from "./scenario";
import type { Simulator } from "./start";
import { admin, advance, at, call, type Dashboard, sampledAt, startDashboard, startTestCloud } from "./testing";
import type { CloudState } from "./types";
import { listingView } from "./views";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 14, 7);
const state: CloudState = { ...demoScenario(1, NOW, 45), capacityStepMs: 240_000 };

describe("the past of what the API said", () => {
  const lines = [...historyOfListings(state, NOW - 45 * DAY, NOW)];
  const of = <K extends HistoryLine["kind"]>(kind: K) =>
    lines.filter((line): line is Extract<HistoryLine, { kind: K }> => line.kind === kind);

  test("is told in order of time, beginning with the whole", () => {
    const instants = lines.map((line) => line.at);
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    const first = lines.filter((line) => line.at === NOW - 45 * DAY).map(({ kind }) => kind);
    expect(first).toEqual(["instance-types", "instances", "file-systems"]);
    expect(Object.keys(of("instance-types")[0]?.data ?? {}).length).toBe(23);
  });

  test("has a line for each change and none without one", () => {
    const texts = of("instances").map(({ data }) => JSON.stringify(data));
    for (const [i, text] of texts.entries()) expect(text).not.toBe(texts[i - 1]);
  });

  test("says at any instant what the API would have said then", () => {
    for (let i = 0; i < 300; i++) {
      const instant = NOW - 45 * DAY + i * 3.6 * HOUR;
      const told = of("instances")
        .filter((line) => line.at <= instant)
        .at(-1)?.data;
      expect(told).toEqual(listingView(state, Math.floor(instant)));
    }
  });

  test("shows every status that a machine went through, addresses that come later, and the dearer price", () => {
    const seen = of("instances").flatMap(({ data }) => data);
    expect(new Set(seen.map(({ status }) => status))).toEqual(
      new Set(["booting", "active", "unhealthy", "terminating"]),
    );
    expect(seen.some(({ status, ip }) => status === "booting" && ip === undefined)).toBe(true);
    const prices = seen
      .filter((one) => one.instance_type.name === "gpu_1x_gh200")
      .map((one) => one.instance_type.price_cents_per_hour);
    expect([...new Set(prices)]).toEqual([149, 229]);
  });

  test("has the coming and going of GH200 capacity, and an event for each launch and terminate call", () => {
    const gh200 = of("instance-types").map(({ data }) => data.gpu_1x_gh200?.regions_with_capacity_available.length);
    expect(gh200).toContain(0);
    expect(gh200).toContain(1);
    const begun = state.machines.filter(({ launchedAt }) => launchedAt >= NOW - 45 * DAY).length;
    expect(of("audit-event").filter(({ data }) => data.action === "launched").length).toBe(begun);
  });
});

describe("the past of what agents sent", () => {
  const chunksOf = (from: number, to: number, stepMs: number) => [...historyOfSamples(state, from, to, stepMs)];

  test("comes in columns of one length, on the agents' own beat, without a sample twice", () => {
    const chunks = chunksOf(NOW - 2 * DAY, NOW, 60_000);
    const seen = new Set<string>();
    for (const { gpu, at: instants, columns, stepMs } of chunks) {
      expect(stepMs).toBe(60_000);
      for (const column of Object.values(columns)) expect(column.length).toBe(instants.length);
      for (const instant of instants) seen.add(`${gpu.uuid}/${instant}`);
    }
    expect(seen.size).toBe(chunks.reduce((sum, chunk) => sum + chunk.at.length, 0));
    expect(new Set(chunks.map(({ gpu }) => gpu.uuid)).size).toBeGreaterThan(13);
  });

  test("a coarse step tells a part of what the fine one tells", () => {
    const [coarse, fine] = [60_000, 10_000].map((stepMs) => {
      const points = new Map<string, number | null | undefined>();
      for (const chunk of chunksOf(NOW - 6 * HOUR, NOW, stepMs)) {
        for (const [i, instant] of chunk.at.entries())
          points.set(`${chunk.gpu.uuid}/${instant}`, chunk.columns.powerW[i]);
      }
      return points;
    });
    expect(coarse?.size).toBeGreaterThan(1_000);
    for (const [key, powerW] of coarse ?? []) expect(fine?.get(key)).toBe(powerW);
  });

  test("has gaps where an agent was stopped, was not installed, or its machine was not there", () => {
    const batch = state.machines.find((machine) => machine.names[0]?.value === "a100-batch-01");
    const stray = state.machines.find((machine) => machine.names[0]?.value === "tmp benchmark");
    const lastHour = chunksOf(NOW - HOUR, NOW, 10_000);
    const of = (id: string | undefined): SampleChunk[] => lastHour.filter(({ instanceId }) => instanceId === id);
    const instants = of(batch?.id).flatMap((chunk) => chunk.at);
    expect(instants.length).toBeGreaterThan(200);
    expect(Math.max(...instants)).toBeLessThan(NOW - 25 * 60_000);
    expect(of(stray?.id)).toEqual([]);
    for (const chunk of chunksOf(NOW - 45 * DAY, NOW, 3_600_000)) {
      const machine = state.machines.find(({ id }) => id === chunk.instanceId);
      expect(chunk.at[0]).toBeGreaterThanOrEqual(machine?.guestAt ?? Number.POSITIVE_INFINITY);
      expect(chunk.at.at(-1)).toBeLessThan(machine?.terminateRequestedAt ?? NOW);
    }
  });

  test("what an agent still holds back is not told", () => {
    const cut = NOW - HOUR;
    const held = structuredClone(state);
    const serve = held.machines.find((machine) => machine.names[0]?.value === "gh-serve-01");
    serve?.agent.modes.push({ from: cut, value: "offline" });
    const instants = [...historyOfSamples(held, NOW - 2 * HOUR, NOW, 10_000)]
      .filter(({ instanceId }) => instanceId === serve?.id)
      .flatMap((chunk) => chunk.at);
    expect(Math.max(...instants)).toBeLessThan(cut);
  });
});

describe("over the admin port", () => {
  let simulator: Simulator;
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard();
    simulator = await startTestCloud({ scenario: "demo", days: 3, now: NOW });
  });
  afterAll(async () => {
    await simulator.close();
    await dashboard.close();
  });
  const lines = async (path: string): Promise<unknown[]> => {
    const answer = await admin(simulator, "GET", path);
    expect(answer.type).toBe("application/x-ndjson");
    return answer.text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  };

  test("the past ends where the live cloud begins: same machines, same numbers", async () => {
    const told = (await lines(`/history/listings?from=${NOW - 3 * DAY}&to=${NOW}`)).filter(
      (line) => at(line, "kind") === "instances",
    );
    const live = await call(simulator, "GET", "/instances");
    expect(at(live.json, "data")).toEqual(at(told.at(-1), "data"));

    const id = simulator.cloud.state.machines.find((machine) => machine.names[0]?.value === "gh-serve-01")?.id;
    await admin(simulator, "POST", `/machines/${id}/enrol`, { url: dashboard.url, token: "hd_1" });
    const chunks = await lines(`/history/samples?from=${NOW - HOUR}&to=${NOW}&stepMs=10000`);
    const before = chunks.filter((chunk) => at(chunk, "instanceId") === id).flatMap((chunk) => at(chunk, "at"));
    await advance(simulator, 60_000);
    const after = sampledAt(dashboard.received);
    expect((after[0] ?? 0) - Number(before.at(-1))).toBe(10_000);
    const again = await lines(`/history/samples?from=${NOW}&to=${NOW + 60_000}&stepMs=10000`);
    const told60 = again
      .filter((chunk) => at(chunk, "instanceId") === id)
      .flatMap((chunk) => at(chunk, "columns", "powerW"));
    const sent60 = dashboard.received.flatMap(({ text }) =>
      [...text.matchAll(/, ([\d.]+) W, 700\.00 W/g)].map(([, watts]) => Number(watts)),
    );
    expect(sent60).toEqual(told60.slice(0, sent60.length));
    expect(sent60.length).toBeGreaterThanOrEqual(6);
  });

  test("the future is not told", async () => {
    const chunks = await lines(`/history/samples?from=${NOW - HOUR}&to=${NOW + 30 * DAY}&stepMs=60000`);
    const last = Math.max(...chunks.flatMap((chunk) => Number(at(chunk, "at", 0))));
    expect(last).toBeLessThan(simulator.cloud.now());
  });
});

test("45 days are told in seconds (the time is printed, not judged)", () => {
  const start = performance.now();
  let samples = 0;
  let bytes = 0;
  for (const [from, to, stepMs] of [
    [NOW - 45 * DAY, NOW - 2 * DAY, 60_000],
    [NOW - 2 * DAY, NOW, 10_000],
  ] as const) {
    for (const chunk of historyOfSamples(state, from, to, stepMs)) {
      samples += chunk.at.length;
      bytes += JSON.stringify(chunk).length;
    }
  }
  const seconds = (performance.now() - start) / 1_000;
  process.stdout.write(`history: ${samples} samples, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s\n`);
  expect(samples).toBeGreaterThan(300_000);
});
