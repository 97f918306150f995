import SnappyJS from "snappyjs";
import { describe, expect, test } from "vitest";
import { encodeWrite as encode } from "@/lib/testing/remote-write";
import { byMachine } from "./machines";
import { decodeWriteRequest, readWriteRequest, WRITE_LIMITS } from "./request";
import { BodyError, unpackSnappy } from "./snappy";

const UTIL = { __name__: "DCGM_FI_DEV_GPU_UTIL", gpu: "0", UUID: "GPU-1", Hostname: "gh-1", instance: "10.0.0.5:9400" };
const STALE = new Uint8Array([2, 0, 0, 0, 0, 0, 0xf0, 0x7f]);
const isDcgm = (name: string) => name.startsWith("DCGM_");
const pack = (bytes: Uint8Array) => new Uint8Array(SnappyJS.compress(bytes));

describe("a request", () => {
  test("its samples, labels without the name, times before 1970 and after 2100", () => {
    const body = pack(
      encode([
        {
          labels: UTIL,
          samples: [
            [97, 1_763_726_400_000],
            [1, -5],
            [2, 4_102_444_800_000],
          ],
        },
      ]),
    );
    const { samples, ignored, stale } = readWriteRequest(body, isDcgm);
    expect(samples.map(({ value, at }) => [value, at])).toEqual([
      [97, 1_763_726_400_000],
      [1, -5],
      [2, 4_102_444_800_000],
    ]);
    const labels = ["gpu", "0", "UUID", "GPU-1", "Hostname", "gh-1", "instance", "10.0.0.5:9400"];
    expect(samples[0]).toMatchObject({ name: "DCGM_FI_DEV_GPU_UTIL", labels });
    expect([ignored, stale]).toEqual([0, 0]);
  });

  test("a stale marker is never a value; another NaN is one", () => {
    const { samples, stale } = decodeWriteRequest(
      encode([
        {
          labels: UTIL,
          samples: [
            [STALE, 1],
            [Number.NaN, 2],
            [Number.NEGATIVE_INFINITY, 3],
          ],
        },
      ]),
      isDcgm,
    );
    expect(stale).toBe(1);
    expect(samples.map(({ value }) => value)).toEqual([Number.NaN, Number.NEGATIVE_INFINITY]);
  });

  test("what nobody has a use for is counted and left out", () => {
    const body = encode([
      {
        labels: { __name__: "node_load1", instance: "a" },
        samples: [
          [1, 1],
          [2, 2],
        ],
      },
    ]);
    expect(decodeWriteRequest(body, isDcgm)).toMatchObject({ samples: [], ignored: 2 });
  });

  test.each<[string, Record<string, string>]>([
    ["a series without __name__", { a: "1" }],
    ["a label that is empty or too long", { ...UTIL, a: "x".repeat(5000) }],
    ["more than 64 labels", { ...UTIL, ...Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`l${i}`, "1"])) }],
  ])("%s is refused by itself", (why, labels) => {
    const { samples, malformed } = decodeWriteRequest(
      encode([
        { labels, samples: [[1, 1]] },
        { labels: UTIL, samples: [[2, 2]] },
      ]),
      isDcgm,
    );
    expect([...malformed]).toEqual([[why, 1]]);
    expect(samples.map(({ value }) => value)).toEqual([2]);
  });

  test("text that is not UTF-8, and a label that comes twice", () => {
    const broken = encode([{ labels: { ...UTIL, zone: "\u0001x" }, samples: [[1, 1]] }]);
    broken[broken.indexOf(1, broken.indexOf("z".charCodeAt(0)) + 4)] = 0xff;
    expect([...decodeWriteRequest(broken, isDcgm).malformed.keys()]).toEqual(["a label that is not UTF-8"]);
    const twice = encode([{ labels: { ...UTIL, gpv: "1" }, samples: [[1, 1]] }]);
    twice[twice.indexOf("v".charCodeAt(0))] = "u".charCodeAt(0);
    expect([...decodeWriteRequest(twice, isDcgm).malformed.keys()]).toEqual(["a label that comes twice"]);
  });

  test("an empty request is one", () => {
    expect(decodeWriteRequest(new Uint8Array(), isDcgm).samples).toEqual([]);
  });

  test.each([
    ["a length beyond the end", [0x0a, 0x7f, 1]],
    ["a length that goes on for ever", [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]],
    ["a message that reaches beyond its parent", [0x0a, 2, 0x0a, 9]],
    ["field 0", [0x02, 0]],
    ["a group", [0x0b]],
    ["half a number", [0x0a, 6, 0x12, 4, 0x09, 1, 2, 3]],
  ])("%s is no request", (_, bytes) => {
    expect(() => decodeWriteRequest(new Uint8Array(bytes), isDcgm)).toThrow(BodyError);
  });
});

