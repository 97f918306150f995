import { beforeEach, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { FLEET_SCOPE } from "@/lib/domain/telemetry/scope";
import { emptyDatabase } from "@/lib/testing/empty";
import { as, lastAudit } from "@/lib/testing/people";
import { instance, makeToken, reading, report } from "@/lib/testing/senders";
import { count, rows } from "@/lib/testing/world";
import { lambdaConnection } from "./fleet/lambda";
import { recordListing } from "./fleet/poll";
import { prepareHouse } from "./house";
import { readMetrics } from "./metrics";
import { assignSender, dismissSender, readSources } from "./sources";
import { ingest } from "./telemetry/ingest";
import { rollUp } from "./telemetry/roll-up";

const NOON = Date.UTC(2026, 10, 21, 12);
const now = new Date(NOON);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const system = systemCtx("test", now);

beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(now);
  await prepareHouse(system);
});

/** A fleet of one machine, and a sender with a shared token that does not match it. */
async function stranger(): Promise<{ sourceId: string; instanceId: string; send: (at: number) => Promise<void> }> {
  const connection = await lambdaConnection(new Date(NOON - 3 * HOUR));
  const ids = await recordListing(systemCtx("test", new Date(NOON - 3 * HOUR)), connection, [instance("gh-1")], 100);
  const { token } = await makeToken("ingest", NOON);
  const send = async (at: number) => {
    await ingest(token, report([reading(at)], { host: "bare-metal", ip: "10.0.0.9" }), now);
  };
  for (let at = NOON - 2 * HOUR; at < NOON; at += 5 * MINUTE) await send(at);
  const { senders } = await readSources(system);
  return { sourceId: senders[0]?.id ?? "", instanceId: ids?.ids.get("gh-1") ?? "", send };
}

const distributions = () => count("select 1 from metric_dist where scope = $1", [FLEET_SCOPE]);

test("an unknown sender waits in the queue, with what is known of it, and counts for nobody", async () => {
  await stranger();
  await rollUp(system);
  expect((await readSources(system)).senders).toEqual([
    expect.objectContaining({
      hostname: "bare-metal",
      ip: "10.0.0.9",
      tokenName: "ingest",
      gpus: ["NVIDIA GH200 480GB"],
      lastReceivedAt: NOON,
      isDismissed: false,
    }),
  ]);
  expect(await distributions()).toBe(0);
  expect(await readMetrics(system)).toContain("\nhopperdeck_unassigned_senders 1\n");
});

test("assigned, its machine reports, and the fleet's distributions take in what it sent", async () => {
  const { sourceId, instanceId, send } = await stranger();
  await rollUp(system);
  const operator = await as("operator", now);
  await assignSender(operator, { sourceId, instanceId });
  const after = await readSources(operator);
  expect(after.senders).toEqual([]);
  expect(after.agents).toEqual([expect.objectContaining({ instanceId, name: "gh-1", at: NOON - 5 * MINUTE })]);
  expect(await lastAudit(instanceId)).toMatchObject({
    action: "sender.assigned",
    actor: operator.actor.name,
    subject: "gh-1",
    changes: { sender: { from: null, to: "bare-metal" } },
  });
  await rollUp(system);
  expect(await distributions()).toBeGreaterThanOrEqual(24);
  await send(NOON);
  expect(await rows("select count(*)::int as gpus from gpu")).toEqual([{ gpus: 1 }]);
  expect((await readSources(operator)).agents[0]).toMatchObject({ state: "reporting", at: NOON });
});

test("two people at the same moment: one assigns, the other is told", async () => {
  const { sourceId, instanceId } = await stranger();
  const people = [await as("operator", now), await as("admin", now)];
  const outcomes = await Promise.allSettled(people.map((ctx) => assignSender(ctx, { sourceId, instanceId })));
  expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect(outcomes.find((one) => one.status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  expect(
    await count("select 1 from audit_event where action = 'sender.assigned' and subject_id = $1", [instanceId]),
  ).toBe(1);
});

test("viewers, finance and on-call look and touch nothing", async () => {
  const { sourceId, instanceId } = await stranger();
  for (const role of ["viewer", "finance", "on_call"] as const) {
    const ctx = await as(role, now);
    expect((await readSources(ctx)).senders).toHaveLength(1);
    await expect(assignSender(ctx, { sourceId, instanceId })).rejects.toMatchObject({ code: "forbidden" });
    await expect(dismissSender(ctx, { sourceId, isDismissed: true })).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await count("select 1 from telemetry_source where resource_id is not null or dismissed_at is not null")).toBe(
    0,
  );
});

test("dismissed it leaves the count, keeps its samples, and may come back", async () => {
  const { sourceId } = await stranger();
  const operator = await as("operator", now);
  const samples = await count("select 1 from gpu_sample");
  await dismissSender(operator, { sourceId, isDismissed: true });
  expect((await readSources(operator)).senders).toMatchObject([{ id: sourceId, isDismissed: true }]);
  expect(await readMetrics(operator)).toContain("\nhopperdeck_unassigned_senders 0\n");
  expect(await lastAudit(sourceId)).toMatchObject({ action: "sender.dismissed", subject: "bare-metal" });
  await dismissSender(operator, { sourceId, isDismissed: false });
  expect((await readSources(operator)).senders).toMatchObject([{ isDismissed: false }]);
  expect(await count("select 1 from gpu_sample")).toBe(samples);
});

test("a sender goes to a machine that is there, and to nothing else", async () => {
  const { sourceId, instanceId } = await stranger();
  const operator = await as("operator", now);
  await rows("update resource set gone_at = $2, gone_reason = 'vanished' where id = $1 returning id", [
    instanceId,
    now,
  ]);
  await expect(assignSender(operator, { sourceId, instanceId })).rejects.toMatchObject({
    code: "not-found",
    fields: { instanceId: "is gone" },
  });
  await expect(assignSender(operator, { sourceId: instanceId, instanceId })).rejects.toMatchObject({
    code: "not-found",
  });
  expect(await count("select 1 from telemetry_source where resource_id is not null")).toBe(0);
});

test("what a scrape says of the fleet is what the fleet is", async () => {
  const { sourceId, instanceId, send } = await stranger();
  const operator = await as("operator", now);
  await assignSender(operator, { sourceId, instanceId });
  await send(NOON - 10_000);
  const fresh = await readMetrics(operator);
  expect(fresh).toMatch(/^hopperdeck_gpu_utilization_ratio\{.*instance_name="gh-1".*\} 0\.5$/m);
  expect(fresh).toMatch(/^hopperdeck_gpu_silent\{.*\} 0$/m);
  expect(fresh).toMatch(/^hopperdeck_fleet_usd_per_hour 2\.29$/m);
  const later = { ...operator, now: new Date(NOON + 2 * MINUTE) };
  const silent = await readMetrics(later);
  expect(silent).toMatch(/^hopperdeck_gpu_silent\{.*\} 1$/m);
  expect(silent).not.toMatch(/^hopperdeck_gpu_utilization_ratio\{/m);
  expect(silent).toMatch(/^hopperdeck_gpu_sample_age_seconds\{.*\} 130$/m);
});
