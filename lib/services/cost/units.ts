import { listMade, type MadeRow, machineMoney, teamsOf, workloadsOf } from "@/lib/db/cost/units";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSetting } from "@/lib/db/settings";
import { listRunsWithin, type PaidWindow, type PastRun, paidWithin } from "@/lib/db/workload/runs";
import { authorize, type Ctx } from "@/lib/domain/access";
import { roundHalfAway, sum } from "@/lib/domain/cost/money";
import {
  estimateOf,
  groupUnits,
  type Unit,
  type Units,
  type UnitsAnswer,
  type UnitsQuestion,
  type Work,
} from "@/lib/domain/cost/units";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { groupBy } from "@/lib/domain/group";
import { minutesBefore, type PaidMinutes, runCost } from "@/lib/domain/workload/cost";
import { endOf } from "@/lib/domain/workload/run";
import { shareIn, timesOf } from "@/lib/services/workload/read";

const DAY_MS = 24 * 3_600_000;
const MOST_RUNS = 2_000;
const SHOWN_ESTIMATES = 12;

type Window = { from: number; to: number };

/** What a task, a token, a sample, an epoch and a run cost: the ledger's money of those that counted them by what they counted. */
export async function readUnits(ctx: Ctx, { days, by }: UnitsQuestion, most = SHOWN_ESTIMATES): Promise<UnitsAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const toDay = dayOf(now, zone);
  const since = (await findConnection())?.createdAt.getTime() ?? now;
  const window = { from: Math.max(dayRange(toDay, zone).from - (days - 1) * DAY_MS, since), to: now };
  const [runs, made, fleetMicros] = await Promise.all([
    listRunsWithin(new Date(window.from), new Date(window.to), MOST_RUNS),
    listMade(new Date(window.from), new Date(window.to)),
    machineMoney(dayOf(window.from, zone), toDay),
  ]);
  const machines = [
    ...new Set([...runs.flatMap((run) => run.resourceId ?? []), ...made.flatMap((row) => row.resourceId ?? [])]),
  ];
  const [paid, teams, workloads] = await Promise.all([
    paidWithin(neededOf(machines, runs, made, window)),
    teamsOf(machines, toDay),
    workloadsOf(machines),
  ]);
  const known: Known = { paid, teams, workloads };
  const works = worksOf(runs, made, window, known);
  const estimates = estimatesOf(runs, window, known);
  return {
    now,
    zone,
    days,
    by,
    ...window,
    groups: groupUnits(works, by).map(({ costMicros, prices, ...group }) => ({
      ...group,
      costMicros: costMicros.toString(),
      prices: {
        perThousandTasks: prices.perThousandTasks?.toString() ?? null,
        perMillionTokens: prices.perMillionTokens?.toString() ?? null,
        perMillionAllTokens: prices.perMillionAllTokens?.toString() ?? null,
        perThousandSamples: prices.perThousandSamples?.toString() ?? null,
        perEpoch: prices.perEpoch?.toString() ?? null,
        perWork: prices.perWork?.toString() ?? null,
      },
    })),
    total: {
      works: works.length,
      gpuMinutes: works.reduce((total, work) => total + work.gpuMinutes, 0),
      costMicros: sum(works.map((work) => work.costMicros ?? 0n)).toString(),
      unknown: works.filter((work) => work.costMicros === null).length,
    },
    fleetMicros: fleetMicros.toString(),
    estimates: estimates.slice(0, most),
    estimated: { runs: estimates.length, good: estimates.filter(({ isGood }) => isGood).length },
  };
}

/** Of each machine the time that is asked for: that of its runs, and the whole window where it counted something under no run's name. */
function neededOf(
  machines: readonly string[],
  runs: readonly PastRun[],
  made: readonly MadeRow[],
  { from, to }: Window,
): PaidWindow[] {
  const onMachine = groupBy(runs, ({ resourceId }) => resourceId);
  const byItself = new Set(made.filter(({ runId }) => runId === null).map(({ resourceId }) => resourceId));
  return machines.map((resourceId) => {
    const own = onMachine.get(resourceId) ?? [];
    const whole = byItself.has(resourceId);
    return {
      resourceId,
      from: new Date(Math.min(...own.map(({ startedAt }) => startedAt.getTime()), ...(whole ? [from] : []))),
      to: new Date(Math.max(...own.map((run) => endOf(timesOf(run)).endedAt ?? to), ...(whole ? [to] : []))),
    };
  });
}

type Known = {
  paid: ReadonlyMap<string, PaidMinutes[]>;
  teams: ReadonlyMap<string, string>;
  workloads: ReadonlyMap<string, string>;
};

const UNIT_OF: Record<MadeRow["metric"], Unit> = {
  tasks_total: "tasks",
  tokens_total: "tokens",
  prompt_tokens_total: "promptTokens",
  samples_total: "samples",
  epoch: "epochs",
};

