import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Check, type Fact, isNote } from "./check";
import { factLines, sumGb, sumMicros, totalsOf, verdictOf } from "./compare";
import type { Declaration } from "./declaration";
import { checksOf } from "./engine";
import { DECLARED_AT, declared, gh200, H200_PLAN, machine, POLL } from "./fleet.testing";
import type { ObservedMachine } from "./observed";

const THREE = ["gh-train-01", "gh-train-02", "gh-serve-01"].map((name) => machine(name));

function check(declaration: Declaration, machines: readonly ObservedMachine[]): Check[] {
  return checksOf({ declaration, version: 1, at: DECLARED_AT }, { at: POLL, machines: [...machines] });
}

const differing = (checks: readonly Check[], fact?: Fact) =>
  checks.filter((one) => one.state === "differs" && (fact === undefined || one.fact === fact));
const one = (checks: readonly Check[], fact: Fact) => {
  const [found] = checks.filter((each) => each.fact === fact);
  if (!found) throw new Error(`no check of ${fact}`);
  return found;
};

describe("the opening story: an H200 plan, and three GH200s", () => {
  const plan = declared([H200_PLAN]);
  const checks = check(plan, THREE);

  test("S0-03, S0-17: model and memory differ on every machine, whatever its label says", () => {
    expect(differing(checks, "model")).toHaveLength(3);
    expect(one(checks, "model")).toMatchObject({ declared: "H200", observed: "GH200", severity: "critical" });
    expect(differing(checks, "memory")).toHaveLength(3);
    expect(one(checks, "memory")).toMatchObject({ declared: "141 GB", observed: "96 GB", memoryGb: -45 });
    expect(sumGb(differing(checks, "memory"))).toBe(-135);
  });

  test("S0-12: 60 + 40 + 30 + 11 on 96 GB is 45 GB over, on each of three", () => {
    expect(one(checks, "pools")).toMatchObject({ declared: "141 GB", observed: "96 GB", memoryGb: -45 });
    expect(one(checks, "pools").why).toContain("60 + 40 + 30 + 11 = 141 GB of pools on a GPU of 96 GB");
    expect(sumGb(differing(checks, "pools"))).toBe(-135);
    // The same pools fit the memory that was declared: the document does not contradict itself.
    expect(one(checks, "sums").state).toBe("agrees");
  });

  test("S0-07, S0-09: $5,378.40 declared, $4,946.40 today, and the effects add up to the difference", () => {
    const totals = totalsOf(plan, { at: POLL, machines: THREE });
    expect(totals.declaredMicros).toBe(5_378_400_000n);
    expect(totals.observedMicros).toBe(4_946_400_000n);
    expect(sumMicros(differing(checks))).toBe(-432_000_000n);
  });

  test("S0-05, S0-07: at the price of January the same plan is $3,218.40, and a saving of $2,160.00", () => {
    const then = THREE.map((each) => ({ ...each, priceMicros: 1_490_000n }));
    expect(totalsOf(plan, { at: POLL, machines: then }).observedMicros).toBe(3_218_400_000n);
    expect(sumMicros(differing(check(plan, then)))).toBe(-2_160_000_000n);
  });

  test("S0-02: the type and the region are those of Lambda’s listing, and agree", () => {
    expect(checks.filter(({ fact }) => fact === "type").map(({ state }) => state)).toEqual([
      "agrees",
      "agrees",
      "agrees",
    ]);
    expect(differing(checks, "region")).toEqual([]);
    expect(differing(checks, "machines")).toEqual([]);
  });

  test("S0-13: corrected to GH200 with 40 + 30 + 20 + 6 it is aligned", () => {
    const corrected = declared([
      {
        ...H200_PLAN,
        gpu: "GH200",
        memoryGb: "96",
        pricePerHour: "2.29",
        pools: [
          { name: "weights", gb: "40" },
          { name: "kv-cache", gb: "30" },
          { name: "activations", gb: "20" },
          { name: "reserve", gb: "6" },
        ],
      },
    ]);
    const after = check(corrected, THREE);
    expect(differing(after)).toEqual([]);
    expect(verdictOf(after, () => false)).toBe("aligned");
  });

  test("evidence names each source with its time", () => {
    expect(one(checks, "model").evidence).toEqual([
      { source: "declared", says: "H200", at: DECLARED_AT },
      { source: "lambda", says: "GH200", at: POLL },
      { source: "gpus", says: "NVIDIA GH200 480GB", at: POLL - 4_000 },
    ]);
  });

  test("the comparison has one line per fact, with its sums", () => {
    const lines = factLines(checks, "h200-trainers");
    expect(lines.map(({ fact }) => fact)).toEqual([
      "label",
      "sums",
      "machines",
      "model",
      "record",
      "memory",
      "gpus",
      "pools",
      "type",
      "price",
      "region",
    ]);
    expect(lines.find(({ fact }) => fact === "price")).toMatchObject({ differ: 3, monthMicros: "-432000000" });
  });
});

