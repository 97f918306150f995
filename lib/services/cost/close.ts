import {
  changePeriod,
  closePeriod,
  contentOf,
  listStatements,
  readChecklist,
  type StatementDraft,
} from "@/lib/db/cost/close";
import {
  countUnsettled,
  listCorrectedLater,
  listCorrections,
  listDoubtful,
  listGaps,
  openBefore,
  sumMonth,
} from "@/lib/db/cost/close-facts";
import { invoiceSummary, listUninvoiced } from "@/lib/db/cost/invoices";
import { type Asked, findPeriod, type Period } from "@/lib/db/cost/periods";
import { readStatementFacts } from "@/lib/db/cost/statement";
import { listJobs } from "@/lib/db/jobs";
import { mutate } from "@/lib/db/mutate";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type Checklist,
  type CloseAnswer,
  type Closed,
  type CloseFacts,
  checklistOf,
  closesFrom,
  type MonthQuestion,
  obstacles,
  reviewFact,
  type SignPoint,
  type SignReview,
} from "@/lib/domain/cost/close";
import { sum } from "@/lib/domain/cost/money";
import { statementOf, teamsOf } from "@/lib/domain/cost/statement";
import { monthOf, monthRange } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";
import { recomputeCosts } from "./meter";
import { scoreForecasts } from "./score";
import { spreadShared } from "./sharing";

const METER = "meter-costs";

/** How a month stands on its way to being closed, or how it was closed. */
export async function readClose(ctx: Ctx, { month }: MonthQuestion): Promise<CloseAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const period = await findPeriod(month);
  const isClosed = period.status === "closed";
  const zone = isClosed ? period.zone : (await readSetting("accounting")).zone;
  if (month > monthOf(now, zone)) throw new AppError("not-found", `${month} has not begun. Choose an earlier month.`);
  const { to } = monthRange(month, zone);
  const kept = readChecklist(period);
  const [facts, sums, statements, corrections, correctedLater] = await Promise.all([
    isClosed ? null : readFacts(ctx, month, zone, kept, await meterAge()),
    sumMonth(month),
    listStatements(month),
    listCorrections(month),
    isClosed ? listCorrectedLater(month) : [],
  ]);
  return {
    now,
    month,
    zone,
    status: period.status,
    isOver: now >= to,
    closesFrom: closesFrom(to, zone),
    rows: sums.rows,
    totalMicros: sums.micros.toString(),
    lowMicros: sums.lowMicros.toString(),
    highMicros: sums.highMicros.toString(),
    points: facts ? checklistOf(facts, kept.signed) : kept.points,
    gaps: facts ? [...facts.gaps] : [],
    review: facts ? [...facts.review] : [],
    contentHash: period.contentHash,
    closedAt: period.closedAt?.getTime() ?? null,
    closedBy: period.closedBy ?? kept.closedBy,
    statements: statements.map((one) => ({ ...one, totalMicros: one.totalMicros.toString() })),
    corrections: { ...corrections, micros: corrections.micros.toString() },
    correctedLater,
  };
}

async function meterAge(): Promise<CloseFacts["metered"]> {
  const job = (await listJobs()).find(({ name }) => name === METER);
  return { at: job?.lastError ? null : (job?.finishedAt?.getTime() ?? null), error: job?.lastError ?? null };
}

/** Everything the checklist is judged by; `asked` is the transaction that closes, where there is one. */
async function readFacts(
  ctx: Ctx,
  month: string,
  zone: string,
  kept: Checklist,
  metered: CloseFacts["metered"],
  asked?: Asked,
): Promise<CloseFacts> {
  const now = ctx.now.getTime();
  const { from, to } = monthRange(month, zone);
  const since = new Date(from);
  // One after the other: inside a transaction there is one connection.
  const sums = await sumMonth(month, asked);
  const earlierOpen = await openBefore(month, asked);
  const unsettled = await countUnsettled(month, asked);
  const gaps = await listGaps(since, new Date(Math.min(now, to)), asked);
  const lives = await listDoubtful(month, since, asked);
  const uninvoiced = await listUninvoiced(month, asked);
  const invoices = await invoiceSummary(month, asked);
  return {
    month,
    zone,
    now,
    from,
    to,
    earlierOpen,
    metered,
    unsettled,
    rows: sums.rows,
    totalMicros: sums.micros,
    lowMicros: sums.lowMicros,
    highMicros: sums.highMicros,
    gaps,
    unknown: { rows: sums.unknownRows, resources: sums.unknownResources },
    uncategorisedMicros: sums.uncategorisedMicros,
    review: lives.map(({ unknownRows, ...life }) => {
      const fact = reviewFact({ ...life, unknownRows });
      const signature = kept.reviewed[life.resourceId];
      return {
        ...life,
        micros: life.micros.toString(),
        lowMicros: life.lowMicros.toString(),
        highMicros: life.highMicros.toString(),
        fact,
        signature: signature?.fact === fact ? signature : null,
      };
    }),
    invoices,
    accrual: { micros: sum(uninvoiced.map(({ micros }) => micros)), days: uninvoiced.length },
  };
}

