import { machineMoney } from "@/lib/db/cost/units";
import { findConnection } from "@/lib/db/fleet/connection";
import { listProfiles, type ProfileRow } from "@/lib/db/plan/profile";
import { listEpochs, listSavingFacts, type SavingFacts } from "@/lib/db/plan/savings";
import { readSetting } from "@/lib/db/settings";
import { paidWithin } from "@/lib/db/workload/runs";
import { authorize, type Ctx } from "@/lib/domain/access";
import { type Micros, roundHalfAway, sum } from "@/lib/domain/cost/money";
import { perMonth } from "@/lib/domain/cost/waste";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { dealsOf } from "@/lib/domain/plan/deals";
import { likeOffer } from "@/lib/domain/plan/elsewhere";
import { gpuKind } from "@/lib/domain/plan/gpu-kind";
import { offHoursOfWeek, offMask } from "@/lib/domain/plan/off-hours";
import { addDays, noUse } from "@/lib/domain/plan/profile";
import { perGpu, type Quote, stateOf } from "@/lib/domain/plan/quotes";
import { smallerFinder } from "@/lib/domain/plan/rightsize";
import {
  MOST_DAYS,
  machineText,
  type SavingMachine,
  type SavingsAnswer,
  type SavingsQuestion,
} from "@/lib/domain/plan/savings-view";
import { describeMeasures } from "@/lib/domain/plan/savings-words";
import {
  type Assumptions,
  type MachineUse,
  MEASURES,
  type Measure,
  type OtherPrice,
  sumSavings,
} from "@/lib/domain/plan/simulate";
import { nominalGb } from "@/lib/domain/telemetry/models";
import { runCost } from "@/lib/domain/workload/cost";
import { endOf } from "@/lib/domain/workload/run";
import { AppError } from "@/lib/errors";
import { shareIn, timesOf } from "@/lib/services/workload/read";
import { readBook } from "./quotes";

const DAY_MS = 86_400_000;
const SHOWN = 30;

/** What measures would have saved in a period, by machine and in all: from the ledger and from telemetry, nothing guessed. */
export async function readSavings(ctx: Ctx, asked: SavingsQuestion): Promise<SavingsAnswer> {
  return simulated(ctx, asked, SHOWN);
}

/** The same with every machine, for files. */
export async function readAllSavings(ctx: Ctx, asked: SavingsQuestion): Promise<SavingsAnswer> {
  return simulated(ctx, asked, Number.POSITIVE_INFINITY);
}