describe("snappy", () => {
  const text = new TextEncoder().encode("abcabcabcabc, and so on. ".repeat(3000));
  test.each([
    ["nothing", new Uint8Array()],
    ["a byte", new Uint8Array([7])],
    ["what repeats", text],
    ["what does not", Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 255)],
  ])("%s comes back as it was", (_, bytes) => {
    expect(Buffer.from(unpackSnappy(pack(bytes), 1e6)).equals(Buffer.from(bytes))).toBe(true);
  });

  test("a block that promises 4 GiB is refused by its header", () => {
    const bomb = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x0f, 0]);
    expect(() => unpackSnappy(bomb, WRITE_LIMITS.bytes)).toThrow(/4294967295 bytes/);
  });

  test("200 MiB in some MB are refused before they are unpacked", () => {
    const length = [0x80, 0x80, 0x80, 0x64];
    const bomb = new Uint8Array(3_000_000).fill(0xfe);
    bomb.set(length);
    expect(() => unpackSnappy(bomb, WRITE_LIMITS.bytes)).toThrow(/209715200 bytes/);
  });

  test.each([
    ["no header", []],
    ["a header without an end", [0x80, 0x80]],
    ["a length of more than 32 bits", [0xff, 0xff, 0xff, 0xff, 0x7f]],
    ["a literal beyond the end", [4, 0x0c, 1]],
    ["a literal of minus fifteen bytes", [64, 0xfc, 0xf0, 0xff, 0xff, 0xff, 1, 1, 1, 1]],
    ["a copy from before the beginning", [8, 0x00, 1, 0x0d, 9]],
    ["a copy of nothing", [8, 0x00, 1, 0x0d, 0]],
    ["a copy without its offset", [8, 0x00, 1, 0x0d]],
    ["more than it promised", [2, 0x08, 1, 2, 3]],
    ["less than it promised", [9, 0x00, 1]],
  ])("%s is no block", (_, bytes) => {
    expect(() => unpackSnappy(new Uint8Array(bytes), 1000)).toThrow(BodyError);
  });
});

test("samples go to the machine that their labels name", () => {
  const sample = (...labels: string[]) => ({ name: "m", labels, value: 1, at: 1 });
  const machines = byMachine([
    sample("Hostname", "gh-1", "instance", "10.0.0.5:9400"),
    sample("hostname", "gh-1", "instance", "10.0.0.5:9400"),
    sample("instance", "gh-2.internal:8000"),
    sample("instance", "[fd00::1]:8000"),
    sample("node", "gh-3"),
    sample("instance", "gh-2.internal", "node", "other"),
    sample(),
  ]);
  expect(machines.map(({ hostname, privateIp, samples }) => [hostname, privateIp, samples.length])).toEqual([
    ["gh-1", "10.0.0.5", 2],
    ["gh-2.internal", null, 2],
    ["[fd00::1]", "fd00::1", 1],
    ["gh-3", null, 1],
    ["unnamed", null, 1],
  ]);
});
