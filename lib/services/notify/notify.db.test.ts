import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stubEnv, unstubEnv } from "@/lib/testing/env";

stubEnv({ OUTBOUND_PRIVATE_CIDRS: "127.0.0.1/32", PUBLIC_URL: "https://deck.example.com" });

const { prisma } = await import("@/lib/db/client");
const { setTestClock } = await import("@/lib/db/clock");
const { NewChannel, PAGERDUTY_EVENTS } = await import("@/lib/domain/alerts/channels");
const { RouteFields } = await import("@/lib/domain/notify/route-input");
const { NewSilence } = await import("@/lib/domain/silences/silence");
const { sealedChannel } = await import("./channel-secret");
const { storeSecret } = await import("@/lib/services/secrets");
const { by, emptyHouse, MINUTE, machine, NOON, onlyAlert, person, rule, run, SECOND, system } = await import(
  "@/lib/testing/alerting"
);
const { createChannel } = await import("@/lib/services/alerts/channels");
const { sendNotifications } = await import("@/lib/services/alerts/deliver");
const { acknowledgeAlert } = await import("@/lib/services/alerts/acknowledge");
const { createSilence, endSilenceNow } = await import("@/lib/services/silences/silences");
const { createRoute, readRoutes, readUndelivered, sendAgain } = await import("./routes");
const { watchNotifications } = await import("./watch");
const { queueDigests } = await import("./digests");
const { readLink, takeByLink } = await import("./links");
const { sendHeartbeat, setHeartbeat } = await import("./heartbeat");

type Post = { path: string; headers: Record<string, unknown>; text: string; body: Record<string, unknown> };

const HOUR = 60 * MINUTE;
const FLUSH = NOON + 30 * SECOND;
const posts: Post[] = [];
let answers: number[] = [];
let server: Server;
let base = "";
const mails: string[] = [];
let smtp: SMTPServer;
let smtpUrl = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => {
      posts.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(answers.shift() ?? 200).end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${portOf(server)}`;
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", () => resolve()));
  smtpUrl = `smtp://127.0.0.1:${portOf(smtp.server)}`;
});

function portOf(listening: { address(): unknown }): number {
  const address = listening.address() as { port: number };
  return address.port;
}

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  unstubEnv();
});

beforeEach(async () => {
  await emptyHouse();
  posts.length = 0;
  mails.length = 0;
  answers = [];
});

const send = async (at: number) => {
  await setTestClock(new Date(at));
  await sendNotifications(system(at));
};
const watch = async (at: number) => {
  await setTestClock(new Date(at));
  await watchNotifications(system(at));
};

async function hook(path: string, over: object = {}): Promise<{ id: string; signingSecret: string | null }> {
  const ada = await person("Ada", "operator");
  const input = NewChannel.parse({
    kind: "webhook",
    name: `${path} ${crypto.randomUUID()}`,
    url: `${base}/${path}`,
    ...over,
  });
  return createChannel(by(ada, NOON), input);
}

async function route(channelId: string, over: object = {}): Promise<string> {
  const ada = await person("Ada", "operator");
  return (await createRoute(by(ada, NOON), RouteFields.parse({ name: "route", channelId, ...over }))).id;
}

async function firing(name = "gh-1") {
  await rule();
  const gh = await machine(name);
  await run(gh, NOON, [90]);
  return { gh, alertId: (await onlyAlert()).id };
}

const paths = () => posts.map(({ path }) => path.slice(1));

