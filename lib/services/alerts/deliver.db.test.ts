import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stubEnv, unstubEnv } from "@/lib/testing/env";

// Before anything looks at the environment: only this machine's own address may be called.
stubEnv({ OUTBOUND_PRIVATE_CIDRS: "127.0.0.1/32", PUBLIC_URL: "https://deck.example.com" });

const { prisma } = await import("@/lib/db/client");
const { setTestClock } = await import("@/lib/db/clock");
const { storeSecret } = await import("@/lib/services/secrets");
const { by, emptyHouse, MINUTE, machine, NOON, onlyAlert, person, rule, run, SECOND, system } = await import(
  "@/lib/testing/alerting"
);
const { NewChannel } = await import("@/lib/domain/alerts/channels");
const { createChannel, changeChannel, removeChannel, testChannel, readChannels } = await import("./channels");
const { DeliveryLogQuestion } = await import("@/lib/domain/notify/log-view");
const { readDeliveryLog } = await import("@/lib/services/notify/log");
const { sendNotifications } = await import("./deliver");
const { readAlert } = await import("./read");

type Post = { path: string; key: string | undefined; body: Record<string, unknown> };

const posts: Post[] = [];
/** What the receiver answers, in turn; 200 when there is no more. */
let answers: number[] = [];
let server: Server;
let base = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => {
      const key = request.headers["idempotency-key"];
      posts.push({ path: request.url ?? "", key: String(key), body: JSON.parse(text) });
      response.writeHead(answers.shift() ?? 200).end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  unstubEnv();
});

beforeEach(async () => {
  await emptyHouse();
  posts.length = 0;
  answers = [];
});

/** When a new group is flushed, and when it may be told of something again. */
const FLUSH = NOON + 30 * SECOND;
const NEXT = FLUSH + 5 * MINUTE;

const send = async (at: number) => {
  await setTestClock(new Date(at));
  await sendNotifications(system(at));
};

async function channel(kind: "webhook" | "slack" = "webhook", over: { sendResolved?: boolean } = {}): Promise<string> {
  const ada = await person("Ada", "operator");
  const name = `${kind} ${crypto.randomUUID()}`;
  return (await createChannel(by(ada, NOON), NewChannel.parse({ kind, name, url: `${base}/${kind}`, ...over }))).id;
}

async function fired() {
  await rule();
  const gh = await machine("gh-1");
  await run(gh, NOON, [90]);
  return { gh, alertId: (await onlyAlert()).id };
}

