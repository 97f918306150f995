import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pollFilesystems, pollInstances, pollTypes } from "@/lib/services/fleet/poll";
import { changeStoragePrice } from "@/lib/services/settings";
import { launch, launchBody } from "@/lib/simulator/testing";
import { intentOf, posts, TERMINATE, work } from "@/lib/testing/intents";
import { as } from "@/lib/testing/people";
import { rows, startWorld, type World } from "@/lib/testing/world";
import { requestTerminate } from "./change";
import { readChangeEvidence } from "./evidence";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 60_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const GIB = 1024 ** 3;
const machine = () => world.cloud.cloud.state.machines[0];

/** A machine with a file system of 100 GiB, known here. */
async function withFilesystem(): Promise<string> {
  const { cloud } = world.cloud;
  const filesystem = cloud.createFileSystem(`scratch-${randomUUID()}`, "us-east-3", {
    lrn: "lrn:cloud:identity:1",
    apiKeyLrn: null,
  });
  filesystem.bytesAtStart = 100 * GIB;
  await launch(world.cloud, launchBody({ name: "gh-1", file_system_names: [filesystem.name] }));
  for (const read of [pollTypes, pollFilesystems]) await read(world.ctx());
  await work(world, 2 * 60_000);
  const [row] = await rows<{ id: string }>("select id from resource where kind = 'instance'");
  return row?.id ?? "";
}

const asked = async () => as("operator", new Date(world.now()));

test("says what is lost, what is kept and goes on billing, and whether it could be had again", async () => {
  const instanceId = await withFilesystem();
  await changeStoragePrice(await as("finance", new Date(world.now())), { micros: 200_000n });
  const evidence = await readChangeEvidence(await asked(), { instanceId, kind: "terminate" });
  expect(evidence).toMatchObject({
    name: "gh-1",
    typeName: "gpu_1x_gh200",
    region: "us-east-3",
    gpus: 1,
    priceMicros: "2290000",
    filesystems: [{ bytesUsed: String(100 * GIB), monthMicros: "20000000" }],
    comeback: { region: "us-east-3", share: expect.any(Number) },
  });
  expect(evidence.lost.storageGib).toBeGreaterThan(0);
  expect(evidence.lost.ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  expect(evidence.comeback?.share).toBeGreaterThan(0);
});

test("a price of storage that nobody set is unknown, not nothing", async () => {
  const instanceId = await withFilesystem();
  const { filesystems } = await readChangeEvidence(await asked(), { instanceId, kind: "terminate" });
  expect(filesystems).toMatchObject([{ bytesUsed: String(100 * GIB), monthMicros: null }]);
});

test("what was confirmed is sent, and the machine ends; what changed meanwhile at Lambda is not", async () => {
  const instanceId = await withFilesystem();
  const ctx = await asked();
  const seen = await readChangeEvidence(ctx, { instanceId, kind: "terminate" });
  const input = {
    intentId: randomUUID(),
    instanceId,
    planHash: seen.planHash,
    seen: seen.seen,
    confirmation: "gh-1",
    accepted: seen.concerns.map(({ key }) => key),
    ticked: [],
    reason: "",
  };
  machine()?.names.push({ from: world.now(), value: "gh-renamed" });
  await world.advance(15_000, [{ everyMs: 15_000, run: pollInstances }]);
  await expect(requestTerminate(ctx, input)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("its name is gh-renamed now, not gh-1"),
  });
  expect(posts(world, TERMINATE)).toHaveLength(0);

  const now = { ...ctx, now: new Date(world.now()) };
  const again = await readChangeEvidence(now, { instanceId, kind: "terminate" });
  expect(again.confirmation.text).toBe("gh-renamed");
  await requestTerminate(now, {
    ...input,
    planHash: again.planHash,
    seen: again.seen,
    confirmation: "gh-renamed",
  });
  await work(world, 4 * 60_000);
  expect(posts(world, TERMINATE).length).toBeGreaterThan(0);
  expect(await intentOf(input.intentId)).toMatchObject({ state: "confirmed", requestedBy: ctx.actor.name });
});
