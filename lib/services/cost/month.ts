import { findPeriod } from "@/lib/db/cost/periods";
import { listPriceChanges } from "@/lib/db/cost/prices";
import {
  type CostDays,
  idleByKey,
  keysByAge,
  listMonths,
  spendByDay,
  spendByKey,
  sumByCharge,
  sumByKey,
  sumCorrections,
  sumDays,
  sumGpus,
  sumIdle,
} from "@/lib/db/cost/read";
import { costByResource, type ResourceCost } from "@/lib/db/cost/resources";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { comparedDays, daysOfMonth, monthAfter, monthBefore } from "@/lib/domain/cost/compare";
import { needsReview, sum } from "@/lib/domain/cost/money";
import { type Stack, stackOf } from "@/lib/domain/cost/stack";
import type { Comparison, CostAnswer, CostQuestion, CostRow, Outlook } from "@/lib/domain/cost/view";
import { dayOf, dayRange, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";
import { ledgerAge } from "./age";
import { readOutlook } from "./read";

/** Machines and file systems that are answered one by one; the file has all of them. */
const MOST_RESOURCES = 500;

/** A month's spend: what it is, where it goes, what it is made of. Every figure is a sum of ledger rows. */
export async function readCost(ctx: Ctx, question: CostQuestion, mostResources = MOST_RESOURCES): Promise<CostAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const thisMonth = monthOf(now, zone);
  const month = question.month ?? thisMonth;
  if (month > thisMonth) throw new AppError("not-found", `${month} has not begun. Choose an earlier month.`);
  const { by } = question;
  const range = monthRange(month, zone);
  const isCurrent = month === thisMonth;
  const days = daysOfMonth(month, zone);
  const today = dayOf(now, zone);
  const fromDay = days[0] ?? today;
  const toDay = isCurrent ? today : (days.at(-1) ?? today);
  const scope: CostDays = { from: fromDay, to: days.at(-1) ?? toDay, month };
  const connection = await findConnection();
  const knownFrom = connection?.createdAt.getTime() ?? null;

  const [
    total,
    amounts,
    owned,
    groups,
    idle,
    idleOf,
    resources,
    charges,
    gpus,
    corrections,
    months,
    outlook,
    prices,
    ledger,
    period,
  ] = await Promise.all([
    sumDays(scope),
    spendByDay(scope, by),
    keysByAge(by),
    by === "instance" ? [] : spendByKey(scope, by),
    sumIdle(fromDay, toDay),
    by === "instance" ? new Map<string, bigint>() : idleByKey(scope, by),
    costByResource(scope, mostResources),
    sumByCharge(scope),
    sumGpus(scope),
    sumCorrections(scope),
    listMonths(),
    isCurrent ? readOutlook(ctx, zone) : null,
    listPriceChanges(new Date(range.from), new Date(range.to)),
    ledgerAge(),
    findPeriod(month),
  ]);
  const compared = await compare(month, today, zone, knownFrom, by);
  const stack = stackOf(amounts, owned);
  const oldest = months.at(-1)?.month ?? thisMonth;
  const earliest = Math.min(knownFrom ?? now, monthRange(oldest, zone).from);
  const rows = resources.map((row) => costRow(row, range.from));
  return {
    now,
    month,
    zone,
    isCurrent,
    status: period.status,
    from: range.from,
    to: isCurrent ? now : range.to,
    fromDay,
    toDay,
    knownFrom,
    ledger: { ...ledger, isEmpty: months.length === 0 },
    total: {
      micros: total.micros.toString(),
      lowMicros: total.lowMicros.toString(),
      highMicros: total.highMicros.toString(),
      unknownRows: total.unknownRows,
    },
    compared: compared?.answer ?? null,
    forecast: outlook?.forecast ?? null,
    budget: outlook?.budget ?? null,
    rate: outlook && {
      microsPerHour: outlook.rateMicrosPerHour,
      unknownPrices: outlook.unknownPrices,
      storageMicrosPerHour: outlook.storageMicrosPerHour,
    },
    idle: { emptyMicros: idle.emptyMicros.toString(), heldMicros: idle.heldMicros.toString() },
    gpus: gpus && { minutes: gpus.minutes, micros: gpus.micros.toString() },
    instances: {
      count: charges.usage.resources,
      minutes: charges.usage.minutes,
      micros: charges.usage.micros.toString(),
    },
    storage: { count: charges.storage.resources, micros: charges.storage.micros.toString() },
    otherMicros: charges.other.micros.toString(),
    corrections: corrections.rows > 0 ? { micros: corrections.micros.toString(), rows: corrections.rows } : null,
    by,
    parts: stack.parts,
    days: days.map((day) => barOf(day, zone, stack, toDay, knownFrom, outlook)),
    groups: groups.map((group) => ({
      key: group.key,
      slot: stack.slots.get(group.key) ?? 8,
      micros: group.micros.toString(),
      unknownRows: group.unknownRows,
      idleMicros: (idleOf.get(group.key) ?? 0n).toString(),
      minutes: group.minutes,
      resources: group.resources,
      comparedMicros: (compared?.own.get(group.key) ?? 0n).toString(),
      beforeMicros: (compared?.before.get(group.key) ?? 0n).toString(),
    })),
    resources: rows,
    rest: restOf(total, idle.emptyMicros + idle.heldMicros, charges.usage.resources + charges.storage.resources, rows),
    monthBefore: range.from > earliest ? monthBefore(month, zone) : null,
    monthAfter: isCurrent ? null : monthAfter(month, zone),
    months: months.map((one) => ({
      month: one.month,
      micros: one.micros.toString(),
      unknownRows: one.unknownRows,
      isCurrent: one.month === thisMonth,
    })),
    priceChanges: prices.map(({ sku, beforeMicros, micros, at }) => ({
      sku,
      beforeMicros: beforeMicros.toString(),
      micros: micros.toString(),
      at: at.getTime(),
    })),
  };
}

