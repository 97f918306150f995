/** One memory size of a model: what it is sold as, and the MiB that such cards report (several where ECC or the driver changes it). */
export type MemorySize = { nominalGb: number; reportedMib: readonly number[] };

export type GpuModel = {
  /** Short name for people. */
  name: string;
  memory: readonly MemorySize[];
  /** The GPU lowers its clocks at this temperature; null where the card tells only its distance to the limit. */
  slowdownTemperatureC: number | null;
  /** As shipped; the card's own report wins. Null where boards differ. */
  defaultPowerW: number | null;
};

/** A report this close to a paired MiB is that size (decisions, Nominal memory). */
const TOLERANCE = 0.03;

function size(nominalGb: number, ...reportedMib: number[]): MemorySize {
  return { nominalGb, reportedMib };
}

function model(
  pattern: RegExp,
  name: string,
  memory: MemorySize[],
  defaultPowerW: number | null = null,
  slowdownTemperatureC: number | null = null,
): { pattern: RegExp; model: GpuModel } {
  return { pattern, model: { name, memory, slowdownTemperatureC, defaultPowerW } };
}

/*
 * How cards name themselves in nvidia-smi, the most specific first. The name decides, never the memory: GH200, H20 and
 * RTX PRO 6000 report nearly the same. "480GB" in a GH200's name is the memory of its CPU.
 *
 * MiB: recorded outputs of such cards (nvidia-smi tables, -q, XML, --query-gpu; drivers 418 to 595), the larger number of a
 * pair being ECC off or a later driver. Power: `Default Power Limit` of those outputs, else NVIDIA's data sheets.
 * Slowdown: `GPU Slowdown Temp` of the same outputs; Hopper and later report an offset instead.
 */
const MODELS = [
  // 145,920 is CUDA's total; nvidia-smi adds what the driver holds.
  model(/\bGH200\b.*\b144G/i, "GH200 144 GB", [size(144, 145_920)], 900),
  model(/\bGH200\b/i, "GH200", [size(96, 97_871)], 900),
  model(/\bGB200\b/i, "GB200", [size(186, 189_471)], 1200),
  model(/\bB300\b/i, "B300", [size(288, 275_040)], 1100),
  model(/\bB200\b/i, "B200", [size(180, 183_359)], 1000),
  model(/\bH200 NVL\b/i, "H200 NVL", [size(141, 143_771)], 600),
  model(/\bH200\b/i, "H200", [size(141, 143_771)], 700),
  model(/\bH100 NVL\b/i, "H100 NVL", [size(94, 95_830)], 400),
  model(/\bH100 PCIe\b/i, "H100 PCIe", [size(80, 81_559)], 350),
  model(/\bH100\b/i, "H100", [size(80, 81_559)], 700),
  model(/\bH20\b/i, "H20", [size(96, 97_871)], 500),
  model(/\bA100-SXM4-80GB\b/i, "A100", [size(80, 81_920, 81_251)], null, 89),
  model(/\bA100\b.*PCIE/i, "A100 PCIe", [size(40, 40_960, 40_536), size(80, 81_920, 81_251)]),
  model(/\bA100\b/i, "A100", [size(40, 40_960, 40_536), size(80, 81_920, 81_251)]),
  model(/\bA10G\b/i, "A10G", [size(24, 23_028, 24_564, 22_731)], 300, 95),
  model(/\bA10\b/i, "A10", [size(24, 23_028, 24_564, 22_731)], 150, 98),
  model(/\bA40\b/i, "A40", [size(48, 46_068, 49_140, 45_634, 48_685)], 300),
  model(/\bL40S\b/i, "L40S", [size(48, 46_068, 49_140)], 350),
  model(/\bL40\b/i, "L40", [size(48, 46_068, 49_140)], 300),
  model(/\bL4\b/i, "L4", [size(24, 23_034, 24_570)], 72),
  model(/\bT4\b/i, "T4", [size(16, 15_360, 15_109, 16_127)], 70, 93),
  model(/\bV100-SXM2\b/i, "V100", [size(16, 16_384, 16_130), size(32, 32_768, 32_480)], 300, 87),
  model(/\bV100\b/i, "V100", [size(16, 16_384, 16_130), size(32, 32_768, 32_480)]),
  model(/\bRTX PRO 6000\b/i, "RTX PRO 6000", [size(96, 97_887)]),
  model(/\bRTX 6000 Ada\b/i, "RTX 6000 Ada", [size(48, 49_140, 46_068)], 300),
  model(/\bRTX A6000\b/i, "A6000", [size(48, 49_140, 48_685, 46_068, 45_634)], 300),
  // Lambda's `gpu_1x_rtx6000` is the Turing card.
  model(/\bQuadro RTX 6000\b/i, "RTX 6000", [size(24, 24_576, 24_220, 23_040, 22_698)], 260),
  model(/\bRTX 5090\b(?! (D|Laptop))/i, "RTX 5090", [size(32, 32_607)], 575),
  model(/\bRTX 4090\b(?! (D|Laptop))/i, "RTX 4090", [size(24, 24_564)], 450),
  model(/\bRTX 3090\b(?! (Ti|Laptop))/i, "RTX 3090", [size(24, 24_576, 24_268)], 350, 95),
];

/** The model that a card's own name says it is; null for one that the table does not have. */
export function modelOf(name: string | null): GpuModel | null {
  return MODELS.find(({ pattern }) => name !== null && pattern.test(name))?.model ?? null;
}

/** What the card is sold as, in GB: by its name, and by which of its sizes the reported MiB is within 3 % of. Null where either is unknown. */
export function nominalGb(name: string | null, reportedMib: number | null): number | null {
  if (reportedMib === null) return null;
  const paired = modelOf(name)?.memory.find((one) =>
    one.reportedMib.some((mib) => Math.abs(reportedMib - mib) <= TOLERANCE * mib),
  );
  return paired?.nominalGb ?? null;
}

/** A card's name for people: the table's where it has one, else its own without the maker's name. */
export function shortModelName(name: string): string {
  return modelOf(name)?.name ?? (name.replace(/^(NVIDIA |Tesla |GeForce )+/i, "").trim() || name);
}
