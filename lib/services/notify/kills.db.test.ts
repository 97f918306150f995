import { afterAll, beforeAll, test } from "vitest";
import { stubEnv, unstubEnv } from "@/lib/testing/env";

stubEnv({ OUTBOUND_PRIVATE_CIDRS: "127.0.0.1/32", PUBLIC_URL: "https://deck.example.com" });

const { prisma } = await import("@/lib/db/client");
const { setTestClock } = await import("@/lib/db/clock");
const { NewChannel } = await import("@/lib/domain/alerts/channels");
const { createChannel } = await import("@/lib/services/alerts/channels");
const { by, emptyHouse, machine, measure, MINUTE, NOON, person, rule, SECOND } = await import("@/lib/testing/alerting");
const { countOpen, endLeases, endTurns, expectToldOnce, finish, killed, Receiver, startTurns, until } = await import(
  "@/lib/testing/told"
);

/** `npm run soak` kills a hundred times. */
const KILLS = Number(process.env.HOPPERDECK_ALERT_KILLS ?? 3);
const MACHINES = 6;

// Slow, and failing for every fifth request after it took the message: the sender cannot know that it did.
const receiver = new Receiver((n) => (n % 5 === 0 ? 503 : 200));

beforeAll(() => receiver.open());

afterAll(async () => {
  await endTurns();
  await receiver.close();
  unstubEnv();
});

test("B39, B43: whoever is killed where, each change is written once, queued once for each route, and delivered", async () => {
  await emptyHouse();
  const ada = by(await person("Ada", "operator"), NOON);
  for (const name of ["one", "two"])
    await createChannel(ada, NewChannel.parse({ kind: "webhook", name, url: `${receiver.base}/${name}` }));
  await rule();
  const machines = await Promise.all(Array.from({ length: MACHINES }, (_, i) => machine(`gh-${i}`)));
  let at = NOON;
  // Two workers at once; one of them dies between judging and sending, while it sends, or before it could mark it sent.
  const survivor = startTurns();
  for (let round = 0; round < KILLS; round++) {
    const [first] = await Promise.all([startTurns(), survivor]);
    at += 10 * SECOND;
    for (const one of machines) await measure(one, at, { temperatureC: 90 });
    await setTestClock(new Date(at));
    const had = await countOpen();
    await until(async () => (await countOpen()) > had, "the alerts");
    if (round % 3 === 0) await killed(first);
    at += MINUTE;
    for (const one of machines) await measure(one, at, { temperatureC: 90 });
    const before = receiver.seen.length;
    await setTestClock(new Date(at));
    if (round % 3 === 1) {
      await until(async () => (await prisma.outbox.count({ where: { state: "sending" } })) > 0, "a sending");
      await killed(first);
    }
    await until(async () => {
      // It may have taken all there was, in its very last moment, and died before a byte of it left.
      if (round % 3 === 1) await endLeases();
      return receiver.seen.length > before;
    }, "the message");
    if (round % 3 === 2) await killed(first);
    at += 10 * SECOND;
    for (const one of machines) await measure(one, at, { temperatureC: 70 });
    await setTestClock(new Date(at));
    await until(async () => (await countOpen()) === 0, "the end");
    await endLeases();
    // Far enough from the next round that a hundred of them are not flapping.
    at += 15 * MINUTE;
  }
  await killed(await survivor);
  await finish(machines, at, 20);
  await expectToldOnce(receiver.seen);
});
