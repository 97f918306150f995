import { type Micros, roundHalfAway } from "./money";
import { type OwnerInterval, type PriceInterval, rowsOf, type Span } from "./rows";

const HOUR_MS = 3_600_000;
const BYTES_PER_GIB = 2n ** 30n;

/** Lambda's example bills a month of 720 hours (reference: lambda-cloud-api 4). */
export const STORAGE_MONTH_HOURS = 720n;

/** How much a file system held, as the provider said; null: it did not say. */
export type UsedBytes = Span & { bytes: bigint | null };

export type StorageInput = {
  from: number;
  to: number;
  used: readonly UsedBytes[];
  /** Micro-dollars per GiB-month. */
  prices: readonly PriceInterval[];
  owners: readonly OwnerInterval[];
  zone: string;
  since?: number | undefined;
};

export type StorageLine = {
  day: string;
  month: string;
  priceId: number | null;
  ownerId: number;
  startsAt: number;
  endsAt: number;
  byteHours: bigint | null;
  micros: Micros | null;
  /** At list price, where another one is billed. */
  listMicros?: Micros | null;
  /** Some hours rest on the last value that was known. */
  isFlagged: boolean;
};

/** R5: micro-dollars of so many byte-hours at so many micro-dollars per GiB-month. */
export function storageMicros(
  byteHours: bigint,
  microsPerGibMonth: bigint,
  hoursPerMonth = STORAGE_MONTH_HOURS,
): Micros {
  return roundHalfAway(byteHours * microsPerGibMonth, hoursPerMonth * BYTES_PER_GIB);
}

/**
 * R5: begun hours, each at the bytes, price and owner in force at its start; one rounding per row.
 * Where the size is missing the last one holds, and the row is flagged; before the first one it is unknown, never zero.
 */
export function filesystemLines(input: StorageInput): StorageLine[] {
  const { from, to, used } = input;
  const known = used.filter(({ bytes }) => bytes !== null).sort((a, b) => startOf(a) - startOf(b));
  return rowsOf({
    ...input,
    count: Math.ceil(Math.max(0, to - from) / HOUR_MS),
    unitMs: HOUR_MS,
    grain: "day",
    bound: "best",
    weightAt: (at) => {
      const last = known.findLast((one) => startOf(one) <= at);
      return { weight: last?.bytes ?? null, isFlagged: !last || (last.to !== null && last.to <= at) };
    },
    weightChanges: known.flatMap((one) => [one.from, one.to]).filter((at) => at !== null),
  }).map(({ period, priceId, ownerId, startsAt, units, weight, amount, listAmount, isFlagged }) => ({
    day: period,
    month: period.slice(0, 7),
    priceId,
    ownerId,
    startsAt,
    endsAt: Math.min(startsAt + units * HOUR_MS, to),
    byteHours: weight,
    micros: storageAmount(amount),
    ...(listAmount !== undefined && { listMicros: storageAmount(listAmount) }),
    isFlagged,
  }));
}

function storageAmount(amount: bigint | null): Micros | null {
  return amount === null ? null : roundHalfAway(amount, STORAGE_MONTH_HOURS * BYTES_PER_GIB);
}

function startOf({ from }: Span): number {
  return from ?? Number.NEGATIVE_INFINITY;
}
