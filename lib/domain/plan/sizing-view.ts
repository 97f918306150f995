import { usdCell } from "@/lib/domain/cells";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { Measured } from "./benchmarks";
import type { Hint } from "./hints";
import { type Memory, type ModelPlan, PRECISION_WORDS, TASK_WORDS } from "./memory";
import { gpuOf, type SizedGpu, type SizedOffer, type SizingQuestion } from "./sizing";

export type SizingAnswer = {
  now: number;
  /** The day by which prices are called stale. */
  day: string;
  asked: SizingQuestion;
  plan: ModelPlan;
  /** Bytes of each part, before it is spread over GPUs. */
  memory: Memory;
  gpus: SizedGpu[];
  /** The cheapest that fits; null: no price is known of any. */
  best: string | null;
  /** Of which all offers follow. */
  shown: string;
  offers: SizedOffer[];
  hints: Hint[];
  /** By model, the most expensive first. */
  measured: Measured[];
  measuredDays: number;
};

type Side = "lambda" | "elsewhere";

const COLUMNS: readonly TableColumn<SizedGpu>[] = [
  { name: "gpu", cell: ({ key }) => gpuOf(key).name },
  { name: "nominal_gb", cell: ({ key }) => gpuOf(key).nominalGb },
  { name: "reported_mib", cell: ({ key }) => gpuOf(key).reportedMib },
  { name: "gpus_needed", cell: ({ fit }) => fit.gpus },
  { name: "used_pct", cell: ({ fit }) => (fit.usedPct === null ? null : Number(fit.usedPct.toFixed(1))) },
  { name: "fits", cell: ({ fit }) => fit.state },
  ...side("lambda"),
  ...side("elsewhere"),
];

function side(name: Side): TableColumn<SizedGpu>[] {
  const usd = (micros: string | undefined) => usdCell(micros === undefined ? null : BigInt(micros));
  return [
    { name: `${name}_provider`, cell: (row) => row[name]?.provider ?? null },
    { name: `${name}_type`, cell: (row) => row[name]?.typeName ?? null },
    { name: `${name}_machines`, cell: (row) => row[name]?.machines ?? null },
    { name: `${name}_usd_per_hour`, cell: (row) => usd(row[name]?.hourMicros) },
    { name: `${name}_usd_per_${HOURS_OF_MONTH}_h`, cell: (row) => usd(row[name]?.monthMicros) },
    { name: `${name}_price_as_of`, cell: (row) => row[name]?.asOf ?? null },
  ];
}

/** All GPUs with their cheapest offers. */
export function sizingTable({ gpus, plan, asked }: SizingAnswer): WholeTable {
  return {
    name: `sizing-${String(asked.params).replace(".", "-")}b-${asked.task}`,
    title: "GPUs that hold a model",
    about: [
      ["Parameters", String(plan.parameters)],
      ["Precision", PRECISION_WORDS[plan.precision]],
      ["Task", TASK_WORDS[plan.task]],
      ["Batch", String(plan.batch)],
      ["Context", String(plan.context)],
      ["Layers and width", `${plan.layers}, ${plan.width}`],
    ],
    ...cellsOf(COLUMNS, gpus),
  };
}
