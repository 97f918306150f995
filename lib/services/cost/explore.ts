import { listMonths } from "@/lib/db/cost/read";
import { type OwnerDimension, sharedByKey } from "@/lib/db/cost/shared";
import {
  type BarAmount,
  listSpend,
  type Spend,
  type SpendRows,
  type SpendScope,
  spendBars,
  spendCorrections,
  spendGroups,
  spendHours,
  spendKeysByAge,
  spendLabels,
  streamSpend,
} from "@/lib/db/cost/spend";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { comparedDays, monthBefore } from "@/lib/domain/cost/compare";
import { SPEND_DIMENSIONS, type SpendDimension, type SpendFilter } from "@/lib/domain/cost/dimensions";
import {
  type Bucket,
  bucketsOf,
  dayCount,
  type ExploreAnswer,
  type ExploreQuestion,
  filterOf,
  hoursOf,
  type NamedFilter,
  perFor,
  ROWS_PAGE,
  type RowsAnswer,
  type RowsQuestion,
  type SpendCompared,
  type SpendTotal,
  shifted,
  type Which,
  type Window,
  windowOf,
} from "@/lib/domain/cost/explore";
import { sum } from "@/lib/domain/cost/money";
import { keyWords, NOBODY } from "@/lib/domain/cost/spend-words";
import { stackOf } from "@/lib/domain/cost/stack";
import { filterLines, SPEND_ROW_COLUMNS } from "@/lib/domain/cost/tables";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import type { TableFile } from "@/lib/domain/table";
import { AppError } from "@/lib/errors";
import { startStream } from "@/lib/services/turns";
import { ledgerAge } from "./age";

/** The splits that say who pays. */
const PAYERS: Partial<Record<SpendDimension, OwnerDimension>> = {
  team: "team",
  project: "project",
  environment: "environment",
  costCentre: "costCenter",
};

const NOTHING: Spend = { micros: 0n, lowMicros: 0n, highMicros: 0n, rows: 0, unknownRows: 0, minutes: 0 };

/** Spend of any days, by any dimension, filtered by any: every figure is a sum of ledger rows. */
export async function readExplore(ctx: Ctx, question: ExploreQuestion): Promise<ExploreAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const window = windowAt(question, now, zone);
  const { by, cost } = question;
  const per = perFor(question.per, dayCount(window.fromDay, window.lastDay));
  const isMonth = window.kind === "month";
  const buckets = bucketsOf(window.fromDay, window.lastDay, per, zone);
  const filter = filterOf(question);
  const scope = scopeOf(window, filter);
  const connection = await findConnection();
  const knownFrom = connection?.createdAt.getTime() ?? null;
  const isCut = window.kind === "month" && question.to !== undefined;
  const before = isCut ? null : windowBefore(window, now, zone, knownFrom);

  const payers = Object.keys(filter).length === 0 && cost === "billed" ? PAYERS[by] : undefined;
  const [found, shared, corrections, owned, months, ledger, compared] = await Promise.all([
    spendGroups(scope, cost, by),
    payers
      ? sharedByKey(window.month && isMonth ? { month: window.month } : { from: scope.from, to: scope.to }, payers)
      : new Map<string, bigint>(),
    spendCorrections(scope, cost),
    spendKeysByAge(by),
    listMonths(),
    ledgerAge(),
    before && knownFrom !== null ? compareWith(before, filter, question, zone, knownFrom) : null,
  ]);
  // Who has nothing of their own may still bear a share.
  const groups = [
    ...found,
    ...[...shared.keys()].filter((key) => !found.some((one) => one.key === key)).map((key) => ({ key, ...NOTHING })),
  ];
  const labels = await spendLabels(
    by,
    groups.map(({ key }) => key),
  );
  const nameOf = (key: string) => labels.get(key) ?? keyWords(by, key);
  const stack = stackOf(
    groups.map(({ key, micros, unknownRows }) => ({ day: "", key, micros, unknownRows })),
    owned,
    NOBODY[by],
  );
  const drawn = stack.parts.flatMap(({ key }) => (key === null ? [] : [key]));
  const amounts =
    per === "hour" ? await spendHours(scope, cost, by, buckets, drawn) : await spendBars(scope, cost, by, per, drawn);
  const bars = barsOf(
    buckets,
    amounts,
    stack.parts.map(({ key }) => key),
    window,
    knownFrom,
  ).filter(({ from, micros }) => isMonth || from < now || micros.length > 0);
  return {
    now,
    zone,
    window,
    knownFrom,
    ledger: { ...ledger, isEmpty: months.length === 0 },
    per,
    by,
    cost,
    filter: await named(filter),
    total: totalOf(groups),
    corrections: corrections.rows > 0 ? { micros: corrections.micros.toString(), rows: corrections.rows } : null,
    compared: compared?.answer ?? null,
    parts: stack.parts.map((part) => ({ ...part, label: part.key === null ? part.label : nameOf(part.key) })),
    bars,
    groups: groups.map((group) => ({
      ...textsOf(group),
      key: group.key,
      label: nameOf(group.key),
      slot: stack.slots.get(group.key) ?? 8,
      changeMicros: compared?.changeOf(group.key).toString() ?? null,
      afterSharingMicros: shared.size === 0 ? null : (group.micros + (shared.get(group.key) ?? 0n)).toString(),
    })),
  };
}

