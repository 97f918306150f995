import { decimalText, parseDecimal } from "@/lib/domain/cost/decimal";
import { gibHoursText } from "./amounts";
import { exportedColumns, FOCUS_COLUMNS, type FocusVersion, OWN_COLUMNS } from "./columns";
import type { FocusRow } from "./rows";
import type { FocusSource } from "./source";
import type { FocusMetadata } from "./view";

const SUMMED = ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const;
// More digits than the product of any price and quantity has.
const SCALE = 10n ** 36n;
const MOST_KEYS = 1_000;

/** Counts what goes into a file, and what does not. */
export class FocusTally {
  #rows = 0;
  readonly #sums = new Map<string, bigint>();
  #unknownRows = 0;
  #unknownMinutes = 0;
  #unknownByteHours = 0n;
  readonly #unknownKeys: string[] = [];

  add(source: FocusSource, rows: readonly FocusRow[]): void {
    if (source.micros === null) {
      this.#unknownRows++;
      this.#unknownMinutes += source.minutes;
      this.#unknownByteHours += source.byteHours ?? 0n;
      if (this.#unknownKeys.length < MOST_KEYS) this.#unknownKeys.push(source.key);
    }
    for (const row of rows) {
      this.#rows++;
      for (const column of SUMMED) {
        const { numerator, denominator } = parseDecimal(row[column] ?? "0");
        this.#sums.set(column, (this.#sums.get(column) ?? 0n) + (numerator * SCALE) / denominator);
      }
    }
  }

  result(): Pick<FocusMetadata, "rows" | "totals" | "unknownPrices"> {
    const total = (column: (typeof SUMMED)[number]) => decimalText(this.#sums.get(column) ?? 0n, SCALE, 6);
    return {
      rows: this.#rows,
      totals: {
        BilledCost: total("BilledCost"),
        EffectiveCost: total("EffectiveCost"),
        ListCost: total("ListCost"),
        ContractedCost: total("ContractedCost"),
      },
      unknownPrices: {
        rows: this.#unknownRows,
        minutes: this.#unknownMinutes,
        gibHours: gibHoursText(this.#unknownByteHours),
        chargeKeys: this.#unknownKeys,
        isCut: this.#unknownRows > this.#unknownKeys.length,
      },
    };
  }
}

export function columnsOf(version: FocusVersion): FocusMetadata["columns"] {
  return exportedColumns(version).map(({ id, type }) => {
    const standard = FOCUS_COLUMNS.find((column) => column.id === id);
    const own = OWN_COLUMNS.find((column) => column.id === id);
    return { id, type, isNullable: standard?.isNullable[version] ?? true, about: own?.about ?? null };
  });
}

/** The stretches between gaps are complete, gaps are not, and neither is what is still to come. */
export function timeSectors(
  range: { from: number; to: number },
  gaps: readonly { from: number; to: number }[],
  now: number,
): FocusMetadata["recency"]["timeSectors"] {
  const text = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
  const sectors: FocusMetadata["recency"]["timeSectors"] = [];
  const add = (from: number, to: number, isComplete: boolean) => {
    if (from < to) sectors.push({ start: text(from), end: text(to), isComplete });
  };
  const end = Math.max(range.from, Math.min(range.to, now));
  let at = range.from;
  for (const gap of gaps) {
    const from = Math.max(at, Math.min(gap.from, end));
    const to = Math.max(from, Math.min(gap.to, end));
    add(at, from, true);
    add(from, to, false);
    at = to;
  }
  add(at, end, true);
  add(end, range.to, false);
  return sectors;
}
