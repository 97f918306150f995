import { hashText, unit } from "@/lib/simulator/random";

/** Chance that is the same for the same seed, as long as it is asked in the same order. */
export type Dice = {
  /** From 0 to below 1. */
  draw(): number;
  happens(chance: number): boolean;
  /** From 1 to `most`. */
  upTo(most: number): number;
  pick<T>(list: readonly T[]): T | undefined;
  /** A number that was never given before. */
  next(): number;
};

export function diceOf(seed: string): Dice {
  const hash = hashText(seed);
  let draws = 0;
  const draw = () => unit(hash, draws++);
  return {
    draw,
    happens: (chance) => draw() < chance,
    upTo: (most) => 1 + Math.floor(draw() * most),
    pick: (list) => list[Math.floor(draw() * list.length)],
    next: () => draws++,
  };
}
