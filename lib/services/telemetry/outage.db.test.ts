import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemCtx } from "@/lib/domain/access";
import { SeriesQuestion } from "@/lib/domain/telemetry/view";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { pollInstances } from "@/lib/services/fleet/poll";
import { readFleet } from "@/lib/services/fleet/read";
import { admin, at, launchBody, userData } from "@/lib/simulator/testing";
import { makeToken } from "@/lib/testing/senders";
import { count, rows, startWorld, type World } from "@/lib/testing/world";
import { takeReport } from "@/lib/web/ingest";
import { rollUp, seal } from "./roll-up";
import { readSeries } from "./series";

vi.mock("server-only", () => ({}));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
const web = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", async () => {
    const { authorization = "", "content-type": type = "" } = incoming.headers;
    const headers = { authorization, "content-type": type };
    const request = new Request("http://localhost/ingest", { method: "POST", headers, body: Buffer.concat(chunks) });
    const answer = await takeReport(request);
    response.writeHead(answer.status).end(await answer.text());
  });
});
let url = "";

beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: MINUTE } });
  await world.reset();
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const address = web.address();
  url = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
});
afterAll(async () => {
  await world.close();
  web.closeAllConnections();
  web.close();
});

test("an agent that is cut off for six hours and comes back leaves no gap, and no alert fires late", {
  timeout: 600_000,
}, async () => {
  const { secret } = await makeToken("ingest", world.now());
  const launched = await admin(
    world.cloud,
    "POST",
    "/launch-outside",
    launchBody({ name: "gh-1", tags: [{ key: "workload", value: "training" }], user_data: userData(url, secret) }),
  );
  const id = String(at(launched.json, "id"));
  const tell = (what: string, body: object) => admin(world.cloud, "POST", `/machines/${id}/${what}`, body);
  const duties = [pollInstances, rollUp, evaluateAlerts].map((run) => ({ everyMs: MINUTE, run }));
  const work = (ms: number, stepMs = MINUTE) => world.advance(ms, duties, stepMs);
  const train = (memoryPct: number) => tell("workload", { kind: "training", params: { targetPct: 96, memoryPct } });

  await work(2 * MINUTE);
  await train(60);
  const start = world.now();
  await work(20 * MINUTE);
  expect(await count("select 1 from alert where fired_at is not null")).toBe(0);

  const cutAt = world.now();
  await tell("agent", { state: "offline" });
  await work(15 * MINUTE);
  await work(45 * MINUTE, 5 * MINUTE);
  // What would have been critical, had anybody seen it.
  await train(97);
  await work(2 * HOUR, 5 * MINUTE);
  await train(60);
  await work(3 * HOUR, 5 * MINUTE);
  const lost = ["Telemetry lost while billing"];
  // Of the machine; that rules see no data while it is cut off is told beside it.
  const fired = () =>
    rows<{ name: string; firedAt: Date; resolvedAt: Date | null; kind: string }>(
      `select r.name, r.kind, a.fired_at as "firedAt", a.resolved_at as "resolvedAt" from alert a join alert_rule r on r.id = a.rule_id
       where a.fired_at is not null and a.resource_id is not null order by r.name`,
    );
  expect((await fired()).map(({ name, resolvedAt }) => [name, resolvedAt])).toEqual(lost.map((name) => [name, null]));
  expect((await readFleet(world.ctx())).rows).toMatchObject([{ telemetry: { state: "silent" }, isBilled: true }]);

  const backAt = world.now();
  await tell("agent", { state: "running" });
  await work(15 * MINUTE);
  const end = world.now();

  // The silence was told while it lasted, and is over; nothing of what the backlog shows was judged.
  const told = await fired();
  expect(told.map(({ name }) => name)).toEqual(lost);
  for (const { firedAt, resolvedAt } of told) {
    expect(firedAt.getTime() - cutAt).toBeLessThan(10 * MINUTE);
    expect((resolvedAt?.getTime() ?? 0) - backAt).toBeGreaterThan(0);
    expect((resolvedAt?.getTime() ?? 0) - backAt).toBeLessThanOrEqual(2 * MINUTE);
  }
  expect(
    await count("select 1 from alert where resolved_at is null and status <> 'pending' and resource_id is not null"),
  ).toBe(0);

  // Every sample is there, in the near and the far view alike.
  const [machine] = (await readFleet(world.ctx())).rows;
  expect(machine).toMatchObject({ telemetry: { state: "reporting" } });
  for (const [from, to] of [
    [start, end],
    [cutAt + HOUR, cutAt + HOUR + 20 * MINUTE],
    [end - 40 * HOUR, end],
  ] as const) {
    const {
      at: steps,
      stepMs,
      ...all
    } = await readSeries(
      world.ctx(),
      SeriesQuestion.parse({
        scope: `instance=${machine?.id ?? ""}`,
        metric: "memoryUsedPct",
        from,
        to,
      }),
    );
    const holes = steps.filter((step, i) => step >= start && step + stepMs <= end && all.mean[i] === null);
    expect(holes, `steps of ${stepMs} ms`).toEqual([]);
    expect(Math.max(...all.max.map((value) => value ?? 0))).toBeGreaterThan(95);
  }
  expect(await count("select 1 from gpu_sample where at >= $1 and at < $2", [new Date(start), new Date(end)])).toBe(
    (end - start) / 10_000,
  );
  await seal(systemCtx("test", new Date(end + 3 * HOUR)));
  const firstHour = Math.ceil(start / HOUR) * HOUR;
  const hours = Math.floor((end - firstHour) / HOUR);
  expect(
    await rows("select samples::int from gpu_hour where hour >= $1 and hour < $2", [
      new Date(firstHour),
      new Date(firstHour + hours * HOUR),
    ]),
  ).toEqual(Array.from({ length: hours }, () => ({ samples: 360 })));
  expect(await count("select 1 from telemetry_mark")).toBe(0);
});
