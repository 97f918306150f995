import { type Micros, needsReview, roundHalfAway } from "./money";
import { type Bound, type Grain, type OwnerInterval, type PriceInterval, type Row, rowsOf } from "./rows";

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60n;

export type MinuteRounding = "ceil" | "floor" | "nearest";

/** R2: minutes of a life, rounded once; nothing where it ends before it begins. */
export function billableMinutes(from: number, to: number, rounding: MinuteRounding = "ceil"): number {
  const minutes = Math.max(0, to - from) / MINUTE_MS;
  if (rounding === "ceil") return Math.ceil(minutes);
  return rounding === "floor" ? Math.floor(minutes) : Math.floor(minutes + 0.5);
}

/** R4: so many minutes at one price, rounded once. */
export function minutesCost(minutes: number, microsPerHour: bigint): Micros {
  return roundHalfAway(microsPerHour * BigInt(minutes), MINUTES_PER_HOUR);
}

export type MeterInput = {
  /** The billable life, half-open. */
  from: number;
  to: number;
  prices: readonly PriceInterval[];
  owners: readonly OwnerInterval[];
  /** The accounting zone. */
  zone: string;
  rounding?: MinuteRounding | undefined;
  /** Only rows that begin at or after it: the start of an accounting day. */
  since?: number | undefined;
};

export type MeterRow = {
  period: string;
  /** Null: no price is known for these minutes; then they cost null, never zero. */
  priceId: number | null;
  ownerId: number;
  startsAt: number;
  endsAt: number;
  minutes: number;
  micros: Micros | null;
  /** At list price, where another one is billed. */
  listMicros?: Micros | null;
  commitmentId?: string;
};

export type LedgerLine = Omit<MeterRow, "period"> & { day: string; month: string };

/** Bounds of what a line may really have cost; low ≤ micros ≤ high. */
export type BoundedLine = LedgerLine & { lowMicros: Micros | null; highMicros: Micros | null; isFlagged: boolean };

/** R4: resource × accounting day × price interval × owner interval, each rounded once. */
export function ledgerLines(input: MeterInput): LedgerLine[] {
  return meter(input, "day").map(ledgerLine);
}

/** The same by another period: in reports by month or in total rows are fewer, and rounded once each all the same. */
export function meter(input: MeterInput, grain: Grain): MeterRow[] {
  return metered(input, grain, "best").map((row) => meterRow(row, input.to));
}

/** A life whose edges are known to lie between two instants. `low` is the shortest life, so its start is the latest. */
export type LifeBounds = { from: Record<Bound, number>; to: Record<Bound, number> };

/** Ledger lines of the best life, with what the same minutes and the doubtful ones beside them cost at least and at most. */
export function boundedLines(
  input: Omit<MeterInput, "from" | "to"> & {
    life: LifeBounds;
    isFlagged?: boolean;
    /** Edges that nobody saw: what a line may have cost more or less by them is to be looked at, however little. */
    isDoubtful?: { from: boolean; to: boolean };
  },
): BoundedLine[] {
  const { life, isFlagged = false, isDoubtful = { from: false, to: false }, ...rest } = input;
  const of = (bound: Bound) => metered({ ...rest, from: life.from[bound], to: life.to[bound] }, "day", bound);
  const best = byKey(of("best"));
  const low = byKey(of("low"));
  const high = byKey(of("high"));
  const lines = [...new Set([...best.keys(), ...low.keys(), ...high.keys()])].flatMap((key) => {
    const row = best.get(key);
    const known = row ?? high.get(key) ?? low.get(key);
    if (!known) return [];
    const line = ledgerLine(meterRow(row ?? nothingOf(known), life.to.best));
    const bounds = clamped(line.micros, low.get(key), high.get(key), known.amount === null);
    const isWide = bounds.low !== null && bounds.high !== null && needsReview(bounds.low, bounds.high);
    const isUnseen =
      bounds.low !== bounds.high &&
      ((isDoubtful.from && line.startsAt < life.from.low) || (isDoubtful.to && line.endsAt > life.to.low));
    return [
      {
        ...line,
        micros: bounds.best,
        lowMicros: bounds.low,
        highMicros: bounds.high,
        isFlagged: isFlagged || isWide || isUnseen,
      },
    ];
  });
  return lines.sort((a, b) => a.startsAt - b.startsAt);
}

/** No minute of the best life, and so no money either way. */
function nothingOf(row: Row): Row {
  return { ...row, units: 0, amount: 0n, ...(row.listAmount !== undefined && { listAmount: 0n }) };
}

/** Minute grids of the three lives differ, so a minute may cross a price change: best still lies between. */
function clamped(best: Micros | null, low: Row | undefined, high: Row | undefined, isUnknown: boolean) {
  if (isUnknown || best === null) return { low: null, best: null, high: null };
  const least = low ? micros(low) : 0n;
  const most = high ? micros(high) : 0n;
  return {
    low: least === null || least > best ? best : least,
    best,
    high: most === null || most < best ? best : most,
  };
}

function metered(input: MeterInput, grain: Grain, bound: Bound): Row[] {
  return rowsOf({
    ...input,
    count: billableMinutes(input.from, input.to, input.rounding),
    unitMs: MINUTE_MS,
    grain,
    bound,
    weightAt: () => ({ weight: 1n, isFlagged: false }),
    weightChanges: [],
  });
}

function micros({ amount }: Row): Micros | null {
  return amount === null ? null : roundHalfAway(amount, MINUTES_PER_HOUR);
}

/** The last minute of a life may be begun and not full, so a row ends no later than the life. */
function meterRow(row: Row, lifeEnd: number): MeterRow {
  const { period, priceId, ownerId, startsAt, units } = row;
  const endsAt = Math.max(startsAt, Math.min(startsAt + units * MINUTE_MS, lifeEnd));
  const list = row.listAmount;
  return {
    period,
    priceId,
    ownerId,
    startsAt,
    endsAt,
    minutes: units,
    micros: micros(row),
    ...(list !== undefined && { listMicros: list === null ? null : roundHalfAway(list, MINUTES_PER_HOUR) }),
    ...(row.commitmentId !== undefined && { commitmentId: row.commitmentId }),
  };
}

function ledgerLine({ period, ...row }: MeterRow): LedgerLine {
  return { day: period, month: period.slice(0, 7), ...row };
}

function byKey(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.key, row]));
}
