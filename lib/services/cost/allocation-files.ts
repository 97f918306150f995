import type { Ctx } from "@/lib/domain/access";
import { instantCell, usdCell } from "@/lib/domain/cells";
import { NOBODY, type OwnerWords } from "@/lib/domain/cost/allocation";
import type {
  AllocationAnswer,
  AllocationTableQuestion,
  AssignmentsAnswer,
  AssignmentView,
  RulesAnswer,
  SharesAnswer,
  Uncategorised,
} from "@/lib/domain/cost/allocation-view";
import { ownerWords } from "@/lib/domain/cost/attribution";
import { cellsOf, type TableColumn } from "@/lib/domain/table";
import { exporting } from "@/lib/services/table";
import { readAllocationMonth, readShares } from "./allocation";
import { readAssignments, readRules } from "./allocation-lists";

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

type PotPart = {
  pot: string;
  method: string | null;
  words: OwnerWords;
  micros: string | null;
  roundingPpm: number | null;
};

const POTS: readonly TableColumn<PotPart>[] = [
  { name: "pot", cell: (row) => row.pot },
  { name: "spread_by", cell: (row) => row.method },
  { name: "team", cell: (row) => row.words.team },
  { name: "project", cell: (row) => row.words.project },
  { name: "environment", cell: (row) => row.words.environment },
  { name: "cost_center", cell: (row) => row.words.costCenter },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "rounding_micro_ppm", cell: (row) => row.roundingPpm },
];

/** Each part, and what of a pot is not spread as one of nobody: together they are the pots. */
function potParts({ pots }: AllocationAnswer): PotPart[] {
  return pots.flatMap(({ name: pot, method, parts, unspreadMicros }): PotPart[] => [
    ...parts.map(({ words, micros, roundingPpm }) => ({ pot, method, words, micros, roundingPpm })),
    ...(unspreadMicros === "0"
      ? []
      : [{ pot, method: "not spread", words: NOBODY, micros: unspreadMicros, roundingPpm: null }]),
  ]);
}

/** What nobody pays for, or how pots are spread, as a file. */
export const exportAllocation = exporting(
  (ctx: Ctx, question: AllocationTableQuestion) => readAllocationMonth(ctx, question),
  (answer: AllocationAnswer, { table }) => {
    const about = [["Month", answer.month] as const];
    if (table === "pots")
      return { name: `pots-${answer.month}`, title: "Shared cost", about, ...cellsOf(POTS, potParts(answer)) };
    return {
      name: `uncategorised-${answer.month}`,
      title: "What nobody pays for",
      about,
      ...cellsOf(QUEUE, answer.queue),
    };
  },
);

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

type Rule = RulesAnswer["rules"][number];

const RULES: readonly TableColumn<Rule>[] = [
  { name: "rule_id", cell: (row) => row.id },
  { name: "name", cell: (row) => row.name },
  { name: "about", cell: (row) => row.about },
  { name: "method", cell: (row) => row.method },
  { name: "pays", cell: (row) => row.shares.map(({ words }) => ownerWords(words)).join("; ") },
  { name: "shares_ppm", cell: (row) => row.shares.map(({ ppm }) => ppm).join("; ") },
  { name: "from_utc", cell: (row) => instantCell(row.from) },
  { name: "to_utc", cell: (row) => instantCell(row.to) },
  { name: "state", cell: (row) => row.state },
];

/** The allocation rules in the order in which they are asked, as a file. */
export const exportRules = exporting(
  (ctx: Ctx, _question: object) => readRules(ctx),
  ({ rules }) => ({ name: "allocation-rules", title: "Allocation rules", about: [], ...cellsOf(RULES, rules) }),
);

const ASSIGNMENTS: readonly TableColumn<AssignmentView>[] = [
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "name", cell: (row) => row.name },
  { name: "kind", cell: (row) => row.kind },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "from_utc", cell: (row) => instantCell(row.from) },
  { name: "to_utc", cell: (row) => instantCell(row.to) },
  { name: "team", cell: (row) => row.words.team },
  { name: "project", cell: (row) => row.words.project },
  { name: "environment", cell: (row) => row.words.environment },
  { name: "cost_center", cell: (row) => row.words.costCenter },
  { name: "pot", cell: (row) => row.pot },
  { name: "said_by", cell: (row) => row.by },
  { name: "rule", cell: (row) => row.rule?.name ?? null },
];

/** Who pays for each thing of a month, as a file. */
export const exportAssignments = exporting(readAssignments, ({ month, assignments }: AssignmentsAnswer) => ({
  name: `assignments-${month}`,
  title: "Who pays for what",
  about: [["Month", month] as const],
  ...cellsOf(ASSIGNMENTS, assignments),
}));
