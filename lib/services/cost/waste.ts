import { ratesNow } from "@/lib/db/cost/outlook";
import {
  type Holder,
  holdersWithin,
  listUnattached,
  sumUsage,
  type Unattached,
  type UsageSum,
} from "@/lib/db/cost/waste";
import { findConnection } from "@/lib/db/fleet/connection";
import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { paidMinutes } from "@/lib/db/workload/runs";
import { authorize, type Ctx } from "@/lib/domain/access";
import { roundHalfAway, sum } from "@/lib/domain/cost/money";
import {
  effectiveRates,
  HOURS_OF_MONTH,
  perMonth,
  potentialOf,
  type WasteAnswer,
  type WasteFinding,
  type WasteKind,
  type WasteQuestion,
} from "@/lib/domain/cost/waste";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { formatGib, formatStorage } from "@/lib/domain/format";
import { groupBy } from "@/lib/domain/group";
import { runCost } from "@/lib/domain/workload/cost";
import { instanceRows } from "@/lib/services/fleet/instances";

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

type Found = Omit<WasteFinding, "micros" | "monthMicros"> & { micros: bigint; monthMicros: bigint };
type Part = { kind: WasteKind; minutes: number; micros: bigint; day: string | null };

/** Money that bought nothing in the last days: of each kind how much, who, and where to look. */
export async function readWaste(ctx: Ctx, { days }: WasteQuestion): Promise<WasteAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const toDay = dayOf(now, zone);
  const since = (await findConnection())?.createdAt.getTime() ?? now;
  const fromDay = dayOf(Math.max(dayRange(toDay, zone).from - (days - 1) * DAY_MS, since), zone);
  const window = { from: Math.max(dayRange(fromDay, zone).from, since), to: now };
  const [usage, unattached, facts] = await Promise.all([
    sumUsage(fromDay, toDay),
    listUnattached(),
    listInstances(toDay, { goneSince: ctx.now }),
  ]);
  const rows = new Map((await instanceRows(facts, ctx.now)).map((row) => [row.id, row]));
  const machines = usage.flatMap((one) => machineFindings(one, window, zone, rows.get(one.resourceId)));
  const silent = await withSilence(ctx, await withHolders(machines), rows);
  const storage = await storageFindings(ctx, unattached, window, zone);
  const live = new Set([
    ...usage.filter((one) => one.isBilled).map((one) => one.resourceId),
    ...unattached.map((one) => one.resourceId),
  ]);
  const all = [...silent, ...storage];
  const findings = all.filter((one) => live.has(one.resourceId));
  return {
    now,
    zone,
    days,
    ...window,
    fromDay,
    toDay,
    costMicros: sum(usage.map((one) => one.micros)).toString(),
    totals: totalsOf(all),
    potentialMicros: potentialOf(findings).toString(),
    goneMicros: sum(all.filter((one) => !live.has(one.resourceId)).map((one) => one.micros)).toString(),
    gpu: gpuFigures(usage),
    findings: findings
      .sort((a, b) =>
        a.monthMicros === b.monthMicros ? (a.name < b.name ? -1 : 1) : a.monthMicros > b.monthMicros ? -1 : 1,
      )
      .map((one) => ({ ...one, micros: one.micros.toString(), monthMicros: one.monthMicros.toString() })),
  };
}

function machineFindings(
  one: UsageSum,
  window: { from: number; to: number },
  zone: string,
  row: InstanceRow | undefined,
): Found[] {
  const parts: Part[] = [
    { kind: "idle_empty", minutes: one.emptyMinutes, micros: one.emptyMicros, day: one.idleDay },
    { kind: "idle_held", minutes: one.heldMinutes, micros: one.heldMicros, day: one.idleDay },
    { kind: "silent", minutes: one.silentMinutes, micros: one.silentMicros, day: one.silentDay },
    { kind: "unhealthy", minutes: one.unhealthyMinutes, micros: one.unhealthyMicros, day: one.unhealthyDay },
    { kind: "throttled", minutes: one.throttledMinutes, micros: one.throttledMicros, day: one.throttledDay },
  ];
  const idle = row?.idle ?? null;
  return parts.flatMap(({ kind, minutes, micros, day }) => {
    if (minutes === 0) return [];
    const isIdleNow = idle !== null && kind === `idle_${idle.kind}`;
    const since = isIdleNow ? idle.since : null;
    const range = day === null ? window : dayRange(day, zone);
    return [
      {
        kind,
        resourceId: one.resourceId,
        name: one.name,
        typeName: one.typeName,
        region: one.region,
        team: one.team,
        since,
        minutes,
        micros,
        monthMicros: perMonth(micros, window.to - window.from) ?? 0n,
        from: since === null ? range.from : Math.max(since - 30 * MINUTE_MS, window.to - 7 * DAY_MS),
        to: since === null ? Math.min(range.to, window.to) : window.to,
        detail: null,
      },
    ];
  });
}

/** By whom memory was held then, as the agent saw it: "python 41.2 GiB by mira". */
async function withHolders(found: Found[]): Promise<Found[]> {
  const held = found.filter(({ kind }) => kind === "idle_held");
  const seen = groupBy(held.length === 0 ? [] : await holdersWithin(held), ({ resourceId }) => resourceId);
  return found.map((one) => {
    const processes = one.kind === "idle_held" ? (seen.get(one.resourceId) ?? []).flatMap((gpu) => gpu.processes) : [];
    return processes.length === 0 ? one : { ...one, detail: holderWords(processes) };
  });
}

