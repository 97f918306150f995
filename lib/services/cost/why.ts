import { listChanged, type MachineSum, type MonthScope, sumMachines, sumMonth, sumOthers } from "@/lib/db/cost/why";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { comparedDays, type DaySpan, monthBefore } from "@/lib/domain/cost/compare";
import { sum } from "@/lib/domain/cost/money";
import { bridgeOf, type WhyEffects, whyOf } from "@/lib/domain/cost/why";
import type { WhyAnswer, WhyLine, WhyQuestion, WhySide } from "@/lib/domain/cost/why-view";
import { dayOf, dayRange, monthOf } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";

const MOST_RESOURCES = 8;
const NOTHING = { gpuMinutes: 0n, micros: 0n };

/** Why a month did not cost what the one before did, over the same days where it is not over; the steps add up to the difference. */
export async function readWhy(ctx: Ctx, question: WhyQuestion): Promise<WhyAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const thisMonth = monthOf(now, zone);
  const month = question.month ?? thisMonth;
  if (month > thisMonth) throw new AppError("not-found", `${month} has not begun. Choose an earlier month.`);
  const knownFrom = (await findConnection())?.createdAt.getTime() ?? null;
  const spans = comparedDays(month, dayOf(now, zone), zone);
  const head = { now, zone, month, mix: question.mix, isCurrent: month === thisMonth, knownFrom };
  if (!spans || knownFrom === null || knownFrom >= dayRange(spans.before.toDay, zone).to)
    return { ...head, own: null, before: null, steps: [], lines: [], resources: [], newResources: 0, goneResources: 0 };

  const own: MonthScope = { month, ...spans.own };
  const before: MonthScope = { month: monthBefore(month, zone), ...spans.before };
  const [is, was, ownOthers, beforeOthers, ownMicros, beforeMicros, changed] = await Promise.all([
    sumMachines(own, question.mix),
    sumMachines(before, question.mix),
    sumOthers(own),
    sumOthers(before),
    sumMonth(own),
    sumMonth(before),
    listChanged(own, before, MOST_RESOURCES),
  ]);
  const [ownOf, beforeOf] = [byKey(is), byKey(was)];
  const cells = [...new Set([...beforeOf.keys(), ...ownOf.keys()])].map((key) => ({
    key,
    before: beforeOf.get(key) ?? NOTHING,
    own: ownOf.get(key) ?? NOTHING,
  }));
  const windows = { before: lengthOf(spans.before, zone), own: lengthOf(spans.own, zone) };
  const { total, byKey: effects } = whyOf(cells, windows);
  const steps = bridgeOf(beforeMicros, ownMicros, total, beforeOthers, ownOthers);
  return {
    ...head,
    own: sideOf(own, is, ownMicros, windows.own),
    before: {
      ...sideOf(before, was, beforeMicros, windows.before),
      isPartlyKnown: knownFrom > dayRange(spans.before.fromDay, zone).from,
    },
    steps: steps.map(({ step, fromMicros, micros }) => ({
      step,
      fromMicros: fromMicros.toString(),
      micros: micros.toString(),
    })),
    lines: cells
      .map((cell) => lineOf(cell, ownOf.get(cell.key) ?? beforeOf.get(cell.key), effects.get(cell.key)))
      .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.key < b.key ? -1 : 1)),
    resources: changed.resources.map((one) => ({ ...one, micros: one.micros.toString() })),
    newResources: changed.newResources,
    goneResources: changed.goneResources,
  };
}

function byKey(rows: readonly MachineSum[]): Map<string, MachineSum> {
  return new Map(rows.map((row) => [row.key, row]));
}

function lengthOf({ fromDay, toDay }: DaySpan, zone: string): number {
  return dayRange(toDay, zone).to - dayRange(fromDay, zone).from;
}

function sideOf(scope: MonthScope, rows: readonly MachineSum[], micros: bigint, ms: number): WhySide {
  return {
    ...scope,
    micros: micros.toString(),
    gpuMinutes: sum(rows.map(({ gpuMinutes }) => gpuMinutes)).toString(),
    unknownRows: rows.reduce((count, { unknownRows }) => count + unknownRows, 0),
    ms,
  };
}

type Cell = { key: string; before: Amounts; own: Amounts };
type Amounts = { gpuMinutes: bigint; micros: bigint };

function lineOf({ key, before, own }: Cell, named: MachineSum | undefined, effects: WhyEffects | undefined): WhyLine {
  const { hours, volume, mix, price } = effects ?? { hours: 0n, volume: 0n, mix: 0n, price: 0n };
  return {
    key,
    typeName: named?.typeName ?? null,
    region: named?.region ?? null,
    before: { micros: before.micros.toString(), gpuMinutes: before.gpuMinutes.toString() },
    own: { micros: own.micros.toString(), gpuMinutes: own.gpuMinutes.toString() },
    hours: hours.toString(),
    volume: volume.toString(),
    mix: mix.toString(),
    price: price.toString(),
  };
}

/** Only to sort by: how much of the difference is its. */
function sizeOf({ before, own }: WhyLine): number {
  return Math.abs(Number(BigInt(own.micros) - BigInt(before.micros)));
}
