import { decimalText, parseDecimal } from "@/lib/domain/cost/decimal";
import { type Micros, sum } from "@/lib/domain/cost/money";
import { compareAmounts } from "@/lib/domain/cost/reconcile";
import { groupBy } from "@/lib/domain/group";
import type { FocusRow } from "./rows";

/** What the official model says in prose only, as far as a file can show it. One sentence per thing that is wrong. */
export function checkProse(rows: readonly FocusRow[]): string[] {
  return [
    ...duplicates(rows),
    ...overlaps(rows),
    ...(new Set(rows.map((row) => row.BillingPeriodStart)).size > 1 ? ["The file mixes billing periods"] : []),
    ...rows.flatMap((row) => badRow(row).map((why) => `${row.x_ChargeKey ?? "a row"}: ${why}`)),
  ];
}

function duplicates(rows: readonly FocusRow[]): string[] {
  const groups = groupBy([...rows], (row) => row.x_ChargeKey ?? "");
  return [...groups].filter(([, same]) => same.length > 1).map(([key]) => `${key} is there more than once`);
}

/** Segments of one resource, charge and price do not overlap; corrections lie over what they correct. */
function overlaps(rows: readonly FocusRow[]): string[] {
  const metered = rows.filter((row) => row.ChargeCategory === "Usage" && row.ResourceId && row.ChargeClass === null);
  const groups = groupBy(metered, (row) => [row.ResourceId, row.SkuId, row.x_PriceIntervalId].join("|"));
  return [...groups.values()].flatMap((group) => {
    const inOrder = [...group].sort((a, b) => ((a.x_SegmentStart ?? "") < (b.x_SegmentStart ?? "") ? -1 : 1));
    return inOrder.flatMap((row, i) => {
      const before = inOrder[i - 1];
      const isOver = before && (row.x_SegmentStart ?? "") < (before.x_SegmentEnd ?? "");
      return isOver ? [`${row.x_ChargeKey} overlaps ${before.x_ChargeKey}`] : [];
    });
  });
}

function badRow(row: FocusRow): string[] {
  const costs = [row.ListCost, row.ContractedCost, row.EffectiveCost];
  const {
    ChargePeriodStart: start = "",
    ChargePeriodEnd: end = "",
    BillingPeriodStart: from = "",
    BillingPeriodEnd: to = "",
  } = row;
  const isOwn = row.ChargeCategory === "Credit" || row.ChargeCategory === "Tax" || row.ChargeCategory === "Adjustment";
  const found: [boolean, string][] = [
    [(start ?? "") >= (end ?? ""), "its charge period does not last"],
    [(from ?? "") >= (to ?? ""), "its billing period does not last"],
    [
      row.ChargeClass === null && ((start ?? "") < (from ?? "") || (end ?? "") > (to ?? "")),
      "lies outside its billing period and is no correction",
    ],
    [row.ChargeClass === "Correction" && (start ?? "") >= (to ?? ""), "corrects what is still to come"],
    [row.ResourceName !== null && row.ResourceName === row.ResourceId, "has its id for a name"],
    [isOwn && costs.some((cost) => cost !== row.BilledCost), "its costs are not the amount of the charge"],
    [row.CommitmentDiscountStatus === "Unused" && row.BilledCost !== "0.000000", "is unused and billed"],
  ];
  return found.filter(([isWrong]) => isWrong).map(([, why]) => why);
}

/** What was paid for each commitment beside what was made of it, used and unused: equal over its whole term. */
export function commitmentBalances(
  rows: readonly FocusRow[],
): { id: string; paidUsd: string; usedUsd: string; unusedUsd: string }[] {
  const own = groupBy(
    rows.filter((row) => row.CommitmentDiscountId),
    (row) => row.CommitmentDiscountId ?? "",
  );
  return [...own].map(([id, group]) => ({
    id,
    paidUsd: sumOf(
      group.filter((row) => row.ChargeCategory === "Purchase"),
      "BilledCost",
    ),
    usedUsd: sumOf(
      group.filter((row) => row.CommitmentDiscountStatus === "Used"),
      "EffectiveCost",
    ),
    unusedUsd: sumOf(
      group.filter((row) => row.CommitmentDiscountStatus === "Unused"),
      "EffectiveCost",
    ),
  }));
}

/** Invoices whose rows do not add up to what is payable, beyond what rounding explains. */
export function invoiceDifferences(
  rows: readonly FocusRow[],
  payable: ReadonlyMap<string, Micros>,
): { invoice: string; differenceMicros: Micros }[] {
  const groups = groupBy(
    rows.filter((row) => row.InvoiceId),
    (row) => row.InvoiceId ?? "",
  );
  return [...groups].flatMap(([invoice, group]) => {
    const invoiceMicros = payable.get(invoice);
    if (invoiceMicros === undefined) return [];
    const compared = compareAmounts({
      ledgerMicros: total(group, "BilledCost") / (SCALE / 1_000_000n),
      invoiceMicros,
      rows: group.length,
    });
    return compared.isMatch ? [] : [{ invoice, differenceMicros: compared.differenceMicros }];
  });
}

/** Dollars with six decimals. */
export function sumOf(rows: readonly FocusRow[], column: string): string {
  return decimalText(total(rows, column), SCALE, 6);
}

const SCALE = 10n ** 36n;

function total(rows: readonly FocusRow[], column: string): bigint {
  return sum(
    rows.map((row) => {
      const { numerator, denominator } = parseDecimal(row[column] ?? "0");
      return (numerator * SCALE) / denominator;
    }),
  );
}
