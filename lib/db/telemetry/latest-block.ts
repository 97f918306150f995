import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { emptyValues } from "@/lib/domain/telemetry/sample";

/*
 * The newest sample of each GPU of one sender in one value, so that a report costs one row and not one per GPU. Per GPU, in
 * PostgreSQL's own binary forms: gpu_id int4, at timestamptz, missing int8, the wide metrics float4 (NaN = null), throttle
 * reasons int4 and uncorrected errors int4 (the lowest int4 = null).
 */

export type Newest = {
  gpuId: number;
  /** Epoch milliseconds. */
  at: number;
  values: Record<WideMetric, number | null>;
  throttleReasons: number | null;
  eccUncorrected: number | null;
  missing: number | null;
};

const RECORD_BYTES = 4 + 8 + 8 + 4 * WIDE_METRICS.length + 4 + 4;
const EPOCH_MS = Date.UTC(2000, 0, 1);
const NO_COUNT = -2_147_483_648;

export function encodeBlock(newest: readonly Newest[]): Buffer {
  const view = new DataView(new ArrayBuffer(newest.length * RECORD_BYTES));
  let at = 0;
  for (const one of newest) {
    view.setInt32(at, one.gpuId);
    writeInt8(view, at + 4, (one.at - EPOCH_MS) * 1000);
    writeInt8(view, at + 12, one.missing ?? 0);
    at += 20;
    for (const metric of WIDE_METRICS) {
      view.setFloat32(at, one.values[metric] ?? Number.NaN);
      at += 4;
    }
    view.setInt32(at, one.throttleReasons ?? NO_COUNT);
    view.setInt32(at + 4, one.eccUncorrected ?? NO_COUNT);
    at += 8;
  }
  return Buffer.from(view.buffer);
}

export function decodeBlock(block: Buffer): Newest[] {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const newest: Newest[] = [];
  for (let from = 0; from + RECORD_BYTES <= block.length; from += RECORD_BYTES) {
    const values = emptyValues();
    let at = from + 20;
    for (const metric of WIDE_METRICS) {
      const value = view.getFloat32(at);
      if (!Number.isNaN(value)) values[metric] = value;
      at += 4;
    }
    newest.push({
      gpuId: view.getInt32(from),
      at: readInt8(view, from + 4) / 1000 + EPOCH_MS,
      missing: readInt8(view, from + 12) || null,
      values,
      throttleReasons: countOrNull(view.getInt32(at)),
      eccUncorrected: countOrNull(view.getInt32(at + 4)),
    });
  }
  return newest;
}

/** The newer of two looks at one GPU; of the same instant, each fills what the other lacks. */
export function newerOf(a: Newest, b: Newest): Newest {
  if (a.at !== b.at) return a.at > b.at ? a : b;
  const values = emptyValues();
  for (const metric of WIDE_METRICS) values[metric] = a.values[metric] ?? b.values[metric];
  return {
    ...a,
    values,
    throttleReasons: a.throttleReasons ?? b.throttleReasons,
    eccUncorrected: a.eccUncorrected ?? b.eccUncorrected,
    missing: mergeMissing(a.missing, b.missing, values),
  };
}

/** Of two lists of reasons the stronger ones, and none where there is a value. `not_reported` (1) is the weakest. */
function mergeMissing(a: number | null, b: number | null, values: Newest["values"]): number | null {
  let merged = 0;
  let place = 1;
  let [restA, restB] = [a ?? 0, b ?? 0];
  for (const metric of WIDE_METRICS) {
    if (values[metric] === null) merged += Math.max(restA % 16, restB % 16) * place;
    [restA, restB] = [Math.floor(restA / 16), Math.floor(restB / 16)];
    place *= 16;
  }
  return merged === 0 ? null : merged;
}

/** The same for the same GPUs, in any order: whether one block speaks of what another does. */
export function setOf(gpuIds: readonly number[]): number {
  let [a, b] = [2_166_136_261, 5381];
  for (const id of [...gpuIds].sort((x, y) => x - y)) {
    a = Math.imul(a ^ id, 16_777_619) >>> 0;
    b = (Math.imul(b, 33) + id) >>> 0;
  }
  return (a % 2_097_152) * 4_294_967_296 + b;
}

function countOrNull(value: number): number | null {
  return value === NO_COUNT ? null : value;
}

function writeInt8(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / 4_294_967_296);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * 4_294_967_296);
}

function readInt8(view: DataView, at: number): number {
  return view.getInt32(at) * 4_294_967_296 + view.getUint32(at + 4);
}
