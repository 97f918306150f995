import {
  type AllocationRule,
  type Bearer,
  bearersOf,
  inOrder,
  isNobody,
  OWNER_FIELDS,
  type OwnerWords,
  type Payable,
} from "./allocation";
import { roundHalfAway, sum } from "./money";

/** A row of the ledger, as far as it matters who pays for it. */
export type PaidRow = {
  resourceId: string;
  startsAt: number;
  endsAt: number;
  /** The length of what it is billed in: a unit belongs to whom it began with. */
  unitMs: number;
  /** Null: the price is not known. */
  micros: bigint | null;
};

/** A part of a row and who bears it by labels and rules as they are now. */
export type Piece<R extends PaidRow = PaidRow> = { row: R; micros: bigint; bearer: Bearer; ruleId: string | null };

/** Cuts rows where the bearer changes. A row that is cut is shared by time; the pieces add up to it. */
export function piecesOf<R extends PaidRow>(
  things: readonly Payable[],
  rows: readonly R[],
  rules: readonly AllocationRule[],
): Piece<R>[] {
  const ordered = inOrder(rules);
  const intervals = new Map(things.map((thing) => [thing.id, bearersOf(thing, ordered)]));
  return rows.flatMap((row) => {
    const mine = (intervals.get(row.resourceId) ?? [])
      .map(({ from, to, ...rest }) => ({
        ...rest,
        start: cutAt(row, from) ?? Number.NEGATIVE_INFINITY,
        end: cutAt(row, to) ?? Number.POSITIVE_INFINITY,
      }))
      .filter(({ start, end }) => start < Math.max(row.endsAt, row.startsAt + 1) && end > row.startsAt && start < end);
    const upTo = sharer(row);
    let before = 0n;
    return mine.map(({ end, bearer, ruleId }, i) => {
      const until = i === mine.length - 1 ? (row.micros ?? 0n) : upTo(end);
      const piece = { row, micros: until - before, bearer, ruleId };
      before = until;
      return piece;
    });
  });
}

/** Where a row is cut for a change at an instant: at the first unit that begins at or after it. Null: no change. */
function cutAt({ startsAt, endsAt, unitMs }: PaidRow, at: number | null): number | null {
  if (at === null) return null;
  if (at <= startsAt) return at;
  return Math.min(Math.max(endsAt, startsAt + 1), startsAt + Math.ceil((at - startsAt) / unitMs) * unitMs);
}

/** What of a row lies before an instant, shared by time. */
function sharer(row: PaidRow): (at: number) => bigint {
  const length = BigInt(Math.max(1, row.endsAt - row.startsAt));
  return (at) => roundHalfAway((row.micros ?? 0n) * BigInt(at - row.startsAt), length);
}

export function isUnborne(bearer: Bearer): boolean {
  return "words" in bearer && isNobody(bearer.words);
}

export type RuleFigures = { resources: number; micros: bigint };

/** What each rule decides of the rows. */
export function figuresByRule(pieces: readonly Piece[]): Map<string, RuleFigures> {
  const found = new Map<string, { ids: Set<string>; micros: bigint }>();
  for (const { row, micros, ruleId } of pieces) {
    if (ruleId === null) continue;
    const one = found.get(ruleId) ?? { ids: new Set<string>(), micros: 0n };
    one.ids.add(row.resourceId);
    one.micros += micros;
    found.set(ruleId, one);
  }
  return new Map([...found].map(([id, { ids, micros }]) => [id, { resources: ids.size, micros }]));
}

export type Move = { resourceId: string; micros: bigint; from: Bearer; to: Bearer };

/** What would go to somebody else if the rules were others, per resource and pair of bearers; the largest first. */
export function movesBetween(
  things: readonly Payable[],
  rows: readonly PaidRow[],
  before: readonly AllocationRule[],
  after: readonly AllocationRule[],
): Move[] {
  const sums = new Map<string, Move>();
  const cuts = cutRows(things, rows, [...before, ...after]);
  const old = piecesOf(things, cuts, before);
  const next = piecesOf(things, cuts, after);
  for (const [i, piece] of old.entries()) {
    const other = next[i];
    if (!other || keyOf(piece.bearer) === keyOf(other.bearer)) continue;
    const key = `${piece.row.resourceId}|${keyOf(piece.bearer)}|${keyOf(other.bearer)}`;
    const sumSoFar = sums.get(key);
    if (sumSoFar) sumSoFar.micros += piece.micros;
    else {
      const { resourceId } = piece.row;
      sums.set(key, { resourceId, micros: piece.micros, from: piece.bearer, to: other.bearer });
    }
  }
  return [...sums.values()].sort((a, b) =>
    a.micros === b.micros ? (a.resourceId < b.resourceId ? -1 : 1) : a.micros > b.micros ? -1 : 1,
  );
}

/** Rows cut at every edge at which either set of rules may decide otherwise, so that their pieces are the same. */
function cutRows(things: readonly Payable[], rows: readonly PaidRow[], rules: readonly AllocationRule[]): PaidRow[] {
  const edges = new Map(
    things.map((thing) => [
      thing.id,
      [
        ...thing.labels.map(({ from }) => from),
        ...thing.spans.map(({ validFrom }) => validFrom),
        ...rules.flatMap(({ from, to }) => [from, to]).filter((at) => at !== null),
      ].sort((a, b) => a - b),
    ]),
  );
  return rows.flatMap((row) => {
    const inside = new Set((edges.get(row.resourceId) ?? []).map((at) => cutAt(row, at) ?? row.endsAt));
    const ends = [...inside, row.endsAt].filter((at, i, all) => at > row.startsAt && all.indexOf(at) === i);
    if (ends.length <= 1) return [row];
    const upTo = sharer(row);
    let start = row.startsAt;
    let before = 0n;
    return ends.map((end) => {
      const until = upTo(end);
      const part = { ...row, startsAt: start, endsAt: end, micros: row.micros === null ? null : until - before };
      start = end;
      before = until;
      return part;
    });
  });
}

export function keyOf(bearer: Bearer): string {
  return "potId" in bearer ? `pot ${bearer.potId}` : OWNER_FIELDS.map((field) => bearer.words[field]).join("\u001f");
}

/** Who pays, in one line: "research, rag, prod". */
export function ownerWords(words: OwnerWords): string {
  return (
    OWNER_FIELDS.map((field) => words[field])
      .filter(Boolean)
      .join(", ") || "nobody"
  );
}

export function total(pieces: readonly Pick<Piece, "micros">[]): bigint {
  return sum(pieces.map(({ micros }) => micros));
}
