import type { Client } from "@/lib/db/client";
import { ownerId } from "@/lib/db/cost/observations";
import { readAllocation, type StoredRule } from "@/lib/db/cost/owners";
import { asking } from "@/lib/db/cost/periods";
import { listPayerDays, listPotDays, listSharedRows, type SharedRow, writeShared } from "@/lib/db/cost/shared";
import { type Sharing, spread } from "@/lib/domain/cost/sharing";
import { dayRange } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";

/**
 * Spreads every pot over its payers, day by day, as the ledger is now: in every month that is not closed, or, `within` the
 * transaction that closes it, in one. Safe to repeat; a day on which there is nobody to bear a pot keeps it unspread.
 */
export async function spreadShared(zone: string, within?: { tx: Client; month: string }): Promise<void> {
  const asked = within && asking(within.tx);
  const month = within?.month ?? null;
  // One after the other: inside a transaction there is one connection.
  const pots = await listPotDays(month, asked);
  const before = await listSharedRows(month, asked);
  if (pots.length === 0 && before.length === 0) return;
  const { rules } = await readAllocation(within?.tx);
  const payers = groupBy(await listPayerDays([...new Set(pots.map(({ day }) => day))], asked), ({ day }) => day);
  const wanted: SharedRow[] = [];
  for (const { micros, ...pot } of pots) {
    const sharing = sharingOf(rules, pot.potId, dayRange(pot.day, zone));
    if (!sharing || micros === 0n) continue;
    const owners = (payers.get(pot.day) ?? []).map(({ gpuMinutes, day: _, ...words }) => ({ words, gpuMinutes }));
    for (const { words, ...part } of spread(micros, sharing, owners) ?? []) {
      wanted.push({ ...pot, ...part, ownerId: await ownerId(words) });
    }
  }
  const keyOf = (row: SharedRow) => [row.period, row.day, row.potId, row.ownerId].join("|");
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const kept = new Set(wanted.map(keyOf));
  const changed = wanted.filter((row) => {
    const old = known.get(keyOf(row));
    return old?.micros !== row.micros || old.roundingPpm !== row.roundingPpm;
  });
  await writeShared(
    changed,
    before.filter((row) => !kept.has(keyOf(row))),
    asked,
  );
}

/** How a pot is spread on a day: as the rule says that began last of those in force on it. */
export function sharingOf(
  rules: readonly StoredRule[],
  potId: number,
  day: { from: number; to: number },
): Sharing | null {
  const inForce = rules.filter(
    (rule) => rule.potId === potId && (rule.from ?? 0) < day.to && (rule.to === null || rule.to > day.from),
  );
  const latest = inForce.reduce<StoredRule | null>(
    (found, rule) => (found === null || (rule.from ?? 0) > (found.from ?? 0) ? rule : found),
    null,
  );
  if (!latest || latest.method === "whole") return null;
  return { method: latest.method, payers: latest.shares };
}
