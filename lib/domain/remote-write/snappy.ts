/** What is wrong with a body, for its sender. `isTooLarge`: it is well-formed as far as read, and more than is taken. */
export class BodyError extends Error {
  constructor(
    message: string,
    readonly isTooLarge = false,
  ) {
    super(message);
  }
}

const MALFORMED = "The body is not the snappy block that its header says";

/**
 * Unpacks one block of snappy (not the framed stream). The length that the block names is checked before anything is allocated,
 * every copy is held to the output, and the whole is refused unless it fills that length exactly.
 */
export function unpackSnappy(packed: Uint8Array, limit: number): Uint8Array {
  const { length, start } = readLength(packed);
  if (length > limit) throw new BodyError(`The body grows to ${length} bytes; ${limit} are taken at most`, true);
  // No element makes more than 64 bytes out of 3: a header that promises more is a bomb or nonsense.
  if (length > packed.length * 22 + 64) throw new BodyError(MALFORMED);
  const out = new Uint8Array(length);
  let at = 0;
  let pos = start;
  while (pos < packed.length) {
    const tag = packed[pos] ?? 0;
    pos += 1;
    if ((tag & 3) === 0) {
      const size = literalSize(packed, pos, tag >> 2);
      pos += size.bytes;
      if (pos + size.length > packed.length || at + size.length > length) throw new BodyError(MALFORMED);
      copyWithin(packed, pos, out, at, size.length);
      pos += size.length;
      at += size.length;
      continue;
    }
    const bytes = tag & 3 ? (OFFSET_BYTES[tag & 3] ?? 0) : 0;
    if (pos + bytes > packed.length) throw new BodyError(MALFORMED);
    const isShort = (tag & 3) === 1;
    const size = isShort ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = littleEndian(packed, pos, bytes) + (isShort ? (tag >> 5) * 256 : 0);
    pos += bytes;
    if (offset === 0 || offset > at || at + size > length) throw new BodyError(MALFORMED);
    // Byte by byte: where the offset is shorter than the copy, it repeats what it has just written.
    for (let i = 0; i < size; i += 1) out[at + i] = out[at - offset + i] ?? 0;
    at += size;
  }
  if (at !== length) throw new BodyError(MALFORMED);
  return out;
}

const OFFSET_BYTES = [0, 1, 2, 4];

function readLength(packed: Uint8Array): { length: number; start: number } {
  let length = 0;
  for (let i = 0; i < 5; i += 1) {
    const byte = packed[i];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) {
      if (length > 0xffffffff) break;
      return { length, start: i + 1 };
    }
  }
  throw new BodyError(MALFORMED);
}

/** A literal's size stands in its tag, or in the one to four bytes behind it. */
function literalSize(packed: Uint8Array, pos: number, code: number): { length: number; bytes: number } {
  if (code < 60) return { length: code + 1, bytes: 0 };
  const bytes = code - 59;
  if (pos + bytes > packed.length) throw new BodyError(MALFORMED);
  return { length: littleEndian(packed, pos, bytes) + 1, bytes };
}

function littleEndian(bytes: Uint8Array, pos: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i -= 1) value = value * 256 + (bytes[pos + i] ?? 0);
  return value;
}

function copyWithin(from: Uint8Array, pos: number, to: Uint8Array, at: number, length: number): void {
  if (length > 24) to.set(from.subarray(pos, pos + length), at);
  else for (let i = 0; i < length; i += 1) to[at + i] = from[pos + i] ?? 0;
}
