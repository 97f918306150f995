import { type Micros, roundHalfAway, sum } from "./money";

/** What machines of one key (a type in a region, a team …) were billed for in two windows: GPU-minutes of known price, and their cost. */
export type WhyCell = {
  key: string;
  before: { gpuMinutes: bigint; micros: Micros };
  own: { gpuMinutes: bigint; micros: Micros };
};

/** What makes the difference of one key; the four add up to it. */
export type WhyEffects = { hours: Micros; volume: Micros; mix: Micros; price: Micros };

/**
 * Why the machines of one window did not cost what they cost in another. Between the two costs lie three levels for each key, each
 * rounded once: what it would have cost had the window only been as long as the other (hours), had all machines run as much
 * more as all of them did (volume), had each run as it did at the old price (mix); the rest is price. Effects are differences
 * of neighbouring levels, so they add up to the difference, key by key and over all, and nothing is left over. A key that is new
 * has no old price: what it costs is mix, or volume where there was nothing before.
 */
export function whyOf(
  cells: readonly WhyCell[],
  windowMs: { before: number; own: number },
): { total: WhyEffects; byKey: Map<string, WhyEffects> } {
  if (windowMs.before <= 0) throw new RangeError("The window before lasts no time");
  const [msBefore, msOwn] = [BigInt(windowMs.before), BigInt(windowMs.own)];
  const volumeBefore = sum(cells.map(({ before }) => before.gpuMinutes));
  const volumeOwn = sum(cells.map(({ own }) => own.gpuMinutes));
  const byKey = new Map(
    cells.map(({ key, before, own }) => {
      const asLong = roundHalfAway(before.micros * msOwn, msBefore);
      const atOldPrice =
        before.gpuMinutes > 0n ? roundHalfAway(own.gpuMinutes * before.micros, before.gpuMinutes) : own.micros;
      const asMuch = volumeBefore > 0n ? roundHalfAway(before.micros * volumeOwn, volumeBefore) : atOldPrice;
      return [
        key,
        {
          hours: asLong - before.micros,
          volume: asMuch - asLong,
          mix: atOldPrice - asMuch,
          price: own.micros - atOldPrice,
        },
      ] as const;
    }),
  );
  const all = [...byKey.values()];
  return {
    total: {
      hours: sum(all.map(({ hours }) => hours)),
      volume: sum(all.map(({ volume }) => volume)),
      mix: sum(all.map(({ mix }) => mix)),
      price: sum(all.map(({ price }) => price)),
    },
    byKey,
  };
}

/** Steps of a bridge, in its order; `corrections` are those of earlier months that count in this one. */
export const WHY_STEPS = [
  "hours",
  "volume",
  "mix",
  "price",
  "storage",
  "commitment",
  "credit",
  "tax",
  "adjustment",
  "rounding",
  "corrections",
  "unexplained",
] as const;
export type WhyStep = (typeof WHY_STEPS)[number];

/** Those that are always said, also where they are nothing. */
const ALWAYS: readonly WhyStep[] = ["volume", "mix", "price", "unexplained"];

export type ByCharge = Partial<Record<Exclude<WhyStep, "hours" | "volume" | "mix" | "price" | "unexplained">, Micros>>;

/** From the one total to the other: each step with where it begins. What no step explains is one of its own, so that nobody has to look for it. */
export function bridgeOf(
  beforeMicros: Micros,
  ownMicros: Micros,
  effects: WhyEffects,
  before: ByCharge,
  own: ByCharge,
): { step: WhyStep; fromMicros: Micros; micros: Micros }[] {
  const changes = WHY_STEPS.slice(0, -1).map((step) => {
    if (step === "hours" || step === "volume" || step === "mix" || step === "price")
      return { step, micros: effects[step] };
    const charge = step as keyof ByCharge;
    return { step, micros: (own[charge] ?? 0n) - (before[charge] ?? 0n) };
  });
  const unexplained = ownMicros - beforeMicros - sum(changes.map(({ micros }) => micros));
  let reached = beforeMicros;
  return [...changes, { step: "unexplained" as const, micros: unexplained }]
    .filter(({ step, micros }) => micros !== 0n || ALWAYS.includes(step))
    .map(({ step, micros }) => {
      const fromMicros = reached;
      reached += micros;
      return { step, fromMicros, micros };
    });
}