async function simulated(ctx: Ctx, asked: SavingsQuestion, shown: number): Promise<SavingsAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const period = periodOf(asked, zone, now, (await findConnection())?.createdAt.getTime() ?? now);
  const { fromDay, toDay, from, to } = period;
  const windowMs = Math.max(0, to - from);
  const [profiles, facts, book, costMicros, training] = await Promise.all([
    listProfiles(fromDay, toDay),
    listSavingFacts(fromDay, toDay),
    readBook(ctx),
    machineMoney(fromDay, toDay),
    trainingOf(from, to),
  ]);
  const off = { fromHour: asked.off, toHour: asked.on, weekends: asked.weekends };
  const masks = daysOf(fromDay, toDay).map((one) => offMask(one, zone, off));
  const priced = priceFinder(book.current, book.day);
  const known = new Map(profiles.map((row) => [row.resourceId, row]));
  const machines = facts.flatMap((one): MachineUse[] => {
    const profile = known.get(one.resourceId);
    return profile ? [machineOf(one, profile, masks, training.get(one.resourceId) ?? null, priced)] : [];
  });
  const chosen = new Set<Measure>(asked.set);
  const how: Assumptions = {
    who: asked.who,
    isHeldToo: asked.held,
    keepOfTen: asked.keep,
    discountPct: asked.discount ?? null,
    windowMs,
  };
  const sums = sumSavings(machines, chosen, how);
  const month = (micros: Micros) => perMonth(micros, windowMs) ?? 0n;
  const rows = sums.rows.map(({ machine, alone, together }) => {
    const all = sum(MEASURES.map((measure) => together[measure]));
    const [most = 0n] = MEASURES.map((measure) => alone[measure]).sort((a, b) => (a > b ? -1 : 1));
    return { machine, alone, together, all, most };
  });
  const saving = rows
    .filter(({ most }) => most > 0n)
    .sort((a, b) => (a.all === b.all ? (a.most > b.most ? -1 : 1) : a.all > b.all ? -1 : 1));
  const live = sum(rows.filter(({ machine }) => machine.isLive).map(({ all }) => all));
  const measured = sum(machines.map(({ micros }) => micros));
  return {
    now,
    zone,
    asked: { ...asked, set: asked.set.join(","), who: asked.who.join(",") },
    ...period,
    windowMs,
    offHoursOfWeek: offHoursOfWeek(off),
    costMicros: costMicros.toString(),
    unmeasuredMicros: (costMicros > measured ? costMicros - measured : 0n).toString(),
    monthMicros: month(measured).toString(),
    billedMinutes: machines.reduce((total, { all }) => total + all.billed, 0),
    heardMinutes: machines.reduce((total, { all }) => total + all.heard, 0),
    machinesInAll: machines.length,
    measures: describeMeasures(sums, chosen, how, month),
    total: {
      monthMicros: month(sums.totalMicros).toString(),
      periodMicros: sums.totalMicros.toString(),
      overlapMicros: month(sums.overlapMicros).toString(),
      liveMicros: month(live).toString(),
      livePeriodMicros: live.toString(),
      machines: sums.machines,
    },
    machines: saving.slice(0, shown).map(
      ({ machine, alone, together, all }): SavingMachine => ({
        ...machineText(machine),
        alone: asText(alone),
        inSet: asText(together),
        monthMicros: month(all).toString(),
      }),
    ),
    more: Math.max(0, saving.length - shown),
    deals: dealsOf(book.all, book.day),
  };
}

/** The days that are asked for, none before the first of this fleet and none to come. Throws where they are the wrong way round. */
function periodOf(asked: SavingsQuestion, zone: string, now: number, since: number) {
  const today = dayOf(now, zone);
  const last = asked.to !== undefined && asked.to < today ? asked.to : today;
  const first = asked.from ?? dayOf(dayRange(last, zone).from - (asked.days - 1) * DAY_MS, zone);
  if (first > last) {
    const message = "The period ends before it begins. Nothing was read: give a later last day.";
    throw new AppError("invalid", message, { to: "is before the first day" });
  }
  const longest = dayOf(dayRange(last, zone).from - (MOST_DAYS - 1) * DAY_MS, zone);
  const start = [first, longest].sort().at(-1) ?? last;
  const from = Math.max(dayRange(start, zone).from, since);
  return { fromDay: dayOf(from, zone), toDay: last, from, to: Math.min(dayRange(last, zone).to, now) };
}

function daysOf(fromDay: string, toDay: string): string[] {
  const count = Math.round((Date.parse(toDay) - Date.parse(fromDay)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, i) => new Date(Date.parse(fromDay) + i * DAY_MS).toISOString().slice(0, 10));
}

type Finder = (machine: {
  gpu: string;
  memoryGb: number | null;
  gpus: number;
  peakMib: number | null;
  busyPct: number | null;
  priceMicros: Micros | null;
}) => {
  elsewhere: OtherPrice | null;
  smaller: OtherPrice | null;
};

/** Prices for machines; those that are alike are looked up once. */
function priceFinder(quotes: readonly Quote[], day: string): Finder {
  const likes = new Map<string, Quote | null>();
  const smaller = smallerFinder(quotes, day);
  return (machine) => {
    const key = `${machine.gpu}|${machine.memoryGb}`;
    const like = likes.get(key) ?? (likes.has(key) ? null : likeOffer(quotes, machine, null));
    likes.set(key, like);
    return { elsewhere: like && otherPrice(like, machine, day), smaller: smaller(machine) };
  };
}

