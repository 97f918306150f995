import { beforeEach, describe, expect, test } from "vitest";
import { prisma, transact } from "@/lib/db/client";
import { assignSource } from "@/lib/db/telemetry/identity";
import type { XidSighting } from "@/lib/domain/telemetry/report";
import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { emptyHouse, MINUTE, machine, NOON, SECOND, type TestMachine } from "@/lib/testing/alerting";
import { recordSightings } from "./record";

let gh: TestMachine;

beforeEach(async () => {
  await emptyHouse();
  gh = await machine("gh-1");
});

async function source(hostname: string, resourceId: string | null = gh.resourceId) {
  const { id: tokenId } = await prisma.token.create({
    data: {
      kind: "ingest",
      name: hostname,
      secretHash: Buffer.from(hostname.padEnd(32)),
      prefix: hostname,
      createdAt: new Date(NOON),
    },
  });
  return prisma.telemetrySource.create({
    data: { tokenId, hostname, resourceId, firstSeenAt: new Date(NOON), lastReceivedAt: new Date(NOON) },
    select: { id: true, resourceId: true },
  });
}

const LINE =
  "2026-11-20T11:59:03,470068+00:00 NVRM: Xid (PCI:0000:19:00): 79, pid=7, name=python3, GPU has fallen off the bus.";
const gauge = (code: number, at: number): XidSighting => ({
  at,
  code,
  place: { uuid: null, mig: "", busId: null, index: 0 },
  seenBy: "gauge",
  text: "",
  pid: null,
  processName: null,
});
const count = (code: number, at: number): XidSighting => ({ ...gauge(code, at), seenBy: "count" });
const events = () => prisma.event.findMany({ orderBy: [{ at: "asc" }, { id: "asc" }] });
const take = (from: { id: string; resourceId: string | null }, sightings: XidSighting[], at = NOON) =>
  recordSightings(from, sightings, () => gh.gpuId, new Date(at));

describe("lines of the kernel's log", () => {
  test("are events with what they tell", async () => {
    const agent = await source("gh-1");
    await take(agent, parseKernelLog(`${LINE}\n${LINE.replace("79", "45")}`, NOON));
    expect(await events()).toMatchObject([
      {
        kind: "xid",
        at: new Date(NOON - 56_530),
        code: 79,
        gpuId: gh.gpuId,
        resourceId: gh.resourceId,
        sourceId: agent.id,
        text: LINE,
        detail: { seenBy: "kernel", busId: "0000:19:00", mig: "", pid: 7, processName: "python3" },
      },
      { code: 45 },
    ]);
  });

  test("told twice, by two senders at once and in another form of the log, are one", async () => {
    const [agent, other] = [await source("gh-1"), await source("vector")];
    const lines = (text: string) => parseKernelLog(text, NOON);
    const same = LINE.replace("2026-11-20T11:59:03,470068+00:00 ", "2026-11-20T11:59:03.470068Z gh-1 kernel: ");
    await Promise.all([
      take(agent, lines(LINE)),
      take(other, lines(same)),
      take(agent, lines(LINE)),
      take(other, lines(LINE)),
    ]);
    await take(agent, lines(`${LINE}\n${LINE}`));
    expect(await events()).toHaveLength(1);
  });

  test("without an instant are known by their time since boot; without any, by about when they came", async () => {
    const agent = await source("gh-1");
    const bare = LINE.slice(LINE.indexOf("NVRM"));
    for (const head of ["[ 12.345678] ", "[ 99.000001] ", ""]) {
      await take(agent, parseKernelLog(head + bare, NOON));
      await take(agent, parseKernelLog(head + bare, NOON + 10 * SECOND), NOON + 10 * SECOND);
    }
    expect((await events()).map(({ detail }) => detail)).toMatchObject([
      { atIs: "received" },
      { atIs: "received" },
      { atIs: "received" },
    ]);
    await take(agent, parseKernelLog(bare, NOON + 30 * MINUTE), NOON + 30 * MINUTE);
    expect(await events()).toHaveLength(4);
  });

  test("of a sender that nobody knows go to its machine with it, and sent again are no second one", async () => {
    const agent = await source("gh-1", null);
    await recordSightings(agent, parseKernelLog(LINE, NOON), () => null, new Date(NOON));
    expect(await events()).toMatchObject([{ resourceId: null, gpuId: null, sourceId: agent.id }]);
    await transact((tx) => assignSource(tx, agent.id, gh.resourceId));
    await take({ id: agent.id, resourceId: gh.resourceId }, parseKernelLog(LINE, NOON));
    expect(await events()).toMatchObject([{ resourceId: gh.resourceId }]);
  });
});

describe("the gauge of the last Xid", () => {
  test("makes an event when it changes, however long it stays and however many look at once", async () => {
    const [one, two] = [await source("dcgm"), await source("dcgm-2")];
    await take(one, [gauge(0, NOON)]);
    expect(await events()).toEqual([]);
    await Promise.all([one, two, one, two, one].map((from) => take(from, [gauge(79, NOON + 15 * SECOND)])));
    for (let i = 2; i < 6; i += 1) await take(one, [gauge(79, NOON + i * 15 * SECOND)]);
    expect(await events()).toMatchObject([{ code: 79, at: new Date(NOON + 15 * SECOND), detail: { seenBy: "gauge" } }]);
    await take(one, [gauge(0, NOON + 2 * MINUTE), gauge(79, NOON + 3 * MINUTE)]);
    expect((await events()).map(({ at }) => at.getTime() - NOON)).toEqual([15 * SECOND, 3 * MINUTE]);
  });

  test("at a first look says that it does not know since when", async () => {
    const from = await source("dcgm");
    await Promise.all([take(from, [gauge(48, NOON)]), take(from, [gauge(48, NOON)])]);
    expect(await events()).toMatchObject([{ code: 48, detail: { seenBy: "gauge", isSinceBefore: true } }]);
  });

  test("late readings and a report sent again change nothing", async () => {
    const from = await source("dcgm");
    const report = [gauge(0, NOON), gauge(48, NOON + 10 * SECOND), gauge(63, NOON + 20 * SECOND)];
    await take(from, report);
    await take(from, report);
    await take(from, [gauge(31, NOON + 5 * SECOND)]);
    expect((await events()).map(({ code }) => code)).toEqual([48, 63]);
    expect(await prisma.gpu.findUnique({ where: { id: gh.gpuId } })).toMatchObject({ xidGauge: 63 });
  });

  test("of a card that nobody knows is left out", async () => {
    await recordSightings(await source("dcgm"), [gauge(79, NOON)], () => null, new Date(NOON));
    expect(await events()).toEqual([]);
  });
});

test("a count that goes on is one event, and a new one after its window is another", async () => {
  const from = await source("dcgm");
  const looks = Array.from({ length: 20 }, (_, i) => count(43, NOON + i * 15 * SECOND));
  await Promise.all([take(from, looks), take(from, looks)]);
  await take(from, [count(43, NOON + 30 * MINUTE), count(0, NOON + 31 * MINUTE)]);
  expect((await events()).map(({ at }) => at.getTime() - NOON)).toEqual([0, 30 * MINUTE]);
});

test("codes that are no numbers of the driver are left out", async () => {
  await take(await source("x"), [gauge(Number.NaN, NOON), gauge(-1, NOON), gauge(1e12, NOON), gauge(1.5, NOON)]);
  expect(await events()).toEqual([]);
});
