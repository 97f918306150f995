import { z } from "zod";
import { instantCell, usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type TableFile, type WholeTable } from "@/lib/domain/table";
import { type ExploreAnswer, ExploreQuestion, type SpendGroup, type SpendRow } from "./explore";
import type { ChargeLine, CommitmentLine, PriceChangeLine, PriceLine, PricesAnswer } from "./price-view";
import { type CostAnswer, CostQuestion, type CostRow } from "./view";

/** Which table of a month: what each value of the dimension cost, each resource, or each day. */
export const CostTableQuestion = CostQuestion.extend({ table: z.enum(["groups", "resources", "days"]).optional() });
export type CostTableQuestion = z.output<typeof CostTableQuestion>;

type Group = CostAnswer["groups"][number];

const GROUP_COLUMNS: readonly TableColumn<Group>[] = [
  { name: "key", cell: (row) => row.key },
  { name: "resources", cell: (row) => row.resources },
  { name: "minutes", cell: (row) => row.minutes },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "idle_usd", cell: (row) => usdCell(row.idleMicros) },
  { name: "compared_usd", cell: (row) => usdCell(row.comparedMicros) },
  { name: "compared_before_usd", cell: (row) => usdCell(row.beforeMicros) },
  { name: "rows_without_amount", cell: (row) => row.unknownRows },
];

type ResourceLine = Omit<CostRow, "id" | "kind" | "isOutside" | "ratesMicros" | "doubt"> & {
  id: string | null;
  kind: CostRow["kind"] | "charges";
};

/** What no machine and no file system makes, so that the lines add up to the month. */
function chargesOf({ otherMicros }: CostAnswer): ResourceLine[] {
  if (otherMicros === "0") return [];
  return [
    {
      id: null,
      kind: "charges",
      name: "Commitments, credits, tax and adjustments",
      typeName: null,
      region: "",
      team: "",
      project: "",
      environment: "",
      costCenter: "",
      isGone: false,
      minutes: 0,
      bytes: null,
      micros: otherMicros,
      lowMicros: otherMicros,
      highMicros: otherMicros,
      unknownRows: 0,
      idleMicros: "0",
    },
  ];
}

const RESOURCE_COLUMNS: readonly TableColumn<ResourceLine>[] = [
  { name: "resource_id", cell: (row) => row.id },
  { name: "kind", cell: (row) => row.kind },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "team", cell: (row) => row.team },
  { name: "project", cell: (row) => row.project },
  { name: "environment", cell: (row) => row.environment },
  { name: "cost_center", cell: (row) => row.costCenter },
  { name: "is_gone", cell: (row) => row.isGone },
  { name: "minutes", cell: (row) => (row.kind === "instance" ? row.minutes : null) },
  { name: "bytes", cell: (row) => (row.bytes === null ? null : { number: row.bytes }) },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "at_least_usd", cell: (row) => usdCell(row.lowMicros) },
  { name: "at_most_usd", cell: (row) => usdCell(row.highMicros) },
  { name: "idle_usd", cell: (row) => usdCell(row.idleMicros) },
  { name: "rows_without_amount", cell: (row) => row.unknownRows },
];

type DayPart = { from: string; label: string; micros: string | null };

const DAY_COLUMNS: readonly TableColumn<DayPart>[] = [
  { name: "from", cell: (row) => row.from },
  { name: "part", cell: (row) => row.label },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
];

type Stacked = {
  parts: readonly { label: string }[];
  bars: readonly { from: string; micros: readonly (string | null)[] }[];
};

function dayParts({ parts, bars }: Stacked): DayPart[] {
  return bars.flatMap((bar) =>
    bar.micros.map((micros, i) => ({ from: bar.from, label: parts[i]?.label ?? "", micros })),
  );
}

/** A table of the month page. */
export function costTable(answer: CostAnswer, { table }: CostTableQuestion): WholeTable {
  const which = table ?? (answer.by === "instance" ? "resources" : "groups");
  const about: TableFile["about"] = [
    ["Month", answer.month],
    ["Days", `${answer.fromDay} to ${answer.toDay}`],
    ["Split by", answer.by],
  ];
  const name = `cost-${answer.month}-${which}`;
  if (which === "resources")
    return {
      name,
      title: "Cost of resources",
      about,
      ...cellsOf(RESOURCE_COLUMNS, [...answer.resources, ...chargesOf(answer)]),
    };
  if (which === "days") {
    const bars = answer.days.map((day) => ({ from: day.day, micros: day.micros }));
    return { name, title: "Cost per day", about, ...cellsOf(DAY_COLUMNS, dayParts({ parts: answer.parts, bars })) };
  }
  return { name, title: `Cost by ${answer.by}`, about, ...cellsOf(GROUP_COLUMNS, answer.groups) };
}

