import {
  costByResource,
  listLedger,
  listMonths,
  listPriceChanges,
  spendByDay,
  storageRate,
  sumDays,
  sumIdle,
} from "@/lib/db/cost/read";
import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { monthEndForecast } from "@/lib/domain/cost/forecast";
import type { CostAnswer, CostQuestion, LedgerQuestion, Outlook } from "@/lib/domain/cost/view";
import { dayOf, dayRange, dayStarts, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { isBilled } from "@/lib/services/fleet/instances";

const HOUR_MS = 3_600_000;

/** A month's spend: what it is, where it goes, what it is made of. Every figure is a sum of ledger rows. */
export async function readCost(ctx: Ctx, question: CostQuestion): Promise<CostAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const thisMonth = monthOf(now, zone);
  const month = question.month ?? thisMonth;
  const range = monthRange(month, zone);
  const isCurrent = month === thisMonth;
  const days = monthDays(range, zone);
  const fromDay = days[0] ?? dayOf(range.from, zone);
  const toDay = isCurrent ? dayOf(now, zone) : (days.at(-1) ?? fromDay);
  const covered = days.filter((day) => day <= toDay);

  const [total, parts, resources, idle, months, before, outlook, prices] = await Promise.all([
    sumDays(fromDay, toDay),
    spendByDay(fromDay, toDay, question.by),
    costByResource(fromDay, toDay),
    sumIdle(fromDay, toDay),
    listMonths(),
    sameDaysBefore(month, covered.length, zone),
    isCurrent ? readOutlook(ctx, zone) : null,
    listPriceChanges(50),
  ]);
  const totals = new Map<string, bigint>();
  for (const part of parts) totals.set(part.key, (totals.get(part.key) ?? 0n) + part.micros);
  const keys = [...totals.entries()]
    .sort(([a, x], [b, y]) => (a === "" ? 1 : b === "" ? -1 : x === y ? a.localeCompare(b) : x > y ? -1 : 1))
    .map(([key]) => key);
  return {
    now,
    month,
    zone,
    isCurrent,
    fromDay,
    toDay,
    monthDays: days.length,
    total: {
      micros: total.micros.toString(),
      lowMicros: total.lowMicros.toString(),
      highMicros: total.highMicros.toString(),
      unknownRows: total.unknownRows,
      flaggedRows: total.flaggedRows,
    },
    before,
    forecast: outlook?.forecast ?? null,
    budget: outlook?.budget ?? null,
    rateMicrosPerHour: outlook?.rateMicrosPerHour ?? null,
    storageMicrosPerHour: outlook?.storageMicrosPerHour ?? null,
    idle: { emptyMicros: idle.emptyMicros.toString(), heldMicros: idle.heldMicros.toString() },
    by: question.by,
    keys,
    days: covered.map((day) => {
      const own = parts.filter((part) => part.day === day);
      return {
        day,
        parts: Object.fromEntries(own.map((part) => [part.key, part.micros.toString()])),
        totalMicros: own.reduce((sum, part) => sum + part.micros, 0n).toString(),
        unknownRows: own.reduce((sum, part) => sum + part.unknownRows, 0),
      };
    }),
    resources: resources.map((row) => ({
      id: row.resourceId,
      kind: row.kind,
      name: row.name,
      typeName: row.typeName,
      region: row.region,
      team: row.team,
      isGone: row.isGone,
      minutes: row.minutes,
      micros: row.micros.toString(),
      lowMicros: row.lowMicros.toString(),
      highMicros: row.highMicros.toString(),
      unknownRows: row.unknownRows,
      idleMicros: row.idleMicros.toString(),
      isFlagged: row.flaggedRows > 0,
    })),
    months: months.map((one) => ({ month: one.month, micros: one.micros.toString() })),
    priceChanges: prices
      .filter((price) => price.before !== null && price.at.getTime() >= range.from && price.at.getTime() < range.to)
      .map((price) => ({
        sku: price.sku,
        beforeMicros: price.before?.toString() ?? null,
        micros: price.micros.toString(),
        at: price.at.getTime(),
      })),
  };
}

function monthDays(range: { from: number; to: number }, zone: string): string[] {
  return [dayOf(range.from, zone), ...dayStarts(range.from, range.to, zone).map((at) => dayOf(at, zone))];
}

async function sameDaysBefore(month: string, count: number, zone: string): Promise<CostAnswer["before"]> {
  const range = monthRange(monthOf(monthRange(month, zone).from - 1, zone), zone);
  const days = monthDays(range, zone).slice(0, count);
  const [fromDay, toDay] = [days[0], days.at(-1)];
  if (!fromDay || !toDay) return null;
  const sums = await sumDays(fromDay, toDay);
  return sums.micros === 0n && sums.unknownRows === 0 ? null : { micros: sums.micros.toString(), fromDay, toDay };
}