/** Runs with what carries their name, and with what carries no run's name on a machine of which they are the only run; then such machines without a run. */
function worksOf(runs: readonly PastRun[], made: readonly MadeRow[], window: Window, known: Known): Work[] {
  const byRun = groupBy(
    made.filter((row) => row.runId !== null),
    ({ runId }) => runId,
  );
  const byMachine = groupBy(
    made.filter((row) => row.runId === null),
    ({ resourceId }) => resourceId,
  );
  const onMachine = groupBy(
    runs.filter((run) => run.resourceId !== null),
    ({ resourceId }) => resourceId,
  );
  const works = runs.map((run): Work => {
    const isAlone = onMachine.get(run.resourceId)?.length === 1;
    const own = byRun.get(run.id) ?? [];
    // What a metric of its own tells is not told a second time by its machine's.
    const others = isAlone
      ? (byMachine.get(run.resourceId) ?? []).filter((row) => !own.some(({ metric }) => metric === row.metric))
      : [];
    const cost = costWithin(run, window, known);
    return {
      id: run.id,
      workload: run.workload,
      team: known.teams.get(run.resourceId ?? "") ?? "",
      costMicros: cost?.micros ?? null,
      gpuMinutes: cost?.gpuMinutes ?? 0,
      made: madeOf([...own, ...others]),
    };
  });
  const alone = [...byMachine].flatMap(([resourceId, rows]): Work[] => {
    if (resourceId === null || onMachine.has(resourceId)) return [];
    const cost = runCost(known.paid.get(resourceId) ?? [], window.from, window.to, { held: 1, of: 1 });
    const workload = WORKLOADS.find((one) => one === known.workloads.get(resourceId)) ?? "unknown";
    return [
      {
        id: resourceId,
        workload,
        team: known.teams.get(resourceId) ?? "",
        costMicros: cost.unpricedMinutes > 0 ? null : cost.micros,
        gpuMinutes: cost.minutes,
        made: madeOf(rows),
      },
    ];
  });
  return [...works, ...alone];
}

function madeOf(rows: readonly MadeRow[]): Map<string, Units> {
  const made = new Map<string, Units>();
  for (const { model, metric, count } of rows) {
    const units = made.get(model) ?? {};
    const unit = UNIT_OF[metric];
    units[unit] = (units[unit] ?? 0) + Math.max(0, count);
    made.set(model, units);
  }
  return made;
}

/** Its share of its machine's ledger within the window; null: its machine, a price or its beginning is not known. */
function costWithin(run: PastRun, window: Window, { paid }: Known): { micros: bigint; gpuMinutes: number } | null {
  if (run.resourceId === null) return null;
  const from = Math.max(window.from, run.startedAt.getTime());
  const to = Math.min(window.to, endOf(timesOf(run)).endedAt ?? window.to);
  const share = shareIn(run);
  const cost = runCost(paid.get(run.resourceId) ?? [], from, to, share);
  const isGap = cost.unpricedMinutes > 0 || minutesBefore(run.billedFrom?.getTime() ?? null, from, to) > 0;
  return isGap ? null : { micros: cost.micros, gpuMinutes: cost.minutes * share.held };
}

/** What planned runs were to cost at the price of their first minute, against what they came to. */
function estimatesOf(runs: readonly PastRun[], window: Window, known: Known): UnitsAnswer["estimates"] {
  const found = runs.flatMap((run): UnitsAnswer["estimates"] => {
    const { endedAt } = endOf(timesOf(run));
    if (endedAt === null || run.expectedMs === null || run.resourceId === null || endedAt < window.from) return [];
    const start = run.startedAt.getTime();
    const rows = known.paid.get(run.resourceId) ?? [];
    const first = rows.find(
      (row) => row.minutes > 0 && row.micros !== null && row.startsAt + row.minutes * 60_000 > start,
    );
    const share = shareIn(run);
    const actual = runCost(rows, start, endedAt, share);
    const isGap = actual.unpricedMinutes > 0 || minutesBefore(run.billedFrom?.getTime() ?? null, start, endedAt) > 0;
    if (!first || first.micros === null || isGap) return [];
    const minutes = BigInt(Math.ceil(run.expectedMs / 60_000));
    const estimate = roundHalfAway(
      first.micros * minutes * BigInt(share.held),
      BigInt(first.minutes) * BigInt(share.of),
    );
    const off = estimateOf(estimate, actual.micros);
    if (off === null) return [];
    const money = { estimateMicros: estimate.toString(), actualMicros: actual.micros.toString() };
    return [{ runId: run.id, name: run.name, workload: run.workload, endedAt, ...money, ...off }];
  });
  return found.sort((a, b) => b.endedAt - a.endedAt);
}
