import { describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { ledgerHash } from "@/lib/db/cost/ledger";
import { forgetOwners } from "@/lib/db/cost/observations";
import { setPrice } from "@/lib/db/cost/prices";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import { recordFailedPoll } from "@/lib/db/fleet/connection";
import { systemCtx } from "@/lib/domain/access";
import { ledgerLines } from "@/lib/domain/cost/meter";
import { roundHalfAway } from "@/lib/domain/cost/money";
import { dayOf } from "@/lib/domain/cost/zone";
import { AuditEvent, Filesystem, Instance, InstanceTypes, instanceTypeRows } from "@/lib/integrations/lambda/contract";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordEvents, recordFilesystems, recordListing, recordTypes } from "@/lib/services/fleet/poll";
import { billOf } from "@/lib/simulator/ledger";
import { isListedAt } from "@/lib/simulator/lifecycle";
import type { Machine } from "@/lib/simulator/types";
import { lambdaBehaviour } from "@/lib/simulator/types";
import {
  auditEventView,
  bytesUsedAt,
  existsAt,
  fileSystemsView,
  listingView,
  typeItemView,
} from "@/lib/simulator/views";
import { emptyDatabase } from "@/lib/testing/empty";
import { type Past, POLL_MS, pastOf } from "@/lib/testing/past";
import { rows } from "@/lib/testing/world";
import { meterCosts, recomputeCosts, STORAGE_SKU } from "./meter";
import { setSetting } from "./story.testing";

/** A year of them is for long trials. */
const DAYS = Number(process.env.HOPPERDECK_TRUTH_DAYS ?? 31);
const MACHINES_PER_DAY = 0.7;
const DAY = 86_400_000;
const HOUR = 3_600_000;
const METER_MS = 17 * 3_600_000;
const ZONE = "Europe/Berlin";

/** Per GiB-month, from a day of the past on. */
const STORAGE_PRICES = [
  { day: 0, micros: 200_000n },
  { day: 14.3, micros: 230_000n },
];

type Line = { id: string; rows: number; micros: bigint; low: bigint; high: bigint; isFlagged: boolean };

async function ledgerRows(): Promise<string[]> {
  const found = await rows<{ row: string }>("select (l.*)::text as row from ledger_row l order by l.key");
  return found.map(({ row }) => row);
}

const NO_LINE: Omit<Line, "id"> = { rows: 0, micros: 0n, low: 0n, high: 0n, isFlagged: false };

