import { listPrices } from "@/lib/db/cost/prices";
import {
  type IdleRun,
  listBilled,
  listUnhealthy,
  replaceUsages,
  saveIdleRuns,
  type UsageOf,
} from "@/lib/db/cost/usage";
import { closeProfiles, dayWithoutProfile, type ProfileOf, replaceProfiles } from "@/lib/db/plan/profile";
import { readSetting } from "@/lib/db/settings";
import { listMinutes, type MinuteRow } from "@/lib/db/telemetry/read";
import type { Ctx } from "@/lib/domain/access";
import { billedPrices } from "@/lib/domain/cost/price-book";
import { conditionsOfDay, usageOfDay } from "@/lib/domain/cost/usage";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { profileOfDay } from "@/lib/domain/plan/profile";
import { classifyMinutes, type MinuteClass } from "@/lib/domain/telemetry/idle";
import { MinuteMemory } from "./usage-memory";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Days measured by an earlier release get their profile one by one, as far back as plans look. */
const PROFILED_DAYS = 60;
/** A run of 30 idle minutes may begin or end on the other side of midnight. */
const MARGIN_MS = 29 * MINUTE_MS;

/** After midnight the day before may still get samples; later only late ones, which the half-hourly look takes in. */
const SETTLING_MS = 3 * 3_600_000;
/** A run that ended this lately still goes on: samples are on their way. */
const FRESH_MS = 3 * MINUTE_MS;

const memory = new MinuteMemory(listMinutes);

/**
 * Where the paid minutes of today and yesterday went: busy, idle, or not reported. Whole days replace whole days; what of a day is
 * settled is read once and then every half-hour, with what came late.
 */
export async function measureUsage(ctx: Ctx): Promise<void> {
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const today = dayOf(now, zone);
  const isSettling = now - dayRange(today, zone).from < SETTLING_MS;
  const isWhole = Math.floor(now / MINUTE_MS) % 30 < 2;
  const yesterday = dayOf(dayRange(today, zone).from - 1, zone);
  if (isWhole) for (const day of [today, yesterday]) memory.forget(dayRange(day, zone).from - MARGIN_MS);
  if (isSettling || isWhole) await measureDay(yesterday, zone, now, { memory });
  const runs = await measureDay(today, zone, now, { memory });
  await saveIdleRuns(runs);
  const { from } = dayRange(today, zone);
  const older = await dayWithoutProfile(dayOf(from - PROFILED_DAYS * DAY_MS, zone), dayOf(from - 1, zone));
  if (older === null) return;
  await measureDay(older, zone, now, { isProfileOnly: true });
  await closeProfiles(older);
}

/** So many machines are looked at together: a day of theirs is what has to fit into memory. */
const AT_ONCE = 64;

/** Writes a day's usage and its profile. Returns, for each machine billed in it, the idle run that lasts until now. */
export async function measureDay(
  day: string,
  zone: string,
  now: number,
  { isProfileOnly = false, memory: kept = null }: { isProfileOnly?: boolean; memory?: MinuteMemory | null } = {},
): Promise<IdleRun[]> {
  const range = dayRange(day, zone);
  const to = Math.min(range.to, now);
  if (to <= range.from) return [];
  const [billed, unhealthy, book] = await Promise.all([
    listBilled(new Date(range.from), new Date(to)),
    listUnhealthy(new Date(range.from), new Date(to)),
    listPrices(),
  ]);
  const from = range.from - MARGIN_MS;
  const runs: IdleRun[] = [];
  for (let i = 0; i < billed.length; i += AT_ONCE) {
    const some = billed.slice(i, i + AT_ONCE);
    const ids = some.map((one) => one.resourceId);
    const until = Math.min(range.to + MARGIN_MS, now);
    const minutes = kept ? await kept.read(ids, from, until) : await listMinutes(ids, new Date(from), new Date(until));
    const usages: UsageOf[] = [];
    const profiles: ProfileOf[] = [];
    const own = groupBy(minutes, ({ resourceId }) => resourceId);
    for (const { resourceId, from: billedFrom, until: billedUntil, typeName, region } of some) {
      const reported = own.get(resourceId) ?? [];
      const uses = usesOf(reported);
      const heard = heardOf(reported);
      const ill = unhealthy.filter((span) => span.resourceId === resourceId);
      const used = minutesBetween(Math.max(range.from, billedFrom), Math.min(to, billedUntil)).map((at) => {
        const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
        return {
          at,
          use: uses.get(minute) ?? ("missing" as const),
          isHeard: heard.has(minute),
          isThrottled: heard.get(minute)?.isThrottled ?? false,
          isUnhealthy: ill.some((span) => span.from <= at && at < span.to),
          utilisedPct: heard.get(minute)?.utilisedPct ?? null,
        };
      });
      const prices = billedPrices(book, { sku: typeName, unit: "instance_hour", region });
      const { unpricedIdleMinutes: _, ...usage } = usageOfDay(used, prices);
      usages.push({ resourceId, ...usage, ...conditionsOfDay(used) });
      const peak = peakOf(reported, range);
      profiles.push({ resourceId, ...profileOfDay(used, (minute) => uses.get(minute), range.from, peak) });
      runs.push(runUntil(resourceId, uses, now, from));
    }
    if (!isProfileOnly) await replaceUsages(day, usages);
    await replaceProfiles(day, profiles);
  }
  return runs;
}

