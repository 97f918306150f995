import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WIDE_METRICS, type WideMetric } from "./catalogue";
import { effectiveUtilization } from "./idle";
import {
  decodeRoster,
  encodeLive,
  encodeRoster,
  HEAT_METRICS,
  LIVE_METRICS,
  LIVE_SETS,
  type LiveRow,
  LiveView,
  liveEntry,
  type RosterGpu,
} from "./live";
import { emptyValues, silentAfterMs } from "./sample";

const NOW = Date.UTC(2026, 10, 21, 12);
const versionOf = (content: string) => String(content.length);

const value = fc.option(fc.float({ min: -20, max: 100_000, noNaN: true }));
const row = fc.record({
  at: fc.option(fc.integer({ min: 0, max: 86_400 }).map((s) => NOW - s * 1000)),
  intervalMs: fc.constantFrom(1_000, 10_000, 60_000),
  memoryMib: fc.option(fc.integer({ min: 0, max: 200_000 })),
  values: fc.record(Object.fromEntries(WIDE_METRICS.map((metric) => [metric, value]))) as fc.Arbitrary<
    Record<WideMetric, number | null>
  >,
});
const rows = fc
  .array(row, { maxLength: 40 })
  .map((list): LiveRow[] => list.map((one, i) => ({ ...one, gpuId: 1_000 - i })));

const word = fc.string({ maxLength: 12 });
const gpus = fc.array(
  fc.record({
    gpuId: fc.integer({ min: 1, max: 1_000_000 }),
    machine: fc.integer({ min: 0, max: 5 }),
    position: fc.integer({ min: 0, max: 15 }),
    mig: fc.constantFrom("", "1", "2/1"),
    model: word,
    memoryMib: fc.option(fc.integer({ min: 1, max: 200_000 })),
  }),
  { maxLength: 60 },
);
const facets = fc.array(fc.record({ name: word, type: word, region: word, team: word, project: word }), {
  minLength: 6,
  maxLength: 6,
});

describe("a roster", () => {
  test("gives back every GPU, whatever its names", () => {
    fc.assert(
      fc.property(gpus, facets, (list, machines) => {
        const all: RosterGpu[] = list.map(({ machine, ...gpu }) => ({
          ...gpu,
          resourceId: `machine-${machine}`,
          environment: "",
          workload: "training",
          ...(machines[machine] ?? { name: "", type: "", region: "", team: "", project: "" }),
        }));
        expect(decodeRoster(encodeRoster(all, versionOf))).toEqual(all);
      }),
    );
  });

  test("has another version when anything in it is other", () => {
    const gpu = { gpuId: 1, resourceId: "a", name: "n", position: 0, mig: "", model: "m", memoryMib: 1 };
    const facets = { type: "", region: "", team: "", project: "", environment: "", workload: "" };
    const version = (more: Partial<RosterGpu>) => {
      let seen = "";
      encodeRoster([{ ...gpu, ...facets, ...more }], (content) => {
        seen = content;
        return "";
      });
      return seen;
    };
    expect(version({})).toBe(version({}));
    for (const more of [{ gpuId: 2 }, { name: "x" }, { team: "ml" }, { position: 1 }, { memoryMib: null }])
      expect(version(more)).not.toBe(version({}));
  });
});