/** From now on the month is being closed: its points can be settled. */
export async function beginClosing(ctx: Ctx, { month }: MonthQuestion): Promise<{ month: string }> {
  authorize(ctx, "cost:close");
  const { zone } = await readSetting("accounting");
  requireOver(ctx, month, zone);
  return mutate(ctx, "cost:close", async (tx) => {
    const before = await changePeriod(tx, month, ctx.now, (period, checklist) => {
      requireOpen(period);
      return { status: "closing", checklist, result: period.status };
    });
    return {
      result: { month },
      ...entryOf("closing", month),
      before: { status: before },
      after: { status: "closing" },
    };
  });
}

/** Settles a point that warns, with a note: it holds as long as the fact is the one that was read. */
export async function signPoint(ctx: Ctx, { month, point, fact, note }: SignPoint): Promise<{ month: string }> {
  authorize(ctx, "cost:close");
  const { zone } = await readSetting("accounting");
  requireOver(ctx, month, zone);
  const facts = await readFacts(ctx, month, zone, readChecklist(await findPeriod(month)), await meterAge());
  const found = checklistOf(facts, {}).find(({ id }) => id === point);
  if (!found?.isSignable)
    throw new AppError("invalid", "This point cannot be settled with a note; it has to be put right.");
  if (found.fact !== fact)
    throw new AppError("conflict", `This changed while you read it: ${found.fact}. Nothing was signed; look again.`);
  return mutate(ctx, "cost:close", async (tx) => {
    await changePeriod(tx, month, ctx.now, (period, checklist) => {
      requireOpen(period);
      const signature = { by: ctx.actor.name, at: ctx.now.getTime(), note, fact };
      return {
        status: "closing",
        checklist: { ...checklist, signed: { ...checklist.signed, [point]: signature } },
        result: null,
      };
    });
    return { result: { month }, ...entryOf("signed", month), after: { point: found.title, fact }, reason: note };
  });
}

/** Signs doubtful lives off, with a note: each as long as its bounds are those that were read. */
export async function signReview(ctx: Ctx, { month, items, note }: SignReview): Promise<{ signed: number }> {
  authorize(ctx, "cost:close");
  const { zone } = await readSetting("accounting");
  requireOver(ctx, month, zone);
  const lives = new Map(
    (await listDoubtful(month, new Date(monthRange(month, zone).from))).map((life) => [
      life.resourceId,
      reviewFact(life),
    ]),
  );
  const changed = items.filter((item) => lives.get(item.resourceId) !== item.fact);
  if (changed.length > 0)
    throw new AppError("conflict", `${changed.length} of them changed while you read. Nothing was signed; look again.`);
  return mutate(ctx, "cost:close", async (tx) => {
    await changePeriod(tx, month, ctx.now, (period, checklist) => {
      requireOpen(period);
      const by = { by: ctx.actor.name, at: ctx.now.getTime(), note };
      const signed = Object.fromEntries(items.map(({ resourceId, fact }) => [resourceId, { ...by, fact }]));
      return {
        status: "closing",
        checklist: { ...checklist, reviewed: { ...checklist.reviewed, ...signed } },
        result: null,
      };
    });
    return {
      result: { signed: items.length },
      ...entryOf("reviewed", month),
      after: { lives: items.length },
      reason: note,
    };
  });
}

/**
 * Closes a month for ever, or says what stands in the way. Closing again, from anywhere and at the same time, finds it closed and
 * answers with the same hash; after a crash it is as open as before.
 */
