import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSimulator } from "./start";
import { loadState } from "./state-file";
import {
  admin,
  advance,
  at,
  call,
  type Dashboard,
  launch,
  NOON,
  sampledAt,
  startDashboard,
  startTestCloud,
  userData,
} from "./testing";

const HOUR = 3_600_000;

let folder: string;
let stateFile: string;
let dashboard: Dashboard;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "simulator-test-"));
  stateFile = path.join(folder, "simulator.json");
  dashboard = await startDashboard();
});
afterEach(async () => {
  await dashboard.close();
  await rm(folder, { recursive: true });
});

test("a cloud that starts again has its machines, and they went on running and sampling meanwhile", async () => {
  const first = await startTestCloud({ stateFile });
  const id = await launch(first, { user_data: userData(dashboard.url, "hd_1"), name: "gh-1" });
  await advance(first, 5 * 60_000);
  const stoppedAt = first.cloud.now();
  await first.close();
  const before = sampledAt(dashboard.received);

  const second = await startTestCloud({ stateFile, now: stoppedAt + HOUR });
  expect(at((await call(second, "GET", `/instances/${id}`)).json, "data", "name")).toBe("gh-1");
  await advance(second, 10_000);
  const all = sampledAt(dashboard.received).toSorted((a, b) => a - b);
  expect(all.length).toBeGreaterThan(before.length + 360);
  for (const [i, instant] of all.entries()) {
    if (i > 0) expect(instant - (all[i - 1] ?? 0)).toBe(10_000);
  }
  expect(at((await admin(second, "GET", "/truth")).json, "bills", 0, "minutes")).toBeGreaterThan(60);
  await second.close();
});

test("of more than a day away, a machine still has the last day", async () => {
  const first = await startTestCloud({ stateFile });
  await launch(first, { user_data: userData(dashboard.url, "hd_1") });
  await advance(first, 5 * 60_000);
  const stoppedAt = first.cloud.now();
  await first.close();
  dashboard.received.length = 0;
  const second = await startTestCloud({ stateFile, now: stoppedAt + 72 * HOUR });
  await advance(second, 10_000);
  expect(sampledAt(dashboard.received).length).toBe(8_640);
  expect(Math.min(...sampledAt(dashboard.received))).toBeGreaterThan(stoppedAt + 47 * HOUR);
  await second.close();
});

test("the demo is the same fleet after a restart, not a new one", async () => {
  const options = { scenario: "demo", days: 2, stateFile } as const;
  const first = await startTestCloud({ ...options, now: NOON });
  const ids = first.cloud.state.machines.map(({ id }) => id);
  await first.close();
  const second = await startTestCloud({ ...options, now: NOON + 5 * HOUR });
  expect(second.cloud.state.machines.map(({ id }) => id)).toEqual(ids);
  expect(second.cloud.state.startedAt).toBe(NOON);
  await second.close();
});

test("a change is on disk soon, readable by its owner alone, and never by halves", async () => {
  const simulator = await startTestCloud({ stateFile });
  await launch(simulator, { name: "kept" });
  await expect.poll(() => readFile(stateFile, "utf8")).toContain('"kept"');
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
  await simulator.close();
  expect(await readdir(folder)).toEqual(["simulator.json"]);
});

test("no file is a beginning; somebody else's file is refused", async () => {
  expect(await loadState(stateFile)).toBeNull();
  await writeFile(stateFile, '{"version":99}');
  await expect(startSimulator({ stateFile })).rejects.toThrow(/remove it to begin anew/);
});