/** Which table of the spend explorer: what each value cost, or each bar. */
export const SpendTableQuestion = ExploreQuestion.extend({ table: z.enum(["groups", "bars"]).default("groups") });
export type SpendTableQuestion = z.output<typeof SpendTableQuestion>;

const SPEND_COLUMNS: readonly TableColumn<SpendGroup>[] = [
  { name: "key", cell: (row) => row.key },
  { name: "label", cell: (row) => row.label },
  { name: "rows", cell: (row) => row.rows },
  { name: "minutes", cell: (row) => row.minutes },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "at_least_usd", cell: (row) => usdCell(row.lowMicros) },
  { name: "at_most_usd", cell: (row) => usdCell(row.highMicros) },
  { name: "change_usd", cell: (row) => usdCell(row.changeMicros) },
  { name: "after_sharing_usd", cell: (row) => usdCell(row.afterSharingMicros) },
  { name: "rows_without_amount", cell: (row) => row.unknownRows },
];

export function spendTable(answer: ExploreAnswer, { table }: SpendTableQuestion): WholeTable {
  const { fromDay, toDay } = answer.window;
  const about: TableFile["about"] = [
    ["Days", `${fromDay} to ${toDay}`],
    ["Split by", answer.by],
    ["Cost", answer.cost],
    ...filterLines(answer.filter),
  ];
  const name = `spend-${fromDay}-${toDay}-${answer.by}`;
  if (table === "groups")
    return { name, title: `Spend by ${answer.by}`, about, ...cellsOf(SPEND_COLUMNS, answer.groups) };
  const bars = answer.bars.map((bar) => ({ from: bar.key, micros: bar.micros }));
  return {
    name: `${name}-${answer.per}`,
    title: `Spend per ${answer.per}`,
    about,
    ...cellsOf(DAY_COLUMNS, dayParts({ parts: answer.parts, bars })),
  };
}

export function filterLines(filter: ExploreAnswer["filter"]): [string, string][] {
  return filter.map(({ dimension, values }) => [`Only ${dimension}`, values.map(({ label }) => label).join(", ")]);
}

export const SPEND_ROW_COLUMNS: readonly TableColumn<SpendRow>[] = [
  { name: "day", cell: (row) => row.day },
  { name: "counts_in", cell: (row) => row.period },
  { name: "charge", cell: (row) => row.charge },
  { name: "resource_id", cell: (row) => row.resourceId },
  { name: "name", cell: (row) => row.name },
  { name: "type", cell: (row) => row.typeName },
  { name: "region", cell: (row) => row.region },
  { name: "team", cell: (row) => row.team },
  { name: "project", cell: (row) => row.project },
  { name: "environment", cell: (row) => row.environment },
  { name: "cost_center", cell: (row) => row.costCenter },
  { name: "from_utc", cell: (row) => instantCell(row.startsAt) },
  { name: "to_utc", cell: (row) => instantCell(row.endsAt) },
  { name: "minutes", cell: (row) => (row.charge === "usage" ? row.minutes : null) },
  { name: "byte_hours", cell: (row) => (row.byteHours === null ? null : { number: row.byteHours }) },
  { name: "price_usd", cell: (row) => usdCell(row.priceMicros) },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "at_least_usd", cell: (row) => usdCell(row.lowMicros) },
  { name: "at_most_usd", cell: (row) => usdCell(row.highMicros) },
  { name: "amount_is_known", cell: (row) => row.micros !== null },
  { name: "needs_review", cell: (row) => row.isFlagged },
  { name: "is_correction", cell: (row) => row.isCorrection },
  { name: "note", cell: (row) => row.note },
  { name: "key", cell: (row) => row.key },
];