/** One bar: an amount for each part; none before anybody looked, nor after today. */
function barOf(
  day: string,
  zone: string,
  stack: Stack,
  toDay: string,
  knownFrom: number | null,
  outlook: Outlook | null,
): CostAnswer["days"][number] {
  const { from, to } = dayRange(day, zone);
  const own = stack.days.get(day);
  const isKnown = own !== undefined || (day <= toDay && knownFrom !== null && to > knownFrom);
  const expected = outlook?.expected.find((one) => one.day === day);
  return {
    day,
    from,
    to,
    micros: isKnown ? stack.parts.map((_, at) => textOf(own ? (own.micros[at] ?? null) : 0n)) : [],
    unknownRows: own?.unknownRows ?? 0,
    expected: expected
      ? { micros: expected.micros, lowMicros: expected.lowMicros, highMicros: expected.highMicros }
      : null,
  };
}

function textOf(micros: bigint | null): string | null {
  return micros === null ? null : micros.toString();
}

type Keyed = ReadonlyMap<string, bigint>;

/** The same days of this month and of the one before, whole and by key. */
async function compare(
  month: string,
  today: string,
  zone: string,
  knownFrom: number | null,
  by: CostQuestion["by"],
): Promise<{ answer: Comparison; own: Keyed; before: Keyed } | null> {
  const spans = comparedDays(month, today, zone);
  if (!spans || knownFrom === null || knownFrom >= dayRange(spans.before.toDay, zone).to) return null;
  const daysBefore = daysOfMonth(monthBefore(month, zone), zone);
  const scopeOwn = { from: spans.own.fromDay, to: spans.own.toDay, month };
  const scopeBefore = { from: spans.before.fromDay, to: spans.before.toDay, month: daysBefore[0]?.slice(0, 7) ?? null };
  const [own, before, perDay] = await Promise.all([
    sumByKey(scopeOwn, by),
    sumByKey(scopeBefore, by),
    spendByDay({ ...scopeBefore, to: daysBefore.at(-1) ?? spans.before.toDay }, "charge"),
  ]);
  // Corrections of earlier months count from its first day.
  let reached = sum(perDay.filter(({ day }) => day < spans.before.fromDay).map(({ micros }) => micros));
  const beforeCumulative = daysBefore.map((day) => {
    reached += sum(perDay.filter((part) => part.day === day).map((part) => part.micros));
    return dayRange(day, zone).to > knownFrom ? reached.toString() : null;
  });
  const keyed = (rows: typeof own) => new Map(rows.map((row) => [row.key, row.micros]));
  return {
    answer: {
      ...spans.own,
      micros: sum(own.map((row) => row.micros)).toString(),
      before: {
        ...spans.before,
        micros: sum(before.map((row) => row.micros)).toString(),
        unknownRows: before.reduce((count, row) => count + row.unknownRows, 0),
        isPartlyKnown: knownFrom > dayRange(spans.before.fromDay, zone).from,
      },
      beforeCumulative,
    },
    own: keyed(own),
    before: keyed(before),
  };
}

/** All rows of a doubtful life are flagged; in a month in which neither of its edges lies, nothing is in doubt. */
function costRow(row: ResourceCost, since: number): CostRow {
  const hasEdge = (row.billedFrom?.getTime() ?? 0) >= since || row.lowMicros !== row.highMicros;
  const isDoubtful = (row.flaggedRows > 0 && hasEdge) || needsReview(row.lowMicros, row.highMicros);
  return {
    id: row.resourceId,
    kind: row.kind,
    name: row.name,
    typeName: row.typeName,
    region: row.region,
    team: row.team,
    project: row.project,
    environment: row.environment,
    costCenter: row.costCenter,
    isGone: row.isGone,
    isOutside: row.isOutside,
    minutes: row.minutes,
    bytes: row.bytes?.toString() ?? null,
    ratesMicros: row.ratesMicros.map(String),
    micros: row.micros.toString(),
    lowMicros: row.lowMicros.toString(),
    highMicros: row.highMicros.toString(),
    unknownRows: row.unknownRows,
    idleMicros: row.idleMicros.toString(),
    doubt: isDoubtful ? row.evidence : null,
  };
}

function restOf(
  total: { micros: bigint; unknownRows: number },
  idleMicros: bigint,
  resources: number,
  rows: readonly CostRow[],
): CostAnswer["rest"] {
  if (resources <= rows.length) return null;
  return {
    count: resources - rows.length,
    micros: (total.micros - sum(rows.map((row) => BigInt(row.micros)))).toString(),
    idleMicros: (idleMicros - sum(rows.map((row) => BigInt(row.idleMicros)))).toString(),
    unknownRows: total.unknownRows - rows.reduce((count, row) => count + row.unknownRows, 0),
  };
}