/** Which rows a question means. */
function rowsMeant(ctx: Ctx, question: RowsQuestion, zone: string) {
  const now = ctx.now.getTime();
  const asked = windowAt(question, now, zone);
  const hour = question.hour === undefined ? null : hourAt(question.hour, zone);
  const window: Window = hour
    ? { ...asked, kind: "days", month: question.month ?? null, ...dayWindow(hour.fromDay, zone) }
    : asked;
  const filter = filterOf(question);
  const scope: SpendRows = {
    ...scopeOf(window, filter),
    part: hour && { hours: hoursOf(hour.fromDay, zone), hour: hour.key },
    corrections: question.corrections === "only",
    unknown: question.unknown === "only",
  };
  return {
    scope,
    filter,
    window: hour ? { ...window, from: hour.from, to: hour.to, isRunning: hour.to > now } : window,
  };
}

/** The rows that make a figure, page by page, and what all of them add up to. */
export async function readSpendRows(ctx: Ctx, question: RowsQuestion): Promise<RowsAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const { scope, filter, window } = rowsMeant(ctx, question, zone);
  const page = { offset: (question.page - 1) * ROWS_PAGE, limit: ROWS_PAGE };
  const { total, rows } = await listSpend(scope, question.cost, page);
  return {
    now: ctx.now.getTime(),
    zone,
    window,
    cost: question.cost,
    filter: await named(filter),
    total: textsOf(total),
    page: question.page,
    pages: Math.max(1, Math.ceil(total.rows / ROWS_PAGE)),
    rows,
  };
}

/** All of them as a file, as of one instant. */
export async function exportSpendRows(ctx: Ctx, question: RowsQuestion): Promise<TableFile> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  const { zone } = await readSetting("accounting");
  const { scope, filter, window } = rowsMeant(ctx, question, zone);
  let revision = "";
  const cells = async function* () {
    const batches = streamSpend(scope, question.cost, (told) => {
      revision = told;
    });
    for await (const rows of batches) yield rows.map((row) => SPEND_ROW_COLUMNS.map(({ cell }) => cell(row)));
  };
  const filters = filterLines(await named(filter));
  const rows = await startStream(cells());
  return {
    name: `hopperdeck-rows-${window.fromDay}-${window.toDay}`,
    title: "Rows behind a figure",
    about: [
      ["Days", `${window.fromDay} to ${window.toDay}`],
      ["Cost", question.cost],
      ...filters,
      ...(scope.corrections ? ([["Only", "corrections"]] as const) : []),
      ...(scope.unknown ? ([["Only", "rows without a known amount"]] as const) : []),
    ],
    columns: SPEND_ROW_COLUMNS.map(({ name }) => name),
    zone,
    asOf: ctx.now.getTime(),
    revision,
    rows,
  };
}

/** The values of a filter, by the names that people know. */
function named(filter: SpendFilter): Promise<NamedFilter[]> {
  return Promise.all(
    SPEND_DIMENSIONS.flatMap((dimension) => {
      const values = filter[dimension];
      return values === undefined ? [] : [namesOf(dimension, values)];
    }),
  );
}