export async function closeMonth(ctx: Ctx, { month }: MonthQuestion): Promise<Closed> {
  authorize(ctx, "cost:close");
  const already = await findPeriod(month);
  if (already.status === "closed") return closedOf(already, true);
  const { zone } = await readSetting("accounting");
  requireOver(ctx, month, zone);
  // Every day is worked out once more, so that what is closed is what is known now.
  await recomputeCosts(ctx, `${month}-01`);
  const metered = { at: ctx.now.getTime(), error: null };
  requireNothingLeft(await readPoints(ctx, month, zone, already, metered));

  const byUserId = ctx.actor.kind === "user" ? ctx.actor.id : null;
  try {
    return await mutate(ctx, "cost:close", async (tx) => {
      const { period, wasClosed } = await closePeriod(tx, {
        month,
        zone,
        now: ctx.now,
        byUserId,
        settle: (inside) => spreadShared(zone, { tx: inside, month }),
        checklist: async (before, asked) => {
          const points = await readPoints(ctx, month, zone, before, metered, asked);
          requireNothingLeft(points);
          return { ...readChecklist(before), points, closedBy: ctx.actor.name };
        },
        statements: (asked) => draftStatements(month, zone, asked),
        also: (inside) => scoreForecasts(inside, month),
      });
      // Who comes second has done nothing that could be written down.
      if (wasClosed) throw new AlreadyClosed(period);
      const result = closedOf(period, false);
      const { contentHash, rows, totalMicros } = result;
      return {
        result,
        ...entryOf("closed", month),
        before: { status: "closing" },
        after: { status: "closed", contentHash, rows, totalMicros },
      };
    });
  } catch (error) {
    if (error instanceof AlreadyClosed) return closedOf(error.period, true);
    throw error;
  }
}

class AlreadyClosed extends Error {
  constructor(readonly period: Period) {
    super("the month is closed");
  }
}

async function readPoints(
  ctx: Ctx,
  month: string,
  zone: string,
  period: Period,
  metered: CloseFacts["metered"],
  asked?: Asked,
) {
  const kept = readChecklist(period);
  return checklistOf(await readFacts(ctx, month, zone, kept, metered, asked), kept.signed);
}

async function draftStatements(month: string, zone: string, asked: Asked): Promise<StatementDraft[]> {
  const facts = await readStatementFacts(month, asked);
  return [null, ...teamsOf(facts)].map((team) => {
    const content = statementOf(facts, month, zone, team);
    return { scope: content.scope, totalMicros: BigInt(content.totals.totalMicros), content };
  });
}

function requireOver(ctx: Ctx, month: string, zone: string): void {
  const { to } = monthRange(month, zone);
  if (ctx.now.getTime() < to)
    throw new AppError(
      "conflict",
      `${month} is not over. It can be closed from ${closesFrom(to, zone)}; nothing was changed.`,
    );
}

function requireOpen(period: Period): void {
  if (period.status === "closed")
    throw new AppError(
      "conflict",
      `${period.month} is closed and never changes. What is learnt now counts in the open month.`,
    );
}

function requireNothingLeft(points: ReturnType<typeof checklistOf>): void {
  const left = obstacles(points);
  if (left.length === 0) return;
  const words = left.map(({ title, fact }) => `${title}: ${fact}`).join(". ");
  throw new AppError("conflict", `The month stays open. ${words}. Nothing was changed.`);
}

function entryOf(act: "closing" | "signed" | "reviewed" | "closed", month: string) {
  return { action: `period.${act}` as const, subjectKind: "period", subjectId: month, subject: month };
}

function closedOf(period: Period, wasClosed: boolean): Closed {
  return {
    month: period.month,
    contentHash: period.contentHash ?? "",
    rows: period.rowCount ?? 0,
    totalMicros: (period.totalMicros ?? 0n).toString(),
    closedAt: period.closedAt?.getTime() ?? 0,
    wasClosed,
  };
}

/** Takes the hash of a month's rows anew: for a closed one it is the one it was closed with, or somebody changed the database. */
export async function verifyMonth(
  ctx: Ctx,
  { month }: MonthQuestion,
): Promise<{ kept: string | null; found: string; rows: number }> {
  authorize(ctx, "cost:read");
  const [period, content] = await Promise.all([findPeriod(month), contentOf(month)]);
  return { kept: period.contentHash, found: content.hash, rows: content.rows };
}
