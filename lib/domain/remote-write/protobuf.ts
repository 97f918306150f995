import { BodyError } from "./snappy";

const MALFORMED = "The body is not a WriteRequest of remote write 1.0 (protobuf)";

/** Kinds of value that protobuf has. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Reads protobuf, each message held to its own end: nothing is read that lies beyond the message it belongs to. */
export class Protobuf {
  pos = 0;
  field = 0;
  wire = 0;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads the next key; false at the end of the message. */
  next(end: number): boolean {
    if (this.pos >= end) return false;
    const key = this.varint(end);
    this.field = Math.floor(key / 8);
    this.wire = key % 8;
    if (this.field === 0) throw new BodyError(MALFORMED);
    return true;
  }

  /** A number of up to 53 bits; what is greater comes out rounded. */
  varint(end: number): number {
    let value = 0;
    for (let i = 0; i < 10; i += 1) {
      const byte = this.#byte(end);
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw new BodyError(MALFORMED);
  }

  /** A signed number, as protobuf's int64 is written: a negative one in ten bytes, the complement of 64 bits. */
  int64(end: number): number {
    const from = this.pos;
    const value = this.varint(end);
    if (value < 2 ** 63) return value;
    let complement = 0;
    for (let i = 0; i < 9; i += 1) complement += (~(this.bytes[from + i] ?? 0) & 0x7f) * 2 ** (7 * i);
    return -complement - 1;
  }

  /** The end of a message or text that begins here. */
  length(end: number): number {
    if (this.wire !== WIRE.bytes) throw new BodyError(MALFORMED);
    const size = this.varint(end);
    if (size > end - this.pos) throw new BodyError(MALFORMED);
    return this.pos + size;
  }

  /** The two halves of a double, of which the bits matter where it is no number. */
  double(end: number): { value: number; high: number; low: number } {
    if (this.wire !== WIRE.fixed64 || end - this.pos < 8) throw new BodyError(MALFORMED);
    const value = this.#view.getFloat64(this.pos, true);
    const low = this.#view.getUint32(this.pos, true);
    const high = this.#view.getUint32(this.pos + 4, true);
    this.pos += 8;
    return { value, high, low };
  }

  /** A text; null where it is not UTF-8. */
  text(end: number): string | null {
    const to = this.length(end);
    const bytes = this.bytes.subarray(this.pos, to);
    this.pos = to;
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return null;
    }
  }

  skip(end: number): void {
    if (this.wire === WIRE.varint) this.varint(end);
    else if (this.wire === WIRE.bytes) this.pos = this.length(end);
    else if (this.wire === WIRE.fixed64) this.pos += 8;
    else if (this.wire === WIRE.fixed32) this.pos += 4;
    else throw new BodyError(MALFORMED);
    if (this.pos > end) throw new BodyError(MALFORMED);
  }

  #byte(end: number): number {
    const byte = this.bytes[this.pos];
    if (byte === undefined || this.pos >= end) throw new BodyError(MALFORMED);
    this.pos += 1;
    return byte;
  }
}

const MOST_REMEMBERED = 65_536;

/** The same few parts come thousands of times in one request: each is read once, and found again by its bytes. */
export class Memory<T> {
  readonly #known = new Map<number, { start: number; end: number; value: T }>();

  constructor(readonly bytes: Uint8Array) {}

  get(start: number, end: number, read: () => T): T {
    let hash = end - start;
    for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ (this.bytes[i] ?? 0), 0x01000193);
    const known = this.#known.get(hash);
    if (known && this.#isSame(known.start, known.end, start, end)) return known.value;
    const value = read();
    if (this.#known.size < MOST_REMEMBERED) this.#known.set(hash, { start, end, value });
    return value;
  }

  #isSame(aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
    const { bytes } = this;
    if (aEnd - aStart !== bEnd - bStart) return false;
    for (let i = 0; i < bEnd - bStart; i += 1) if (bytes[aStart + i] !== bytes[bStart + i]) return false;
    return true;
  }
}
