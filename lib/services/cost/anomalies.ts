import { type AnomalyRow, causeParts, listAnomalies, replaceAnomalies } from "@/lib/db/cost/anomalies";
import { type DaySpan, dayFacts } from "@/lib/db/cost/outlook";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  ANOMALY_HISTORY_MIN,
  causesOf,
  type DaySpend,
  findAnomalies,
  type Judgement,
  severityOf,
} from "@/lib/domain/cost/anomaly";
import type { AnomaliesAnswer, AnomaliesQuestion } from "@/lib/domain/cost/anomaly-view";
import { sum } from "@/lib/domain/cost/money";
import { keptScope, keptScopeWords } from "@/lib/domain/cost/scope";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { finishedDays } from "./outlook";

/** Days that are looked at anew, because late facts may reach them, and the history before the first of them. */
const JUDGED_DAYS = 45;
const HISTORY_DAYS = 28;

/**
 * Finds the days that cost more than what ran at their beginning explains, of the fleet and of each team, with the cause. Today is
 * judged by the whole day it was to be: what is beyond that already can only grow.
 */
export async function findCostAnomalies(ctx: Ctx): Promise<void> {
  const [{ zone }, { minMicros }] = await Promise.all([readSetting("accounting"), readSetting("anomalies")]);
  const now = ctx.now.getTime();
  const today = { day: dayOf(now, zone), ...dayRange(dayOf(now, zone), zone) };
  const days = [...(await finishedDays(now, zone, JUDGED_DAYS + HISTORY_DAYS)), today];
  if (days.length <= ANOMALY_HISTORY_MIN) return;
  const judged = days.slice(Math.max(ANOMALY_HISTORY_MIN, days.length - 1 - JUDGED_DAYS));
  const from = judged[0]?.day ?? today.day;
  const facts = await dayFacts({}, days);
  const byTeam = groupBy(facts, ({ team }) => team);
  const series: [string | null, DaySpend[]][] = [
    [null, seriesOf(days, facts)],
    ...[...byTeam].map(([team, own]): [string, DaySpend[]] => [team, sinceFirst(seriesOf(days, own))]),
  ];
  const found = series.flatMap(([team, own]) =>
    findAnomalies(own, BigInt(minMicros))
      .filter(({ day }) => day >= from)
      .map((one) => ({ team, ...one })),
  );
  const withCauses = await Promise.all(found.map(({ team, ...one }) => explained(team, one, days)));
  await replaceAnomalies(from, today.day, withCauses, ctx.now);
}

function seriesOf(days: readonly DaySpan[], facts: Awaited<ReturnType<typeof dayFacts>>): DaySpend[] {
  const byDay = groupBy(facts, ({ day }) => day);
  return days.map(({ day }) => {
    const own = byDay.get(day) ?? [];
    return {
      day,
      actualMicros: sum(own.map((one) => one.actualMicros)),
      stateMicros: sum(own.map((one) => one.stateMicros)),
      otherMicros: sum(own.map((one) => one.otherMicros)),
    };
  });
}

/** A team has history from its first spend on. */
function sinceFirst(days: DaySpend[]): DaySpend[] {
  const first = days.findIndex(({ actualMicros }) => actualMicros !== 0n);
  return first < 0 ? [] : days.slice(first);
}

async function explained(team: string | null, one: Judgement, days: readonly DaySpan[]) {
  const span = days.find(({ day }) => day === one.day);
  const parts = span ? await causeParts(team, span) : [];
  return { ...one, scope: keptScope(team), causes: causesOf(parts, one.surplusMicros) };
}

/** What stands out of yesterday and today, for rules about money: how much is worth a message is theirs to say. */
export async function recentAnomalies(now: Date): Promise<(AnomalyRow & { name: string })[]> {
  const { zone } = await readSetting("accounting");
  const today = dayOf(now.getTime(), zone);
  const found = await listAnomalies(dayOf(dayRange(today, zone).from - 1, zone), today);
  return found.map((one) => ({ ...one, name: keptScopeWords(one.scope) }));
}

const SHOWN_DAYS = 30;

/** The days that stood out, newest first, each with its cause; of the last 30 days, a month or one day. */
export async function readAnomalies(ctx: Ctx, question: AnomaliesQuestion): Promise<AnomaliesAnswer> {
  authorize(ctx, "cost:read");
  const [{ zone }, { minMicros }] = await Promise.all([readSetting("accounting"), readSetting("anomalies")]);
  const now = ctx.now.getTime();
  const today = dayOf(now, zone);
  const from =
    question.day ?? question.from ?? dayOf(dayRange(today, zone).from - (SHOWN_DAYS - 1) * 24 * 3_600_000, zone);
  const to = question.day ?? question.to ?? today;
  const [rows, history] = await Promise.all([listAnomalies(from, to), finishedDays(now, zone, ANOMALY_HISTORY_MIN)]);
  return {
    now,
    zone,
    from,
    to,
    minMicros,
    historyDays: history.length,
    neededDays: ANOMALY_HISTORY_MIN,
    rows: rows.map((row) => ({
      scope: row.scope,
      scopeName: keptScopeWords(row.scope),
      day: row.day,
      isToday: row.day === today,
      expectedMicros: row.expectedMicros.toString(),
      actualMicros: row.actualMicros.toString(),
      surplusMicros: row.surplusMicros.toString(),
      score: row.score,
      severity: severityOf(row.surplusMicros, row.expectedMicros),
      causes: row.causes.map((cause) => ({ ...cause, deltaMicros: cause.deltaMicros.toString() })),
      foundAt: row.foundAt.getTime(),
    })),
  };
}
