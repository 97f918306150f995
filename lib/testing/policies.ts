import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { forgetSetting } from "@/lib/db/settings";
import { writeSamples } from "@/lib/db/telemetry/write";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { armPolicy, createPolicy } from "@/lib/services/policies/policies";
import { runPolicies } from "@/lib/services/policies/run";
import { emptyHouse, MINUTE, machine, NOON, system, type TestMachine } from "./alerting";

/* Bare machines that have been empty for hours, and policies that look at them. */

export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const NONE = Object.fromEntries(WIDE_METRICS.map((metric) => [metric, null])) as Record<WideMetric, null>;

/** An empty house in which automation runs. */
export async function policyHouse(): Promise<void> {
  await emptyHouse();
  await prisma.setting.deleteMany({ where: { id: "automation" } });
  forgetSetting("automation");
}

/** A minute of a GPU each, up to an instant; `pct` null: heard and not measured; `skip`: minutes ago that were never heard. */
export async function report(
  target: TestMachine,
  to: number,
  minutes: number,
  pct: number | null = 0,
  skip: readonly number[] = [],
) {
  const rest = { throttleReasons: null, eccUncorrected: null, missing: null, quality: null };
  const rows = Array.from({ length: minutes }, (_, i) => minutes - 1 - i)
    .filter((ago) => !skip.includes(ago))
    .map((ago) => ({
      gpuId: target.gpuId,
      at: to - ago * MINUTE,
      values: { ...NONE, utilizationPct: pct, memoryUsedMib: 10 },
      ...rest,
    }));
  await writeSamples([{ sourceId: target.sourceId, rows }], new Date(to));
  await prisma.telemetrySource.update({ where: { id: target.sourceId }, data: { lastReceivedAt: new Date(to) } });
}

type How = { outside?: boolean; pct?: number; skip?: readonly number[]; minutes?: number };

/** A machine that was launched from here and has been empty for four hours, as the measure has it. */
export async function idleMachine(name: string, { outside = false, pct = 0, skip = [], minutes = 130 }: How = {}) {
  const made = await machine(name, { workload: "dev" });
  const { connectionId } = await prisma.resource.findUniqueOrThrow({ where: { id: made.resourceId } });
  const intent = outside
    ? null
    : await prisma.intent.create({
        data: {
          id: randomUUID(),
          kind: "launch",
          state: "confirmed",
          connectionId,
          token: randomUUID(),
          request: {},
          planHash: new Uint8Array(32),
          requestedBy: "test",
          createdAt: new Date(NOON - DAY),
          sends: 1,
          sentAt: new Date(NOON - DAY),
          settledAt: new Date(NOON - DAY),
        },
      });
  await prisma.resource.update({
    where: { id: made.resourceId },
    data: { launchIntentId: intent?.id ?? null, idleSince: new Date(NOON - 4 * HOUR), idleKind: "empty" },
  });
  await prisma.gpuProcessSpan.create({
    data: { gpuId: made.gpuId, validFrom: new Date(NOON - DAY), lastSeenAt: new Date(NOON + DAY), processes: [] },
  });
  await report(made, NOON, minutes, pct, skip);
  return made;
}

export async function lambdaAnswered(at: number) {
  await prisma.connection.updateMany({ data: { lastOkAt: new Date(at), lastPollAt: new Date(at), staleSince: null } });
}

/** One look of the worker. */
export async function lookAt(at: number, isFresh = true) {
  await setTestClock(new Date(at));
  if (isFresh) await lambdaAnswered(at);
  await runPolicies(system(at));
}

export const IDLE = {
  kind: "idle_termination",
  name: "Empty",
  params: { afterMinutes: 120, noticeMinutes: 0 },
} as const;

/** A policy whose week is over, armed. */
export async function armed(policy: object = IDLE): Promise<string> {
  const { id } = await createPolicy(system(NOON - 8 * DAY), NewPolicy.parse(policy));
  await armPolicy(system(NOON - HOUR), { policyId: id, version: 1 });
  return id;
}

export const ends = () =>
  prisma.intent.findMany({ where: { kind: "terminate" }, include: { target: { include: { spans: true } } } });
export const endedNames = async () => (await ends()).map(({ target }) => target?.spans[0]?.name).sort();
export const decisions = async () =>
  (await prisma.policyAction.findMany({ orderBy: { decidedAt: "asc" } })).map(({ decision }) => decision);
