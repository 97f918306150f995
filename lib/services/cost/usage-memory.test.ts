import fc from "fast-check";
import { expect, test } from "vitest";
import type { MinuteRow } from "@/lib/db/telemetry/read";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import { MinuteMemory } from "./usage-memory";

const MINUTE = 60_000;
const FROM = Date.parse("2026-11-19T23:31:00Z");
const LATE = 10;

const sample = fc.record({
  minute: fc.nat(200),
  late: fc.nat(LATE),
  gpuId: fc.constantFrom(1, 2, 3),
  effectivePct: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
  memoryUsedMib: fc.option(fc.nat(97_871)),
  isThrottled: fc.boolean(),
  hasProcess: fc.option(fc.boolean()),
});
const machineOf = (gpuId: number) => (gpuId === 3 ? "b" : "a");

test("what is remembered and what came since is what a whole look gives, and little of it is read", async () => {
  const looks = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sample, { selector: ({ gpuId, minute }) => `${gpuId}/${minute}` }),
      looks,
      async (all, steps) => {
        let now = 0;
        let since = 0;
        const read = async (ids: string[], from: Date, to: Date): Promise<MinuteRow[]> => {
          since = (from.getTime() - FROM) / MINUTE;
          return all
            .filter((one) => one.minute + one.late <= now && ids.includes(machineOf(one.gpuId)))
            .map(({ minute, late: _, gpuId, effectivePct, ...row }) => ({
              ...row,
              ...{
                gpuId,
                resourceId: machineOf(gpuId),
                at: new Date(FROM + minute * MINUTE),
                effectivePct,
                meanPct: effectivePct,
              },
            }))
            .filter(({ at }) => at >= from && at < to)
            .sort((x, y) => x.gpuId - y.gpuId || x.at.getTime() - y.at.getTime());
        };
        const memory = new MinuteMemory(read);
        for (const step of steps) {
          now += step;
          const to = FROM + now * MINUTE;
          const found = await memory.read(["a", "b"], FROM, to);
          expect(since).toBe(Math.max(0, now - step - 15));
          const inOrder = [...found].sort((x, y) => x.gpuId - y.gpuId || x.at.getTime() - y.at.getTime());
          expect(inOrder).toEqual(await read(["a", "b"], new Date(FROM), new Date(to)));
        }
      },
    ),
    { numRuns: FUZZ_RUNS / 8 },
  );
});

test("forgotten, it is read from the beginning", async () => {
  const asked: number[] = [];
  const memory = new MinuteMemory(async (_, from) => {
    asked.push(from.getTime());
    return [];
  });
  for (const minute of [60, 62]) await memory.read(["a"], FROM, FROM + minute * MINUTE);
  memory.forget(FROM);
  await memory.read(["a"], FROM, FROM + 64 * MINUTE);
  expect(asked.map((at) => (at - FROM) / MINUTE)).toEqual([0, 45, 0]);
});