function holderWords(processes: readonly Holder["processes"][number][]): string {
  const sorted = [...processes].sort((a, b) => (b.usedMib ?? 0) - (a.usedMib ?? 0));
  const words = sorted
    .slice(0, 2)
    .map(({ name, usedMib, user }) =>
      [name?.split("/").at(-1) ?? "a process", usedMib !== null && formatGib(usedMib), user && `by ${user}`]
        .filter(Boolean)
        .join(" "),
    );
  const more = processes.length - words.length;
  return more > 0 ? `${words.join(", ")}, ${more} more` : words.join(", ");
}

/** Machines that are silent now: since when, and what they cost since then, by the ledger's minutes. */
async function withSilence(ctx: Ctx, found: Found[], rows: ReadonlyMap<string, InstanceRow>): Promise<Found[]> {
  const quiet = [...rows.values()].filter(
    ({ isBilled, telemetry }) => isBilled && (telemetry.state === "silent" || telemetry.state === "never"),
  );
  if (quiet.length === 0) return found;
  const since = (row: InstanceRow) => row.telemetry.at ?? row.activeSince ?? ctx.now.getTime();
  const paid = await paidMinutes(
    quiet.map((row) => row.id),
    new Date(Math.min(...quiet.map(since))),
    ctx.now,
  );
  const now = ctx.now.getTime();
  return found.map((one) => {
    const row = one.kind === "silent" ? quiet.find(({ id }) => id === one.resourceId) : undefined;
    if (!row) return one;
    const cost = runCost(paid.get(row.id) ?? [], since(row), now, { held: 1, of: 1 });
    const words = row.telemetry.state === "never" ? "has never reported" : "since its last sample";
    return {
      ...one,
      since: since(row),
      from: since(row) - 30 * MINUTE_MS,
      to: now,
      detail: `${words}: $${usdText(cost.micros)}`,
    };
  });
}

function usdText(micros: bigint): string {
  return (Number(micros) / 1e6).toFixed(2);
}

async function storageFindings(
  ctx: Ctx,
  unattached: readonly Unattached[],
  window: { from: number; to: number },
  zone: string,
): Promise<Found[]> {
  if (unattached.length === 0) return [];
  const rates = await ratesNow({}, dayOf(ctx.now.getTime() - DAY_MS, zone));
  return unattached.map((one) => {
    const rate = sum(rates.filter((rate) => rate.resourceId === one.resourceId).map((rate) => rate.microsPerHour));
    const since = one.since.getTime();
    const minutes = Math.floor((window.to - Math.max(since, window.from)) / MINUTE_MS);
    return {
      kind: "unattached" as const,
      resourceId: one.resourceId,
      name: one.name,
      typeName: null,
      region: one.region,
      team: one.team,
      since,
      minutes,
      micros: roundHalfAway(rate * BigInt(minutes), 60n),
      monthMicros: rate * BigInt(HOURS_OF_MONTH),
      from: since,
      to: window.to,
      detail: one.bytes === null ? "size not known" : `holds ${formatStorage(one.bytes)}`,
    };
  });
}

function totalsOf(found: readonly Found[]): WasteAnswer["totals"] {
  const of = (kind: WasteKind) => {
    const own = found.filter((one) => one.kind === kind);
    return {
      micros: sum(own.map((one) => one.micros)).toString(),
      minutes: own.reduce((total, one) => total + one.minutes, 0),
      resources: own.length,
    };
  };
  return {
    idle_empty: of("idle_empty"),
    idle_held: of("idle_held"),
    silent: of("silent"),
    unhealthy: of("unhealthy"),
    throttled: of("throttled"),
    unattached: of("unattached"),
  };
}

function gpuFigures(usage: readonly UsageSum[]): WasteAnswer["gpu"] {
  const total = (of: (one: UsageSum) => number) => usage.reduce((all, one) => all + of(one) * one.gpus, 0);
  const billed = total((one) => one.billedMinutes);
  const reported = total((one) => one.reportedMinutes);
  const time = {
    reportedGpuMinutes: reported,
    reportedMicros: sum(usage.map((one) => one.reportedMicros)),
    busyGpuMinutes: total((one) => one.busyMinutes),
    utilisedGpuMinutes: total((one) => one.utilisedMinutes),
  };
  const { busyMicros, utilisedMicros } = effectiveRates(time);
  const paid = effectiveRates({ ...time, reportedMicros: sum(usage.map((one) => one.micros)), busyGpuMinutes: billed });
  const percent = (part: number, whole: number) => (whole > 0 ? (100 * part) / whole : null);
  return {
    gpuHours: billed / 60,
    reportedPct: percent(reported, billed),
    busyPct: percent(time.busyGpuMinutes, reported),
    utilisedPct: percent(time.utilisedGpuMinutes, reported),
    paidMicros: paid.busyMicros?.toString() ?? null,
    busyMicros: busyMicros?.toString() ?? null,
    utilisedMicros: utilisedMicros?.toString() ?? null,
  };
}
