import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { writeSamples } from "@/lib/db/telemetry/write";
import { type Ctx, type Role, systemCtx, type UserActor } from "@/lib/domain/access";
import type { NewAlertRule } from "@/lib/domain/alerts/rule-input";
import type { Workload } from "@/lib/domain/fleet/workloads";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { createRule } from "@/lib/services/alerts/rules";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { mintToken } from "@/lib/services/tokens";
import { emptyDatabase } from "@/lib/testing/empty";

/* A fleet of bare rows for alerts: what was said of machines and measured on them, and a clock that the test moves. */

export const NOON = Date.UTC(2026, 10, 20, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

const DAY = 24 * 60 * MINUTE;

/** An empty database with a connection and room for samples; no rules. The clock stands at noon. */
export async function emptyHouse(): Promise<void> {
  await emptyDatabase();
  await setTestClock(new Date(NOON));
  await ensurePartitions(new Date(NOON - DAY), new Date(NOON + 2 * DAY));
  await lambdaConnection(new Date(NOON));
}

export const system = (at: number): Ctx => systemCtx("test", new Date(at));

/** Somebody with a role, signed in a minute ago. */
export async function person(name: string, role: Role): Promise<UserActor> {
  const { id } = await prisma.user.create({
    data: { name, email: `${name.toLowerCase()}-${randomUUID()}@example.com`, role, createdAt: new Date(NOON - DAY) },
  });
  return {
    kind: "user",
    id,
    name,
    email: `${name.toLowerCase()}@example.com`,
    role,
    sessionId: randomUUID(),
    signedInAt: new Date(NOON - MINUTE),
  };
}

export const by = (actor: UserActor, at: number): Ctx => ({ actor, now: new Date(at) });

export type TestMachine = { resourceId: string; sourceId: string; gpuId: number; name: string };

/** A machine that has been active for a day, with one GPU. */
export async function machine(
  name: string,
  { workload = "training", microsPerHour = 2_290_000n }: { workload?: Workload; microsPerHour?: bigint } = {},
): Promise<TestMachine> {
  const since = new Date(NOON - DAY);
  const { id: connectionId } = await lambdaConnection(new Date(NOON));
  const { id: resourceId } = await prisma.resource.create({
    data: { kind: "instance", connectionId, externalId: randomUUID().replaceAll("-", ""), firstSeenAt: since },
  });
  await prisma.resourceSpan.create({
    data: {
      resourceId,
      validFrom: since,
      status: "active",
      name,
      region: "us-east-3",
      provider: "lambda",
      priceMicros: microsPerHour,
    },
  });
  await prisma.resourceLabel.create({ data: { resourceId, validFrom: since, team: "research", workload } });
  const { prefix, secretHash } = mintToken();
  const token = await prisma.token.create({
    data: { kind: "enrolment", name, prefix, secretHash, resourceId, createdAt: since },
  });
  const { id: sourceId } = await prisma.telemetrySource.create({
    data: { tokenId: token.id, hostname: name, resourceId, firstSeenAt: since, lastReceivedAt: since },
  });
  const { id: gpuId } = await prisma.gpu.create({
    data: {
      uuid: `GPU-${randomUUID()}`,
      resourceId,
      sourceId,
      model: "NVIDIA GH200",
      memoryMib: 97_871,
      firstSeenAt: since,
    },
  });
  return { resourceId, sourceId, gpuId, name };
}

/** One report of a GPU; what is not given was not measured. */
export async function measure(
  { sourceId, gpuId }: TestMachine,
  at: number,
  values: Partial<Record<WideMetric, number>>,
): Promise<void> {
  const none = Object.fromEntries(WIDE_METRICS.map((metric) => [metric, null])) as Record<WideMetric, number | null>;
  const rest = { throttleReasons: null, eccUncorrected: null, missing: null, quality: null };
  await writeSamples([{ sourceId, rows: [{ gpuId, at, values: { ...none, ...values }, ...rest }] }], new Date(at));
}

/** Hot above 80 °C, at once, looked at every 10 seconds. */
export const HOT = {
  name: "Hot",
  kind: "gpu_metric",
  severity: "critical",
  enabled: true,
  selector: {},
  metric: "temperatureC",
  comparison: "above",
  threshold: 80,
  clearThreshold: null,
  forMs: 0,
  keepFiringMs: 0,
  intervalMs: 10 * SECOND,
  noData: "unknown",
  aggregate: "last",
  windowMs: 0,
  lookbackMs: null,
  params: {},
  labels: {},
  budgetId: null,
  reason: "",
  action: "Look at it",
  runbook: "",
} as const satisfies NewAlertRule;

export async function rule(over: Partial<NewAlertRule> = {}): Promise<string> {
  return (await createRule(system(NOON), { ...HOT, ...over })).id;
}

/** One turn of the evaluator at an instant. */
export async function evaluateAt(at: number): Promise<void> {
  await setTestClock(new Date(at));
  await evaluateAlerts(system(at));
}

/** A report of each temperature in turn, a slot apart, each judged; returns the instant of the last. */
export async function run(
  target: TestMachine,
  from: number,
  temperatures: readonly (number | null)[],
  stepMs = 10 * SECOND,
): Promise<number> {
  let at = from;
  for (const [i, temperatureC] of temperatures.entries()) {
    at = from + i * stepMs;
    if (temperatureC !== null) await measure(target, at, { temperatureC });
    await evaluateAt(at);
  }
  return at;
}

/** The only alert that there is. */
export async function onlyAlert() {
  const alerts = await prisma.alert.findMany({ include: { history: { orderBy: { seq: "asc" } } } });
  const [alert] = alerts;
  if (!alert || alerts.length !== 1) throw new Error(`Wanted one alert and found ${alerts.length}`);
  return alert;
}
