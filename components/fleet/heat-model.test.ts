import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RosterGpu } from "@/lib/domain/telemetry/live";
import {
  cellAfter,
  cellAt,
  columnsIn,
  domainOf,
  groupsOf,
  histogramOf,
  isLow,
  pitchOf,
  runsOf,
  STEPS,
  stepOf,
  summaryOf,
  valueAt,
} from "./heat-model";

function gpu(i: number, more: Partial<RosterGpu> = {}): RosterGpu {
  return {
    gpuId: i,
    resourceId: `m${Math.floor(i / 8)}`,
    name: `machine-${Math.floor(i / 8)}`,
    position: i % 8,
    mig: "",
    model: "H100",
    memoryMib: 81_559,
    type: "gpu_8x_h100",
    region: "us-east-1",
    team: "",
    project: "",
    environment: "",
    workload: "training",
    ...more,
  };
}

const fleet = (n: number, more: (i: number) => Partial<RosterGpu> = () => ({})) =>
  Array.from({ length: n }, (_, i) => gpu(i, more(i)));
const all = (gpus: readonly RosterGpu[]) => gpus.map((_, place) => place);

describe("groups", () => {
  test("hold every GPU once, whatever they are made by", () => {
    const gpus = fleet(200, (i) => ({ team: ["", "ml", "vision"][i % 3] ?? "", region: i < 90 ? "a" : "b" }));
    for (const by of ["type", "team", "region", "instance"] as const) {
      const places = groupsOf(gpus, all(gpus), by).flatMap((group) => group.places);
      expect(places.sort((a, b) => a - b)).toEqual(all(gpus));
    }
  });

  test("the largest come first, an empty label says so, and only the places given are in them", () => {
    const gpus = fleet(9, (i) => ({ team: i < 2 ? "" : i < 4 ? "ml" : "vision" }));
    expect(groupsOf(gpus, [0, 1, 2, 4, 5, 6], "team").map(({ label, places }) => [label, places])).toEqual([
      ["vision", [4, 5, 6]],
      ["no team", [0, 1]],
      ["ml", [2]],
    ]);
  });

  test("beyond sixty the smallest stand together; many machines are one picture", () => {
    const many = fleet(160, (i) => ({ team: `t${Math.min(i, 99)}` }));
    const groups = groupsOf(many, all(many), "team");
    expect(groups).toHaveLength(60);
    expect(groups.at(-1)).toMatchObject({ key: "rest", label: "41 smaller groups" });
    expect(groupsOf(fleet(8 * 24), all(fleet(8 * 24)), "instance")).toHaveLength(24);
    expect(groupsOf(fleet(8 * 25), all(fleet(8 * 25)), "instance").map((group) => group.label)).toEqual([
      "25 instances",
    ]);
  });
});

describe("colours", () => {
  test("run over the whole ramp, and no value has none", () => {
    const domain = { min: 0, max: 100 };
    expect([0, 11, 12, 50, 99, 100, 200, -5].map((value) => stepOf(value, domain))).toEqual([0, 0, 1, 4, 8, 8, 8, 0]);
    expect(stepOf(Number.NaN, domain)).toBeNull();
    expect(stepOf(100, domain)).toBe(STEPS - 1);
  });

  test("power ends at the next hundred watts, the others have fixed ends", () => {
    const values = Float64Array.of(Number.NaN, 640, 701);
    expect(domainOf("powerW", values)).toEqual({ min: 0, max: 800 });
    expect(domainOf("powerW", Float64Array.of(Number.NaN))).toEqual({ min: 0, max: 100 });
    expect(domainOf("utilizationPct", values)).toEqual({ min: 0, max: 100 });
    expect(domainOf("temperatureC", values)).toEqual({ min: 20, max: 100 });
  });

  test("idle is at most five per cent busy, never unknown, and no matter of heat", () => {
    expect([0, 5, 5.1, Number.NaN].map((value) => isLow("utilizationPct", value))).toEqual([true, true, false, false]);
    expect(isLow("temperatureC", 0)).toBe(false);
  });
});

describe("figures", () => {
  const cells = { values: Float64Array.of(0, 4, 96, Number.NaN, 50), isSilent: (place: number) => place === 4 };

  test("count what is known: silence and a missing value are not zero", () => {
    expect(valueAt(cells, 4)).toBeNaN();
    const summary = summaryOf(cells, [0, 1, 2, 3, 4], "utilizationPct");
    expect(summary).toEqual({ gpus: 5, known: 3, mean: 100 / 3, p95: 96, low: 2 });
    expect(summaryOf(cells, [3, 4], "utilizationPct")).toEqual({ gpus: 2, known: 0, mean: null, p95: null, low: 0 });
  });

  test("the histogram counts each known cell once", () => {
    expect(histogramOf(cells, [0, 1, 2, 3, 4], { min: 0, max: 100 }, 4)).toEqual([2, 0, 0, 1]);
  });
});

describe("cells", () => {
  test("a cell's own middle finds it, at any width", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12_000 }),
        fc.integer({ min: 1, max: 1_400 }),
        fc.nat(),
        (count, width, seed) => {
          const pitch = pitchOf(count);
          const columns = columnsIn(width, pitch);
          const index = seed % count;
          const [x, y] = [((index % columns) + 0.5) * pitch, (Math.floor(index / columns) + 0.5) * pitch];
          expect(cellAt(x, y, pitch, columns, count)).toBe(index);
          expect(cellAt((columns + 0.5) * pitch, y, pitch, columns, count)).toBeNull();
        },
      ),
    );
  });

  test("arrow keys reach every cell and never leave", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        (count, columns, seed) => {
          const index = seed % count;
          for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]) {
            const next = cellAfter(key, index, columns, count) ?? -1;
            expect(next).toBeGreaterThanOrEqual(0);
            expect(next).toBeLessThan(count);
          }
          expect(cellAfter("ArrowRight", index, columns, count)).toBe(Math.min(count - 1, index + 1));
          expect(cellAfter("Enter", index, columns, count)).toBeNull();
        },
      ),
    );
  });

  test("neighbours with a mark have one outline, which ends with the row", () => {
    const marked = new Set([1, 2, 3, 4, 6]);
    expect(runsOf([0, 1, 2, 3, 4, 5, 6], 4, (place) => marked.has(place))).toEqual([
      { row: 0, column: 1, length: 3 },
      { row: 1, column: 0, length: 1 },
      { row: 1, column: 2, length: 1 },
    ]);
  });
});