describe("a webhook", () => {
  test("gets one message with what fired, what it costs and where to look", async () => {
    await channel();
    const { alertId } = await fired();
    await send(NOON);
    await send(NOON + MINUTE);
    expect(posts).toHaveLength(1);
    expect(posts[0]?.body).toMatchObject({
      version: 1,
      event: "alert.fired",
      headline: "Critical: Hot, gh-1",
      alert: {
        id: alertId,
        url: `https://deck.example.com/alerts/${alertId}`,
        severity: "critical",
        target: "gh-1",
        team: "research",
        value: 90,
        threshold: 80,
        action: "Look at it",
      },
      cost: { perHour: "2.290000" },
    });
    const { deliveries } = await readAlert(system(NOON + MINUTE), { alertId });
    expect(deliveries).toMatchObject([
      { kind: "fired", state: "delivered", attempts: 1, statusCode: 200, error: null },
    ]);
  });

  test("that answers 500 is asked again with the same key, until it takes it; the page says so meanwhile", async () => {
    await channel();
    const { alertId } = await fired();
    answers = [500, 503];
    await send(FLUSH);
    expect((await readAlert(system(FLUSH), { alertId })).deliveries).toMatchObject([
      { state: "queued", attempts: 1, statusCode: 500, error: "HTTP 500", nextAt: expect.any(Number) },
    ]);
    await send(FLUSH + 10 * SECOND);
    await send(FLUSH + 20 * SECOND);
    await send(FLUSH + 30 * SECOND);
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect((await readAlert(system(NEXT), { alertId })).deliveries).toMatchObject([
      { state: "delivered", attempts: 3, statusCode: 200 },
    ]);
  });

  test("has every try in the log: what it said, when it is asked again, and what became of it", async () => {
    const channelId = await channel();
    await fired();
    answers = [503, 200, 400];
    const log = async (at: number) => readDeliveryLog(system(at), DeliveryLogQuestion.parse({ channelId }));
    expect(await log(NOON)).toMatchObject({ rows: [], waiting: { count: 1 } });
    await send(NOON + MINUTE);
    const [first] = (await log(NOON + MINUTE)).rows;
    expect(first).toMatchObject({
      headline: "Hot, gh-1",
      kind: "fired",
      attempt: 1,
      statusCode: 503,
      outcome: "waits",
    });
    expect(first?.nextAt).toBeGreaterThan(NOON + MINUTE);
    await send(NOON + 10 * MINUTE);
    await testChannel(by(await person("Olga", "operator"), NOON + 11 * MINUTE), { channelId });
    await send(NOON + 11 * MINUTE);
    expect(await log(NOON + 12 * MINUTE)).toMatchObject({
      rows: [
        { kind: "test", headline: null, alertId: null, attempt: 1, error: "HTTP 400", outcome: "given_up" },
        { kind: "fired", attempt: 2, statusCode: 200, error: null, outcome: "delivered", nextAt: null },
        { kind: "fired", attempt: 1, error: "HTTP 503", outcome: "again", nextAt: null },
      ],
      isCut: false,
      waiting: { count: 0, nextAt: null },
    });
    const short = await readDeliveryLog(system(NOON), DeliveryLogQuestion.parse({ limit: 1 }));
    expect([short.rows.length, short.isCut]).toEqual([1, true]);
  });

  test("that refuses it is not asked again", async () => {
    await channel();
    const { alertId } = await fired();
    answers = [410];
    await send(FLUSH);
    await send(NOON + 10 * MINUTE);
    expect(posts).toHaveLength(1);
    expect((await readAlert(system(NOON), { alertId })).deliveries).toMatchObject([
      { state: "dead", attempts: 1, statusCode: 410, error: expect.stringContaining("410") },
    ]);
  });

  test("hears of the end where it heard of the fire; one that wants no ends does not", async () => {
    await channel("webhook");
    await channel("slack", { sendResolved: false });
    const { gh } = await fired();
    await send(FLUSH);
    await run(gh, FLUSH + 10 * SECOND, [70]);
    await send(FLUSH + 10 * SECOND);
    expect(posts).toHaveLength(2);
    await send(NEXT);
    expect(posts.map(({ path }) => path).sort()).toEqual(["/slack", "/webhook", "/webhook"]);
    expect(posts.at(-1)?.body).toMatchObject({ event: "alert.resolved", alert: { resolveReason: "recovered" } });
  });

  test("never hears of a fire that is over before it could be sent", async () => {
    await channel();
    const { gh, alertId } = await fired();
    answers = [500];
    await send(FLUSH);
    await run(gh, FLUSH + 10 * SECOND, [70]);
    await send(NOON + 10 * MINUTE);
    expect(posts).toHaveLength(1);
    expect((await readAlert(system(NOON), { alertId })).deliveries).toMatchObject([
      { kind: "fired", state: "dropped" },
    ]);
  });
});

describe("two senders", () => {
  test("at once send everything once, together where it came together", async () => {
    await channel();
    await rule();
    const machines = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => machine(`gh-${n}`)));
    for (const [i, one] of machines.entries()) await run(one, NOON + i * 10 * SECOND, [90]);
    await setTestClock(new Date(NOON + MINUTE));
    await Promise.all([1, 2, 3].map(() => sendNotifications(system(NOON + MINUTE))));
    expect(posts).toHaveLength(1);
    expect(posts[0]?.body).toMatchObject({
      event: "alerts",
      headline: "6 critical alerts: Hot",
      group: { stillFiring: 6 },
    });
    expect(posts[0]?.body.alerts).toHaveLength(6);
    expect(await prisma.outbox.findMany()).toHaveLength(6);
    expect(await prisma.delivery.findMany()).toMatchObject([{ rows: 6 }]);
  });

  test("eight at once over groups of their own send each once", async () => {
    await channel();
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => rule({ name: `Hot ${n}` })));
    expect(ids).toHaveLength(6);
    await run(await machine("gh-1"), NOON, [90]);
    await setTestClock(new Date(FLUSH));
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => sendNotifications(system(FLUSH))));
    expect(posts).toHaveLength(6);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(6);
  });

  test("one that died while it sent is followed by another with the same key (B43)", async () => {
    await channel();
    await fired();
    const batchId = crypto.randomUUID();
    await prisma.outbox.updateMany({
      data: {
        state: "sending",
        batchId,
        holder: crypto.randomUUID(),
        attempts: 1,
        leaseUntil: new Date(Date.now() - SECOND),
      },
    });
    await send(NOON);
    expect(posts.map(({ key }) => key)).toEqual([batchId]);
    expect(await prisma.outbox.findMany()).toMatchObject([{ state: "delivered", attempts: 2 }]);
  });

  test("one that still holds it keeps the other away", async () => {
    await channel();
    await fired();
    await prisma.outbox.updateMany({
      data: { state: "sending", holder: crypto.randomUUID(), leaseUntil: new Date(Date.now() + 60 * SECOND) },
    });
    await send(NOON + MINUTE);
    expect(posts).toEqual([]);
  });
});