describe("labels that make no sense", () => {
  const label = (gpu: string, memoryGb: string) =>
    one(check(declared([{ ...H200_PLAN, gpu, memoryGb, pools: [] }]), []), "label");

  test.each([
    ["H200", "96", "differs", "There is no H200 with 96 GB"],
    ["GH200", "480", "differs", "memory of its CPU"],
    ["GH200", "96", "agrees", "sold with 96 GB"],
    ["H200", "141", "agrees", "sold with 141 GB"],
    ["A100", "80", "agrees", "40 GB or 80 GB"],
  ])("%s with %s GB %s", (gpu, memoryGb, state, words) => {
    const found = label(gpu, memoryGb);
    expect(found.state).toBe(state);
    expect(found.why).toContain(words);
  });

  test("the same memory size does not make the same model: H20 and GH200 report the same MiB", () => {
    const h20 = machine("x", { cards: [gh200("1", { name: "NVIDIA H20" })], record: null });
    const checks = check(declared([{ ...H200_PLAN, gpu: "GH200", memoryGb: "96", count: "1", pools: [] }]), [h20]);
    expect(one(checks, "memory").state).toBe("agrees");
    expect(one(checks, "model")).toMatchObject({ state: "differs", observed: "H20" });
    expect(one(checks, "model").why).toContain("same size");
  });

  test("a machine called after another card is a note", () => {
    const checks = check(
      declared([{ ...H200_PLAN, gpu: "GH200", memoryGb: "96", count: "1", pools: [], pricePerHour: "2.29" }]),
      [machine("h200-train-07")],
    );
    const found = checks.filter(({ fact, machineId }) => fact === "label" && machineId !== null);
    expect(found).toMatchObject([{ state: "differs", severity: "info", declared: "H200", observed: "GH200" }]);
    expect(verdictOf(checks, () => false)).toBe("aligned");
  });

  test("Lambda’s record against the card: neither is believed blindly", () => {
    const odd = machine("x", { cards: [gh200("1", { name: "NVIDIA B200", memoryMib: 183_359 })] });
    const plan = declared([{ ...H200_PLAN, gpu: "GH200", memoryGb: "96", count: "1", pools: [] }]);
    expect(one(check(plan, [odd]), "record")).toMatchObject({ state: "differs", declared: "GH200", observed: "B200" });
  });
});

describe("what nobody verified", () => {
  const plan = declared([{ ...H200_PLAN, gpu: "GH200", memoryGb: "96", count: "1", pricePerHour: "2.29", pools: [] }]);

  test("no telemetry is not verified, and never aligned", () => {
    const checks = check(plan, [machine("silent", { cards: [] })]);
    expect(one(checks, "model").state).toBe("unverified");
    expect(one(checks, "memory").state).toBe("unverified");
    expect(verdictOf(checks, () => false)).toBe("unverified");
  });

  test("Lambda’s own record is enough for a difference, not for agreement", () => {
    const h200 = declared([{ ...H200_PLAN, count: "1", pools: [] }]);
    const checks = check(h200, [machine("silent", { cards: [] })]);
    expect(one(checks, "model")).toMatchObject({ state: "differs", observed: "GH200" });
    expect(one(checks, "memory")).toMatchObject({ state: "differs", observed: "96 GB", memoryGb: -45 });
  });

  test("a card that the table does not have says nothing about GB", () => {
    const odd = machine("x", { cards: [gh200("1", { name: "NVIDIA X1", memoryMib: 97_871 })], record: null });
    expect(one(check(plan, [odd]), "memory").state).toBe("unverified");
  });

  test("an unknown price is not verified, and not in the sum", () => {
    const checks = check(plan, [machine("x", { priceMicros: null })]);
    expect(one(checks, "price").state).toBe("unverified");
    expect(totalsOf(plan, { at: POLL, machines: [machine("x", { priceMicros: null })] }).unpriced).toBe(1);
  });

  test("an image of a machine that was launched outside is not verified", () => {
    const withImage = declared([{ ...H200_PLAN, count: "1", pools: [], images: ["lambda-stack-*"] }]);
    expect(one(check(withImage, [machine("x")]), "image").state).toBe("unverified");
    const launched = machine("x", { image: { value: "lambda-stack-24-04", at: POLL } });
    expect(one(check(withImage, [launched]), "image").state).toBe("agrees");
    const other = machine("x", { image: { value: "ubuntu-22-04", at: POLL } });
    expect(one(check(withImage, [other]), "image").state).toBe("differs");
  });
});

