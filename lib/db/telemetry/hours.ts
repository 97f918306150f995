import type pg from "pg";
import { pool } from "@/lib/db/client";
import { decodeColumn, decodeInto } from "@/lib/domain/telemetry/chunk";
import { type SampleColumn, storageOf } from "./columns";
import { type CopyReader, copyOut } from "./copy";

export const HOUR_MS = 3_600_000;

/** Samples of one GPU, oldest first: their instants (epoch milliseconds), and of each asked column its values. NaN: missing. */
export type GpuColumns = { at: Float64Array; columns: Float64Array[] };

/** Instants of a chunk are kept as milliseconds after its hour. */
export const INSTANTS = "at";

/**
 * The samples of GPUs in [from, to), column by column: from sealed hours where they are sealed, else from hot rows. GPUs
 * without samples are left out. What is read into a room is good until that is cleared.
 */
export async function readColumns(
  gpuIds: readonly number[],
  columns: readonly SampleColumn[],
  from: number,
  to: number,
  room = new ColumnRoom(),
): Promise<Map<number, GpuColumns>> {
  if (gpuIds.length === 0 || !(from < to)) return new Map();
  const client = await pool().connect();
  let isWhole = false;
  try {
    // One instant for both: an hour that is sealed in between would be read twice, or not at all.
    await client.query("begin isolation level repeatable read read only");
    const sealed = await sealedHours(client, from, to);
    const parts = new Parts(columns.length, room);
    if (sealed.size > 0) await readChunks(client, gpuIds, columns, from, to, sealed, parts);
    for (const span of openSpans(sealed, from, to)) await readHot(client, gpuIds, columns, span, parts);
    await client.query("commit");
    isWhole = true;
    return parts.joined();
  } finally {
    client.release(!isWhole);
  }
}

async function sealedHours(client: pg.PoolClient, from: number, to: number): Promise<Set<number>> {
  const { rows } = await client.query<{ hour: Date }>(
    "select hour from telemetry_hour where hour >= $1 and hour < $2",
    [new Date(hourOf(from)), new Date(to)],
  );
  return new Set(rows.map((row) => row.hour.getTime()));
}

export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** The stretches of [from, to) whose hours are not sealed. */
export function openSpans(sealed: ReadonlySet<number>, from: number, to: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (let hour = hourOf(from); hour < to; hour += HOUR_MS) {
    if (sealed.has(hour)) continue;
    const last = spans.at(-1);
    const span = { from: Math.max(from, hour), to: Math.min(to, hour + HOUR_MS) };
    if (last && last.to === span.from) last.to = span.to;
    else spans.push(span);
  }
  return spans;
}

async function readChunks(
  client: pg.PoolClient,
  gpuIds: readonly number[],
  columns: readonly SampleColumn[],
  from: number,
  to: number,
  sealed: ReadonlySet<number>,
  parts: Parts,
): Promise<void> {
  const names = columns.map((column) => storageOf(column).name);
  const reader = await copyOut(
    client,
    `copy (select gpu_id, hour, n, ${[INSTANTS, ...names].join(", ")} from gpu_chunk
      where gpu_id in (${listed(gpuIds)}) and hour >= ${instant(hourOf(from))} and hour < ${instant(to)}) to stdout (format binary)`,
  );
  while (reader.row()) {
    const gpuId = reader.int4();
    const hour = reader.timestamp();
    const n = reader.int2();
    const instants = reader.bytes();
    const packed = names.map(() => reader.bytes());
    if (!sealed.has(hour) || n === 0) continue;
    if (hour >= from && hour + HOUR_MS <= to) {
      parts.addChunk(gpuId, { hour, n, instants, packed });
      continue;
    }
    const at = decodeColumn(instants, n);
    for (let i = 0; i < n; i++) at[i] = (at[i] ?? 0) + hour;
    const [first, end] = [lowerBound(at, from), lowerBound(at, to)];
    if (first >= end) continue;
    parts.add(
      gpuId,
      at.subarray(first, end),
      packed.map((bytes) => decodeColumn(bytes, n).subarray(first, end)),
    );
  }
}

async function readHot(
  client: pg.PoolClient,
  gpuIds: readonly number[],
  columns: readonly SampleColumn[],
  span: { from: number; to: number },
  parts: Parts,
): Promise<void> {
  const reader = await copyOut(
    client,
    `copy (select gpu_id, at, ${columns.map((column) => `s.${storageOf(column).name}`).join(", ")} from gpu_sample s
      where gpu_id in (${listed(gpuIds)}) and at >= ${instant(span.from)} and at < ${instant(span.to)}) to stdout (format binary)`,
  );
  for (const [gpuId, { at, columns: values }] of collectRows(reader, columns)) parts.add(gpuId, at, values);
}

