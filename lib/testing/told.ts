import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import { expect } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { sendNotifications } from "@/lib/services/alerts/deliver";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { watchNotifications } from "@/lib/services/notify/watch";
import { MINUTE, measure, SECOND, system, type TestMachine } from "./alerting";

/* What tests of "exactly once" share: workers that can be killed, a receiver that remembers, and the judgement at the end. */

type Seen = { key: string; events: string[] };

/** Receives webhooks on loopback and remembers them. */
export class Receiver {
  readonly seen: Seen[] = [];
  base = "";
  /** While set, messages are taken and not answered. */
  isHolding = false;
  private readonly held: ServerResponse[] = [];
  private server: Server | null = null;

  /** `statusOf` says how the nth message is answered. */
  constructor(private readonly statusOf: (n: number) => number = () => 200) {}

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      request.on("end", () => this.take(String(request.headers["idempotency-key"]), text, response));
    });
    const { server } = this;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    this.base = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
  }

  /** Answers what was held, and holds no more. */
  release(): void {
    this.isHolding = false;
    for (const response of this.held.splice(0)) response.writeHead(200).end("ok");
  }

  get heldCount(): number {
    return this.held.length;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(null));
  }

  private take(key: string, text: string, response: ServerResponse): void {
    const { alerts } = JSON.parse(text) as { alerts: { id: string; event: string }[] };
    this.seen.push({ key, events: alerts.map(({ id, event }) => `${id} ${event}`) });
    if (this.isHolding) {
      this.held.push(response);
      return;
    }
    const status = this.statusOf(this.seen.length);
    setTimeout(() => response.writeHead(status).end("ok"), 30);
  }
}

const started: ChildProcess[] = [];

/** A worker that judges and tells without end, on the database of the environment as it is now. */
export async function startTurns(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "lib/testing/alert-turns.ts"], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  started.push(child);
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

/** Ends every worker that a test started and did not kill. */
export async function endTurns(): Promise<void> {
  await Promise.all(started.splice(0).map(killed));
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

export async function until(isSo: () => Promise<boolean>, what = "what was waited for"): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited a minute for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const countOpen = () => prisma.alert.count({ where: { resolvedAt: null } });

/** Leases run on the real clock; nobody waits for those of the dead here. */
export async function endLeases(): Promise<void> {
  await prisma.outbox.updateMany({ where: { state: "sending" }, data: { leaseUntil: new Date(Date.now() - SECOND) } });
}

/** What the dead left behind is finished by those who come after. */
export async function finish(machines: readonly TestMachine[], from: number, minutes: number): Promise<void> {
  await endLeases();
  for (let turn = 1; turn <= minutes; turn++) {
    const at = from + turn * MINUTE;
    for (const one of machines) await measure(one, at, { temperatureC: 70 });
    await setTestClock(new Date(at));
    await evaluateAlerts(system(at));
    await sendNotifications(system(at));
    await watchNotifications(system(at));
  }
}

/** Each alert fired and ended once, each fact was queued once for each channel, and what was told was received. */
export async function expectToldOnce(seen: readonly Seen[]): Promise<void> {
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
}

function grouped<T extends { channelId: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.channelId, [...(groups.get(item.channelId) ?? []), item]);
  return groups;
}