describe("machines, regions, tags", () => {
  const group = { ...H200_PLAN, gpu: "GH200", memoryGb: "96", pricePerHour: "2.29", pools: [] };

  test("missing ones cost less than planned, extra and undeclared ones more", () => {
    const missing = differing(check(declared([{ ...group, count: "5" }]), THREE));
    expect(missing).toMatchObject([{ fact: "machines", declared: "5", observed: "3", memoryGb: -192 }]);
    expect(sumMicros(missing)).toBe(-2n * 2_290_000n * 720n);
    const newest = machine("late", { firstSeenAt: POLL });
    const extra = differing(check(declared([{ ...group, count: "3" }]), [...THREE, newest]));
    expect(extra).toMatchObject([{ fact: "extra", machine: "late", monthMicros: 2_290_000n * 720n }]);
    const stranger = machine("a10", { typeName: "gpu_1x_a10", priceMicros: 1_290_000n });
    expect(differing(check(declared([group]), [...THREE, stranger]))).toMatchObject([
      { fact: "undeclared", machine: "a10", group: null, monthMicros: 1_290_000n * 720n },
    ]);
    expect(differing(check(declared([group], { undeclared: "ignore" }), [...THREE, stranger]))).toEqual([]);
  });

  test("a machine that leaves is no longer part of the fleet", () => {
    const [first, second, third] = THREE;
    if (!first || !second || !third) throw new Error("three");
    const checks = check(declared([group]), [first, second, { ...third, status: "terminating" }]);
    expect(differing(checks)).toMatchObject([{ fact: "machines", observed: "2" }]);
  });

  test("a group may name its machines instead of their type: then the type may differ", () => {
    const named = { ...group, instanceType: "gpu_1x_h200", match: { names: ["gh-*"] } };
    expect(differing(check(declared([named]), THREE), "type")).toHaveLength(3);
  });

  test("region, required tags, architecture, number of GPUs", () => {
    const plan = declared([
      { ...group, count: "1", tagsRequired: ["team", "cost_center"], architecture: "x86_64", gpusPerInstance: "2" },
    ]);
    const checks = check(plan, [machine("x", { region: "us-west-1", tags: { team: "ml" } })]);
    expect(one(checks, "region")).toMatchObject({ state: "differs", observed: "us-west-1" });
    expect(one(checks, "tags")).toMatchObject({ state: "differs", observed: "without cost_center" });
    expect(one(checks, "architecture")).toMatchObject({ state: "differs", observed: "arm64" });
    expect(one(checks, "gpus")).toMatchObject({ state: "differs", declared: "2", observed: "1", memoryGb: -96 });
    const labelled = machine("x", { labels: { team: "ml", cost_center: "42" } });
    expect(one(check(plan, [labelled]), "tags").state).toBe("agrees");
  });

  test("one card of eight that was exchanged is named", () => {
    const eight = { ...group, count: "1", gpusPerInstance: "8" };
    const cards = Array.from({ length: 8 }, (_, i) =>
      gh200(String(i + 1), i === 5 ? { id: 6, name: "NVIDIA H100 80GB HBM3", memoryMib: 81_559 } : {}),
    );
    const checks = check(declared([eight]), [machine("x", { cards })]);
    expect(one(checks, "model")).toMatchObject({ state: "differs", gpuId: 6, observed: "GH200, H100" });
    expect(one(checks, "memory")).toMatchObject({ gpuId: 6, memoryGb: -16 });
  });
});

