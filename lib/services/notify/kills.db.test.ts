import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

vi.stubEnv("OUTBOUND_PRIVATE_CIDRS", "127.0.0.1/32");
vi.stubEnv("PUBLIC_URL", "https://deck.example.com");

const { prisma } = await import("@/lib/db/client");
const { setTestClock } = await import("@/lib/db/clock");
const { NewChannel } = await import("@/lib/domain/alerts/channels");
const { createChannel } = await import("@/lib/services/alerts/channels");
const { evaluateAlerts } = await import("@/lib/services/alerts/evaluate");
const { sendNotifications } = await import("@/lib/services/alerts/deliver");
const { by, emptyHouse, machine, measure, MINUTE, NOON, person, rule, SECOND, system } = await import(
  "@/lib/testing/alerting"
);
const { watchNotifications } = await import("./watch");

/** `npm run soak` kills a hundred times. */
const KILLS = Number(process.env.HOPPERDECK_ALERT_KILLS ?? 3);
const MACHINES = 6;

type Seen = { key: string; events: string[] };
const seen: Seen[] = [];
let requests = 0;
let server: Server;
let base = "";

beforeAll(async () => {
  // Slow, and failing for every fifth request after it took the message: the sender cannot know that it did.
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => {
      const { alerts } = JSON.parse(text) as { alerts: { id: string; event: string }[] };
      seen.push({
        key: String(request.headers["idempotency-key"]),
        events: alerts.map(({ id, event }) => `${id} ${event}`),
      });
      requests += 1;
      const status = requests % 5 === 0 ? 503 : 200;
      setTimeout(() => response.writeHead(status).end("ok"), 30);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  vi.unstubAllEnvs();
});

async function worker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "lib/testing/alert-turns.ts"], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("What was waited for did not come");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

test("B39, B43: whoever is killed where, each change is written once, queued once for each route, and delivered", async () => {
  await emptyHouse();
  const ada = by(await person("Ada", "operator"), NOON);
  for (const name of ["one", "two"])
    await createChannel(ada, NewChannel.parse({ kind: "webhook", name, url: `${base}/${name}` }));
  await rule();
  const machines = await Promise.all(Array.from({ length: MACHINES }, (_, i) => machine(`gh-${i}`)));
  let at = NOON;
  for (let round = 0; round < KILLS; round++) {
    // Two workers at once; one of them dies between judging and sending, while it sends, or before it could mark it sent.
    const [first, second] = await Promise.all([worker(), worker()]);
    at += 10 * SECOND;
    for (const one of machines) await measure(one, at, { temperatureC: 90 });
    await setTestClock(new Date(at));
    const had = await prisma.alert.count({ where: { resolvedAt: null } });
    await until(async () => (await prisma.alert.count({ where: { resolvedAt: null } })) > had);
    if (round % 3 === 0) await kill(first);
    at += MINUTE;
    for (const one of machines) await measure(one, at, { temperatureC: 90 });
    await setTestClock(new Date(at));
    const before = requests;
    if (round % 3 === 1) {
      await until(async () => (await prisma.outbox.count({ where: { state: "sending" } })) > 0);
      await kill(first);
    }
    await until(async () => requests > before);
    if (round % 3 === 2) await kill(first);
    at += 10 * SECOND;
    for (const one of machines) await measure(one, at, { temperatureC: 70 });
    await setTestClock(new Date(at));
    await until(async () => (await prisma.alert.count({ where: { resolvedAt: null } })) === 0);
    await kill(second);
    await prisma.outbox.updateMany({
      where: { state: "sending" },
      data: { leaseUntil: new Date(Date.now() - SECOND) },
    });
    at += 6 * MINUTE;
  }
  // What they left behind is finished by those who come after, once the leases of the dead have run out.
  await prisma.outbox.updateMany({ where: { state: "sending" }, data: { leaseUntil: new Date(Date.now() - SECOND) } });
  for (let turn = 0; turn < 40; turn++) {
    at += MINUTE;
    for (const one of machines) await measure(one, at, { temperatureC: 70 });
    await setTestClock(new Date(at));
    await evaluateAlerts(system(at));
    await sendNotifications(system(at));
    await watchNotifications(system(at));
  }

  const alerts = await prisma.alert.findMany({ include: { history: true, outbox: true } });
  expect(alerts.length).toBeGreaterThan(0);
  const told = new Set(seen.flatMap(({ events }) => events));
  for (const alert of alerts) {
    expect(alert.resolvedAt).not.toBeNull();
    const kinds = alert.history.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "fired")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "resolved")).toHaveLength(1);
    for (const items of grouped(alert.outbox).values()) {
      const fires = items.filter(({ kind }) => kind === "fired");
      expect(fires).toHaveLength(1);
      const isTold = fires[0]?.state === "delivered";
      // An end is told exactly where the fire was; nothing is left in the queue.
      expect(items.filter(({ kind, state }) => kind === "resolved" && state === "delivered")).toHaveLength(
        isTold ? 1 : 0,
      );
      expect(items.every(({ state }) => state === "delivered" || state === "dropped")).toBe(true);
      if (isTold) for (const event of ["alert.fired", "alert.resolved"]) expect(told).toContain(`${alert.id} ${event}`);
    }
  }
  // A repeat has the key of the first, so that the receiver can drop it: one key a channel for each fact.
  const keysOf = new Map<string, Set<string>>();
  for (const { key, events } of seen)
    for (const event of events) keysOf.set(event, (keysOf.get(event) ?? new Set()).add(key));
  for (const keys of keysOf.values()) expect(keys.size).toBeLessThanOrEqual(2);
});

function grouped<T extends { channelId: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.channelId, [...(groups.get(item.channelId) ?? []), item]);
  return groups;
}
