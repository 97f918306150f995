import type { Column } from "./csv";
import { parseIsoInstant, parseSmiTimestamp } from "./instant";
import { missingWord } from "./quantity";

/** What the columns of rows without a header can only be; `unread` are the places, from 1, of those that stay open. */
export type GuessedColumns = { columns: Column[]; unread: number[] };

const ROWS_SEEN = 200;

const KINDS: readonly [kind: string, is: (cell: string) => boolean][] = [
  ["timestamp", (cell) => parseSmiTimestamp(cell) !== null || parseIsoInstant(cell) !== null],
  ["uuid", (cell) => /^(?:GPU|MIG)-[0-9a-f-]{4,60}$/i.test(cell)],
  ["pci.bus_id", (cell) => /^(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]$/i.test(cell)],
  ["pstate", (cell) => /^P\d{1,2}$/.test(cell)],
  ["driver_version", (cell) => /^\d{3}\.\d{1,3}\.\d{2}$/.test(cell)],
  ["name", (cell) => /^(?:NVIDIA|Tesla|Quadro|GeForce|TITAN|GRID)\b[\w .()/-]{1,80}$/.test(cell)],
  ["percent", (cell) => /^\d{1,3} %$/.test(cell)],
  ["watts", (cell) => /^\d{1,4}(?:\.\d{1,3})? W$/.test(cell)],
];

/** What each kind stands for, in the order in which nvidia-smi's own examples ask for them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  percent: ["utilization.gpu", "utilization.memory"],
  watts: ["power.draw"],
};

/**
 * The columns of `--format=csv,noheader`, by what no other column looks like: one utilisation (or both), one power, UUID, bus id,
 * time, name. Two memories could be in use, free or total, and a bare number could be anything: they stay unread. Null where
 * nothing says which card or when, and that the rows are of a card at all.
 */
export function guessColumns(rows: readonly (readonly string[])[]): GuessedColumns | null {
  const seen = rows.filter((cells) => cells.length > 1).slice(0, ROWS_SEEN);
  const width = seen[0]?.length ?? 0;
  if (width === 0 || seen.some((cells) => cells.length !== width)) return null;
  const kinds = Array.from({ length: width }, (_, at) => kindOf(seen.map((cells) => cells[at] ?? "")));
  const columns = kinds.map((kind, at): Column => ({ name: nameOf(kinds, kind, at) ?? "", unit: null }));
  const names = columns.map(({ name }) => name);
  const isPlaced = ["uuid", "pci.bus_id", "timestamp"].some((name) => names.includes(name));
  const isOfCard =
    ["uuid", "pci.bus_id", "name", "pstate"].some((name) => names.includes(name)) || kinds.includes("watts");
  if (!isPlaced || !isOfCard) return null;
  return { columns, unread: columns.flatMap(({ name }, at) => (name === "" ? [at + 1] : [])) };
}

/** What all cells of a column look like, beside those that hold nothing. */
function kindOf(cells: readonly string[]): string | null {
  const filled = cells.filter((cell) => missingWord(cell) === null);
  if (filled.length === 0) return null;
  return KINDS.find(([, is]) => filled.every(is))?.[0] ?? null;
}

function nameOf(kinds: readonly (string | null)[], kind: string | null, at: number): string | null {
  if (kind === null) return null;
  const names = NAMES[kind] ?? [kind];
  const places = kinds.flatMap((one, place) => (one === kind ? [place] : []));
  return places.length <= names.length ? (names[places.indexOf(at)] ?? null) : null;
}
