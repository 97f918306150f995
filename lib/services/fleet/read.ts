import { listInstances } from "@/lib/db/fleet/read";
import { listAwaited } from "@/lib/db/intents";
import { nextAt } from "@/lib/db/rate-limit";
import { readSetting } from "@/lib/db/settings";
import { readMachineMeans } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import type { Awaited, FleetAnswer, InstanceRow, Sparklines } from "@/lib/domain/fleet/view";
import type { LaunchRequest } from "@/lib/domain/intents/intent";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { readFreshness } from "./freshness";
import { instanceRows } from "./instances";
import { LAUNCH_SPACING_MS, launchKey } from "./lambda";

const SHOWN_AFTER_END_MS = 10 * 60_000;
const AWAITED_MS = 24 * 3_600_000;

/** The fleet as it is known now: machines, those that are asked for, and how old the knowledge is. */
export async function readFleet(ctx: Ctx): Promise<FleetAnswer> {
  authorize(ctx, "fleet:read");
  const { zone } = await readSetting("accounting");
  const day = dayOf(ctx.now.getTime(), zone);
  const [freshness, facts, awaited] = await Promise.all([
    readFreshness(ctx.now),
    listInstances(day, { goneSince: new Date(ctx.now.getTime() - SHOWN_AFTER_END_MS) }),
    readAwaited(ctx.now),
  ]);
  const rows = await instanceRows(facts, ctx.now);
  return { now: ctx.now.getTime(), zone, freshness, rows, awaited, totals: totalsOf(rows) };
}

export function totalsOf(rows: InstanceRow[]): FleetAnswer["totals"] {
  const billed = rows.filter((row) => row.isBilled);
  const sum = (values: (string | null)[]) =>
    values.reduce((total, value) => total + BigInt(value ?? "0"), 0n).toString();
  return {
    instances: rows.filter((row) => !row.isGone).length,
    billed: billed.length,
    gpusBilled: billed.reduce((total, row) => total + row.gpus, 0),
    microsPerHour: sum(billed.map((row) => row.priceMicros)),
    unknownPrices: billed.filter((row) => row.priceMicros === null).length,
    todayMicros: sum(rows.map((row) => row.todayMicros)),
  };
}

/** Launches whose machine is not listed yet; those still waiting for the rate limit know when it is their turn. */
async function readAwaited(now: Date): Promise<Awaited[]> {
  const intents = await listAwaited(new Date(now.getTime() - AWAITED_MS));
  const [first] = intents;
  const turn = first ? ((await nextAt(launchKey(first.connectionId)))?.getTime() ?? now.getTime()) : now.getTime();
  let place = 0;
  return intents.map((intent) => {
    const { name, typeName, region } = intent.request as LaunchRequest;
    const etaAt = intent.state === "ready" ? turn + place++ * LAUNCH_SPACING_MS : null;
    return {
      id: intent.id,
      name,
      typeName,
      region,
      state: intent.state,
      createdAt: intent.createdAt.getTime(),
      etaAt,
      error: intent.error,
      by: intent.requestedBy,
    };
  });
}

const SPARK_MS = 6 * 3_600_000;
const SPARK_POINTS = 72;

/** Mean utilisation of each machine over the last six hours, gaps as null. */
export async function readSparklines(ctx: Ctx): Promise<Sparklines> {
  authorize(ctx, "fleet:read");
  const { zone } = await readSetting("accounting");
  const facts = await listInstances(dayOf(ctx.now.getTime(), zone), { goneSince: ctx.now });
  const range = resolveRange(ctx.now.getTime() - SPARK_MS, ctx.now.getTime(), SPARK_POINTS + 1);
  const means = await readMachineMeans(
    facts.map((one) => one.id),
    "utilizationPct",
    range,
  );
  const lines = Object.fromEntries(
    [...means].map(([id, values]) => [
      id,
      values.map((value) => (value === null ? null : Math.round(value * 10) / 10)),
    ]),
  );
  return { from: range.from, stepMs: range.stepMs, lines };
}
