import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { NewChannel } from "@/lib/domain/alerts/channels";
import { createChannel, testChannel } from "@/lib/services/alerts/channels";
import { sendNotifications } from "@/lib/services/alerts/deliver";
import { setPager } from "@/lib/services/demo/pager";
import { type Simulator, startSimulator } from "@/lib/simulator/start";
import { admin } from "@/lib/simulator/testing";
import { by, emptyHouse, MINUTE, machine, NOON, person, rule, run, SECOND, system } from "@/lib/testing/alerting";
import { stubEnv, unstubEnv } from "@/lib/testing/env";
import { DEMO_PAGER } from "./demo-pager";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ scenario: "empty", clock: "manual", now: NOON });
});
beforeEach(emptyHouse);
afterAll(async () => {
  unstubEnv();
  await simulator.close();
});

const mode = (which: "demo" | "real") => stubEnv({ HOPPERDECK_MODE: which, SIMULATOR_ADMIN_URL: simulator.adminUrl });
const paged = async () => (await admin(simulator, "GET", "/pager")).json;

test("in the demo what fires is told to the simulator's own receiver, and the log says so", async () => {
  mode("demo");
  await setPager(system(NOON));
  await rule();
  const fired = await run(await machine("gh-1"), NOON, [90]);
  await setTestClock(new Date(fired + MINUTE));
  await sendNotifications(system(fired + MINUTE));
  expect(await paged()).toMatchObject([{ event: "alert.fired", headline: expect.stringContaining("gh-1") }]);
  expect(await prisma.outbox.findMany()).toMatchObject([{ state: "delivered", kind: "fired" }]);
  expect(await prisma.delivery.findMany()).toMatchObject([{ statusCode: 200, error: null }]);
});

test("a real fleet never calls it, and nobody can enter its address", async () => {
  mode("real");
  await setPager(system(NOON));
  const [channel] = await prisma.channel.findMany();
  const before = await paged();
  await testChannel(by(await person("Olga", "operator"), NOON), { channelId: channel?.id ?? "" });
  await setTestClock(new Date(NOON + SECOND));
  await sendNotifications(system(NOON + SECOND));
  expect(await paged()).toEqual(before);
  expect(await prisma.outbox.findMany()).toMatchObject([{ state: "dead" }]);
  const input = NewChannel.parse({ kind: "webhook", name: "mine", url: DEMO_PAGER });
  await expect(createChannel(by(await person("Ada", "operator"), NOON), input)).rejects.toMatchObject({
    code: "invalid",
  });
});
