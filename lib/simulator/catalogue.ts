export type Region = { name: string; description: string };

export type InstanceTypeRow = {
  name: string;
  description: string;
  gpuDescription: string;
  vcpus: number;
  memoryGib: number;
  storageGib: number;
  gpus: number;
  /** List price in the two recordings; null where the type was not listed then. */
  cents2025: number | null;
  cents2026: number;
  /** Regions where capacity was seen. */
  regions: string[];
};

/** Region codes and the words the API has for them (recorded images and instance types, 2025-11 and 2026-08). */
export const regions: readonly Region[] = [
  { name: "asia-northeast-1", description: "Osaka, Japan" },
  { name: "asia-northeast-2", description: "Tokyo, Japan" },
  { name: "asia-south-1", description: "India" },
  { name: "australia-east-1", description: "Sydney, Australia" },
  { name: "europe-central-1", description: "Germany" },
  { name: "me-west-1", description: "Israel" },
  { name: "us-east-1", description: "Virginia, USA" },
  { name: "us-east-2", description: "Washington DC, USA" },
  { name: "us-east-3", description: "Washington DC, USA" },
  { name: "us-midwest-1", description: "Illinois, USA" },
  { name: "us-midwest-2", description: "Ohio, USA" },
  { name: "us-south-1", description: "Texas, USA" },
  { name: "us-south-2", description: "North Texas, USA" },
  { name: "us-south-3", description: "Central Texas, USA" },
  { name: "us-west-1", description: "California, USA" },
  { name: "us-west-2", description: "Arizona, USA" },
  { name: "us-west-3", description: "Utah, USA" },
];

type Row = [
  name: string,
  gpu: string,
  gpus: number,
  vcpus: number,
  memoryGib: number,
  storageGib: number,
  cents2025: number | null,
  cents2026: number,
  regions: string[],
];

const south = ["us-south-2", "us-south-3"];

/**
 * Lambda's price list: names and specs as recorded on 2025-11-22, cents per hour of the whole instance then and on
 * 2026-09-20, and the regions that had capacity (lambda-cloud-api.md section 4).
 */
const rows: Row[] = [
  ["gpu_1x_gh200", "GH200 (96 GB)", 1, 64, 432, 4096, 149, 229, ["us-east-3"]],
  ["gpu_8x_b200_sxm6", "B200 (180 GB SXM6)", 8, 208, 2900, 22528, 3992, 5352, ["australia-east-1", "us-east-1"]],
  ["gpu_4x_b200_sxm6", "B200 (180 GB SXM6)", 4, 104, 1440, 11264, null, 2716, []],
  ["gpu_2x_b200_sxm6", "B200 (180 GB SXM6)", 2, 52, 720, 5632, null, 1378, []],
  ["gpu_1x_b200_sxm6", "B200 (180 GB SXM6)", 1, 26, 360, 2816, null, 699, []],
  ["gpu_8x_h100_sxm5", "H100 (80 GB SXM5)", 8, 208, 1800, 22528, 2392, 3192, ["us-west-3", ...south]],
  ["gpu_4x_h100_sxm5", "H100 (80 GB SXM5)", 4, 104, 900, 11264, 1236, 1636, south],
  ["gpu_2x_h100_sxm5", "H100 (80 GB SXM5)", 2, 52, 450, 5632, 638, 838, south],
  ["gpu_1x_h100_sxm5", "H100 (80 GB SXM5)", 1, 26, 225, 2816, 329, 429, south],
  ["gpu_1x_h100_pcie", "H100 (80 GB PCIe)", 1, 26, 200, 1024, 249, 329, ["us-west-3"]],
  [
    "gpu_8x_a100_80gb_sxm4",
    "A100 (80 GB SXM4)",
    8,
    240,
    1800,
    20480,
    1432,
    2232,
    ["us-midwest-1", "us-east-1", "australia-east-1"],
  ],
  [
    "gpu_8x_a100",
    "A100 (40 GB SXM4)",
    8,
    124,
    1800,
    6144,
    1032,
    1592,
    ["us-west-1", "us-east-1", "me-west-1", "asia-northeast-1", "asia-northeast-2", "us-west-2", "europe-central-1"],
  ],
  ["gpu_4x_a100", "A100 (40 GB PCIe)", 4, 120, 800, 1024, 516, 796, []],
  ["gpu_2x_a100", "A100 (40 GB PCIe)", 2, 60, 400, 1024, 258, 398, []],
  ["gpu_1x_a100", "A100 (40 GB PCIe)", 1, 30, 200, 512, 129, 199, []],
  ["gpu_1x_a100_sxm4", "A100 (40 GB SXM4)", 1, 30, 200, 512, 129, 199, ["us-east-1", "us-west-2", "asia-south-1"]],
  ["gpu_1x_a10", "A10 (24 GB PCIe)", 1, 30, 200, 1400, 75, 129, ["us-east-1", "us-west-1"]],
  ["gpu_4x_a6000", "A6000 (48 GB)", 4, 56, 400, 1024, 320, 436, []],
  ["gpu_2x_a6000", "A6000 (48 GB)", 2, 28, 200, 1024, 160, 218, []],
  ["gpu_1x_a6000", "A6000 (48 GB)", 1, 14, 100, 200, 80, 109, []],
  ["gpu_8x_v100", "Tesla V100 (16 GB)", 8, 92, 448, 6041, 440, 632, []],
  ["gpu_1x_rtx6000", "RTX 6000 (24 GB)", 1, 14, 46, 512, 50, 69, []],
  ["cpu_4x_general", "N/A", 0, 4, 16, 100, 20, 20, []],
];

export const instanceTypes: ReadonlyMap<string, InstanceTypeRow> = new Map(
  rows.map(([name, gpu, gpus, vcpus, memoryGib, storageGib, cents2025, cents2026, at]) => [
    name,
    {
      name,
      description: gpus === 0 ? "4x CPU General (16 GiB)" : `${gpus}x ${gpu}`,
      gpuDescription: gpu,
      vcpus,
      memoryGib,
      storageGib,
      gpus,
      cents2025,
      cents2026,
      regions: at,
    },
  ]),
);

export function regionNamed(name: string): Region | null {
  return regions.find((region) => region.name === name) ?? null;
}

/** GH200 is Lambda's only ARM machine (lambda-cloud-api.md section 0, item 10). */
export function architectureOf(typeName: string): "arm64" | "x86_64" {
  return typeName.includes("gh200") ? "arm64" : "x86_64";
}
