import { listCharges, type StoredCharge } from "@/lib/db/cost/charges";
import { inTransaction, type LedgerRow, replaceMade } from "@/lib/db/cost/ledger";
import { type AllocationBook, ownerOfCharge } from "@/lib/db/cost/owners";
import { closedMonths } from "@/lib/db/cost/periods";
import { holdForSettling } from "@/lib/db/cost/settle";
import { overDays } from "@/lib/domain/cost/commitments";
import { dayRange } from "@/lib/domain/cost/zone";

const DAY_MS = 86_400_000;

/** What the rows were last written from: they change with nothing else. */
let settledFor = "";

/** Writes what no meter sees: credits, tax, adjustments, a row for each of their days. One that was taken back has none. */
export async function settleCharges(allocation: AllocationBook, zone: string): Promise<void> {
  const charges = await listCharges(true);
  const facts = [charges, allocation.rules, zone, [...(await closedMonths())].sort()];
  const fingerprint = JSON.stringify(facts, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
  if (charges.length === 0 || fingerprint === settledFor) return;
  const made = await Promise.all(
    charges.map(async (charge) => ({
      id: charge.id,
      since: null,
      rows: charge.deletedAt ? [] : await rowsOf(charge, allocation, zone),
    })),
  );
  await inTransaction(async (client) => {
    await holdForSettling(client, "charge");
    await replaceMade(client, "charge", made);
  });
  settledFor = fingerprint;
}

async function rowsOf(charge: StoredCharge, allocation: AllocationBook, zone: string): Promise<LedgerRow[]> {
  const days = daysBetween(charge.fromDay, charge.toDay);
  const ownerId =
    charge.ownerId || (await ownerOfCharge(allocation, { kind: charge.kind, at: dayRange(charge.fromDay, zone).from }));
  return overDays(charge.micros, days.length).map((micros, i): LedgerRow => {
    const day = days[i] ?? charge.fromDay;
    const range = dayRange(day, zone);
    return {
      resourceId: null,
      chargeId: charge.id,
      charge: charge.kind,
      day,
      spanId: null,
      priceId: null,
      ownerId,
      startsAt: range.from,
      endsAt: range.to,
      minutes: 0,
      byteHours: null,
      micros,
      lowMicros: micros,
      highMicros: micros,
      isFlagged: false,
      note: charge.description,
    };
  });
}

function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, i) => new Date(first + i * DAY_MS).toISOString().slice(0, 10));
}
