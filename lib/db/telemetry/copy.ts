import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/* PostgreSQL's binary COPY, both ways: many rows at the price of one statement, without a detour through text. */

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const HEAD_BYTES = SIGNATURE.length + 8;
/** Between 1970 and 2000, from where PostgreSQL counts. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Rows for `copyIn`: `row()`, then one call per column, in the order of the statement. */
export class CopyWriter {
  private bytesOf: Uint8Array<ArrayBuffer>;
  private view: DataView;
  private at = HEAD_BYTES;

  constructor(
    private readonly columns: number,
    expectedBytes = 65_536,
  ) {
    this.bytesOf = new Uint8Array(Math.max(1024, expectedBytes));
    this.view = new DataView(this.bytesOf.buffer);
    this.bytesOf.set(SIGNATURE);
  }

  row(): void {
    this.need(2);
    this.view.setInt16(this.at, this.columns);
    this.at += 2;
  }

  int2(value: number | null): void {
    if (!this.isValue(value, 2)) return;
    this.view.setInt16(this.at, value);
    this.at += 2;
  }

  int4(value: number | null): void {
    if (!this.isValue(value, 4)) return;
    this.view.setInt32(this.at, value);
    this.at += 4;
  }

  /** Whole numbers up to 2^53. */
  int8(value: number | null): void {
    if (!this.isValue(value, 8)) return;
    const high = Math.floor(value / 4_294_967_296);
    this.view.setInt32(this.at, high);
    this.view.setUint32(this.at + 4, value - high * 4_294_967_296);
    this.at += 8;
  }

  float4(value: number | null): void {
    if (!this.isValue(value, 4)) return;
    this.view.setFloat32(this.at, value);
    this.at += 4;
  }

  float8(value: number | null): void {
    if (!this.isValue(value, 8)) return;
    this.view.setFloat64(this.at, value);
    this.at += 8;
  }

  /** Epoch milliseconds. */
  timestamp(at: number): void {
    this.int8((at - EPOCH_MS) * 1000);
  }

  bytes(value: Uint8Array | null): void {
    if (!this.isValue(value, value?.length ?? 0)) return;
    this.bytesOf.set(value, this.at);
    this.at += value.length;
  }

  end(): Buffer {
    this.need(2);
    this.view.setInt16(this.at, -1);
    this.at += 2;
    return Buffer.from(this.bytesOf.buffer, 0, this.at);
  }

  private isValue<T>(value: T | null, length: number): value is T {
    this.need(4 + length);
    this.view.setInt32(this.at, value === null ? -1 : length);
    this.at += 4;
    return value !== null;
  }

  private need(bytes: number): void {
    if (this.at + bytes <= this.bytesOf.length) return;
    const larger = new Uint8Array(Math.max(this.bytesOf.length * 2, this.at + bytes));
    larger.set(this.bytesOf.subarray(0, this.at));
    this.bytesOf = larger;
    this.view = new DataView(larger.buffer);
  }
}

/** Rows of `copyOut`: `while (reader.row())`, then one call per column. A null number is NaN. */
export class CopyReader {
  private readonly view: DataView;
  private at = HEAD_BYTES;

  constructor(private readonly buffer: Buffer) {
    this.view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  }

  row(): boolean {
    if (this.at + 2 > this.buffer.length) return false;
    const columns = this.view.getInt16(this.at);
    this.at += 2;
    return columns >= 0;
  }

  int2(): number {
    return this.isNull() ? Number.NaN : this.view.getInt16(this.past(2));
  }

  int4(): number {
    return this.isNull() ? Number.NaN : this.view.getInt32(this.past(4));
  }

  int8(): number {
    if (this.isNull()) return Number.NaN;
    const from = this.past(8);
    return this.view.getInt32(from) * 4_294_967_296 + this.view.getUint32(from + 4);
  }

  float4(): number {
    return this.isNull() ? Number.NaN : this.view.getFloat32(this.past(4));
  }

  float8(): number {
    return this.isNull() ? Number.NaN : this.view.getFloat64(this.past(8));
  }

  /** Epoch milliseconds. */
  timestamp(): number {
    return this.int8() / 1000 + EPOCH_MS;
  }

  bytes(): Uint8Array | null {
    const length = this.view.getInt32(this.past(4));
    if (length < 0) return null;
    const from = this.past(length);
    return this.buffer.subarray(from, from + length);
  }

  private isNull(): boolean {
    return this.view.getInt32(this.past(4)) < 0;
  }

  private past(bytes: number): number {
    this.at += bytes;
    return this.at - bytes;
  }
}

/**
 * Runs statements of which as many are `copy … from stdin (format binary)` as there are bodies. What is copied goes out with
 * the statements, in one way to the server and back: after a statement that failed, the server leaves the rest unread.
 */
export function copyIn(client: pg.PoolClient, statements: string, bodies: Iterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statements, bodies, resolve, reject));
  });
}

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);

/** What the driver calls of the query that runs. */
class CopyIn implements pg.Submittable {
  constructor(
    private readonly statements: string,
    private readonly bodies: Iterable<Buffer>,
    readonly handleReadyForQuery: () => void,
    readonly handleError: (error: Error) => void,
  ) {}

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    connection.query(this.statements);
    try {
      for (const body of this.bodies) {
        const head = Buffer.alloc(5);
        head.writeUInt8(COPY_DATA);
        head.writeUInt32BE(body.length + 4, 1);
        stream.cork();
        stream.write(head);
        stream.write(body);
        stream.write(COPY_DONE);
        stream.uncork();
      }
    } catch (error) {
      // The server waits for the rest of a body: only the end of the connection ends that.
      stream.destroy(error as Error);
    }
  }

  handleCopyInResponse(): void {}
  handleCommandComplete(): void {}
}

/** Runs `copy (…) to stdout (format binary)`; what comes is held in memory, so the question must be bounded. */
export async function copyOut(client: pg.PoolClient, statement: string): Promise<CopyReader> {
  const chunks: Buffer[] = [];
  for await (const chunk of client.query(copyTo(statement))) chunks.push(chunk as Buffer);
  return new CopyReader(Buffer.concat(chunks));
}
