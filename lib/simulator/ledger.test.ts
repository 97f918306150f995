import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bill, billOf } from "./ledger";
import { createMachine } from "./machine";
import { admin, at, call, launch, NOON, startTestCloud } from "./testing";
import { lambdaBehaviour, type Machine, type Step } from "./types";

const MINUTE = 60_000;

function machine(change: Partial<Machine> = {}): Machine {
  const made = createMachine({
    id: "0".repeat(32),
    typeName: "gpu_1x_gh200",
    regionName: "us-east-3",
    name: null,
    hostname: null,
    sshKeyNames: [],
    mounts: [],
    tags: [],
    imageId: "",
    userData: null,
    launchedAt: NOON - 5 * MINUTE,
    listedAt: NOON - 5 * MINUTE,
    launchCents: 229,
    bootMs: 5 * MINUTE,
    isUnhealthy: false,
    isInStep: true,
  });
  return { ...made, ...change };
}

const at229: Step<number>[] = [{ from: 0, value: 229 }];
const bill = (one: Machine, now: number, prices = at229, behaviour = {}): Bill =>
  billOf(one, prices, now, { ...lambdaBehaviour, ...behaviour });

test.each([
  ["37 minutes (the reference's example)", 37 * MINUTE, 37, 1_412_167n],
  ["a minute begun is a minute", 37 * MINUTE + 1, 38, 1_450_333n],
  ["an hour", 60 * MINUTE, 60, 2_290_000n],
  ["nothing", 0, 0, 0n],
])("%s", (_, ms, minutes, micros) => {
  expect(bill(machine({ terminateRequestedAt: NOON + ms }), NOON + 10 * 3_600_000)).toMatchObject({ minutes, micros });
});

test("booting is free, and a machine that never got active costs nothing", () => {
  expect(bill(machine(), NOON - 1)).toMatchObject({ minutes: 0, from: null });
  const never = machine({ activeAt: null, healths: [{ from: NOON, value: "unhealthy" }] });
  expect(bill(never, NOON + 60 * MINUTE).micros).toBe(0n);
  expect(bill(never, NOON + 60 * MINUTE, at229, { isUnhealthyBootBilled: true }).micros).toBe(2_290_000n);
});

test("a machine that runs costs until now, unhealthy or not; a preempted one no more", () => {
  const unhealthy = machine({ healths: [{ from: NOON + 10 * MINUTE, value: "unhealthy" }] });
  expect(bill(unhealthy, NOON + 30 * MINUTE).minutes).toBe(30);
  const preempted = machine({ healths: [{ from: NOON + 10 * MINUTE, value: "preempted" }] });
  expect(bill(preempted, NOON + 30 * MINUTE).minutes).toBe(10);
});

test("each minute has the price of its start; frozen, all have the launch's", () => {
  const prices = [...at229, { from: NOON + 90_000, value: 300 }];
  const one = bill(machine({ terminateRequestedAt: NOON + 10 * MINUTE }), NOON + 3_600_000, prices);
  expect(one.lines).toEqual([
    { cents: 229, minutes: 2 },
    { cents: 300, minutes: 8 },
  ]);
  expect(one.micros).toBe(476_333n);
  expect(one.frozenMicros).toBe(381_667n);
});

test("rounding can be down, or to the nearest", () => {
  const one = machine({ terminateRequestedAt: NOON + 90_500 });
  expect(bill(one, NOON + 3_600_000, at229, { rounding: "floor" }).minutes).toBe(1);
  expect(bill(one, NOON + 3_600_000, at229, { rounding: "nearest" }).minutes).toBe(2);
});

test("lines add up to the minutes, minute by minute, whatever the prices did", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.array(fc.record({ after: fc.integer({ min: 0, max: 6_000_000 }), cents: fc.integer({ min: 1, max: 900 }) }), {
        maxLength: 5,
      }),
      (ms, changes) => {
        const steps = changes
          .sort((a, b) => a.after - b.after)
          .map(({ after, cents }) => ({ from: NOON + after, value: cents }));
        const prices = [...at229, ...steps];
        const one = bill(machine({ terminateRequestedAt: NOON + ms }), NOON + 10_000_000, prices);
        let centMinutes = 0;
        for (let k = 0; k < Math.ceil(ms / MINUTE); k++) {
          centMinutes += prices.filter(({ from }) => from <= NOON + k * MINUTE).at(-1)?.value ?? 0;
        }
        expect(one.lines.reduce((sum, line) => sum + line.cents * line.minutes, 0)).toBe(centMinutes);
        expect(one.lines.reduce((sum, line) => sum + line.minutes, 0)).toBe(one.minutes);
      },
    ),
  );
});

test("the admin port tells the bill of a life over the API, in micro-dollars as text", async () => {
  const simulator = await startTestCloud();
  const id = await launch(simulator);
  const { clock } = simulator.cloud;
  clock.moveTo(clock.now() + 60_000 + 90 * MINUTE - 1_000);
  await call(simulator, "POST", "/instance-operations/terminate", { instance_ids: [id] });
  clock.moveTo(clock.now() + 3_600_000);
  const truth = at((await admin(simulator, "GET", "/truth")).json, "bills", 0);
  expect(truth).toMatchObject({ id, minutes: 90, micros: "3435000" });
  expect(Number(at(truth, "to")) - Number(at(truth, "from"))).toBe(90 * MINUTE);
  await simulator.close();
});