/** The most memory that one GPU held within a day. */
function peakOf(minutes: readonly MinuteRow[], { from, to }: { from: number; to: number }): number | null {
  let peak: number | null = null;
  for (const { at, memoryUsedMib } of minutes) {
    const isWithin = at.getTime() >= from && at.getTime() < to;
    if (isWithin && memoryUsedMib !== null && memoryUsedMib > (peak ?? -1)) peak = Math.round(memoryUsedMib);
  }
  return peak;
}

type Heard = { isThrottled: boolean; utilisedPct: number | null };

/** What was heard of a machine in each minute, all its GPUs together. */
function heardOf(minutes: readonly MinuteRow[]): Map<number, Heard> {
  const sums = new Map<number, { isThrottled: boolean; sum: number; n: number }>();
  for (const { at, meanPct, isThrottled } of minutes) {
    const here = sums.get(at.getTime()) ?? { isThrottled: false, sum: 0, n: 0 };
    sums.set(at.getTime(), here);
    here.isThrottled ||= isThrottled;
    if (meanPct === null) continue;
    here.sum += meanPct;
    here.n += 1;
  }
  return new Map(
    [...sums].map(([at, { isThrottled, sum, n }]) => [at, { isThrottled, utilisedPct: n === 0 ? null : sum / n }]),
  );
}

/** The idle run whose last minute is fresh. Where it reaches the edge of what was read, it may be older than that. */
function runUntil(resourceId: string, uses: Map<number, MinuteClass>, now: number, edge: number): IdleRun {
  const nothing = { resourceId, since: null, kind: null, mayBeOlder: false };
  const last = Math.max(0, ...uses.keys());
  const use = uses.get(last);
  if (now - last > FRESH_MS || (use !== "idle_empty" && use !== "idle_held")) return nothing;
  let since = last;
  while (isIdle(uses.get(since - MINUTE_MS))) since -= MINUTE_MS;
  return { resourceId, since, kind: use === "idle_empty" ? "empty" : "held", mayBeOlder: since - edge < 2 * MINUTE_MS };
}

function isIdle(use: MinuteClass | undefined): boolean {
  return use === "idle_empty" || use === "idle_held";
}

/** What a machine did in each minute: busy when any of its GPUs was, idle only when all that reported were. */
function usesOf(
  minutes: {
    gpuId: number;
    at: Date;
    effectivePct: number | null;
    memoryUsedMib: number | null;
    hasProcess: boolean | null;
  }[],
): Map<number, MinuteClass> {
  const byGpu = new Map<number, typeof minutes>();
  for (const minute of minutes) byGpu.set(minute.gpuId, [...(byGpu.get(minute.gpuId) ?? []), minute]);
  const rank: Record<MinuteClass, number> = { missing: 0, idle_empty: 1, idle_held: 2, busy: 3 };
  const uses = new Map<number, MinuteClass>();
  for (const own of byGpu.values()) {
    const classes = classifyMinutes(own.map((minute) => ({ ...minute, at: minute.at.getTime() })));
    for (const [i, minute] of own.entries()) {
      const use = classes[i] ?? "missing";
      const at = minute.at.getTime();
      const before = uses.get(at);
      if (before === undefined || rank[use] > rank[before]) uses.set(at, use);
    }
  }
  return uses;
}

function minutesBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / MINUTE_MS)) }, (_, k) => from + k * MINUTE_MS);
}
