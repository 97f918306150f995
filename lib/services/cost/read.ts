import { fleetBudget } from "@/lib/db/cost/budgets";
import { spendByDay, storageRate } from "@/lib/db/cost/read";
import { type LedgerScope, listLedger } from "@/lib/db/cost/rows";
import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { daysOfMonth } from "@/lib/domain/cost/compare";
import { type ForecastInput, forecastParts, monthEndForecast } from "@/lib/domain/cost/forecast";
import { sum } from "@/lib/domain/cost/money";
import type { CostAnswer, LedgerAnswer, LedgerQuestion, Outlook } from "@/lib/domain/cost/view";
import { dayOf, dayRange, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { isBilled } from "@/lib/services/fleet/instances";
import { atLeast, finishedDays, historyOf, returningRuns } from "./outlook";
import { plannedRuns } from "./planned";

const HOUR_MS = 3_600_000;
/** Where the month ends: what runs now runs on, and as much comes and goes as did lately. */
export async function readOutlook(ctx: Ctx, zone: string): Promise<Outlook> {
  const now = ctx.now.getTime();
  const month = monthOf(now, zone);
  const range = monthRange(month, zone);
  const today = dayOf(now, zone);
  const days = daysOfMonth(month, zone);
  const [fleet, parts, storage, budget, history, plans] = await Promise.all([
    listInstances(today, { goneSince: ctx.now }),
    spendByDay({ from: days[0] ?? today, to: days.at(-1) ?? today, month }, "charge"),
    storageRate(),
    fleetBudget(),
    finishedDays(now, zone).then((finished) => historyOf({}, finished)),
    plannedRuns(ctx.now, zone),
  ]);
  const perDay = new Map<string, bigint>();
  for (const part of parts) perDay.set(part.day, (perDay.get(part.day) ?? 0n) + part.micros);
  const spentOn = (day: string) => perDay.get(day) ?? 0n;
  const soFar = days.filter((day) => day <= today);
  // What counts in this month for days of earlier ones is of no day here.
  const monthToDateMicros = sum(parts.map((part) => part.micros));

  const billed = fleet.filter(isBilled);
  const running = billed.flatMap((one) =>
    one.priceMicros === null
      ? []
      : [{ plannedEnd: null, ...plans.running.get(one.id), microsPerHour: one.priceMicros }],
  );
  const returning = await returningRuns(
    {},
    plans,
    billed.map(({ id }) => id),
  );
  const storageMicrosPerHour = storage.microsPerHour ?? 0n;
  const input: ForecastInput = {
    at: now,
    monthEnd: range.to,
    monthToDateMicros,
    running: [...running, ...returning],
    storageMicrosPerHour,
    churnMicrosPerDay: history.churnMicrosPerDay,
    dailyResidualMicros: history.dailyResidualMicros,
    dailyMeanMicros: history.dailyMeanMicros,
  };
  const { baseMicros, lowMicros, highMicros } = monthEndForecast(input);
  const toCome = days.filter((day) => day >= today);
  const expected = forecastParts(
    input,
    toCome.map((day) => dayRange(day, zone).to),
  );
  const rate = sum(running.map((one) => one.microsPerHour));
  return {
    month,
    monthToDateMicros: monthToDateMicros.toString(),
    unknownRows: parts.reduce((total, part) => total + part.unknownRows, 0),
    forecast: {
      micros: baseMicros.toString(),
      lowMicros: atLeast(lowMicros, monthToDateMicros).toString(),
      highMicros: highMicros.toString(),
      bandDays: history.days.length,
    },
    expected: expected.map((part, index) => {
      const day = toCome[index] ?? today;
      return {
        day,
        micros: (spentOn(day) + part.baseMicros).toString(),
        lowMicros: (spentOn(day) + atLeast(part.lowMicros, 0n)).toString(),
        highMicros: (spentOn(day) + part.highMicros).toString(),
      };
    }),
    budget: budgetOf(budget?.micros ?? null, monthToDateMicros, rate + storageMicrosPerHour, now, range.to),
    rateMicrosPerHour: rate.toString(),
    unknownPrices: billed.length - running.length,
    storageMicrosPerHour: storage.microsPerHour?.toString() ?? null,
    cumulative: runningTotal(soFar.map((day) => ({ day, micros: spentOn(day) }))),
    days: days.length,
  };
}

function runningTotal(days: readonly { day: string; micros: bigint }[]): Outlook["cumulative"] {
  let total = 0n;
  return days.map(({ day, micros }) => {
    total += micros;
    return { day, micros: total.toString() };
  });
}

/** How much of the budget is gone, and when the rest of it is at today's rate. */
function budgetOf(
  micros: bigint | null,
  spent: bigint,
  microsPerHour: bigint,
  now: number,
  monthEnd: number,
): CostAnswer["budget"] {
  if (micros === null) return null;
  const usedPct = Number((spent * 10_000n) / micros) / 100;
  const rest = micros - spent;
  const reached =
    rest <= 0n ? now : microsPerHour === 0n ? null : now + Number((rest * BigInt(HOUR_MS)) / microsPerHour);
  return { micros: micros.toString(), usedPct, reachedAt: reached !== null && reached <= monthEnd ? reached : null };
}

/** The accounting days that a question about rows means. */
export function ledgerScope(ctx: Ctx, question: LedgerQuestion, zone: string): LedgerScope {
  const month = question.month ?? monthOf(ctx.now.getTime(), zone);
  const range = question.day ? dayRange(question.day, zone) : monthRange(month, zone);
  return {
    from: dayOf(range.from, zone),
    to: dayOf(range.to - 1, zone),
    isMonth: question.day === undefined,
    resourceId: question.resourceId ?? null,
  };
}

const LEDGER_ROWS = 5_000;

/** The ledger rows behind a figure: of a month, a day, one resource. */
export async function readLedger(ctx: Ctx, question: LedgerQuestion): Promise<LedgerAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const scope = ledgerScope(ctx, question, zone);
  const rows = await listLedger(scope, LEDGER_ROWS + 1);
  return {
    now: ctx.now.getTime(),
    zone,
    from: scope.from,
    to: scope.to,
    isCut: rows.length > LEDGER_ROWS,
    rows: rows.slice(0, LEDGER_ROWS).map((row) => ({
      ...row,
      startsAt: row.startsAt.getTime(),
      endsAt: row.endsAt.getTime(),
      priceMicros: row.priceMicros?.toString() ?? null,
      micros: row.micros?.toString() ?? null,
      lowMicros: row.lowMicros?.toString() ?? null,
      highMicros: row.highMicros?.toString() ?? null,
    })),
  };
}