describe("routes", () => {
  test("take what fits them; what fits none is told to nobody, and said so", async () => {
    const [ml, rest] = [await hook("ml"), await hook("rest")];
    await route(ml.id, { matchers: [{ label: "team", op: "=", value: "somebody-else" }] });
    const { alertId } = await firing();
    const ctx = by(await person("Vera", "viewer"), FLUSH);
    expect((await readRoutes(ctx)).unheard).toMatchObject([{ alertId }]);
    await send(FLUSH);
    expect(posts).toEqual([]);
    const last = await route(rest.id, { matchers: [{ label: "severity", op: "=", value: "critical" }] });
    await watch(FLUSH);
    await send(NOON + 2 * MINUTE);
    expect(paths()).toEqual(["rest"]);
    expect(await readRoutes(ctx)).toMatchObject({ unheard: [], routes: [{ takesNow: 0 }, { id: last, takesNow: 1 }] });
  });

  test("are for those who edit rules", async () => {
    const { id } = await hook("x");
    const eve = by(await person("Eve", "on_call"), NOON);
    await expect(createRoute(eve, RouteFields.parse({ name: "r", channelId: id }))).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  test("repeat after their time what nobody has taken, and stop when somebody has (B36)", async () => {
    const { id } = await hook("ops");
    await route(id, { repeatMs: HOUR });
    const { gh, alertId } = await firing();
    await send(FLUSH);
    await watch(NOON + 59 * MINUTE);
    await send(NOON + 59 * MINUTE);
    expect(posts).toHaveLength(1);
    await run(gh, NOON + 61 * MINUTE, [90]);
    await watch(NOON + 61 * MINUTE);
    await watch(NOON + 61 * MINUTE);
    await send(NOON + 61 * MINUTE);
    expect(posts).toHaveLength(2);
    expect(posts[1]?.body).toMatchObject({ event: "alert.repeat" });
    const eve = await person("Eve", "on_call");
    await acknowledgeAlert(by(eve, NOON + 62 * MINUTE), { alertId, note: "", minutes: null });
    await watch(NOON + 5 * HOUR);
    await send(NOON + 5 * HOUR);
    expect(posts).toHaveLength(2);
  });

  test("pass on what nobody takes, by time or by dollars, once, and not what somebody took", async () => {
    const [ops, boss] = [await hook("ops"), await hook("boss")];
    await route(ops.id, { escalation: [{ channelId: boss.id, afterMs: 15 * MINUTE }] });
    const { alertId } = await firing();
    await send(FLUSH);
    await watch(NOON + 14 * MINUTE);
    await watch(NOON + 15 * MINUTE);
    await watch(NOON + 16 * MINUTE);
    await send(NOON + 16 * MINUTE);
    expect(paths()).toEqual(["ops", "boss"]);
    expect(posts[1]?.body).toMatchObject({
      event: "alert.passed_on",
      headline: expect.stringContaining("Nobody has taken it"),
    });
    expect((await onlyAlert()).history.map(({ kind }) => kind)).toEqual(["fired", "escalated"]);
    expect(alertId).toBeTruthy();
  });
});

describe("B34: a silence", () => {
  const silence = (over: object = {}) =>
    NewSilence.parse({
      matchers: [{ label: "instance", op: "=", value: "gh-1" }],
      reason: "driver",
      startsAt: NOON,
      endsAt: NOON + HOUR,
      ...over,
    });

  test("keeps a fire back; when it ends and the alert still fires, it is told", async () => {
    await hook("ops");
    const ben = await person("Ben", "operator");
    const { id } = await createSilence(by(ben, NOON), silence());
    await firing();
    await send(FLUSH);
    await send(NOON + 20 * MINUTE);
    expect(posts).toEqual([]);
    await endSilenceNow(by(ben, NOON + 21 * MINUTE), { silenceId: id });
    await send(NOON + 30 * MINUTE);
    expect(posts.map(({ body }) => body.event)).toEqual(["alert.fired"]);
  });

  test("lets the end of what was told through", async () => {
    await hook("ops");
    const { gh } = await firing();
    await send(FLUSH);
    const ben = await person("Ben", "operator");
    await createSilence(by(ben, FLUSH), silence());
    await run(gh, FLUSH + 10 * SECOND, [70]);
    await send(NOON + 10 * MINUTE);
    expect(posts.map(({ body }) => body.event)).toEqual(["alert.fired", "alert.resolved"]);
  });
});

describe("messages", () => {
  test("a webhook is signed, and its secret is shown once", async () => {
    const { signingSecret } = await hook("signed");
    expect(signingSecret).toMatch(/^whsec_/);
    await firing();
    await send(FLUSH);
    const [post] = posts;
    const stamp = String(post?.headers["hopperdeck-timestamp"]);
    const own = createHmac("sha256", String(signingSecret)).update(`${stamp}.${post?.text}`).digest("hex");
    expect(post?.headers["hopperdeck-signature"]).toBe(`v1=${own}`);
    const kept = await prisma.secret.findMany();
    expect(JSON.stringify(kept)).not.toContain(signingSecret);
  });

  test("PagerDuty gets one incident for a group, and its end when nothing of it fires (B40)", async () => {
    const at = new Date(NOON);
    const routingKey = "0123456789abcdef0123456789abcdef";
    const secretId = await prisma.$transaction((tx) =>
      storeSecret(tx, "channel", sealedChannel({ url: `${base}/v2/enqueue`, routingKey }), at),
    );
    await prisma.channel.create({
      data: {
        kind: "pagerduty",
        name: `pd ${crypto.randomUUID()}`,
        host: "events.pagerduty.com",
        secretId,
        updatedAt: at,
      },
    });
    await rule();
    const [one, two] = [await machine("gh-1"), await machine("gh-2")];
    await run(one, NOON, [90]);
    await send(FLUSH);
    await run(two, FLUSH + 10 * SECOND, [90]);
    await send(NOON + 6 * MINUTE);
    await run(one, NOON + 7 * MINUTE, [70]);
    await send(NOON + 12 * MINUTE);
    await run(two, NOON + 13 * MINUTE, [70]);
    await send(NOON + 20 * MINUTE);
    expect(posts.map(({ body }) => body.event_action)).toEqual(["trigger", "trigger", "trigger", "resolve"]);
    expect(new Set(posts.map(({ body }) => body.dedup_key)).size).toBe(1);
    expect(posts[0]?.body).toMatchObject({
      routing_key: routingKey,
      payload: { summary: "Critical: Hot, gh-1", severity: "critical", source: "gh-1" },
      links: [{ href: expect.stringContaining("https://deck.example.com/alerts/") }],
    });
    // What fires again after the end is another incident: PagerDuty drops an end for the old one.
    await run(one, NOON + 30 * MINUTE, [95]);
    await send(NOON + 31 * MINUTE);
    expect(posts.at(-1)?.body.dedup_key).not.toBe(posts[0]?.body.dedup_key);
    expect(PAGERDUTY_EVENTS.us).toBe("https://events.pagerduty.com/v2/enqueue");
  });

  test("a mail says it in text and HTML, and its repeat has the same Message-ID", async () => {
    const ada = await person("Ada", "operator");
    const input = {
      kind: "email",
      name: `mail ${crypto.randomUUID()}`,
      url: smtpUrl,
      from: "deck@example.com",
      to: "ops@example.com, b@example.com",
    };
    await createChannel(by(ada, NOON), NewChannel.parse(input));
    await rule({ name: "Hot <b>&" });
    await run(await machine("gh-1"), NOON, [90]);
    await send(FLUSH);
    expect(mails).toHaveLength(1);
    const [mail = ""] = mails;
    expect(mail).toMatch(/^Subject: Critical: Hot/m);
    expect(mail).toMatch(/^To: ops@example.com, b@example.com/m);
    expect(mail.replace(/=\r\n/g, "")).toContain("Hot &lt;b&gt;&amp;");
    const [item] = await prisma.outbox.findMany();
    expect(mail).toContain(`Message-ID: <${item?.batchId}@deck.example.com>`);
  });

  test("what is not taken is dead, is told on another channel, and goes again on demand (B42)", async () => {
    await hook("first");
    answers = [410, 200];
    await firing();
    await hook("second");
    await send(FLUSH);
    await send(FLUSH);
    expect(paths()).toEqual(["first", "second"]);
    expect(posts[1]?.body).toMatchObject({ event: "undelivered", headline: expect.stringContaining("Not delivered") });
    const ada = by(await person("Ada", "operator"), NOON + MINUTE);
    const { rows } = await readUndelivered(ada);
    expect(rows).toMatchObject([{ headline: "Hot, gh-1", error: expect.stringContaining("410") }]);
    await sendAgain(ada, { itemId: rows[0]?.id ?? "" });
    await send(NOON + MINUTE);
    expect(paths()).toEqual(["first", "second", "first"]);
    expect((await readUndelivered(ada)).rows).toEqual([]);
  });
});

describe("a link in a message", () => {
  async function link(): Promise<{ token: string; alertId: string }> {
    await hook("slack", { kind: "slack" });
    const { alertId } = await firing();
    await send(FLUSH);
    const token = /deck\.example\.com\/a\/([\w-]+)/.exec(posts[0]?.text ?? "")?.[1] ?? "";
    return { token, alertId };
  }

  test("is looked at without effect, and takes the alert once, in the name of its channel", async () => {
    const { token, alertId } = await link();
    const at = new Date(NOON + MINUTE);
    for (let i = 0; i < 3; i += 1)
      expect(await readLink(at, token)).toMatchObject({ alertId, isUsable: true, acknowledgedBy: null });
    const outcomes = await Promise.allSettled([takeByLink(at, token), takeByLink(at, token)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await onlyAlert()).history).toMatchObject([
      { kind: "fired" },
      { kind: "acknowledged", actor: expect.stringContaining("Link in slack") },
    ]);
    expect(
      await prisma.auditEvent.findMany({ where: { action: "alert.acknowledged" }, orderBy: { seq: "desc" }, take: 1 }),
    ).toMatchObject([{ actor: expect.stringContaining("Link in slack"), actorKind: "token", subjectId: alertId }]);
    expect(await readLink(at, token)).toMatchObject({ isUsable: false });
  });

  test("runs out after a day, and is worth nothing when it is guessed", async () => {
    const { token } = await link();
    const later = new Date(NOON + 25 * HOUR);
    expect(await readLink(later, token)).toMatchObject({ isUsable: false });
    await expect(takeByLink(later, token)).rejects.toMatchObject({ code: "conflict" });
    await expect(readLink(later, "x".repeat(43))).rejects.toMatchObject({ code: "not-found" });
    expect(JSON.stringify(await prisma.messageLink.findMany())).not.toContain(token);
  });
});

describe("B44: repair", () => {
  test("a fire and an end that were lost are told, once", async () => {
    await hook("ops");
    const { gh } = await firing();
    await prisma.outbox.deleteMany();
    await watch(NOON + MINUTE);
    await watch(NOON + MINUTE);
    await send(NOON + 2 * MINUTE);
    expect(posts.map(({ body }) => body.event)).toEqual(["alert.fired"]);
    await run(gh, NOON + 3 * MINUTE, [70]);
    await prisma.outbox.deleteMany({ where: { kind: "resolved" } });
    await watch(NOON + 4 * MINUTE);
    await watch(NOON + 4 * MINUTE);
    await send(NOON + 10 * MINUTE);
    expect(posts.map(({ body }) => body.event)).toEqual(["alert.fired", "alert.resolved"]);
  });
});

test("digests leave once each, in the morning of the accounting zone", async () => {
  await hook("money", { digests: ["daily", "weekly"] });
  const morning = Date.UTC(2026, 10, 23, 7, 5);
  await setTestClock(new Date(morning));
  await queueDigests(system(Date.UTC(2026, 10, 23, 6, 59)));
  expect(await prisma.outbox.count()).toBe(0);
  await queueDigests(system(morning));
  await queueDigests(system(morning + HOUR));
  await send(morning);
  // Two messages of one instant have no order.
  expect(posts.map(({ body }) => String(body.headline)).sort()).toEqual([
    expect.stringContaining("Cost of 2026-11-22: $0.00"),
    expect.stringContaining("Cost of the week 2026-11-16 to 2026-11-22: $0.00"),
  ]);
});

test("B45: a heartbeat leaves for an outside checker, and says when it is not heard", async () => {
  const ada = by(await person("Ada", "operator"), NOON);
  await sendHeartbeat(system(NOON));
  expect(posts).toEqual([]);
  await setHeartbeat(ada, { url: `${base}/alive` });
  await sendHeartbeat(system(NOON));
  expect(posts.map(({ path, body }) => [path, body.event])).toEqual([["/alive", "heartbeat"]]);
  answers = [500];
  await expect(sendHeartbeat(system(NOON + MINUTE))).rejects.toMatchObject({ message: "HTTP 500" });
  await expect(setHeartbeat(ada, { url: "http://169.254.169.254/" })).rejects.toMatchObject({ code: "invalid" });
  await setHeartbeat(ada, { url: "" });
});
