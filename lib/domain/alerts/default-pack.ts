import { GPU_RULES } from "./pack-gpu";
import { INTENT_RULES } from "./pack-intents";
import { MACHINE_RULES } from "./pack-machines";
import { POLICY_RULES } from "./pack-policies";
import type { PackRule } from "./pack-rule";
import { WORK_RULES } from "./pack-work";

export type { PackRule } from "./pack-rule";

/**
 * The rules that a new installation starts with. They are bound to workloads, so that a machine is covered at once and a training
 * run at full load wakes nobody.
 */
export const DEFAULT_PACK: readonly PackRule[] = [
  ...GPU_RULES,
  ...MACHINE_RULES,
  ...INTENT_RULES,
  ...WORK_RULES,
  ...POLICY_RULES,
];
