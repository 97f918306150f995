import { z } from "zod";
import { instantCell, usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import { type CloseAnswer, MonthQuestion, type Point, type ReviewItem } from "./close";
import { type WhyAnswer, type WhyLine, WhyQuestion } from "./why-view";

/** Why a month differs: what each key adds to it, the steps, or the machines that came and went. */
export const WhyTableQuestion = WhyQuestion.extend({
  table: z.enum(["lines", "steps", "resources"]).default("lines"),
});
export type WhyTableQuestion = z.output<typeof WhyTableQuestion>;

const LINES: readonly TableColumn<WhyLine>[] = [
  { name: "key", cell: (row) => row.key },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "before_gpu_minutes", cell: (row) => ({ number: row.before.gpuMinutes }) },
  { name: "before_usd", cell: (row) => usdCell(row.before.micros) },
  { name: "gpu_minutes", cell: (row) => ({ number: row.own.gpuMinutes }) },
  { name: "amount_usd", cell: (row) => usdCell(row.own.micros) },
  { name: "hours_effect_usd", cell: (row) => usdCell(row.hours) },
  { name: "volume_effect_usd", cell: (row) => usdCell(row.volume) },
  { name: "mix_effect_usd", cell: (row) => usdCell(row.mix) },
  { name: "price_effect_usd", cell: (row) => usdCell(row.price) },
];

const STEPS: readonly TableColumn<WhyAnswer["steps"][number]>[] = [
  { name: "step", cell: (row) => row.step },
  { name: "from_usd", cell: (row) => usdCell(row.fromMicros) },
  { name: "to_usd", cell: (row) => usdCell(row.micros) },
  { name: "effect_usd", cell: (row) => usdCell(BigInt(row.micros) - BigInt(row.fromMicros)) },
];

const CHANGED: readonly TableColumn<WhyAnswer["resources"][number]>[] = [
  { name: "resource_id", cell: (row) => row.id },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "is_new", cell: (row) => row.isNew },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
];

export function whyTable(answer: WhyAnswer, { table }: WhyTableQuestion): WholeTable {
  const { month, mix, own, before } = answer;
  const about = [
    ["Month", month] as const,
    ...(own && before
      ? [["Days", `${own.fromDay} to ${own.toDay}, against ${before.fromDay} to ${before.toDay}`] as const]
      : []),
    ["By", mix] as const,
  ];
  const name = `why-${month}-${table}`;
  if (table === "steps") return { name, title: "From one month to the next", about, ...cellsOf(STEPS, answer.steps) };
  if (table === "resources")
    return { name, title: "Machines of one of the months only", about, ...cellsOf(CHANGED, answer.resources) };
  return { name, title: `What makes the difference, by ${mix}`, about, ...cellsOf(LINES, answer.lines) };
}

/** Of a month's end: what is doubtful, the checklist, when nobody looked, or the statements. */
export const CloseTableQuestion = MonthQuestion.extend({
  table: z.enum(["review", "checklist", "gaps", "statements"]).default("review"),
});
export type CloseTableQuestion = z.output<typeof CloseTableQuestion>;

const REVIEW: readonly TableColumn<ReviewItem>[] = [
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "team", cell: (row) => row.team },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "at_least_usd", cell: (row) => usdCell(row.lowMicros) },
  { name: "at_most_usd", cell: (row) => usdCell(row.highMicros) },
  { name: "beginning", cell: (row) => row.evidence?.from ?? null },
  { name: "end", cell: (row) => row.evidence?.to ?? null },
  { name: "signed_by", cell: (row) => row.signature?.by ?? null },
  { name: "signed_at_utc", cell: (row) => instantCell(row.signature?.at ?? null) },
  { name: "note", cell: (row) => row.signature?.note ?? null },
];

const CHECKLIST: readonly TableColumn<Point>[] = [
  { name: "point", cell: (row) => row.title },
  { name: "state", cell: (row) => row.state },
  { name: "fact", cell: (row) => row.fact },
  { name: "signed_by", cell: (row) => row.signature?.by ?? null },
  { name: "signed_at_utc", cell: (row) => instantCell(row.signature?.at ?? null) },
  { name: "note", cell: (row) => row.signature?.note ?? null },
];

const GAPS: readonly TableColumn<CloseAnswer["gaps"][number]>[] = [
  { name: "from_utc", cell: (row) => instantCell(row.from) },
  { name: "to_utc", cell: (row) => instantCell(row.to) },
  { name: "minutes", cell: (row) => Math.round((row.to - row.from) / 60_000) },
];

const STATEMENTS: readonly TableColumn<CloseAnswer["statements"][number]>[] = [
  { name: "scope", cell: (row) => row.scope },
  { name: "amount_usd", cell: (row) => usdCell(row.totalMicros) },
  { name: "hash", cell: (row) => row.hash },
];

export function closeTable(answer: CloseAnswer, { table }: CloseTableQuestion): WholeTable {
  const { month, status, contentHash } = answer;
  const about = [
    ["Month", month] as const,
    ["State", status] as const,
    ...(contentHash === null ? [] : [["Content hash", contentHash] as const]),
  ];
  const name = `month-end-${month}-${table}`;
  if (table === "checklist") return { name, title: "Checklist", about, ...cellsOf(CHECKLIST, answer.points) };
  if (table === "gaps") return { name, title: "When nobody looked", about, ...cellsOf(GAPS, answer.gaps) };
  if (table === "statements") return { name, title: "Statements", about, ...cellsOf(STATEMENTS, answer.statements) };
  return { name, title: "Doubtful lives", about, ...cellsOf(REVIEW, answer.review) };
}
