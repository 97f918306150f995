import { createHash, timingSafeEqual } from "node:crypto";

export function hashBytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(text).digest());
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The one id that an act of a policy on a target in a slot can have: the same again is the same intent. */
export function policyIntentId(policyId: string, kind: string, target: string, slot: Date): string {
  return derivedId(policyId, kind, target, slot.toISOString());
}

/** The id of the nth machine of a launch of several; the first has the launch's own, which the form made. */
export function batchIntentId(intentId: string, index: number): string {
  return index === 0 ? intentId : derivedId(intentId, "batch", index);
}

/** An id that always comes of the same parts. (UUID version 8) */
export function derivedId(...parts: unknown[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(parts)).digest();
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
