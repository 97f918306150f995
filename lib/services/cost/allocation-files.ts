import { usdCell } from "@/lib/domain/cells";
import type { AllocationAnswer, SharesAnswer, Uncategorised } from "@/lib/domain/cost/allocation-view";
import { cellsOf, type TableColumn } from "@/lib/domain/table";
import { exporting } from "@/lib/services/table";
import { readAllocationMonth, readShares } from "./allocation";

const QUEUE: readonly TableColumn<Uncategorised>[] = [
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "name", cell: (row) => row.name },
  { name: "kind", cell: (row) => row.kind },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "launched_by", cell: (row) => row.launchedBy },
  { name: "since_utc", cell: (row) => new Date(row.since).toISOString() },
  { name: "per_hour_usd", cell: (row) => usdCell(big(row.microsPerHour)) },
  { name: "amount_usd", cell: (row) => usdCell(big(row.micros)) },
  { name: "at_least_usd", cell: (row) => usdCell(big(row.lowMicros)) },
  { name: "at_most_usd", cell: (row) => usdCell(big(row.highMicros)) },
  { name: "unknown_rows", cell: (row) => row.unknownRows },
];

type Line = { kind: string; key: string; own: string; shared: string; all: string };

const SHARES: readonly TableColumn<Line>[] = [
  { name: "part", cell: (row) => row.kind },
  { name: "name", cell: (row) => row.key },
  { name: "own_usd", cell: (row) => usdCell(BigInt(row.own)) },
  { name: "shared_usd", cell: (row) => usdCell(BigInt(row.shared)) },
  { name: "total_usd", cell: (row) => usdCell(BigInt(row.all)) },
];

const big = (text: string | null) => (text === null ? null : BigInt(text));

/** What nobody pays for, as a file. */
export const exportQueue = exporting(readAllocationMonth, ({ month, queue }: AllocationAnswer) => ({
  name: `uncategorised-${month}`,
  title: "What nobody pays for",
  about: [["Month", month] as const],
  ...cellsOf(QUEUE, queue),
}));

/** A month before and after sharing, as a file; the column of totals adds up to the month. */
export const exportShares = exporting(readShares, (answer: SharesAnswer) => ({
  name: `allocation-${answer.month}-${answer.by}`,
  title: `The month by ${answer.by}`,
  about: [["Month", answer.month] as const],
  ...cellsOf(SHARES, [
    ...answer.rows.map((row) => ({
      ...{ kind: answer.by, key: row.key, own: row.ownMicros, shared: row.sharedMicros, all: row.totalMicros },
    })),
    {
      ...{ kind: "pots", key: "", own: answer.potsMicros, all: answer.unspreadMicros },
      shared: (BigInt(answer.unspreadMicros) - BigInt(answer.potsMicros)).toString(),
    },
    { kind: "uncategorised", key: "", own: answer.uncategorisedMicros, shared: "0", all: answer.uncategorisedMicros },
  ]),
}));