test("Slack gets text and blocks, and nothing that a name could turn into a mention", async () => {
  await channel("slack");
  await rule({ name: "Hot <!channel>" });
  await run(await machine("gh-1"), NOON, [90]);
  await send(FLUSH);
  const [post] = posts;
  expect(post?.path).toBe("/slack");
  expect(Object.keys(post?.body ?? {}).sort()).toEqual(["blocks", "text"]);
  const text = JSON.stringify(post?.body);
  expect(text).toContain("Critical: Hot &lt;!channel&gt;, gh-1");
  expect(text).not.toContain("<!channel>");
});

describe("a channel", () => {
  test.each([
    "http://10.1.2.3/hook",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]:3000/",
    "http://127.0.0.2/hook",
    "http://2130706434/",
    "ftp://hooks.example.com/",
    "https://user:secret@hooks.example.com/",
  ])("at %s is refused with a reason at its field", async (url) => {
    const ada = by(await person("Ada", "admin"), NOON);
    await expect(createChannel(ada, NewChannel.parse({ kind: "webhook", name: url, url }))).rejects.toMatchObject({
      code: "invalid",
      fields: { url: expect.any(String) },
    });
    expect((await readChannels(ada)).channels).toEqual([]);
  });

  test("whose address is no longer allowed is not called", async () => {
    const at = new Date(NOON);
    const secretId = await prisma.$transaction((tx) => storeSecret(tx, "channel", "http://10.1.2.3/hook", at));
    await prisma.channel.create({
      data: { kind: "webhook", name: `old ${crypto.randomUUID()}`, host: "10.1.2.3", secretId, updatedAt: at },
    });
    const { alertId } = await fired();
    await send(FLUSH);
    expect((await readAlert(system(FLUSH), { alertId })).deliveries).toMatchObject([
      { state: "dead", attempts: 1, statusCode: null, error: expect.stringContaining("private") },
    ]);
  });

  test("is tested on demand, and says what came of it; its address is nowhere to be read", async () => {
    const channelId = await channel();
    const ada = by(await person("Ada", "operator"), NOON);
    await testChannel(ada, { channelId });
    await send(NOON);
    expect(posts).toHaveLength(1);
    const { channels: found } = await readChannels(ada);
    expect(found).toMatchObject([{ id: channelId, last: { isDelivered: true, error: null } }]);
    expect(JSON.stringify(found)).not.toContain("/webhook");
  });

  test("is for those who edit rules; off it hears nothing; removed, its name is free", async () => {
    const channelId = await channel();
    const eve = by(await person("Eve", "on_call"), NOON);
    for (const attempt of [
      () => testChannel(eve, { channelId }),
      () => removeChannel(eve, { channelId }),
      () => changeChannel(eve, { channelId, enabled: false }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
    const ada = by(await person("Ada", "operator"), NOON + SECOND);
    await changeChannel(ada, { channelId, enabled: false });
    await fired();
    await send(FLUSH);
    expect(posts).toEqual([]);
    const name = (await readChannels(ada)).channels[0]?.name ?? "";
    const again = NewChannel.parse({ kind: "webhook", name, url: `${base}/again` });
    await expect(createChannel(ada, again)).rejects.toMatchObject({ code: "conflict" });
    await removeChannel(ada, { channelId });
    await createChannel(ada, again);
  });
});