describe("sums of pools", () => {
  const sums = (pools: readonly [string, string, string?][], memoryGb = "96") =>
    check(
      declared([
        {
          ...H200_PLAN,
          gpu: "GH200",
          memoryGb,
          count: "2",
          pools: pools.map(([name, gb, workload]) => ({ name, gb, ...(workload && { workload }) })),
        },
      ]),
      [machine("a"), machine("b")],
    );

  test("over the declared size is critical, and said once", () => {
    const checks = sums([
      ["a", "60"],
      ["b", "40"],
    ]);
    expect(differing(checks, "sums")).toMatchObject([{ severity: "critical", memoryGb: -8 }]);
    expect(differing(checks, "pools")).toEqual([]);
  });

  test("more than 5 % under is a note, 5 % is nothing", () => {
    expect(differing(sums([["a", "91.2"]]), "sums")).toEqual([]);
    const under = differing(sums([["a", "91.1"]]), "sums");
    expect(under).toMatchObject([{ severity: "info", memoryGb: null }]);
    expect(under.every(isNote)).toBe(true);
  });

  test("pools of several workloads are summed each for itself", () => {
    const own = sums([
      ["system", "6"],
      ["weights", "90", "training"],
      ["weights", "60", "inference"],
      ["kv", "40", "inference"],
    ]);
    expect(differing(own, "sums")).toMatchObject([{ severity: "critical", observed: "106 GB" }]);
  });
});

const money = fc.bigInt({ min: 1n, max: 40_000_000n });
const anyMachine = fc.record({
  price: fc.option(money, { nil: null }),
  type: fc.constantFrom("gpu_1x_gh200", "gpu_1x_a10", "gpu_8x_h100_sxm5"),
});

describe("for every fleet", () => {
  test("what was declared and all effects together are what runs", () => {
    fc.assert(
      fc.property(
        fc.array(anyMachine, { maxLength: 12 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 8 }),
        money,
        money,
        fc.constantFrom("720", "730"),
        (made, first, second, a, b, hoursPerMonth) => {
          const dollars = (micros: bigint) => `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, "0")}`;
          const plan = declared(
            [
              { ...H200_PLAN, count: String(first), pricePerHour: dollars(a), pools: [] },
              {
                ...H200_PLAN,
                name: "b",
                instanceType: "gpu_1x_a10",
                count: String(second),
                pricePerHour: dollars(b),
                pools: [],
              },
            ],
            { hoursPerMonth },
          );
          const machines = made.map(({ price, type }, i) =>
            machine(`m${i}`, { typeName: type, priceMicros: price, firstSeenAt: POLL - i }),
          );
          // A machine without a price has no effect; its planned price is then missing from both sides.
          const known = machines.filter(({ priceMicros }) => priceMicros !== null);
          const totals = totalsOf(plan, { at: POLL, machines: known });
          const effects = sumMicros(differing(check(plan, known))) ?? 0n;
          expect(totals.declaredMicros + effects).toBe(totals.observedMicros);
        },
      ),
    );
  });

  test("a larger pool never makes less of the overflow, a larger card never more", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 200 }),
        (pools, more) => {
          const over = (sizes: readonly number[], memoryGb: number) =>
            one(
              check(
                declared([
                  {
                    ...H200_PLAN,
                    memoryGb: String(memoryGb),
                    count: "1",
                    pools: sizes.map((gb, i) => ({ name: `p${i}`, gb: String(gb) })),
                  },
                ]),
                [],
              ),
              "sums",
            ).memoryGb ?? 0;
          const [first = 1, ...rest] = pools;
          expect(over([first + more, ...rest], 96)).toBeLessThanOrEqual(over(pools, 96));
          expect(over(pools, 96 + more)).toBeGreaterThanOrEqual(over(pools, 96));
        },
      ),
    );
  });
});

const file = join(process.env.SHARED_DIR ?? "../shared", "reference/requirements-checklist.csv");
const skipped = existsSync(file) ? "" : ` (skipped: ${file} is absent)`;

describe.skipIf(skipped !== "")(`the requirements’ own figures${skipped}`, () => {
  const rows: Record<string, string>[] = skipped === "" ? parse(readFileSync(file, "utf8"), { columns: true }) : [];
  const right = (id: string) => rows.find((row) => row.id === id)?.computed_or_right_value ?? "";

  test("S0-03, S0-04, S0-11, S0-12, S0-14, S0-18 are those that the engine comes to", () => {
    expect(right("S0-03")).toContain("141 GB");
    expect(right("S0-04")).toBe("3 x 96 = 288");
    const plan = declared([{ ...H200_PLAN, gpu: "GH200", memoryGb: "96", pools: [] }]);
    expect(totalsOf(plan, { at: POLL, machines: THREE })).toMatchObject({ reportedGb: 288, declaredGb: 288 });
    expect(right("S0-11")).toContain(`${(((141 - 96) / 141) * 100).toFixed(1)} %`);
    expect(right("S0-12")).toContain("45 GB over 96");
    expect(right("S0-14")).toContain(`${(96 / 24).toFixed(1)} x`);
  });
});