/** What the worker does in that time, in order; unless it is down, it meters now and then. */
async function live(past: Past): Promise<void> {
  const connection = await lambdaConnection(new Date(past.from));
  const isDown = (at: number) => past.away.some((one) => one.isWorkerDown && one.from <= at && at < one.to);
  type Act = { at: number; run: (at: Date) => Promise<unknown> };
  const acts: Act[] = [
    ...past.typePolls.map((at) => ({
      at,
      run: (date: Date) => {
        const names = Object.keys(past.state.prices);
        const answer = Object.fromEntries(names.map((name) => [name, typeItemView(past.state, name, at)]));
        return recordTypes(systemCtx("test", date), connection, instanceTypeRows(InstanceTypes.parse(answer)));
      },
    })),
    ...past.polls.map((at) => ({
      at,
      run: (date: Date) => {
        const listing = listingView(past.state, at).map((one) => Instance.parse(one));
        return recordListing(systemCtx("test", date), connection, listing, 50);
      },
    })),
    ...past.filePolls.map((at) => ({
      at,
      run: (date: Date) => {
        const listing = fileSystemsView(past.state, at).map((one) => Filesystem.parse(one));
        return recordFilesystems(systemCtx("test", date), connection, listing);
      },
    })),
    ...STORAGE_PRICES.map(({ day, micros }) => ({
      at: past.from + day * DAY,
      run: (date: Date) => {
        const price = { sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" as const };
        return setPrice(prisma, { provider: connection.provider, ...price, micros }, date);
      },
    })),
    ...past.away.map(({ from }) => ({
      at: from + 1,
      run: (at: Date) =>
        recordFailedPoll({ connectionId: connection.id, at, outcome: "network", durationMs: 1, error: "away" }),
    })),
    ...past.state.audit.map((entry) => ({
      at: entry.at + DAY / 2,
      run: (date: Date) => recordEvents(systemCtx("test", date), connection, [AuditEvent.parse(auditEventView(entry))]),
    })),
    ...Array.from({ length: Math.ceil((past.to - past.from) / METER_MS) }, (_, i) => past.from + i * METER_MS + 7_000)
      .filter((at) => !isDown(at))
      .map((at) => ({ at, run: (date: Date) => meterCosts(systemCtx("test", date)) })),
  ];
  for (const { at, run } of acts.sort((a, b) => a.at - b.at)) await run(new Date(at));
}

async function ledger(charge: "usage" | "storage"): Promise<Map<string, Line>> {
  const found = await rows<{ id: string; rows: number; micros: string; low: string; high: string; isFlagged: boolean }>(
    `select r.external_id as id, count(*)::int as rows, sum(l.micros)::text as micros, sum(l.low_micros)::text as low, sum(l.high_micros)::text as high,
       bool_or(l.is_flagged) as "isFlagged" from ledger_row l join resource r on r.id = l.resource_id where l.charge = '${charge}' group by 1`,
  );
  return new Map(
    found.map((row) => [row.id, { ...row, micros: BigInt(row.micros), low: BigInt(row.low), high: BigInt(row.high) }]),
  );
}

/** The cloud's own bill, cut and rounded as a ledger is. */
function truthOf(
  machine: Machine,
  past: Past,
  mode: "current" | "launch",
  now: number,
): { micros: bigint; rows: number } {
  const steps = past.state.prices[machine.typeName] ?? [];
  const bill = billOf(machine, steps, now, lambdaBehaviour);
  if (bill.from === null || bill.to === null) return { micros: 0n, rows: 0 };
  const prices = steps.map(({ from, value }, i) => ({
    priceId: i,
    from: mode === "launch" ? null : from,
    to: mode === "launch" ? null : (steps[i + 1]?.from ?? null),
    micros: BigInt(mode === "launch" ? machine.launchCents : value) * 10_000n,
  }));
  const lines = ledgerLines({ from: bill.from, to: bill.to, prices, owners: [], zone: ZONE });
  return { micros: lines.reduce((sum, line) => sum + (line.micros ?? 0n), 0n), rows: lines.length };
}

/** R5 as it stands, hour by hour: what is billed of a file system that holds so many bytes at the beginning of each. */
function filesCost(from: number, to: number, past: Past, bytesAt: (at: number) => number): bigint {
  const days = new Map<string, bigint>();
  for (let at = from; at < to; at += HOUR) {
    const price = STORAGE_PRICES.findLast(({ day }) => past.from + day * DAY <= at) ?? STORAGE_PRICES[0];
    const key = `${dayOf(at, ZONE)}/${price?.micros}`;
    days.set(key, (days.get(key) ?? 0n) + BigInt(bytesAt(at)) * (price?.micros ?? 0n));
  }
  return [...days.values()].reduce((all, one) => all + roundHalfAway(one, 720n * 2n ** 30n), 0n);
}

const size = (value: bigint) => (value < 0n ? -value : value);

/** A file system is metered exactly as it was seen, and that is as near to the truth as the looks at it are. */
async function checkFiles(past: Past, now: number): Promise<void> {
  const found = await ledger("storage");
  expect([...found.keys()].sort()).toEqual(past.state.fileSystems.map(({ id }) => id).sort());
  for (const one of past.state.fileSystems) {
    const looks = past.filePolls.filter((at) => existsAt(one, at));
    const first = looks[0] ?? now;
    const gone = past.filePolls.find((at) => one.deletedAt !== null && at >= one.deletedAt) ?? now;
    const lookBefore = (at: number) => looks.findLast((look) => look <= at) ?? first;
    const line = found.get(one.id) ?? NO_LINE;
    expect([one.name, line.micros]).toEqual([
      one.name,
      filesCost(first, gone, past, (at) => bytesUsedAt(one, lookBefore(at))),
    ]);
    const end = one.deletedAt ?? now;
    const truth = filesCost(one.createdAt, end, past, (at) => bytesUsedAt(one, at));
    // Hours at both ends that nobody saw, at the most it held; and what it grew between two looks.
    const unseen = Math.ceil((first - one.createdAt) / HOUR) + Math.ceil((gone - end) / HOUR) + 2;
    const most = filesCost(0, unseen * HOUR, { ...past, from: 0 }, () => bytesUsedAt(one, end) * 2);
    const growth = filesCost(first, end, past, (at) => bytesUsedAt(one, at + HOUR) - bytesUsedAt(one, lookBefore(at)));
    expect([one.name, size(truth - line.micros) <= most + growth]).toEqual([one.name, true]);
  }
}

const pasts = [
  { mode: "current" as const, from: "2026-03-10T00:00:00Z", seed: 11 },
  { mode: "launch" as const, from: "2026-10-07T00:00:00Z", seed: 12 },
];

describe.each(pasts)(`${DAYS} days from $from, a running machine costs the $mode price`, ({ mode, from, seed }) => {
  test("the truth lies within the bounds of every machine, and near the best of each that was seen", {
    timeout: 2 * 3_600_000,
  }, async () => {
    await emptyDatabase();
    forgetOwners();
    await setSetting("accounting", { zone: ZONE, price: mode });
    const past = pastOf(seed, Date.parse(from), DAYS, Math.ceil(DAYS * MACHINES_PER_DAY));
    await live(past);
    const now = past.to + DAY / 24;
    await meterCosts(systemCtx("test", new Date(now)));
    const found = await ledger("usage");
    const dearest =
      BigInt(
        Math.max(
          ...Object.values(past.state.prices)
            .flat()
            .map(({ value }) => value),
        ),
      ) * 10_000n;
    // Two poll intervals, in begun minutes.
    const near = (dearest * BigInt(Math.ceil((2 * POLL_MS) / 60_000))) / 60n;
    const wrong: string[] = [];
    let [seen, reviewed, told, unknown] = [0, 0, 0, 0];
    for (const machine of past.state.machines) {
      const truth = truthOf(machine, past, mode, now);
      const line = found.get(machine.id) ?? NO_LINE;
      const isSeen = past.polls.some((at) => isListedAt(machine, at));
      const isTold = past.state.audit.some(({ resourceIds }) => resourceIds.includes(machine.id));
      if (!isSeen && isTold) told++;
      if (!isSeen && !isTold) {
        // Of who came and went while nobody looked, and of whom no log tells, the month says that nobody looked.
        const end = machine.terminatedAt ?? now;
        if (truth.micros > 0n && !past.away.some((gap) => gap.from <= machine.launchedAt && end <= gap.to))
          wrong.push(`${machine.id}: never seen, and ${truth.micros} of it in a time that was watched`);
        unknown++;
        continue;
      }
      // Each row is rounded once, so sums may differ by half a micro-dollar for each.
      const rounding = BigInt(line.rows + truth.rows);
      const isWithin = line.low - rounding <= truth.micros && truth.micros <= line.high + rounding;
      const off = line.micros > truth.micros ? line.micros - truth.micros : truth.micros - line.micros;
      if (!isWithin || (off > near + rounding && !line.isFlagged))
        wrong.push(`${machine.id}: ${truth.micros} of [${line.low}, ${line.micros}, ${line.high}]`);
      seen++;
      if (line.isFlagged) reviewed++;
    }
    expect(wrong).toEqual([]);
    expect(seen + unknown).toBe(past.state.machines.length);
    expect([told > 0, unknown > 0]).toEqual([true, true]);
    expect(seen).toBeGreaterThan(past.state.machines.length * 0.7);
    await checkFiles(past, now);
    // Not everything may hide in the list of what is to be looked at.
    expect(reviewed).toBeLessThan(seen / 2);

    // All at once gives what all along gave, and again nothing changes.
    const [before, written] = [await ledgerHash(), await ledgerRows()];
    await recomputeCosts(systemCtx("test", new Date(now)), "2020-01-01");
    const again = await ledgerRows();
    const only = (these: readonly string[], those: readonly string[]) => these.filter((row) => !those.includes(row));
    expect([only(written, again), only(again, written)]).toEqual([[], []]);
    expect(await ledgerHash()).toEqual(before);
  });
});
