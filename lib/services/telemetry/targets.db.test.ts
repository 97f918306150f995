import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { NewTarget, TargetChange } from "@/lib/domain/targets";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { stubEnv } from "@/lib/testing/env";
import { as, lastAudit } from "@/lib/testing/people";
import { instance } from "@/lib/testing/senders";
import { count, rows } from "@/lib/testing/world";
import { scrapeTargets } from "./scrape";
import { changeTarget, createTarget, readTargets, removeTarget, testTarget } from "./targets";

const NOON = Date.UTC(2026, 10, 21, 12);
const PAGE = `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1"} 97\nvllm:generation_tokens_total 5\nnode_load1 1\n`;
const system = (at = NOON) => systemCtx("test", new Date(at));

let server: Server;
let base = "";
let answer: { status: number; text: string; hangs?: boolean } = { status: 200, text: PAGE };
let asked: string[] = [];

beforeAll(async () => {
  stubEnv({ OUTBOUND_PRIVATE_CIDRS: "127.0.0.0/8" });
  server = createServer((request, response) => {
    asked.push(String(request.headers.authorization ?? "nothing"));
    if (!answer.hangs) response.writeHead(answer.status, { "content-type": "text/plain" }).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let admin: Awaited<ReturnType<typeof as>>;
beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(new Date(NOON));
  await prepareHouse(system());
  admin = await as("admin", new Date(NOON));
  answer = { status: 200, text: PAGE };
  asked = [];
});

const target = (more: Record<string, unknown> = {}) =>
  NewTarget.parse({ name: "gh-1 dcgm", url: `${base}/metrics`, everySeconds: "15", ...more });
const run = (at: number) => scrapeTargets(system(at), new AbortController().signal);
const stored = () => count("select 1 from gpu_sample");
const shown = async () => (await readTargets(system())).targets[0];

test("a target is fetched when its time has come, its GPUs and its workload are stored, its state is shown", async () => {
  const { id } = await createTarget(admin, target({ credential: "bearer", secret: "abc-secret" }));
  expect(await shown()).toMatchObject({ fetchedAt: null, receivedAt: null, error: null, credential: "bearer" });
  expect(JSON.stringify(await readTargets(system()))).not.toContain("abc-secret");
  expect(JSON.stringify(await lastAudit(id))).not.toContain("abc-secret");

  for (const [seconds, times] of [
    [0, 1],
    [5, 1],
    [10, 1],
    [15, 2],
  ] as const) {
    await run(NOON + seconds * 1000);
    expect(asked).toHaveLength(times);
  }
  expect(asked[0]).toBe("Bearer abc-secret");
  expect(await stored()).toBe(2);
  expect(await count("select 1 from series where metric = 'tokens_total'")).toBe(1);
  expect(await shown()).toMatchObject({ gpus: 1, error: null, fetchedAt: NOON + 15_000 });
});

test.each([
  ["an answer that is none", { status: 500, text: "" }, /answered 500/],
  ["a page with one bad line", { status: 200, text: `${PAGE}x{ 1\n` }, /line 4/],
  ["a page without anything of use", { status: 200, text: "node_load1 1\n" }, /nothing that means something/],
  ["an empty page", { status: 200, text: "" }, /no metric/],
])("%s: the reason is shown, nothing of it is stored, and the next good page is", async (_, bad, why) => {
  await createTarget(admin, target());
  answer = bad;
  await run(NOON);
  expect(await stored()).toBe(0);
  expect((await shown())?.error).toMatch(why);
  answer = { status: 200, text: PAGE };
  await run(NOON + 15_000);
  expect(await stored()).toBe(1);
  expect((await shown())?.error).toBeNull();
});

test("one target that fails spoils no other", async () => {
  await createTarget(admin, target({ url: "http://127.0.0.1:1026/", name: "dead" }));
  await createTarget(admin, target());
  await run(NOON);
  expect(await stored()).toBe(1);
});

test("a mapping, and the instance that a target belongs to", async () => {
  const connection = await lambdaConnection(new Date(NOON - 3_600_000));
  const listed = await recordListing(
    systemCtx("test", new Date(NOON - 3_600_000)),
    connection,
    [instance("gh-1")],
    100,
  );
  const instanceId = listed?.ids.get("gh-1") ?? "";
  answer = { status: 200, text: 'gpu_busy{gpu="0"} 0.5\n' };
  await createTarget(
    admin,
    target({ instanceId, mapping: '[{"from": "gpu_busy", "to": "utilizationPct", "scale": 100}]' }),
  );
  await run(NOON);
  expect(await count("select 1 from gpu_sample where utilization_pct = 50")).toBe(1);
  expect(await count("select 1 from gpu where resource_id = $1::uuid", [instanceId])).toBe(1);
  expect((await shown())?.instanceId).toBe(instanceId);
});

test("switched off or removed it is fetched no more; what was stored stays, and the address is free again", async () => {
  const { id: targetId } = await createTarget(admin, target());
  await run(NOON);
  await changeTarget(admin, TargetChange.parse({ targetId, isEnabled: "false" }));
  await run(NOON + 60_000);
  expect(asked).toHaveLength(1);
  await removeTarget(admin, { targetId });
  expect(await lastAudit(targetId)).toMatchObject({ action: "target.removed", subject: "gh-1 dcgm" });
  expect((await readTargets(system())).targets).toEqual([]);
  expect(await stored()).toBe(1);
  await createTarget(admin, target());
  await expect(createTarget(admin, target({ name: "twice" }))).rejects.toThrow(/fetched already/);
});

test("a credential is not sent to another address unless it is entered again", async () => {
  const { id: targetId } = await createTarget(admin, target({ credential: "basic", secret: "me:secret" }));
  const moved = { targetId, url: "http://127.0.0.1:9400/metrics" };
  await expect(changeTarget(admin, TargetChange.parse(moved))).rejects.toThrow(/enter its credential again/);
  await changeTarget(admin, TargetChange.parse({ targetId, everySeconds: 30, credential: "basic", secret: "" }));
  await run(NOON);
  expect(asked).toEqual([`Basic ${Buffer.from("me:secret").toString("base64")}`]);
  await changeTarget(admin, TargetChange.parse({ ...moved, credential: "none" }));
  expect((await shown())?.credential).toBe("none");
});

test("a test says what is on the page and stores nothing", async () => {
  const { id: targetId } = await createTarget(admin, target());
  expect(await testTarget(admin, { targetId })).toEqual({ gpus: 1, otherMetrics: 1, ignored: 1, problem: null });
  answer = { status: 404, text: "" };
  expect(await testTarget(admin, { targetId })).toMatchObject({ gpus: 0, problem: "The page answered 404." });
  expect(await lastAudit(targetId)).toMatchObject({ action: "target.tested" });
  expect(await stored()).toBe(0);
});

test("who may not, and what is no target", async () => {
  const viewer = await as("viewer", new Date(NOON));
  await expect(createTarget(viewer, target())).rejects.toThrow(/role does not allow/);
  await expect(createTarget(admin, target({ url: "http://10.0.0.5:9400/" }))).rejects.toThrow(/private or reserved/);
  await expect(createTarget(admin, target({ url: "http://169.254.169.254/" }))).rejects.toThrow(/private or reserved/);
  for (const wrong of [
    { url: "" },
    { everySeconds: 1 },
    { mapping: "{" },
    { mapping: '[{"from":"a"}]' },
    { credential: "bearer" },
  ])
    expect(NewTarget.safeParse({ name: "a", url: `${base}/`, ...wrong }).success).toBe(false);
  expect(await rows("select 1 from telemetry_source")).toEqual([]);
});
