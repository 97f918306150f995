import { pool } from "@/lib/db/client";
import { storageOf } from "@/lib/db/telemetry/columns";
import { copyOut } from "@/lib/db/telemetry/copy";
import { instant, listed, readColumns } from "@/lib/db/telemetry/hours";
import type { JudgedColumn } from "@/lib/domain/alerts/gpu-values";
import { RecentSamples, type SampleRows } from "@/lib/domain/alerts/recent";

const LATE = 1;
/** Below so many GPUs they are named, above all are read: a list of ten thousand is work of its own. */
const NAMED_AT_MOST = 500;

/** The samples of (from, to] that rules may judge: of these GPUs, and of others where there are many. */
export async function readRecent(
  gpuIds: readonly number[],
  columns: readonly JudgedColumn[],
  from: number,
  to: number,
): Promise<RecentSamples> {
  if (gpuIds.length === 0) return none();
  const names = columns.map((column) => storageOf(column));
  const which = gpuIds.length <= NAMED_AT_MOST ? `gpu_id in (${listed(gpuIds)}) and` : "";
  const client = await pool().connect();
  try {
    const reader = await copyOut(
      client,
      `copy (select gpu_id, at, quality${names.map(({ name }) => `, ${name}`).join("")} from gpu_sample
        where ${which} at > ${instant(from)} and at <= ${instant(to)}) to stdout (format binary)`,
    );
    const rows = new GrowingRows(columns);
    while (reader.row()) {
      rows.begin(reader.int4(), reader.timestamp(), reader.int2() & LATE);
      for (const [i, { type }] of names.entries())
        rows.set(i, type === "real" ? reader.float4() : type === "int4" ? reader.int4() : reader.int8());
    }
    return new RecentSamples(rows.done());
  } finally {
    client.release();
  }
}

/** The same over longer windows, from sealed hours where there are any. */
export async function readPast(
  gpuIds: readonly number[],
  columns: readonly JudgedColumn[],
  from: number,
  to: number,
): Promise<RecentSamples> {
  const found = await readColumns(gpuIds, [...columns, "quality"], from, to + 1);
  const size = [...found.values()].reduce((total, gpu) => total + gpu.at.length, 0);
  const gpus = new Int32Array(size);
  const at = new Float64Array(size);
  const isLate = new Uint8Array(size);
  const values = columns.map(() => new Float64Array(size));
  let place = 0;
  for (const [gpuId, gpu] of found) {
    gpus.fill(gpuId, place, place + gpu.at.length);
    at.set(gpu.at, place);
    for (const [i, column] of gpu.columns.entries()) {
      if (i < columns.length) values[i]?.set(column, place);
      else
        isLate.set(
          Uint8Array.from(column, (quality) => (Number.isNaN(quality) ? 0 : quality & LATE)),
          place,
        );
    }
    place += gpu.at.length;
  }
  return new RecentSamples({
    size,
    gpuIds: gpus,
    at,
    isLate,
    columns: Object.fromEntries(columns.map((column, i) => [column, values[i] ?? new Float64Array(0)])),
  });
}

function none(): RecentSamples {
  return new RecentSamples(new GrowingRows([]).done());
}

/** Columns that grow by doubling: ten thousand GPUs bring a hundred thousand rows. */
class GrowingRows {
  private size = 0;
  private gpuIds = new Int32Array(1_024);
  private at = new Float64Array(1_024);
  private isLate = new Uint8Array(1_024);
  private values: Float32Array[];

  constructor(private readonly columns: readonly JudgedColumn[]) {
    this.values = columns.map(() => new Float32Array(1_024));
  }

  begin(gpuId: number, at: number, isLate: number): void {
    if (this.size === this.at.length) this.grow();
    this.gpuIds[this.size] = gpuId;
    this.at[this.size] = at;
    this.isLate[this.size] = isLate;
    this.size++;
  }

  set(column: number, value: number): void {
    const values = this.values[column];
    if (values) values[this.size - 1] = value;
  }

  done(): SampleRows {
    const { size, gpuIds, at, isLate } = this;
    const columns = Object.fromEntries(
      this.columns.map((column, i) => [column, this.values[i] ?? new Float32Array(0)]),
    );
    return { size, gpuIds, at, isLate, columns };
  }

  private grow(): void {
    const length = this.size * 2;
    const grown = <T extends Int32Array | Float64Array | Uint8Array | Float32Array>(into: T, from: T): T => {
      into.set(from);
      return into;
    };
    this.gpuIds = grown(new Int32Array(length), this.gpuIds);
    this.at = grown(new Float64Array(length), this.at);
    this.isLate = grown(new Uint8Array(length), this.isLate);
    this.values = this.values.map((values) => grown(new Float32Array(length), values));
  }
}
