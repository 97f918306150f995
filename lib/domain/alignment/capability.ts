/*
 * Compute capability by chip, as NVIDIA's list of CUDA GPUs has it (developer.nvidia.com/cuda-gpus, read 2026-11). A card's name
 * decides; nvidia-smi's own answer is not part of what agents send.
 */
const CAPABILITIES: readonly (readonly [pattern: RegExp, capability: string])[] = [
  [/\b(B300|GB300)\b/i, "10.3"],
  [/\b(B200|GB200)\b/i, "10.0"],
  [/\b(RTX PRO 6000|RTX 5090)\b/i, "12.0"],
  [/\b(GH200|H200|H100|H20)\b/i, "9.0"],
  [/\b(L40S|L40|L4|RTX 6000 Ada|RTX 4090)\b/i, "8.9"],
  [/\b(A10G|A10|A40|RTX A6000|A6000|RTX 3090)\b/i, "8.6"],
  [/\bA100\b/i, "8.0"],
  [/\b(T4|Quadro RTX 6000|RTX 6000)\b/i, "7.5"],
  [/\bV100\b/i, "7.0"],
  [/\bP100\b/i, "6.0"],
  [/\b(P40|P4|GTX 10\d0)\b/i, "6.1"],
  [/\b(M60|M40)\b/i, "5.2"],
  [/\bK80\b/i, "3.7"],
];

/** Null for a card that the list does not have. */
export function capabilityOf(card: string): string | null {
  return CAPABILITIES.find(([pattern]) => pattern.test(card))?.[1] ?? null;
}
