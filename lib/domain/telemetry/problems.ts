import type { GpuReading, Problem } from "./sample";
import { cleanText } from "./text";

const MAX_MESSAGE = 500;
const MAX_PROBLEMS = 50;

/** How nvidia-smi, NVML and the shell begin when they have something other than a GPU to say (on stdout, status not 0). */
const MESSAGES =
  /^(NVIDIA-SMI (has failed|couldn't)|Failed to initialize NVML|No devices were found|Unable to |Field "|Error |ERROR:|GPU .* (is lost|not found)|NVML library version|Driver\/library version|Reboot the system|Make sure that|Insufficient |WARNING: |The following |nvidia-smi: |.*command not found)/i;

export function isSmiMessage(line: string): boolean {
  return MESSAGES.test(line);
}

/** Of those, what is of GPUs beyond doubt: in a text of many programs, others print errors too. */
const OF_GPUS =
  /^(NVIDIA-SMI (has failed|couldn't)|Failed to initialize NVML|No devices were found|Unable to determine the device handle|GPU .{0,80} is lost)/i;

export function isGpuMessage(line: string): boolean {
  return OF_GPUS.test(line);
}

/** What could not be read of one output: bounded, and the lines of one message are one problem. */
export class Problems {
  readonly list: Problem[] = [];
  private readonly gpus = new Set<string>();
  private lastMessageLine: number | null = null;

  add(kind: Problem["kind"], message: string, line: number | null = null): void {
    this.lastMessageLine = null;
    if (this.list.length < MAX_PROBLEMS) this.list.push({ kind, message: cleanText(message, MAX_MESSAGE), line });
  }

  /** A line that nvidia-smi printed in place of a GPU. */
  addSmiMessage(text: string, line: number): void {
    const last = this.list.at(-1);
    if (last?.kind === "nvidia_smi" && this.lastMessageLine === line - 1) {
      if (last.message.length < MAX_MESSAGE - 1) last.message = cleanText(`${last.message} ${text}`, MAX_MESSAGE);
    } else {
      this.add("nvidia_smi", text, line);
    }
    this.lastMessageLine = line;
  }

  /** Says so when a card comes twice at one instant. Both readings are kept: which one counts is for storage to decide. */
  noteGpu({ uuid, mig, at }: GpuReading, line: number | null): void {
    const key = `${uuid} ${mig} ${at}`;
    if (this.gpus.has(key)) this.add("duplicate_gpu", `${uuid} ${mig} appears twice`, line);
    this.gpus.add(key);
  }

  has(kind: Problem["kind"]): boolean {
    return this.list.some((problem) => problem.kind === kind);
  }
}
