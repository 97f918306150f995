import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerHash } from "@/lib/db/cost/ledger";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { monthRange } from "@/lib/domain/cost/zone";
import { readCost } from "@/lib/services/cost/month";
import { type Bill, billOf } from "@/lib/simulator/ledger";
import { DEFAULT_KEY, type Simulator, startSimulator } from "@/lib/simulator/start";
import type { Machine } from "@/lib/simulator/types";
import { kernelLines } from "@/lib/simulator/xid";
import { stubEnv, unstubEnv } from "@/lib/testing/env";
import { rows } from "@/lib/testing/world";
import { seedDemo } from "./seed";

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Few days, of two months; a price changes in the middle of an hour of the first. */
const NOON = Date.UTC(2026, 10, 4, 12);
const DAYS = 6;
const RAISED = Date.UTC(2026, 9, 30, 9, 40);

let simulator: Simulator;
let ctx: Ctx;
beforeAll(async () => {
  simulator = await startSimulator({ clock: "manual", now: NOON, scenario: "demo", days: DAYS, seed: 1 });
  simulator.cloud.state.prices.gpu_1x_gh200 = [
    { from: 0, value: 149 },
    { from: RAISED, value: 229 },
  ];
  stubEnv({ LAMBDA_API_URL: simulator.apiUrl, LAMBDA_API_KEY: DEFAULT_KEY, HOPPERDECK_MODE: "demo" });
  ctx = systemCtx("demo", new Date(NOON));
  const { isNew } = await seedDemo(ctx, simulator.adminUrl, DAYS);
  expect(isNew).toBe(true);
});
afterAll(async () => {
  await simulator.close();
  unstubEnv();
});

type Metered = {
  id: string;
  month: string;
  rows: number;
  low: string;
  best: string;
  high: string;
  from: Date;
  minutes: number;
};

const ledger = () =>
  rows<Metered>(
    `select r.external_id as id, to_char(l.period, 'YYYY-MM') as month, count(*)::int as rows, sum(l.low_micros)::text as low, sum(l.micros)::text as best,
            sum(l.high_micros)::text as high, r.bill_from_best as "from", sum(l.minutes)::int as minutes
     from ledger_row l join resource r on r.id = l.resource_id where l.charge = 'usage' group by 1, 2, r.bill_from_best`,
  );

/** The cloud's own bill of the minutes that begin within a month. */
function billed(machine: Machine, month: string): Bill {
  const { state, behaviour } = simulator.cloud;
  const { from: start, to: end } = monthRange(month, "UTC");
  const first = machine.activeAt ?? NOON;
  const minuteAfter = (at: number) => first + Math.ceil(Math.max(0, at - first) / MINUTE) * MINUTE;
  const until = Math.min(minuteAfter(end), machine.terminateRequestedAt ?? NOON, NOON);
  const clipped = {
    ...machine,
    activeAt: machine.activeAt === null ? null : minuteAfter(start),
    terminateRequestedAt: until,
  };
  return billOf(clipped, state.prices[machine.typeName] ?? [], NOON, behaviour);
}

/** As far as the account was connected: what was paid before nobody here could see. */
function truth(machine: Machine, month: string, firstSeen: Date | null): bigint {
  const known = NOON - DAYS * DAY;
  const began =
    machine.activeAt !== null && machine.activeAt < known ? (firstSeen?.getTime() ?? known) : machine.activeAt;
  return billed({ ...machine, activeAt: began }, month).micros;
}

describe("the demo's ledger against the cloud's own bill", () => {
  test("each machine's bill of each month lies within the bounds that are claimed", async () => {
    const metered = await ledger();
    const months = [...new Set(metered.map(({ month }) => month))];
    expect(months.sort()).toEqual(["2026-10", "2026-11"]);
    const byKey = new Map(metered.map((one) => [`${one.id} ${one.month}`, one]));
    const firstSeen = new Map(metered.map((one) => [one.id, one.from]));
    let compared = 0;
    for (const machine of simulator.cloud.state.machines) {
      for (const month of months) {
        const bill = truth(machine, month, firstSeen.get(machine.id) ?? null);
        const own = byKey.get(`${machine.id} ${month}`);
        // Each row is rounded once, and the bill once in all.
        const slack = BigInt(own?.rows ?? 0);
        const [low, high] = [BigInt(own?.low ?? "0") - slack, BigInt(own?.high ?? "0") + slack];
        const words = `${machine.id} in ${month}: ${bill} within ${low} and ${high}`;
        expect(low <= bill && bill <= high, words).toBe(true);
        if (bill > 0n) compared++;
      }
    }
    expect(compared).toBeGreaterThan(12);
  });

  test("the months' totals on the page are the bill's, but for less than a thousandth", async () => {
    const metered = await ledger();
    const firstSeen = new Map(metered.map((one) => [one.id, one.from]));
    for (const month of ["2026-10", "2026-11"]) {
      const bill = simulator.cloud.state.machines.reduce(
        (sum, machine) => sum + truth(machine, month, firstSeen.get(machine.id) ?? null),
        0n,
      );
      const answer = await readCost(ctx, { month, by: "team" });
      const off = BigInt(answer.instances.micros) - bill;
      expect(bill).toBeGreaterThan(100_000_000n);
      expect((off < 0n ? -off : off) * 1_000n < bill, `${month}: ${off} of ${bill}`).toBe(true);
      expect(answer.total.unknownRows).toBe(0);
    }
  });

  test("the price change and the machine from the console are in it", async () => {
    const october = await readCost(ctx, { month: "2026-10", by: "type" });
    expect(october.priceChanges).toMatchObject([{ sku: "gpu_1x_gh200", beforeMicros: "1490000", micros: "2290000" }]);
    expect(october.resources.map(({ ratesMicros }) => ratesMicros)).toContainEqual(["1490000", "2290000"]);
    const november = await readCost(ctx, { by: "team" });
    expect(november.resources.find(({ name }) => name === "tmp benchmark")).toMatchObject({
      isOutside: true,
      team: "",
    });
  });

  test("the driver's lines of the past are events of their cards", async () => {
    const told = simulator.cloud.state.machines.flatMap((machine) => kernelLines(machine, NOON - DAYS * DAY, NOON));
    const kept = await rows<{ at: Date; gpuId: number | null; resourceId: string | null }>(
      `select at, gpu_id as "gpuId", resource_id as "resourceId" from event where kind = 'xid' order by at`,
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.map(({ at }) => at.getTime())).toEqual(told.map(({ at }) => at).sort((a, b) => a - b));
    for (const { gpuId, resourceId } of kept) expect([gpuId, resourceId]).not.toContain(null);
  });

  test("seeding again changes nothing", async () => {
    const before = await ledgerHash();
    expect(await seedDemo(ctx, simulator.adminUrl, DAYS)).toEqual({ isNew: false, samples: 0, machines: 0 });
    expect(await ledgerHash()).toEqual(before);
  });
});
