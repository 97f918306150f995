/** How a card sits in its machine; boards of one model differ in power, bandwidth and links. */
export type Board = "SXM" | "PCIe" | "NVL" | "NVLink";

/** A GPU as price lists name it. */
export type GpuKind = { model: string; board: Board | null; architecture: "arm64" | "x86_64" };

/** The most specific first; a name that is none of these stays as it is written. */
const MODELS: readonly (readonly [RegExp, string])[] = [
  [/\bGH200\b/i, "GH200"],
  [/\bGB300\b/i, "GB300"],
  [/\bGB200\b/i, "GB200"],
  [/\bB300\b/i, "B300"],
  [/\bB200\b/i, "B200"],
  [/\bH200\b/i, "H200"],
  [/\bH100\b/i, "H100"],
  [/\bH20\b/i, "H20"],
  [/\bA100\b/i, "A100"],
  [/\bRTX PRO 6000\b/i, "RTX PRO 6000"],
  [/\bRTX 6000 Ada\b/i, "RTX 6000 Ada"],
  [/\b(RTX )?A6000\b/i, "A6000"],
  [/\b(Quadro )?RTX 6000\b/i, "RTX 6000"],
  [/\bA10G\b/i, "A10G"],
  [/\bA10\b/i, "A10"],
  [/\bA40\b/i, "A40"],
  [/\bL40S\b/i, "L40S"],
  [/\bL40\b/i, "L40"],
  [/\bL4\b/i, "L4"],
  [/\bT4\b/i, "T4"],
  [/\bV100\b/i, "V100"],
  [/\bRTX 5090\b/i, "RTX 5090"],
  [/\bRTX 4090\b/i, "RTX 4090"],
  [/\bRTX 3090\b/i, "RTX 3090"],
];

const BOARDS: readonly (readonly [RegExp, Board])[] = [
  [/\bSXM\d?\b/i, "SXM"],
  [/\bHGX\b/i, "SXM"],
  [/\bPCIe\b/i, "PCIe"],
  [/\bNVL\b/i, "NVL"],
  [/\bNVLink\b/i, "NVLink"],
];

/** NVIDIA puts its own ARM64 processor on the board of these. */
const ARM = new Set(["GH200", "GB200", "GB300"]);

/** "A100 (40 GB SXM4)", "HGX H100", "NVIDIA H100 PCIe NVLink". */
export function gpuKind(text: string): GpuKind {
  const spaced = text.replaceAll("-", " ");
  const found = MODELS.find(([pattern]) => pattern.test(spaced));
  const model = found?.[1] ?? text.trim();
  const board = BOARDS.find(([pattern]) => pattern.test(spaced))?.[1] ?? null;
  return { model, board, architecture: ARM.has(model) ? "arm64" : "x86_64" };
}

/** One card of a model and size: what may be compared. "A100 40 GB". */
export function kindName(model: string, memoryGb: number | null): string {
  return memoryGb === null ? model : `${model} ${memoryGb} GB`;
}

/** As people say it: "ARM64", "x86-64". */
export const ARCHITECTURE_WORDS = { arm64: "ARM64", x86_64: "x86-64" } as const;
