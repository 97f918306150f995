import { usdCell } from "@/lib/domain/cells";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { CompareAnswer, OfferView } from "./compare-view";
import type { MovedView } from "./fleet-view";
import type { MixAnswer, MixLine } from "./mix-view";
import type { QuotesAnswer, QuoteView } from "./quote-view";
import type { ScenariosAnswer } from "./scenario-view";

const QUOTE_COLUMNS: readonly TableColumn<QuoteView>[] = [
  { name: "provider", cell: (row) => row.provider },
  { name: "instance_type", cell: (row) => row.typeName },
  { name: "gpu", cell: (row) => row.gpu },
  { name: "gpu_count", cell: (row) => row.gpus },
  { name: "gpu_mem_gb", cell: (row) => row.memoryGb },
  { name: "vcpus", cell: (row) => row.vcpus },
  { name: "mem_gib", cell: (row) => row.memoryGib },
  { name: "region", cell: (row) => row.region },
  { name: "tier", cell: (row) => row.tier },
  { name: "price_unit", cell: (row) => row.unit },
  { name: "usd_h", cell: (row) => usdCell(row.micros) },
  { name: "usd_gpu_h", cell: (row) => usdCell(row.perGpuMicros) },
  { name: "usd_gb_h", cell: (row) => usdCell(row.perGbMicros) },
  { name: "status", cell: (row) => row.status },
  { name: "state", cell: (row) => row.state },
  { name: "as_of", cell: (row) => row.asOf },
  { name: "age_days", cell: (row) => row.age },
  { name: "source", cell: (row) => row.source },
  { name: "is_current", cell: (row) => row.isCurrent },
  { name: "note", cell: (row) => row.note },
];

/** The price book of all providers. */
export function quotesTable({ day, quotes }: QuotesAnswer): WholeTable {
  return {
    name: `provider-prices-${day}`,
    title: "Prices of providers",
    about: [["As known on", day]],
    ...cellsOf(QUOTE_COLUMNS, quotes),
  };
}

const amount = (value: number | undefined) => (value === undefined ? null : { number: value.toFixed(6) });

const OFFER_COLUMNS: readonly TableColumn<OfferView>[] = [
  { name: "likeness", cell: (row) => row.likeness },
  { name: "provider", cell: (row) => row.quote.provider },
  { name: "instance_type", cell: (row) => row.quote.typeName },
  { name: "gpu", cell: (row) => row.quote.gpu },
  { name: "gpu_mem_gb", cell: (row) => row.quote.memoryGb },
  { name: "region", cell: (row) => row.quote.region },
  { name: "tier", cell: (row) => row.quote.tier },
  { name: "usd_gpu_h", cell: (row) => usdCell(row.quote.perGpuMicros) },
  { name: "total_usd", cell: (row) => usdCell(row.totalMicros) },
  {
    name: "against_lambda_usd",
    cell: (row) => (row.likeness === "like" && row.against ? amount(row.against.amount) : null),
  },
  { name: "usd_gb_h", cell: (row) => usdCell(row.quote.perGbMicros) },
  { name: "state", cell: (row) => row.quote.state },
  { name: "as_of", cell: (row) => row.quote.asOf },
  { name: "source", cell: (row) => row.quote.source },
  { name: "remarks", cell: (row) => row.remarks.join("; ") },
];

const MOVED_COLUMNS: readonly TableColumn<MovedView>[] = [
  { name: "instance_type", cell: (row) => row.typeName },
  { name: "gpu", cell: (row) => row.gpu },
  { name: "hours", cell: (row) => ({ number: row.hours }) },
  { name: "lambda_usd", cell: (row) => usdCell(row.micros) },
  { name: "like_provider", cell: (row) => row.offer?.provider ?? null },
  { name: "like_type", cell: (row) => row.offer?.typeName ?? null },
  { name: "like_usd_gpu_h", cell: (row) => usdCell(row.offer?.perGpuMicros ?? null) },
  { name: "as_of", cell: (row) => row.offer?.asOf ?? null },
  { name: "would_cost_usd", cell: (row) => amount(row.elsewhere?.amount) },
  { name: "change_usd", cell: (row) => amount(row.change?.amount) },
];

/** A comparison as it is shown: offers of a need, or a month's machines elsewhere. */
export function compareTable({ words, day, comparison, fleet }: CompareAnswer): WholeTable {
  const about: WholeTable["about"] = [["Prices as known on", day]];
  if (fleet) {
    const cells = cellsOf(MOVED_COLUMNS, fleet.rows);
    return { name: `fleet-elsewhere-${fleet.month}`, title: `${words} elsewhere`, about, ...cells };
  }
  return { name: `compare-${day}`, title: words, about, ...cellsOf(OFFER_COLUMNS, comparison?.offers ?? []) };
}

type ScenarioFigure = { scenario: string; figure: string; value: string; amount: number | undefined };

const FIGURE_COLUMNS: readonly TableColumn<ScenarioFigure>[] = [
  { name: "scenario", cell: (row) => row.scenario },
  { name: "figure", cell: (row) => row.figure },
  { name: "value", cell: (row) => row.value },
  { name: "amount", cell: (row) => (row.amount === undefined ? null : { number: String(row.amount) }) },
];

/** Every figure of every scenario that the reader sees. */
export function scenariosTable({ day, scenarios }: ScenariosAnswer): WholeTable {
  const rows = scenarios.flatMap(({ name, result }) =>
    result.figures.map((figure) => ({
      scenario: name,
      figure: figure.name,
      value: figure.value,
      amount: figure.amount,
    })),
  );
  return {
    name: `scenarios-${day}`,
    title: "Scenarios",
    about: [["Worked out on", day]],
    ...cellsOf(FIGURE_COLUMNS, rows),
  };
}

const pct = (permille: number | null) => (permille === null ? null : { number: (permille / 10).toFixed(1) });

const MIX_COLUMNS: readonly TableColumn<MixLine>[] = [
  { name: "provider", cell: (row) => row.provider },
  { name: "spent_usd", cell: (row) => usdCell(row.micros) },
  { name: "share_pct", cell: (row) => pct(row.sharePermille) },
  { name: "target_pct", cell: (row) => row.targetPct },
  { name: "off_points", cell: (row) => pct(row.offPermille) },
  { name: "to_move_usd", cell: (row) => usdCell(row.moveMicros) },
  { name: "source", cell: (row) => row.source },
];

/** What was spent where in a month, beside its targets. */
export function mixTable({ month, parts }: MixAnswer): WholeTable {
  return {
    name: `provider-mix-${month}`,
    title: "Shares of providers",
    about: [["Month", month]],
    ...cellsOf(MIX_COLUMNS, parts),
  };
}