describe("a live view", () => {
  test("gives back values to the metric's precision, ages to the second, silence exactly; missing stays missing", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const roster = { version: "v", gpuIds: list.map((one) => one.gpuId).reverse() };
        const live = JSON.parse(JSON.stringify(encodeLive(roster, list, LIVE_METRICS, NOW)));
        const view = new LiveView(live);
        expect(view.size).toBe(list.length);
        const ordered = [...list].reverse();
        for (const metric of LIVE_METRICS) {
          const values = view.values(metric);
          for (const [place, one] of ordered.entries()) {
            const expected =
              metric === "effectivePct"
                ? (effectiveUtilization(one.values)?.pct ?? null)
                : metric === "memoryUsedPct"
                  ? one.values.memoryUsedMib === null || !one.memoryMib
                    ? null
                    : Math.min(100, (one.values.memoryUsedMib / one.memoryMib) * 100)
                  : one.values[metric];
            const found = values[place] ?? 0;
            if (expected === null) expect(found).toBeNaN();
            else expect(Math.abs(found - expected)).toBeLessThanOrEqual(0.5 / liveEntry(metric).scale + 1e-6);
          }
        }
        for (const [place, one] of ordered.entries()) {
          const gpu = view.gpu(place);
          expect(gpu.at === null).toBe(one.at === null);
          if (gpu.at !== null && one.at !== null) expect(Math.abs(gpu.at - one.at)).toBeLessThanOrEqual(500);
          expect(gpu.isSilent).toBe(one.at === null || NOW - one.at > silentAfterMs(one.intervalMs));
          expect(gpu.effectiveBy).toBe(effectiveUtilization(one.values)?.by ?? null);
        }
      }),
    );
  });

  test("a GPU that is in the roster and never sent is silent, without a value; 0 is a value", () => {
    const idle = {
      gpuId: 1,
      at: NOW,
      intervalMs: 10_000,
      memoryMib: 100,
      values: { ...emptyValues(), utilizationPct: 0 },
    };
    const view = new LiveView(encodeLive({ version: "v", gpuIds: [1, 2] }, [idle], HEAT_METRICS, NOW));
    expect([...view.values("utilizationPct")]).toEqual([0, Number.NaN]);
    expect([...view.values("powerW")]).toEqual([Number.NaN, Number.NaN]);
    expect(view.gpu(1)).toEqual({ at: null, isSilent: true, effectiveBy: null });
    expect(view.gpu(0)).toEqual({ at: NOW, isSilent: false, effectiveBy: "utilizationPct" });
  });

  test("says the same in the same bytes while nothing comes in", () => {
    const [one] = tenThousand(1);
    const roster = { version: "v", gpuIds: [1] };
    const at = (now: number) => JSON.stringify(encodeLive(roster, one ? [one] : [], HEAT_METRICS, now));
    expect(at(NOW + 5_000)).toBe(at(NOW));
  });

  // The figures in milliseconds are the benchmark's; here only that nothing grows beyond what a phone can take.
  test.each([
    ["heat", 120_000],
    ["all", 300_000],
  ] as const)("of 10,000 GPUs takes few bytes: %s", (set, most) => {
    const list = tenThousand(10_000);
    const live = encodeLive({ version: "v", gpuIds: list.map((one) => one.gpuId) }, list, LIVE_SETS[set], NOW);
    expect(gzipSync(JSON.stringify(live), { level: 4 }).length).toBeLessThan(most);
  });
});

/** GPUs at work, each at its own level. */
function tenThousand(count: number): LiveRow[] {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  return Array.from({ length: count }, (_, i) => {
    const busy = random() < 0.8 ? 40 + 60 * random() : 3 * random();
    return {
      gpuId: i + 1,
      at: NOW - Math.round(10_000 * random()),
      intervalMs: 10_000,
      memoryMib: 97_871,
      values: {
        ...emptyValues(),
        utilizationPct: Math.round(busy),
        memoryUsedMib: Math.round(97_871 * random()),
        memoryBusyPct: Math.round(busy * random()),
        temperatureC: Math.round(35 + 40 * random()),
        memoryTemperatureC: Math.round(35 + 40 * random()),
        powerW: 100 + 600 * random(),
        smClockMhz: 1_980 - 15 * Math.round(4 * random()),
        memoryClockMhz: 2_619,
        smActivePct: busy * random(),
        tensorActivePct: busy * random(),
        dramActivePct: busy * random(),
        memoryReservedMib: 600,
      },
    };
  });
}
