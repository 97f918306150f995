import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS } from "@/lib/testing/mutate";
import { encodeWrite, writeBody } from "@/lib/testing/remote-write";
import { decodeWriteRequest, readWriteRequest } from "./request";
import { BodyError, unpackSnappy } from "./snappy";

vi.setConfig({ testTimeout: FUZZ_TIMEOUT_MS });

const series = fc.record({
  labels: fc
    .dictionary(
      fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,20}$/),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
      {
        maxKeys: 6,
      },
    )
    .map((labels) => ({ __name__: "m", ...labels })),
  samples: fc.array(fc.tuple(fc.double(), fc.integer({ min: -(2 ** 52), max: 2 ** 52 })), { maxLength: 4 }),
});

test("what was sent well is read as it was", () => {
  fc.assert(
    fc.property(fc.array(series, { maxLength: 6 }), (list) => {
      const { samples, malformed } = readWriteRequest(writeBody(list), () => true);
      expect(malformed.size).toBe(0);
      expect(samples.map(({ labels, value, at }) => [labels, value, at])).toEqual(
        list.flatMap(({ labels, samples: points }) => {
          const { __name__, ...others } = labels;
          return points.map(([value, at]) => [Object.entries(others).flat(), value, at]);
        }),
      );
    }),
    { numRuns: FUZZ_RUNS },
  );
});

/** Reads it or refuses it; anything else is a fault. */
function isReadOrRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(BodyError);
  }
}

const damage = fc.array(fc.record({ at: fc.nat(), drop: fc.nat(9), put: fc.uint8Array({ maxLength: 6 }) }), {
  minLength: 1,
  maxLength: 6,
});

function damaged(bytes: Uint8Array, done: { at: number; drop: number; put: Uint8Array }[]): Uint8Array {
  let result = Buffer.from(bytes);
  for (const { at, drop, put } of done) {
    const from = at % (result.length + 1);
    result = Buffer.concat([result.subarray(0, from), put, result.subarray(from + drop)]);
  }
  return result;
}

test("a request that was damaged, packed or not, is read or refused within bounds", () => {
  fc.assert(
    fc.property(fc.array(series, { maxLength: 6 }), damage, (list, done) => {
      isReadOrRefused(() => readWriteRequest(damaged(writeBody(list), done), () => true));
      isReadOrRefused(() => decodeWriteRequest(damaged(encodeWrite(list), done), () => true));
    }),
    { numRuns: FUZZ_RUNS },
  );
});

test("any bytes at all are unpacked or refused, and never into more than the limit", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      isReadOrRefused(() => expect(unpackSnappy(bytes, 1_000).length).toBeLessThanOrEqual(1_000));
      isReadOrRefused(() => decodeWriteRequest(bytes, () => true));
    }),
    { numRuns: FUZZ_RUNS },
  );
});
