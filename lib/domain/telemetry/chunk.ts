/*
 * A sealed column: the values of one metric of one GPU over an hour, in few bytes. Lossless for what a `real` column and
 * an integer column hold; missing values are a presence bitmap, so a complete column pays nothing for it.
 *
 *   byte 0      kind (low 3 bits) and 8 when a presence bitmap follows (1 bit per instant, lowest bit first)
 *   CONSTANT    decimals, value
 *   PACKED      decimals, base, unit, width, then (value - base) / unit in `width` bits each
 *   DELTA       decimals, first value, base, unit, width, then the same of each step to the next value
 *   RAW         64-bit floats
 *   RAW_REAL    32-bit floats
 *
 * Numbers of the head are LEB128 varints, signed ones in zigzag. `decimals` is the power of ten that makes the values whole.
 * NaN stands for missing on both sides.
 */

/** What a stored chunk says of its format. */
export const CHUNK_CODEC = 1;

const KIND = { constant: 0, packed: 1, delta: 2, raw: 3, rawReal: 4 } as const;
const HAS_PRESENCE = 8;
const MOST_DECIMALS = 3;
/** Whole numbers beyond this are kept raw: sums and differences of two must stay within 32 bits. */
const MOST_WHOLE = 2 ** 30;

/** Packs a column; null when nothing is present. `isReal`: the values are 32-bit floats, else whole numbers up to 2^53. */
export function encodeColumn(values: ArrayLike<number>, isReal: boolean): Uint8Array | null {
  const present: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isNaN(value)) present.push(value);
  }
  if (present.length === 0) return null;
  const out = new ByteWriter();
  const flag = present.length < values.length ? HAS_PRESENCE : 0;
  const whole = toWhole(present, isReal);
  if (whole === null) {
    out.byte((isReal ? KIND.rawReal : KIND.raw) + flag);
    if (flag !== 0) writePresence(out, values);
    for (const value of present) out.float(value, isReal);
    return out.bytes();
  }
  const { numbers, decimals } = whole;
  const direct = frameOf(numbers, 0);
  const steps = stepsOf(numbers);
  const stepped = frameOf(steps, 0);
  const kind =
    direct.width === 0 ? KIND.constant : stepped.width + 1 < direct.width ? KIND.delta : (KIND.packed as number);
  out.byte(kind + flag);
  if (flag !== 0) writePresence(out, values);
  out.byte(decimals);
  if (kind === KIND.constant) out.signed(direct.base);
  else if (kind === KIND.packed) writeFrame(out, numbers, direct);
  else {
    out.signed(numbers[0] ?? 0);
    writeFrame(out, steps, stepped);
  }
  return out.bytes();
}

/** The inverse of `encodeColumn` for a column of `n` instants. Throws on bytes that it did not write. */
export function decodeColumn(bytes: Uint8Array | null, n: number): Float64Array {
  const values = new Float64Array(n);
  decodeInto(bytes, n, values, 0);
  return values;
}

