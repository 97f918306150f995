import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stubEnv, unstubEnv } from "@/lib/testing/env";
import { OwnServer } from "@/lib/testing/own-server";

const { disconnect, pool, prisma } = await import("@/lib/db/client");
const { setTestClock } = await import("@/lib/db/clock");
const { NewChannel } = await import("@/lib/domain/alerts/channels");
const { createChannel } = await import("@/lib/services/alerts/channels");
const { by, emptyHouse, machine, measure, MINUTE, NOON, person, rule, SECOND } = await import("@/lib/testing/alerting");
const { countOpen, endLeases, endTurns, expectToldOnce, finish, Receiver, startTurns, until } = await import(
  "@/lib/testing/told"
);

/** `npm run soak` kills a hundred times. */
const KILLS = Number(process.env.HOPPERDECK_ALERT_KILLS ?? 3);
const MACHINES = 3;

const receiver = new Receiver();
let server: OwnServer;

// PostgreSQL is made, and made ready, for this test alone.
beforeAll(async () => {
  await receiver.open();
  server = await OwnServer.open();
  await disconnect();
  stubEnv({
    DATABASE_URL: server.url,
    OUTBOUND_PRIVATE_CIDRS: "127.0.0.1/32",
    PUBLIC_URL: "https://deck.example.com",
    QUIET_TURNS: "1",
  });
});

afterAll(async () => {
  await endTurns();
  await disconnect();
  unstubEnv();
  await server.close();
  await receiver.close();
});

const isBack = () =>
  pool()
    .query("select 1")
    .then(
      () => true,
      () => false,
    );

async function restart(): Promise<void> {
  await server.start();
  await until(isBack, "PostgreSQL");
  await endLeases();
}

/** Keeps the rows of the outbox from being written, so that whoever judges stands between its verdict and its commit. */
async function blockCommits(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => {});
  await client.connect();
  await client.query("begin");
  await client.query("select 1 from channel for update");
  return client;
}

async function isBlocked(): Promise<boolean> {
  const { rows } = await pool().query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%outbox%'",
  );
  return (rows[0]?.n ?? 0) > 0;
}

test("B39, B43: PostgreSQL killed between verdict and commit, commit and send, send and mark: each change once, told once", async () => {
  await emptyHouse();
  const ada = by(await person("Ada", "operator"), NOON);
  await createChannel(ada, NewChannel.parse({ kind: "webhook", name: "one", url: `${receiver.base}/one` }));
  await rule();
  const machines = await Promise.all(Array.from({ length: MACHINES }, (_, i) => machine(`gh-${i}`)));
  // Two workers at once, who outlive their database each time.
  await Promise.all([startTurns(), startTurns()]);
  const show = async (at: number, temperatureC: number) => {
    for (const one of machines) await measure(one, at, { temperatureC });
    await setTestClock(new Date(at));
  };
  let at = NOON;
  for (let round = 0; round < KILLS; round++) {
    const moment = (["verdict", "commit", "send"] as const)[round % 3];
    const alerts = await prisma.alert.count();
    at += 10 * SECOND;
    const blocker = moment === "verdict" ? await blockCommits() : null;
    await show(at, 90);
    if (blocker) {
      await until(isBlocked, "a verdict");
      await server.kill();
      await restart();
      await blocker.end().catch(() => {});
    }
    await until(async () => (await countOpen()) === MACHINES, "the alerts");
    if (moment === "commit") {
      expect(await prisma.outbox.count({ where: { state: "queued" } })).toBe(MACHINES);
      await server.kill();
      await restart();
    }
    const told = receiver.seen.length;
    receiver.isHolding = moment === "send";
    at += MINUTE;
    await show(at, 90);
    if (moment === "send") {
      await until(async () => receiver.heldCount > 0, "a message");
      await server.kill();
      receiver.release();
      await restart();
    }
    await until(async () => receiver.seen.length > told, "the message");
    await until(
      async () => (await prisma.outbox.count({ where: { state: { in: ["queued", "sending"] } } })) === 0,
      "the mark",
    );
    expect(await prisma.alert.count()).toBe(alerts + MACHINES);
    at += 10 * SECOND;
    await show(at, 70);
    await until(async () => (await countOpen()) === 0, "the end");
    // Far enough from the next round that a hundred of them are not flapping.
    at += 15 * MINUTE;
    await show(at, 70);
    await until(async () => (await prisma.outbox.count({ where: { state: "queued" } })) === 0, "the last message");
  }
  await endTurns();
  await finish(machines, at, 10);
  expect(await prisma.alert.count()).toBe(KILLS * MACHINES);
  await expectToldOnce(receiver.seen);
});