export const PRICE_COLUMNS: readonly TableColumn<PriceLine>[] = [
  { name: "sku", cell: (row) => row.sku },
  { name: "region", cell: (row) => row.region },
  { name: "unit", cell: (row) => row.unit },
  { name: "tier", cell: (row) => row.tier },
  { name: "price_usd", cell: (row) => usdCell(row.micros) },
  { name: "from_utc", cell: (row) => instantCell(row.from) },
  { name: "to_utc", cell: (row) => instantCell(row.to) },
  { name: "source", cell: (row) => row.source },
  { name: "is_in_force", cell: (row) => row.isInForce },
  { name: "recorded_at_utc", cell: (row) => instantCell(row.recordedAt) },
  { name: "superseded_at_utc", cell: (row) => instantCell(row.supersededAt) },
  { name: "entered_by", cell: (row) => row.by },
  { name: "note", cell: (row) => row.note },
  { name: "price_id", cell: (row) => row.id },
];

/** Of the price book: its intervals (all, or those in force), changes, charges, or commitments. */
export const PricesTableQuestion = z.object({
  table: z.enum(["prices", "in_force", "changes", "charges", "commitments"]).default("prices"),
});
export type PricesTableQuestion = z.output<typeof PricesTableQuestion>;

const CHANGE_COLUMNS: readonly TableColumn<PriceChangeLine>[] = [
  { name: "at_utc", cell: (row) => instantCell(row.at) },
  { name: "sku", cell: (row) => row.sku },
  { name: "region", cell: (row) => row.region },
  { name: "tier", cell: (row) => row.tier },
  { name: "source", cell: (row) => row.source },
  { name: "before_usd", cell: (row) => usdCell(row.beforeMicros) },
  { name: "price_usd", cell: (row) => usdCell(row.micros) },
];

const CHARGE_COLUMNS: readonly TableColumn<ChargeLine>[] = [
  { name: "charge_id", cell: (row) => row.id },
  { name: "kind", cell: (row) => row.kind },
  { name: "description", cell: (row) => row.description },
  { name: "from_day", cell: (row) => row.fromDay },
  { name: "to_day", cell: (row) => row.toDay },
  { name: "amount_usd", cell: (row) => usdCell(row.micros) },
  { name: "borne_by", cell: (row) => row.owner },
  { name: "invoice", cell: (row) => row.invoice },
  { name: "entered_by", cell: (row) => row.by },
];

const COMMITMENT_COLUMNS: readonly TableColumn<CommitmentLine>[] = [
  { name: "commitment_id", cell: (row) => row.id },
  { name: "name", cell: (row) => row.name },
  { name: "sku", cell: (row) => row.sku },
  { name: "region", cell: (row) => row.region },
  { name: "instances", cell: (row) => row.count },
  { name: "from_utc", cell: (row) => instantCell(row.from) },
  { name: "to_utc", cell: (row) => instantCell(row.to) },
  { name: "upfront_usd", cell: (row) => usdCell(row.upfrontMicros) },
  { name: "weekly_usd", cell: (row) => usdCell(row.weeklyMicros) },
  { name: "rate_usd", cell: (row) => usdCell(row.rateMicros) },
  { name: "paid_usd", cell: (row) => usdCell(row.paidMicros) },
  { name: "used_usd", cell: (row) => usdCell(row.usedMicros) },
  { name: "unused_usd", cell: (row) => usdCell(row.unusedMicros) },
  { name: "covered_minutes", cell: (row) => row.coveredMinutes },
  { name: "borne_by", cell: (row) => row.owner },
  { name: "note", cell: (row) => row.note },
];

export function pricesTable(answer: PricesAnswer, { table }: PricesTableQuestion): WholeTable {
  const { prices, changes, charges, commitments } = answer;
  if (table === "changes")
    return { name: "price-changes", title: "Price changes of a year", about: [], ...cellsOf(CHANGE_COLUMNS, changes) };
  if (table === "charges") return { name: "charges", title: "Charges", about: [], ...cellsOf(CHARGE_COLUMNS, charges) };
  if (table === "commitments")
    return { name: "commitments", title: "Commitments", about: [], ...cellsOf(COMMITMENT_COLUMNS, commitments) };
  const isAll = table === "prices";
  const shown = isAll ? prices : prices.filter(({ isInForce }) => isInForce);
  return {
    name: isAll ? "prices" : "prices-in-force",
    title: "Price book",
    about: isAll ? [] : [["Only", "in force"]],
    ...cellsOf(PRICE_COLUMNS, shown),
  };
}
