import { OWNER_FIELDS, type OwnerWords, type SplitMethod } from "./allocation";
import { apportion, splitByLargestRemainder, sum } from "./money";

export type SharingMethod = Exclude<SplitMethod, "whole">;

/** How a pot is spread on a day. No payers named: whoever has machines (or cost) on that day. */
export type Sharing = { method: SharingMethod; payers: readonly { words: OwnerWords; ppm: number }[] };

/** What an owner had on a day. */
export type OwnerDay = { words: OwnerWords; gpuMinutes: bigint };

export type Part = {
  words: OwnerWords;
  micros: bigint;
  /** What rounding gave to this part, in millionths of a micro-dollar. */
  roundingPpm: number;
};

/** The same words in any database. */
export function wordsKey(words: OwnerWords): string {
  return OWNER_FIELDS.map((field) => words[field]).join("\u001f");
}

/** Spreads a day of a pot over payers; the parts add up to it exactly. Null: nobody is there to bear it. */
export function spread(micros: bigint, sharing: Sharing, owners: readonly OwnerDay[]): Part[] | null {
  const payers = payersOf(sharing, owners);
  const weights = Object.fromEntries(payers.map(({ words, weight }) => [wordsKey(words), weight]));
  const total = sum(Object.values(weights));
  if (total === 0n) return null;
  const parts = splitByLargestRemainder(micros, weights);
  const excess = Object.fromEntries(
    Object.entries(parts).map(([key, part]) => [key, (part * total - micros * (weights[key] ?? 0n)) * 1_000_000n]),
  );
  // What one part got more, others got less: the roundings add up to nothing, as written too.
  const rounding = apportion(0n, excess, total);
  return payers
    .filter(({ weight }) => weight > 0n)
    .map(({ words }) => {
      const key = wordsKey(words);
      return { words, micros: parts[key] ?? 0n, roundingPpm: Number(rounding[key] ?? 0n) };
    });
}

function payersOf({ method, payers }: Sharing, owners: readonly OwnerDay[]): { words: OwnerWords; weight: bigint }[] {
  if (payers.length === 0) {
    return owners.map(({ words, gpuMinutes }) => ({
      words,
      weight: method === "gpu_minutes" ? atLeast0(gpuMinutes) : 1n,
    }));
  }
  if (method === "fixed") return payers.map(({ words, ppm }) => ({ words, weight: BigInt(ppm) }));
  if (method === "even") return payers.map(({ words }) => ({ words, weight: 1n }));
  return payers.map(({ words }) => {
    const mine = owners.filter((owner) => payerOf(owner.words, payers) === words);
    return { words, weight: atLeast0(sum(mine.map(({ gpuMinutes }) => gpuMinutes))) };
  });
}

/** The payer that an owner belongs to: "research" pays for "research, rag"; of several the one that says most. */
function payerOf(owner: OwnerWords, payers: Sharing["payers"]): OwnerWords | null {
  let found: OwnerWords | null = null;
  let most = -1;
  for (const { words } of payers) {
    const said = OWNER_FIELDS.filter((field) => words[field] !== "");
    if (said.length > most && said.every((field) => words[field] === owner[field])) {
      found = words;
      most = said.length;
    }
  }
  return found;
}

const atLeast0 = (minutes: bigint) => (minutes > 0n ? minutes : 0n);
