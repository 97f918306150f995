import type { WasteKind } from "@/lib/domain/cost/waste";

export const WASTE_WORDS: Record<WasteKind, { label: string; note: string }> = {
  idle_empty: { label: "Idle, empty", note: "no process, under 1 GiB held" },
  idle_held: { label: "Idle, held", note: "memory held, nothing computed" },
  silent: { label: "Silent, billing", note: "paid for while nothing was heard" },
  unhealthy: { label: "Unhealthy", note: "billed while Lambda called it unhealthy" },
  throttled: { label: "Throttled", note: "clocks lowered by heat or power supply" },
  unattached: { label: "Unattached storage", note: "file systems that no instance uses" },
};

/** What to do about it, where there is something to do. */
export const WASTE_ADVICE: Record<WasteKind, string> = {
  idle_empty: "end it, or give it work",
  idle_held: "ask who holds it",
  silent: "look whether it still works",
  unhealthy: "restart or end it",
  throttled: "report it to Lambda",
  unattached: "keep what is needed, delete the rest",
};
