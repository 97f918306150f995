import type { OwnerWords } from "./allocation";
import { keyOf } from "./attribution";
import { stemOf } from "./glob";

/** Something whose payer is known, and what it has in common with others. */
export type Categorised = { name: string; launchedBy: string | null; words: OwnerWords };

export type Suggestion = {
  words: OwnerWords;
  /** What it rests on. */
  because: { what: "name" | "launcher"; value: string; count: number };
};

const MOST = 3;

/** Who may have to pay for a thing: whoever pays for things with a name like its own, then for what the same person launched. */
export function suggestionsFor(
  thing: { name: string; launchedBy: string | null },
  known: readonly Categorised[],
): Suggestion[] {
  const stem = stemOf(thing.name);
  const alike = stem === "" ? [] : known.filter(({ name }) => stemOf(name) === stem);
  const launched = thing.launchedBy === null ? [] : known.filter(({ launchedBy }) => launchedBy === thing.launchedBy);
  const found = [
    ...counted(alike).map(({ words, count }) => ({
      words,
      because: { what: "name" as const, value: `${stem}*`, count },
    })),
    ...counted(launched).map(({ words, count }) => ({
      words,
      because: { what: "launcher" as const, value: thing.launchedBy ?? "", count },
    })),
  ];
  const seen = new Set<string>();
  return found
    .filter(({ words }) => {
      const key = keyOf({ words });
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, MOST);
}

function counted(things: readonly Categorised[]): { words: OwnerWords; count: number }[] {
  const counts = new Map<string, { words: OwnerWords; count: number }>();
  for (const { words } of things) {
    const key = keyOf({ words });
    const one = counts.get(key);
    if (one) one.count += 1;
    else counts.set(key, { words, count: 1 });
  }
  return [...counts.entries()].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1)).map(([, one]) => one);
}
