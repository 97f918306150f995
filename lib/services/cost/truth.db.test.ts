import { describe, expect, test } from "vitest";
import { ledgerHash } from "@/lib/db/cost/ledger";
import { forgetOwners } from "@/lib/db/cost/observations";
import { recordFailedPoll } from "@/lib/db/fleet/connection";
import { systemCtx } from "@/lib/domain/access";
import { ledgerLines } from "@/lib/domain/cost/meter";
import { AuditEvent, Instance, InstanceTypes, instanceTypeRows } from "@/lib/integrations/lambda/contract";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordEvents, recordListing, recordTypes } from "@/lib/services/fleet/poll";
import { billOf } from "@/lib/simulator/ledger";
import { isListedAt } from "@/lib/simulator/lifecycle";
import type { Machine } from "@/lib/simulator/types";
import { lambdaBehaviour } from "@/lib/simulator/types";
import { auditEventView, listingView, typeItemView } from "@/lib/simulator/views";
import { emptyDatabase } from "@/lib/testing/empty";
import { type Past, POLL_MS, pastOf } from "@/lib/testing/past";
import { rows } from "@/lib/testing/world";
import { meterCosts, recomputeCosts } from "./meter";
import { setSetting } from "./story.testing";

/** A year of them is for long trials. */
const DAYS = Number(process.env.HOPPERDECK_TRUTH_DAYS ?? 31);
const MACHINES_PER_DAY = 0.7;
const DAY = 86_400_000;
const METER_MS = 17 * 3_600_000;
const ZONE = "Europe/Berlin";

type Line = { id: string; rows: number; micros: bigint; low: bigint; high: bigint; isFlagged: boolean };

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

async function ledger(): Promise<Map<string, Line>> {
  const found = await rows<{ id: string; rows: number; micros: string; low: string; high: string; isFlagged: boolean }>(
    `select r.external_id as id, count(*)::int as rows, sum(l.micros)::text as micros, sum(l.low_micros)::text as low, sum(l.high_micros)::text as high,
       bool_or(l.is_flagged) as "isFlagged" from ledger_row l join resource r on r.id = l.resource_id group by 1`,
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
    const found = await ledger();
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
    let seen = 0;
    let reviewed = 0;
    for (const machine of past.state.machines) {
      // Of who came and went while nobody looked, nothing is known.
      if (!past.polls.some((at) => isListedAt(machine, at))) continue;
      const truth = truthOf(machine, past, mode, now);
      const line = found.get(machine.id) ?? { rows: 0, micros: 0n, low: 0n, high: 0n, isFlagged: false };
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
    expect(seen).toBeGreaterThan(past.state.machines.length * 0.7);
    // Not everything may hide in the list of what is to be looked at.
    expect(reviewed).toBeLessThan(seen / 2);

    // All at once gives what all along gave, and again nothing changes.
    const before = await ledgerHash();
    await recomputeCosts(systemCtx("test", new Date(now)), "2020-01-01");
    expect(await ledgerHash()).toEqual(before);
  });
});
