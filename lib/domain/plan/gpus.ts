import { modelOf } from "@/lib/domain/telemetry/models";
import type { Board, GpuKind } from "./gpu-kind";

/** How far a fact can be trusted: recorded from such a card, or general knowledge that nobody has checked against a source. */
export type FactState = "recorded" | "unverified";

export type PlanGpu = {
  /** In addresses and tables: "a100-80". */
  key: string;
  name: string;
  model: string;
  board: Board | null;
  architecture: GpuKind["architecture"];
  nominalGb: number;
  /** What such cards report (the larger of a pair: with ECC on where it changes it). */
  reportedMib: number;
  memory: string;
  bandwidthGbS: number;
  /** Dense, without sparsity; FP16 where the card has no BF16. */
  bf16Tflops: number;
  hasBf16: boolean;
  hasFp8: boolean;
  cudaCores: number | null;
  tensorCores: number | null;
  computeCapability: string;
};

export const DATA_SHEETS = "NVIDIA data sheets, from general knowledge";

type Row = [
  key: string,
  card: string,
  name: string,
  model: string,
  board: Board | null,
  nominalGb: number,
  memory: string,
  bandwidthGbS: number,
  bf16Tflops: number,
  cudaCores: number | null,
  tensorCores: number | null,
  computeCapability: string,
];

/** From T4 to B200; `card` is how such a card names itself, under which the sizes that it reports are kept. */
const ROWS: readonly Row[] = [
  ["t4", "Tesla T4", "T4", "T4", "PCIe", 16, "GDDR6", 320, 65, 2_560, 320, "7.5"],
  ["v100-16", "Tesla V100-SXM2-16GB", "V100 16 GB", "V100", null, 16, "HBM2", 900, 125, 5_120, 640, "7.0"],
  ["v100-32", "Tesla V100-SXM2-32GB", "V100 32 GB", "V100", null, 32, "HBM2", 900, 125, 5_120, 640, "7.0"],
  ["rtx6000", "Quadro RTX 6000", "RTX 6000", "RTX 6000", null, 24, "GDDR6", 672, 130, 4_608, 576, "7.5"],
  ["l4", "NVIDIA L4", "L4", "L4", "PCIe", 24, "GDDR6", 300, 121, 7_424, 232, "8.9"],
  ["a10", "NVIDIA A10", "A10", "A10", "PCIe", 24, "GDDR6", 600, 125, 9_216, 288, "8.6"],
  ["a6000", "NVIDIA RTX A6000", "A6000", "A6000", null, 48, "GDDR6", 768, 155, 10_752, 336, "8.6"],
  ["l40s", "NVIDIA L40S", "L40S", "L40S", "PCIe", 48, "GDDR6", 864, 362, 18_176, 568, "8.9"],
  ["a100-40", "NVIDIA A100-SXM4-40GB", "A100 40 GB", "A100", null, 40, "HBM2", 1_555, 312, 6_912, 432, "8.0"],
  ["a100-80", "NVIDIA A100-SXM4-80GB", "A100 80 GB", "A100", null, 80, "HBM2e", 2_039, 312, 6_912, 432, "8.0"],
  ["h100-pcie", "NVIDIA H100 PCIe", "H100 PCIe", "H100", "PCIe", 80, "HBM2e", 2_000, 756, 14_592, 456, "9.0"],
  ["h100-sxm", "NVIDIA H100 80GB HBM3", "H100 SXM", "H100", "SXM", 80, "HBM3", 3_350, 989, 16_896, 528, "9.0"],
  ["gh200", "NVIDIA GH200 480GB", "GH200", "GH200", null, 96, "HBM3", 4_000, 989, 16_896, 528, "9.0"],
  ["h200", "NVIDIA H200", "H200", "H200", "SXM", 141, "HBM3e", 4_800, 989, 16_896, 528, "9.0"],
  ["b200", "NVIDIA B200", "B200", "B200", "SXM", 180, "HBM3e", 8_000, 2_250, null, null, "10.0"],
];

const BEFORE_BF16 = new Set(["7.0", "7.5"]);
const WITH_FP8 = new Set(["8.9", "9.0", "10.0"]);

/** The GPUs that plans are made of, by memory. */
export const PLAN_GPUS: readonly PlanGpu[] = ROWS.map(
  ([
    key,
    card,
    name,
    model,
    board,
    nominalGb,
    memory,
    bandwidthGbS,
    bf16Tflops,
    cudaCores,
    tensorCores,
    cc,
  ]): PlanGpu => {
    const reportedMib = modelOf(card)?.memory.find((size) => size.nominalGb === nominalGb)?.reportedMib[0];
    if (reportedMib === undefined) throw new Error(`No size of ${nominalGb} GB is known of ${card}`);
    return {
      ...{ key, name, model, board, nominalGb, reportedMib, memory, bandwidthGbS, bf16Tflops, cudaCores, tensorCores },
      architecture: model === "GH200" ? ("arm64" as const) : ("x86_64" as const),
      hasBf16: !BEFORE_BF16.has(cc),
      hasFp8: WITH_FP8.has(cc),
      computeCapability: cc,
    };
  },
).sort((a, b) => a.reportedMib - b.reportedMib || a.bf16Tflops - b.bf16Tflops);

/** The one that a price list means by a model, a size and maybe a board; null: none, or several that differ. */
export function planGpu({ model, board }: Pick<GpuKind, "model" | "board">, memoryGb: number | null): PlanGpu | null {
  const same = PLAN_GPUS.filter((gpu) => gpu.model === model && (memoryGb === null || gpu.nominalGb === memoryGb));
  if (same.length === 1) return same[0] ?? null;
  return same.find((gpu) => gpu.board !== null && gpu.board === board) ?? null;
}