function otherPrice(
  quote: Quote,
  { gpus, priceMicros }: { gpus: number; priceMicros: Micros | null },
  day: string,
): OtherPrice | null {
  const { numerator, denominator } = perGpu(quote);
  const micros = roundHalfAway(numerator * BigInt(gpus), denominator);
  if (priceMicros === null || micros >= priceMicros) return null;
  const isOtherCount = quote.unit === "instance" && quote.gpus !== gpus;
  const { provider, typeName, asOf, source } = quote;
  return {
    provider,
    typeName,
    micros,
    asOf,
    source,
    state: stateOf(quote, day),
    remark: isOtherCount ? `sold by ${quote.gpus} GPUs` : "",
  };
}

function machineOf(
  one: SavingFacts,
  profile: ProfileRow,
  masks: readonly (readonly boolean[])[],
  training: MachineUse["training"],
  priced: Finder,
): MachineUse {
  const all = noUse();
  const off = noUse();
  addDays(profile.days, masks, all, off);
  // What an hour of it came to: the price that was paid, whatever changed in the period.
  const priceMicros = all.billed >= 60 ? roundHalfAway(one.micros * 60n, BigInt(all.billed)) : null;
  const busyPct = one.busyMinutes > 0 ? Math.min(100, (100 * one.utilisedMinutes) / one.busyMinutes) : null;
  const gpu =
    one.description !== null && one.card !== null && gpuKind(one.description).model === gpuKind(one.card).model
      ? one.description
      : (one.card ?? one.description ?? "");
  const memoryGb = nominalGb(one.card, one.memoryMib) ?? one.memoryGb;
  const { resourceId, name, typeName, region, workload, isLive, gpus, micros, memoryMib } = one;
  const { stops, resumes, peakMib } = profile;
  return {
    ...{
      resourceId,
      name,
      typeName,
      region,
      workload,
      isLive,
      gpus,
      micros,
      all,
      off,
      stops,
      resumes,
      peakMib,
      memoryMib,
    },
    busyPct,
    priceMicros,
    training,
    ...priced({ gpu, memoryGb, gpus, peakMib, busyPct, priceMicros }),
  };
}

/** What training runs with epochs cost within the period, by machine. */
async function trainingOf(from: number, to: number): Promise<Map<string, NonNullable<MachineUse["training"]>>> {
  const runs = (await listEpochs(new Date(from), new Date(to))).map((run) => ({
    ...run,
    began: Math.max(from, run.startedAt.getTime()),
    until: Math.min(to, endOf(timesOf(run)).endedAt ?? to),
  }));
  const windows = [...groupBy(runs, ({ resourceId }) => resourceId)].map(([resourceId, own]) => ({
    resourceId,
    from: new Date(Math.min(...own.map(({ began }) => began))),
    to: new Date(Math.max(...own.map(({ until }) => until))),
  }));
  const paid = await paidWithin(windows);
  const found = new Map<string, NonNullable<MachineUse["training"]>>();
  for (const run of runs) {
    const cost = runCost(paid.get(run.resourceId) ?? [], run.began, run.until, shareIn(run));
    const own = found.get(run.resourceId) ?? { micros: 0n, runs: 0, epochs: 0 };
    found.set(run.resourceId, {
      micros: own.micros + cost.micros,
      runs: own.runs + 1,
      epochs: own.epochs + run.epochs,
    });
  }
  return found;
}

function asText(saved: Record<Measure, Micros>): Record<Measure, string> {
  const { idle, schedule, early, move, rightsize, reserve } = saved;
  return {
    idle: idle.toString(),
    schedule: schedule.toString(),
    early: early.toString(),
    move: move.toString(),
    rightsize: rightsize.toString(),
    reserve: reserve.toString(),
  };
}