/** The same into the places of a longer column from `from` on, each value plus `plus`: a month of hours is decoded where it stands. */
export function decodeInto(bytes: Uint8Array | null, n: number, into: Float64Array, from: number, plus = 0): void {
  if (bytes === null) {
    into.fill(Number.NaN, from, from + n);
    return;
  }
  const head = bytes[0] ?? 0;
  const reader = new ByteReader(bytes, 1);
  if ((head & HAS_PRESENCE) === 0) readValues(reader, head & 7, into, from, from + n, plus);
  else {
    const presence = reader.take(Math.ceil(n / 8));
    const packed = new Float64Array(bitsSet(presence));
    readValues(reader, head & 7, packed, 0, packed.length, plus);
    let next = 0;
    for (let i = 0; i < n; i++) {
      const isThere = (((presence[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
      into[from + i] = isThere ? (packed[next++] ?? Number.NaN) : Number.NaN;
    }
  }
}

function readValues(
  reader: ByteReader,
  kind: number,
  into: Float64Array,
  from: number,
  to: number,
  plus: number,
): void {
  if (kind === KIND.raw || kind === KIND.rawReal) {
    // A stored −0 stays one.
    for (let i = from; i < to; i++) into[i] = reader.float(kind === KIND.rawReal);
    if (plus !== 0) for (let i = from; i < to; i++) into[i] = (into[i] ?? 0) + plus;
    return;
  }
  const divisor = 10 ** reader.byte();
  if (kind === KIND.constant) into.fill(scaled(reader.signed(), divisor) + plus, from, to);
  else if (kind === KIND.packed) readFrame(reader, divisor, into, from, to);
  else if (kind === KIND.delta) readSteps(reader, divisor, into, from, to);
  else throw new RangeError(`Unknown kind ${kind} of a sealed column`);
  if (plus !== 0 && kind !== KIND.constant) for (let i = from; i < to; i++) into[i] = (into[i] ?? 0) + plus;
}

function scaled(whole: number, divisor: number): number {
  return divisor === 1 ? whole : Math.fround(whole / divisor);
}

/** The values as whole numbers after as few decimals as give back every one of them exactly; null when there are none such. */
function toWhole(values: readonly number[], isReal: boolean): { numbers: number[]; decimals: number } | null {
  for (let decimals = 0; decimals <= (isReal ? MOST_DECIMALS : 0); decimals++) {
    const factor = 10 ** decimals;
    const numbers: number[] = [];
    for (const value of values) {
      const whole = Math.round(value * factor);
      const back = isReal ? Math.fround(whole / factor) : whole;
      if (!(Math.abs(whole) <= MOST_WHOLE) || !Object.is(back, value) || Object.is(whole, -0)) break;
      numbers.push(whole);
    }
    if (numbers.length === values.length) return { numbers, decimals };
  }
  return null;
}

type Frame = { base: number; unit: number; width: number };

/** The lowest value, the greatest step that all distances from it share, and the bits of the greatest distance. */
function frameOf(numbers: readonly number[], none: number): Frame {
  let base = numbers[0] ?? none;
  let top = base;
  for (const one of numbers) {
    if (one < base) base = one;
    if (one > top) top = one;
  }
  let unit = 0;
  for (const one of numbers) {
    if (unit === 1) break;
    unit = commonDivisor(unit, one - base);
  }
  return { base, unit: Math.max(1, unit), width: bitsOf(unit === 0 ? 0 : (top - base) / unit) };
}

function commonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

function bitsOf(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

function stepsOf(numbers: readonly number[]): number[] {
  const steps: number[] = [];
  for (let i = 1; i < numbers.length; i++) steps.push((numbers[i] ?? 0) - (numbers[i - 1] ?? 0));
  return steps;
}

function writeFrame(out: ByteWriter, numbers: readonly number[], { base, unit, width }: Frame): void {
  out.signed(base);
  out.varint(unit);
  out.byte(width);
  let hold = 0;
  let held = 0;
  for (const one of numbers) {
    let rest = (one - base) / unit;
    let left = width;
    while (left > 0) {
      const room = Math.min(8 - held, left);
      hold |= (rest % 2 ** room) << held;
      rest = Math.floor(rest / 2 ** room);
      held += room;
      left -= room;
      if (held === 8) {
        out.byte(hold);
        hold = 0;
        held = 0;
      }
    }
  }
  if (held > 0) out.byte(hold);
}

function readSteps(reader: ByteReader, divisor: number, into: Float64Array, from: number, to: number): void {
  const first = reader.signed();
  const steps = readHead(reader, to - from - 1);
  if (to > from) into[from] = scaled(first, divisor);
  // Samples that come in time, which is most of them.
  if (steps.width === 0) for (let i = from + 1; i < to; i++) into[i] = scaled(first + steps.base * (i - from), divisor);
  else if (steps.width <= WIDEST_NARROW) readNarrow(steps, first, divisor, into, from + 1, to);
  else readWide(steps, first, divisor, into, from + 1, to);
}

function readFrame(reader: ByteReader, divisor: number, into: Float64Array, from: number, to: number): void {
  const packed = readHead(reader, to - from);
  if (packed.width === 0) into.fill(scaled(packed.base, divisor), from, to);
  else if (packed.width <= WIDEST_NARROW) readNarrow(packed, null, divisor, into, from, to);
  else readWide(packed, null, divisor, into, from, to);
}

/** What is held while reading byte after byte stays within 31 bits up to this width. */
const WIDEST_NARROW = 24;

type Packed = Frame & { bytes: Uint8Array };

function readHead(reader: ByteReader, count: number): Packed {
  const base = reader.signed();
  const unit = reader.varint();
  const width = reader.byte();
  if (width > 32) throw new RangeError("Not a sealed column");
  return { base, unit, width, bytes: reader.take(Math.ceil((Math.max(0, count) * width) / 8)) };
}

/** Numbers of `width` bits each; with `first` they are the steps from one value to the next. */
function readNarrow(
  { bytes, base, unit, width }: Packed,
  first: number | null,
  divisor: number,
  into: Float64Array,
  from: number,
  to: number,
): void {
  const mask = (1 << width) - 1;
  const isStep = first !== null;
  let value = first ?? 0;
  let hold = 0;
  let held = 0;
  let at = 0;
  for (let i = from; i < to; i++) {
    while (held < width) {
      hold |= (bytes[at++] ?? 0) << held;
      held += 8;
    }
    const read = base + unit * (hold & mask);
    value = isStep ? value + read : read;
    into[i] = divisor === 1 ? value : Math.fround(value / divisor);
    hold >>>= width;
    held -= width;
  }
}

function readWide(
  { bytes, base, unit, width }: Packed,
  first: number | null,
  divisor: number,
  into: Float64Array,
  from: number,
  to: number,
): void {
  const mask = width === 32 ? 0xffffffff : 2 ** width - 1;
  let value = first ?? 0;
  let bit = 0;
  for (let i = from; i < to; i++) {
    const at = bit >> 3;
    const shift = bit & 7;
    const low =
      ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>>
      shift;
    const high = shift === 0 ? 0 : ((bytes[at + 4] ?? 0) << (32 - shift)) >>> 0;
    const read = base + unit * (((low | high) & mask) >>> 0);
    value = first === null ? read : value + read;
    into[i] = scaled(value, divisor);
    bit += width;
  }
}

function writePresence(out: ByteWriter, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i += 8) {
    let bits = 0;
    for (let b = 0; b < 8 && i + b < values.length; b++) if (!Number.isNaN(values[i + b])) bits |= 1 << b;
    out.byte(bits);
  }
}

function bitsSet(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
}

class ByteWriter {
  private buffer = new Uint8Array(256);
  private length = 0;

  byte(value: number): void {
    if (this.length === this.buffer.length) {
      const larger = new Uint8Array(this.buffer.length * 2);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer[this.length++] = value;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  float(value: number, isReal: boolean): void {
    const bytes = new Uint8Array(isReal ? 4 : 8);
    const view = new DataView(bytes.buffer);
    if (isReal) view.setFloat32(0, value, true);
    else view.setFloat64(0, value, true);
    for (const byte of bytes) this.byte(byte);
  }

  bytes(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

class ByteReader {
  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  byte(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new RangeError("A sealed column ends too early");
    return value;
  }

  varint(): number {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = this.byte();
      value += (byte % 128) * place;
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  float(isReal: boolean): number {
    const { buffer, byteOffset } = this.take(isReal ? 4 : 8);
    const view = new DataView(buffer, byteOffset);
    return isReal ? view.getFloat32(0, true) : view.getFloat64(0, true);
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new RangeError("A sealed column ends too early");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}