async function namesOf(dimension: SpendDimension, values: readonly string[]): Promise<NamedFilter> {
  const labels = await spendLabels(
    dimension,
    values.filter((value) => UUID.test(value)),
  );
  return {
    dimension,
    values: values.map((value) => ({ value, label: labels.get(value) ?? keyWords(dimension, value) })),
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function windowAt(question: Which, now: number, zone: string): Window {
  const window = windowOf(question, now, zone);
  if (!window) throw new AppError("invalid", "These days have not begun, or end before they begin. Choose others.");
  return window;
}

function scopeOf(window: Window, filter: SpendFilter): SpendScope {
  const { fromDay, toDay, lastDay, month, kind } = window;
  const isMonth = kind === "month";
  // What counts in a month counts from its first day on: a credit for its last week, too.
  return { from: fromDay, to: isMonth ? lastDay : toDay, month, isMonth, filter };
}

function dayWindow(day: string, zone: string): Pick<Window, "fromDay" | "toDay" | "lastDay" | "from" | "to"> {
  return { fromDay: day, toDay: day, lastDay: day, ...dayRange(day, zone) };
}

function hourAt(at: number, zone: string): Bucket {
  const hour = hoursOf(dayOf(at, zone), zone).find(({ from, to }) => from <= at && at < to);
  if (!hour) throw new AppError("invalid", "This is not an hour of an accounting day.");
  return hour;
}

type Days = { fromDay: string; toDay: string };
/** `months`: what counts in each of two, up to the last of the days; otherwise the rows of the days. */
type Before = { own: Days; before: Days; months: { own: string; before: string } | null };

/** What a window is measured against: a month as `comparedDays` says; other days against as many before them, all whole. */
function windowBefore(window: Window, now: number, zone: string, knownFrom: number | null): Before | null {
  const today = dayOf(now, zone);
  const month = window.kind === "month" ? window.month : null;
  const spans = month === null ? daysBefore(window, today) : comparedDays(month, today, zone);
  if (!spans || knownFrom === null || knownFrom >= dayRange(spans.before.toDay, zone).to) return null;
  const months = month === null ? null : { own: month, before: monthBefore(month, zone) };
  return { ...spans, months };
}

function daysBefore({ fromDay, toDay }: Window, today: string): { own: Days; before: Days } | null {
  const last = toDay >= today ? shifted(today, -1) : toDay;
  if (last < fromDay) return null;
  const count = dayCount(fromDay, last);
  return {
    own: { fromDay, toDay: last },
    before: { fromDay: shifted(fromDay, -count), toDay: shifted(fromDay, -1) },
  };
}

async function compareWith(
  { own, before, months }: Before,
  filter: SpendFilter,
  { cost, by }: ExploreQuestion,
  zone: string,
  knownFrom: number,
): Promise<{ answer: SpendCompared; changeOf: (key: string) => bigint }> {
  const side = ({ fromDay, toDay }: Days, month: string | undefined): SpendScope => ({
    from: fromDay,
    to: toDay,
    month: month ?? null,
    isMonth: month !== undefined,
    filter,
  });
  const [is, was] = await Promise.all([
    spendGroups(side(own, months?.own), cost, by),
    spendGroups(side(before, months?.before), cost, by),
  ]);
  const total = (groups: readonly Spend[]) => sum(groups.map(({ micros }) => micros)).toString();
  const isOf = new Map(is.map(({ key, micros }) => [key, micros]));
  const wasOf = new Map(was.map(({ key, micros }) => [key, micros]));
  return {
    answer: {
      ...own,
      micros: total(is),
      before: {
        ...before,
        micros: total(was),
        unknownRows: was.reduce((count, { unknownRows }) => count + unknownRows, 0),
        isPartlyKnown: knownFrom > dayRange(before.fromDay, zone).from,
      },
    },
    changeOf: (key) => (isOf.get(key) ?? 0n) - (wasOf.get(key) ?? 0n),
  };
}

function totalOf(groups: readonly Spend[]): SpendTotal {
  const total = (of: (group: Spend) => bigint) => sum(groups.map(of)).toString();
  const count = (of: (group: Spend) => number) => groups.reduce((all, group) => all + of(group), 0);
  return {
    micros: total(({ micros }) => micros),
    lowMicros: total(({ lowMicros }) => lowMicros),
    highMicros: total(({ highMicros }) => highMicros),
    rows: count(({ rows }) => rows),
    unknownRows: count(({ unknownRows }) => unknownRows),
    minutes: count(({ minutes }) => minutes),
  };
}

function textsOf({ micros, lowMicros, highMicros, rows, unknownRows, minutes }: Spend): SpendTotal {
  return {
    micros: micros.toString(),
    lowMicros: lowMicros.toString(),
    highMicros: highMicros.toString(),
    rows,
    unknownRows,
    minutes,
  };
}

/** Each bar an amount for each part; none before anybody looked, nor after today. */
function barsOf(
  buckets: readonly Bucket[],
  amounts: readonly BarAmount[],
  parts: readonly (string | null)[],
  window: Window,
  knownFrom: number | null,
): ExploreAnswer["bars"] {
  const place = new Map(parts.map((key, index) => [key, index]));
  const byBucket = groupBy(amounts, ({ bucket }) => bucket);
  return buckets.map((bucket) => {
    const own = byBucket.get(bucket.key);
    const hasBegun = bucket.from < window.to && bucket.fromDay <= window.toDay;
    const isKnown = own !== undefined || (hasBegun && knownFrom !== null && bucket.to > knownFrom);
    const micros: (string | null)[] = isKnown ? parts.map(() => "0") : [];
    for (const { key, micros: amount, unknownRows } of own ?? []) {
      const at = place.get(key) ?? parts.length - 1;
      micros[at] = amount === 0n && unknownRows > 0 ? null : amount.toString();
    }
    return { ...bucket, micros, unknownRows: (own ?? []).reduce((count, { unknownRows }) => count + unknownRows, 0) };
  });
}
