import { lastDays, listCommitments, listCoveredRows, listLives, type StoredCommitment } from "@/lib/db/cost/charges";
import { inTransaction, type LedgerRow, replaceMade } from "@/lib/db/cost/ledger";
import { holdForSettling, setEffective } from "@/lib/db/cost/settle";
import type { Ctx } from "@/lib/domain/access";
import {
  amortisedWithin,
  type CoveredRow,
  capacityMinutes,
  coverageOf,
  type LifeSpan,
  paymentsOf,
  settleDay,
} from "@/lib/domain/cost/commitments";
import type { Covered } from "@/lib/domain/cost/price-book";
import { dayOf, dayRange, dayStarts, type Range } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";

const DAY_MS = 24 * 3_600_000;

/** Which machines commitments cover, when. An earlier commitment comes first; what one covers, no other does. */
export async function coveredLives(): Promise<Map<string, Covered[]>> {
  const covered = new Map<string, Covered[]>();
  const commitments = (await listCommitments()).filter(({ deletedAt }) => deletedAt === null);
  for (const commitment of commitments.sort((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1))) {
    const { id, sku, region, from, to, rateMicros } = commitment;
    const lives = await listLives(sku, region, new Date(from), new Date(to));
    const free = lives.flatMap((life) => without(life, covered.get(life.id) ?? []));
    for (const [resourceId, ranges] of coverageOf(commitment, free)) {
      const own = ranges.map((range) => ({ ...range, commitmentId: id, rateMicros }));
      covered.set(
        resourceId,
        [...(covered.get(resourceId) ?? []), ...own].sort((a, b) => (a.from ?? 0) - (b.from ?? 0)),
      );
    }
  }
  return covered;
}

/** What of a life no commitment covers yet. */
function without(life: LifeSpan, covered: readonly Covered[]): LifeSpan[] {
  const pieces: LifeSpan[] = [];
  let from = life.from;
  for (const one of covered) {
    if ((one.from ?? 0) > from) pieces.push({ id: life.id, from, to: one.from });
    from = Math.max(from, one.to ?? Number.POSITIVE_INFINITY);
  }
  if (from < (life.to ?? Number.POSITIVE_INFINITY)) pieces.push({ id: life.id, from, to: life.to });
  return pieces;
}

/**
 * Writes what commitments cost: what is paid, on its day, and each day's share of it on the minutes that it covers and on those that
 * nobody used. `since`: the first day of which covered minutes changed; null: all; undefined: none did.
 */
export async function settleCommitments(ctx: Ctx, zone: string, since: string | null | undefined): Promise<void> {
  const commitments = await listCommitments();
  if (commitments.length === 0) return;
  const now = ctx.now.getTime();
  const last = await lastDays();
  const yesterday = dayOf(now - DAY_MS, zone);
  for (const commitment of commitments) {
    const { id, deletedAt } = commitment;
    const known = last.get(id);
    if (deletedAt && known === undefined) continue;
    const days = [yesterday, known ?? "", ...(since === undefined ? [] : [since ?? ""])].sort();
    const from = deletedAt || days[0] === "" ? null : (days[0] ?? null);
    const covered = deletedAt ? [] : await listCoveredRows(id, from);
    const { rows, effective } = deletedAt
      ? { rows: [], effective: new Map() }
      : settled(commitment, covered, zone, now, from);
    await inTransaction(async (client) => {
      await holdForSettling(client, "commitment");
      await setEffective(client, effective);
      await replaceMade(client, "commitment", [{ id, since: from, rows }]);
    });
  }
}

function settled(
  commitment: StoredCommitment,
  covered: readonly (CoveredRow & { day: string })[],
  zone: string,
  now: number,
  since: string | null,
): { rows: LedgerRow[]; effective: Map<string, bigint> } {
  const until = Math.min(now, commitment.to);
  const begin = since === null ? commitment.from : Math.max(commitment.from, dayRange(since, zone).from);
  const byDay = groupBy(covered, ({ day }) => day);
  const rows: LedgerRow[] = [];
  const effective = new Map<string, bigint>();
  for (const range of daysWithin(begin, until, zone)) {
    const day = dayOf(range.from, zone);
    const micros = amortisedWithin(commitment, range);
    const capacity = capacityMinutes(commitment, range);
    const { effective: found, unusedMicros, unusedMinutes } = settleDay(micros, capacity, byDay.get(day) ?? []);
    for (const [key, amount] of found) effective.set(key, amount);
    rows.push({ ...rowOf(commitment, range, zone, 0n, unusedMicros, "not used"), minutes: unusedMinutes });
  }
  for (const { at, part, micros } of paymentsOf(commitment)) {
    if (at >= begin && at <= now)
      rows.push(rowOf(commitment, { from: at, to: at }, zone, micros, 0n, part === "week" ? "a week" : "upfront"));
  }
  return { rows, effective };
}

function daysWithin(from: number, to: number, zone: string): Range[] {
  if (from >= to) return [];
  const starts = [from, ...dayStarts(from, to, zone)];
  return starts.map((start, i) => ({ from: start, to: starts[i + 1] ?? to }));
}

function rowOf(
  { id, name, ownerId }: StoredCommitment,
  { from, to }: Range,
  zone: string,
  micros: bigint,
  effectiveMicros: bigint,
  what: string,
): LedgerRow {
  return {
    resourceId: null,
    commitmentId: id,
    charge: "commitment",
    day: dayOf(from, zone),
    spanId: null,
    priceId: null,
    ownerId,
    startsAt: from,
    endsAt: to,
    minutes: 0,
    byteHours: null,
    micros,
    lowMicros: micros,
    highMicros: micros,
    listMicros: micros,
    effectiveMicros,
    isFlagged: false,
    note: `${name}: ${what}`,
  };
}
