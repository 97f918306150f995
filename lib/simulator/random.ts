/** Randomness as a function: the same seed gives the same cloud, and any instant can be asked for alone. */

/** 32-bit hash of two integers (the finaliser of MurmurHash3). */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32-bit hash of a text (FNV-1a, mixed). */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}

/** A number in [0, 1) that belongs to this seed and place. */
export function unit(seed: number, place: number): number {
  return mix(seed, place) / 0x1_0000_0000;
}

/** A curve through [0, 1) that changes over about one unit of `x`. */
export function smoothNoise(seed: number, x: number): number {
  const left = Math.floor(x);
  const part = x - left;
  const a = unit(seed, left);
  const b = unit(seed, left + 1);
  return a + (b - a) * part * part * (3 - 2 * part);
}

/** A whole number in [from, to] that belongs to this seed and place. */
export function between(seed: number, place: number, from: number, to: number): number {
  return from + Math.floor(unit(seed, place) * (to - from + 1));
}

/** A standard normal deviate (Box and Muller). */
export function normal(seed: number, place: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - unit(seed, place * 2)));
  return radius * Math.cos(2 * Math.PI * unit(seed, place * 2 + 1));
}

/** `length` lowercase hexadecimal digits that belong to this seed and name. */
export function hex(seed: number, name: string, length = 32): string {
  const start = mix(seed, hashText(name));
  let digits = "";
  for (let i = 0; digits.length < length; i++) digits += mix(start, i).toString(16).padStart(8, "0");
  return digits.slice(0, length);
}

/** A dashed UUID of version 4 that belongs to this seed and name. */
export function uuid(seed: number, name: string): string {
  const digits = hex(seed, name);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join("-");
}
