import { describe, expect, it, test } from "vitest";
import { columnsOf, factsOf, factValue, gpuValueOf, type JudgedColumn, NO_FACTS } from "./gpu-values";
import { asWritten, RecentSamples, RecentTrack } from "./recent";
import { RULE_METRICS } from "./rule-metrics";
import { PRODUCT_SEMANTICS } from "./semantics";
import { countUntil, NEWEST, readTrack } from "./track";

const facts = factsOf({
  memoryMib: 80_000,
  powerLimitW: 700,
  slowdownTemperatureC: 90,
  remappedRows: { correctable: 1, uncorrectable: 2, isPending: true, isFailed: false },
});

describe("figures of a GPU", () => {
  const value = (metric: string, columns: Partial<Record<JudgedColumn, number>>, of = facts) =>
    gpuValueOf(metric, 88)((column) => columns[column] ?? null, of);

  it.each<[string, Partial<Record<JudgedColumn, number>>, number | null]>([
    ["temperatureC", { temperatureC: 70 }, 70],
    ["memoryUsedPct", { memoryUsedMib: 40_000 }, 50],
    ["slowdownMarginC", { temperatureC: 87 }, 3],
    ["powerOfLimitPct", { powerW: 350 }, 50],
    ["effectiveUtilizationPct", { utilizationPct: 99, smActivePct: 40, dramActivePct: 55 }, 55],
    ["hardwareThrottled", { throttleReasons: 0x8 }, 1],
    ["hardwareThrottled", { throttleReasons: 0x4 }, 0],
    ["thermalThrottled", { throttleReasons: 0x20 }, 1],
    ["powerCapped", { throttleReasons: 0x4 }, 1],
    ["eccUncorrected", { eccUncorrected: 3 }, 3],
    ["hardwareThrottled", {}, null],
    ["slowdownMarginC", {}, null],
  ])("%s of %j", (metric, columns, expected) => expect(value(metric, columns)).toBe(expected));

  test("a card that does not name its limit is judged by the rule's own", () => {
    expect(value("slowdownMarginC", { temperatureC: 83 }, NO_FACTS)).toBe(5);
    expect(value("powerOfLimitPct", { powerW: 350 }, NO_FACTS)).toBeNull();
  });

  test("what the card says of itself needs no sample; a card that does not say it has no such target", () => {
    expect(factValue("remapPending", facts)).toBe(1);
    expect(factValue("remapFailed", facts)).toBe(0);
    expect(factValue("remappedUncorrectable", facts)).toBe(2);
    expect(factValue("remapFailed", NO_FACTS)).toBeNull();
    expect(factValue("temperatureC", facts)).toBeUndefined();
  });

  test("every metric of a GPU is read from columns, or from what the card says", () => {
    for (const metric of Object.keys(RULE_METRICS.gpu_metric))
      expect(columnsOf(metric).length > 0 || factValue(metric, facts) !== undefined, metric).toBe(true);
  });
});

describe("samples of a large fleet", () => {
  const rows = new RecentSamples({
    size: 5,
    gpuIds: Int32Array.from([7, 3, 7, 7, 3]),
    at: Float64Array.from([2_000, 1_000, 1_000, 3_000, 2_000]),
    isLate: Uint8Array.from([0, 0, 0, 1, 0]),
    columns: { temperatureC: Float32Array.from([72.1, 31, 71, 99, Number.NaN]) },
  });
  const track = new RecentTrack("temperatureC", 88);

  test("come in any order and are read in the order of time, each GPU its own", () => {
    expect(track.turn(rows, 7, NO_FACTS)).toBe(true);
    expect(Array.from({ length: track.length }, (_, i) => [track.at(i), track.value(i), track.isLate(i)])).toEqual([
      [1_000, 71, false],
      [2_000, 72.1, false],
      [3_000, 99, true],
    ]);
    expect(track.turn(rows, 8, NO_FACTS)).toBe(false);
    expect(track.turn(null, 7, NO_FACTS)).toBe(false);
  });

  test("late ones are not judged, missing ones leave the older value standing", () => {
    const read = (gpu: number) => {
      track.turn(rows, gpu, NO_FACTS);
      return readTrack(track, countUntil(track, 4_000), 4_000, PRODUCT_SEMANTICS(10_000), NEWEST);
    };
    expect(read(7)).toEqual({ value: 72.1, at: 2_000 });
    expect(read(3)).toEqual({ value: 31, at: 1_000 });
  });

  test("B09 equality: a number of 32 bits is compared as it was written", () => {
    expect(asWritten(Math.fround(85.1))).toBe(85.1);
    expect(asWritten(Math.fround(612.35))).toBe(612.35);
    expect(asWritten(1980)).toBe(1980);
    expect(asWritten(Math.fround(1 / 3))).toBe(Math.fround(1 / 3));
  });
});
