import type { SilencePhase } from "@/lib/domain/silences/silence";
import type { Recurrence } from "@/lib/domain/silences/windows";

export const PHASE_WORDS: Record<SilencePhase, string> = {
  planned: "Planned",
  active: "Holds now",
  paused: "Between its hours",
  over: "Over",
};

export const DAY_NAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** "Mon–Fri, 22:00 to 07:00, Europe/Berlin" */
export function recurrenceWords({ zone, days, from, to }: Recurrence): string {
  return `${dayWords(days)}, ${from} to ${to}${to <= from ? " the next day" : ""}, ${zone}`;
}

function dayWords(days: readonly number[]): string {
  if (days.length === 7) return "Every day";
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && run.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number | undefined) => DAY_NAMES[(day ?? 1) - 1] ?? "";
  return runs
    .map((run) => (run.length > 2 ? `${name(run[0])}–${name(run.at(-1))}` : run.map(name).join(", ")))
    .join(", ");
}