/** Where the month ends, from what runs now: no churn and no residuals are known yet beyond the days of this month. */
export async function readOutlook(ctx: Ctx, zone: string): Promise<Outlook> {
  const now = ctx.now.getTime();
  const month = monthOf(now, zone);
  const range = monthRange(month, zone);
  const today = dayOf(now, zone);
  const [fleet, parts, storage, budget] = await Promise.all([
    listInstances(today, { goneSince: ctx.now }),
    spendByDay(dayOf(range.from, zone), today, "charge"),
    storageRate(),
    readSetting("budget"),
  ]);
  const perDay = new Map<string, bigint>();
  for (const part of parts) perDay.set(part.day, (perDay.get(part.day) ?? 0n) + part.micros);
  const monthToDateMicros = [...perDay.values()].reduce((sum, micros) => sum + micros, 0n);
  const running = fleet
    .filter(isBilled)
    .flatMap((one) => (one.priceMicros === null ? [] : [{ microsPerHour: one.priceMicros, plannedEnd: null }]));
  const finished = [...perDay].filter(([day]) => day < today).map(([, micros]) => micros);
  const dailyMeanMicros =
    finished.length === 0 ? 0n : finished.reduce((sum, micros) => sum + micros, 0n) / BigInt(finished.length);
  const { baseMicros, lowMicros, highMicros } = monthEndForecast({
    at: now,
    monthEnd: range.to,
    monthToDateMicros,
    running,
    storageMicrosPerHour: storage.microsPerHour ?? 0n,
    churnMicrosPerDay: 0n,
    dailyResidualMicros: finished.map((micros) => dailyMeanMicros - micros),
    dailyMeanMicros,
  });
  const rate = running.reduce((sum, one) => sum + one.microsPerHour, 0n);
  const days = monthDays(range, zone);
  return {
    month,
    monthToDateMicros: monthToDateMicros.toString(),
    unknownRows: parts.reduce((sum, part) => sum + part.unknownRows, 0),
    forecast: {
      micros: baseMicros.toString(),
      lowMicros: atLeast(lowMicros, monthToDateMicros).toString(),
      highMicros: highMicros.toString(),
    },
    budget: budgetOf(budget.monthMicros, monthToDateMicros, rate + (storage.microsPerHour ?? 0n), now, range.to),
    rateMicrosPerHour: rate.toString(),
    storageMicrosPerHour: storage.microsPerHour?.toString() ?? null,
    cumulative: runningTotal(
      days.filter((day) => day <= today),
      perDay,
    ),
    days: days.length,
  };
}

/** What has been spent already is spent: no band reaches below it. */
function atLeast(micros: bigint, floorMicros: bigint): bigint {
  return micros > floorMicros ? micros : floorMicros;
}

function runningTotal(days: string[], perDay: ReadonlyMap<string, bigint>): Outlook["cumulative"] {
  let sum = 0n;
  return days.map((day) => {
    sum += perDay.get(day) ?? 0n;
    return { day, micros: sum.toString() };
  });
}

/** How much of the budget is gone, and when the rest of it is at today's rate. */
function budgetOf(
  monthMicros: string | null,
  spent: bigint,
  microsPerHour: bigint,
  now: number,
  monthEnd: number,
): CostAnswer["budget"] {
  if (monthMicros === null) return null;
  const micros = BigInt(monthMicros);
  if (micros === 0n) return null;
  const usedPct = Number((spent * 10_000n) / micros) / 100;
  const rest = micros - spent;
  const reached =
    rest <= 0n ? now : microsPerHour === 0n ? null : now + Number((rest * BigInt(HOUR_MS)) / microsPerHour);
  return { micros: monthMicros, usedPct, reachedAt: reached !== null && reached <= monthEnd ? reached : null };
}

const LEDGER_ROWS = 5_000;

/** The ledger rows behind a figure: of a month, a day, one resource. */
export async function readLedger(ctx: Ctx, question: LedgerQuestion) {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const month = question.month ?? monthOf(ctx.now.getTime(), zone);
  const range = question.day ? dayRange(question.day, zone) : monthRange(month, zone);
  const [from, to] = [dayOf(range.from, zone), dayOf(range.to - 1, zone)];
  const rows = await listLedger(from, to, question.resourceId ?? null, LEDGER_ROWS);
  return {
    zone,
    from,
    to,
    isCut: rows.length === LEDGER_ROWS,
    rows: rows.map(({ startsAt, endsAt, priceMicros, micros, lowMicros, highMicros, ...row }) => ({
      ...row,
      startsAt: startsAt.getTime(),
      endsAt: endsAt.getTime(),
      priceMicros: priceMicros?.toString() ?? null,
      micros: micros?.toString() ?? null,
      lowMicros: lowMicros?.toString() ?? null,
      highMicros: highMicros?.toString() ?? null,
    })),
  };
}
