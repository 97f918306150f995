import { boundedInstant, type Labels, PAGE_LIMITS, type Sample } from "@/lib/domain/exposition/page";
import { Memory, Protobuf, WIRE } from "./protobuf";
import { BodyError, unpackSnappy } from "./snappy";

export const WRITE_LIMITS = {
  /** As Prometheus itself takes at most. */
  bytes: 32 * 1024 * 1024,
  samples: 200_000,
  series: 400_000,
};

/** What of a request was of use, and what was not. */
export type WriteRequest = {
  samples: Sample[];
  /** Samples of series that nobody here has a use for. An existing Prometheus sends everything it has. */
  ignored: number;
  /** Marks that a series has ended. */
  stale: number;
  /** Series that cannot be taken, and why, by reason. */
  malformed: Map<string, number>;
};

/** Unpacks and reads a body of remote write 1.0. Exemplars, histograms and metadata are skipped. Throws a BodyError. */
export function readWriteRequest(body: Uint8Array, isWanted: (name: string) => boolean): WriteRequest {
  return decodeWriteRequest(unpackSnappy(body, WRITE_LIMITS.bytes), isWanted);
}

export function decodeWriteRequest(bytes: Uint8Array, isWanted: (name: string) => boolean): WriteRequest {
  const reader = new Protobuf(bytes);
  const request: WriteRequest = { samples: [], ignored: 0, stale: 0, malformed: new Map() };
  const end = bytes.length;
  const wanted = new Map<string, boolean>();
  const isUseful = (name: string) => {
    let known = wanted.get(name);
    if (known === undefined) {
      known = isWanted(name);
      wanted.set(name, known);
    }
    return known;
  };
  const labelsRead: LabelMemory = new Memory(bytes);
  let series = 0;
  while (reader.next(end)) {
    if (reader.field !== 1) {
      reader.skip(end);
      continue;
    }
    series += 1;
    if (series > WRITE_LIMITS.series)
      throw new BodyError(`The body holds more than ${WRITE_LIMITS.series} series`, true);
    const to = reader.length(end);
    readSeries(reader, to, request, isUseful, labelsRead);
    reader.pos = to;
  }
  return request;
}

type LabelMemory = Memory<readonly [name: string, value: string] | null>;

function readSeries(
  reader: Protobuf,
  end: number,
  request: WriteRequest,
  isUseful: (name: string) => boolean,
  known: LabelMemory,
): void {
  const start = reader.pos;
  const name = nameOf(reader, end, known);
  const isTaken = name !== null && isUseful(name);
  reader.pos = start;
  const read = isTaken ? readLabels(reader, end, known) : [];
  const problem = name === null ? "a series without __name__" : typeof read === "string" ? read : null;
  if (problem !== null) request.malformed.set(problem, (request.malformed.get(problem) ?? 0) + 1);
  const labels = typeof read === "string" ? [] : read;

  reader.pos = start;
  while (reader.next(end)) {
    if (reader.field !== 2) {
      reader.skip(end);
      continue;
    }
    const to = reader.length(end);
    const { value, at, isStale } = readSample(reader, to);
    reader.pos = to;
    if (problem !== null) continue;
    if (isStale) request.stale += 1;
    else if (!isTaken || name === null) request.ignored += 1;
    else if (request.samples.length >= WRITE_LIMITS.samples)
      throw new BodyError(`The body holds more than ${WRITE_LIMITS.samples} samples`, true);
    else request.samples.push({ name, labels, value, at });
  }
}

/** The name of a series, without reading the labels of one that is not wanted. */
function nameOf(reader: Protobuf, end: number, known: LabelMemory): string | null {
  let found: string | null = null;
  while (reader.next(end)) {
    if (reader.field !== 1) {
      reader.skip(end);
      continue;
    }
    const to = reader.length(end);
    if (found === null && isNameLabel(reader.bytes, reader.pos, to)) found = readLabel(reader, to, known)?.[1] || null;
    reader.pos = to;
  }
  return found;
}

// field 1, 8 bytes, `__name__`: senders write the name of a label before its value.
const NAME_LABEL = [0x0a, 8, 0x5f, 0x5f, 0x6e, 0x61, 0x6d, 0x65, 0x5f, 0x5f];

function isNameLabel(bytes: Uint8Array, pos: number, end: number): boolean {
  if (end - pos < NAME_LABEL.length) return false;
  for (let i = 0; i < NAME_LABEL.length; i += 1) if (bytes[pos + i] !== NAME_LABEL[i]) return false;
  return true;
}

/** All labels but the name; a text says why they cannot be taken. */
function readLabels(reader: Protobuf, end: number, known: LabelMemory): Labels | string {
  const labels: string[] = [];
  let names = 0;
  while (reader.next(end)) {
    if (reader.field !== 1) {
      reader.skip(end);
      continue;
    }
    const to = reader.length(end);
    const label = readLabel(reader, to, known);
    reader.pos = to;
    if (label === null) return "a label that is not UTF-8";
    const [name, value] = label;
    if (name === "__name__") names += 1;
    if (names > 1 || (name !== "__name__" && hasLabel(labels, name))) return "a label that comes twice";
    if (name === "" || name.length > PAGE_LIMITS.name || value.length > PAGE_LIMITS.labelValue)
      return "a label that is empty or too long";
    if (name !== "__name__" && value !== "") labels.push(name, value);
    if (labels.length > 2 * PAGE_LIMITS.labels) return `more than ${PAGE_LIMITS.labels} labels`;
  }
  return labels;
}

function hasLabel(labels: Labels, name: string): boolean {
  for (let i = 0; i < labels.length; i += 2) if (labels[i] === name) return true;
  return false;
}

function readLabel(reader: Protobuf, end: number, known: LabelMemory): readonly [name: string, value: string] | null {
  return known.get(reader.pos, end, () => {
    let name: string | null = "";
    let value: string | null = "";
    while (reader.next(end)) {
      if (reader.field === 1) name = reader.text(end);
      else if (reader.field === 2) value = reader.text(end);
      else reader.skip(end);
    }
    return name === null || value === null ? null : [name, value];
  });
}

function readSample(reader: Protobuf, end: number): { value: number; at: number; isStale: boolean } {
  let value = 0;
  let at = 0;
  let isStale = false;
  while (reader.next(end)) {
    if (reader.field === 1) {
      const read = reader.double(end);
      value = read.value;
      // The one NaN by which Prometheus says that a series has ended.
      isStale = read.high === 0x7ff00000 && read.low === 2;
    } else if (reader.field === 2 && reader.wire === WIRE.varint) at = boundedInstant(reader.int64(end));
    else reader.skip(end);
  }
  return { value, at, isStale };
}
