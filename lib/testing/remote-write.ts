import { PbfWriter } from "pbf";
import SnappyJS from "snappyjs";

/** One series as a sender of remote write has it; a value as bytes is a double by its bits. */
export type WrittenSeries = {
  labels: Record<string, string>;
  samples: (readonly [value: number | Uint8Array, at: number])[];
};

// The writer of pbf spoils characters beyond U+1FFFF.
const utf8 = new TextEncoder();

/** A WriteRequest, not packed yet. */
export function encodeWrite(series: readonly WrittenSeries[]): Uint8Array {
  const request = new PbfWriter();
  for (const { labels, samples } of series) {
    request.writeMessage(
      1,
      (_, one) => {
        for (const [name, value] of Object.entries(labels))
          one.writeMessage(
            1,
            (_label, label) => {
              label.writeBytesField(1, utf8.encode(name));
              label.writeBytesField(2, utf8.encode(value));
            },
            null,
          );
        for (const [value, at] of samples)
          one.writeMessage(
            2,
            (_sample, sample) => {
              if (typeof value === "number") sample.writeDoubleField(1, value);
              else for (const byte of [9, ...value]) sample.buf[sample.pos++] = byte;
              sample.writeVarintField(2, at);
            },
            null,
          );
        // An exemplar and a native histogram, which are skipped.
        one.writeBytesField(3, new Uint8Array([1, 2, 3]));
        one.writeBytesField(4, new Uint8Array([8, 1]));
      },
      null,
    );
  }
  request.writeBytesField(3, new Uint8Array([8, 1]));
  return request.finish();
}

/** A body of remote write 1.0, packed. */
export function writeBody(series: readonly WrittenSeries[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(SnappyJS.compress(encodeWrite(series)));
}