/** Rows of (gpu_id, at, columns…) in any order, as columns per GPU in the order of time. */
export function collectRows(reader: CopyReader, columns: readonly SampleColumn[]): Map<number, GpuColumns> {
  const types = columns.map((column) => storageOf(column).type);
  const found = new Map<number, { at: number[]; columns: number[][] }>();
  while (reader.row()) {
    const gpuId = reader.int4();
    let gpu = found.get(gpuId);
    if (!gpu) {
      gpu = { at: [], columns: types.map(() => []) };
      found.set(gpuId, gpu);
    }
    gpu.at.push(reader.timestamp());
    for (const [i, type] of types.entries()) {
      const value =
        type === "real"
          ? reader.float4()
          : type === "int4"
            ? reader.int4()
            : type === "int8"
              ? reader.int8()
              : reader.int2();
      gpu.columns[i]?.push(value);
    }
  }
  return new Map([...found].map(([gpuId, gpu]) => [gpuId, inOrder(gpu)]));
}

function inOrder({ at, columns }: { at: number[]; columns: number[][] }): GpuColumns {
  const isSorted = at.every((one, i) => i === 0 || one > (at[i - 1] ?? 0));
  if (isSorted) return { at: Float64Array.from(at), columns: columns.map((column) => Float64Array.from(column)) };
  const order = at.map((_, i) => i).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  return {
    at: Float64Array.from(order, (i) => at[i] ?? 0),
    columns: columns.map((column) => Float64Array.from(order, (i) => column[i] ?? Number.NaN)),
  };
}

/** A sealed hour as it is stored: it is unpacked where its samples will stand. */
type Chunk = { hour: number; n: number; instants: Uint8Array | null; packed: (Uint8Array | null)[] };

type Piece = { start: number; size: number } & (
  | { chunk: Chunk }
  | { at: Float64Array; columns: readonly Float64Array[] }
);

/** Where columns are put; room that was cleared is used again, which spares a month of samples its garbage. */
export class ColumnRoom {
  private room = new Float64Array();
  private used = 0;
  private asked = 0;

  /** Room for so many values, which hold anything yet. */
  take(size: number): Float64Array {
    this.asked += size;
    if (this.used + size > this.room.length) return new Float64Array(size);
    this.used += size;
    return this.room.subarray(this.used - size, this.used);
  }

  /** What was put here is overwritten from now on. */
  clear(): void {
    if (this.asked > this.room.length) this.room = new Float64Array(this.asked);
    this.used = 0;
    this.asked = 0;
  }
}

/** What is read of each GPU, piece by piece, in any order. */
class Parts {
  private readonly found = new Map<number, Piece[]>();

  constructor(
    private readonly width: number,
    private readonly room: ColumnRoom,
  ) {}

  add(gpuId: number, at: Float64Array, columns: readonly Float64Array[]): void {
    this.of(gpuId).push({ start: at[0] ?? 0, size: at.length, at, columns });
  }

  addChunk(gpuId: number, chunk: Chunk): void {
    this.of(gpuId).push({ start: chunk.hour, size: chunk.n, chunk });
  }

  joined(): Map<number, GpuColumns> {
    return new Map([...this.found].map(([gpuId, pieces]) => [gpuId, this.join(pieces)]));
  }

  private of(gpuId: number): Piece[] {
    const pieces = this.found.get(gpuId) ?? [];
    if (pieces.length === 0) this.found.set(gpuId, pieces);
    return pieces;
  }

  private join(pieces: Piece[]): GpuColumns {
    const [only] = pieces;
    if (only && pieces.length === 1 && "at" in only) return { at: only.at, columns: [...only.columns] };
    pieces.sort((a, b) => a.start - b.start);
    const size = pieces.reduce((sum, piece) => sum + piece.size, 0);
    const at = this.room.take(size);
    const isMissing = (i: number) => pieces.every((piece) => "chunk" in piece && piece.chunk.packed[i] === null);
    const missing = Array.from({ length: this.width }, (_, i) => isMissing(i));
    const columns = missing.map((isNone) => (isNone ? nothing(size) : this.room.take(size)));
    let from = 0;
    for (const piece of pieces) {
      if ("chunk" in piece) {
        const { hour, n, instants, packed } = piece.chunk;
        decodeInto(instants, n, at, from, hour);
        for (const [i, column] of columns.entries()) if (!missing[i]) decodeInto(packed[i] ?? null, n, column, from);
      } else {
        at.set(piece.at, from);
        for (const [i, column] of columns.entries()) column.set(piece.columns[i] ?? [], from);
      }
      from += piece.size;
    }
    return { at, columns };
  }
}

let none = new Float64Array();

/** A column in which nothing is said, shared by all: it is read and never written. */
function nothing(size: number): Float64Array {
  if (none.length < size) none = new Float64Array(2 * size).fill(Number.NaN);
  return none.subarray(0, size);
}

/** The first place whose instant is not before `limit`. */
function lowerBound(at: Float64Array, limit: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Our own whole numbers, for a statement that takes no parameters. */
export function listed(ids: readonly number[]): string {
  return ids.map((id) => Math.trunc(id)).join(", ");
}

export function instant(at: number): string {
  return `'${new Date(at).toISOString()}'`;
}
