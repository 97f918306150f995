import { z } from "zod";
import { type Micros, roundHalfAway } from "./money";
import { effectiveRate } from "./usage";

/** The month that every saving here is told for. */
export const HOURS_OF_MONTH = 730;
const HOUR_MS = 3_600_000;
const PPM = 1_000_000;

export const WASTE_KINDS = ["idle_empty", "idle_held", "silent", "unhealthy", "throttled", "unattached"] as const;
export type WasteKind = (typeof WASTE_KINDS)[number];

export const WasteQuestion = z.object({
  days: z.coerce
    .number()
    .pipe(z.union([z.literal(7), z.literal(14), z.literal(30)]))
    .catch(14)
    .default(14),
});
export type WasteQuestion = z.output<typeof WasteQuestion>;

/** What an amount of a window comes to in a month of 730 hours; null: the window is empty. */
export function perMonth(micros: Micros, windowMs: number): Micros | null {
  if (windowMs <= 0) return null;
  return roundHalfAway(micros * BigInt(HOURS_OF_MONTH * HOUR_MS), BigInt(Math.round(windowMs)));
}

/** What a resource's minutes of one kind cost: its money of the day in proportion, days added up by the caller. */
export type WasteMoney = { resourceId: string; kind: WasteKind; monthMicros: Micros };

/** What could be saved at most: of each resource the largest finding alone, since the same hour is saved only once. */
export function potentialOf(found: readonly WasteMoney[]): Micros {
  const largest = new Map<string, Micros>();
  for (const { resourceId, monthMicros } of found) {
    const known = largest.get(resourceId) ?? 0n;
    if (monthMicros > known) largest.set(resourceId, monthMicros);
  }
  let total = 0n;
  for (const micros of largest.values()) total += micros;
  return total;
}

export type GpuTime = {
  /** Paid GPU-minutes that were reported, and what they cost. */
  reportedGpuMinutes: number;
  reportedMicros: Micros;
  /** Of them, minutes in which a GPU of the machine was busy, and minutes weighted by effective utilisation. */
  busyGpuMinutes: number;
  utilisedGpuMinutes: number;
};

/** C49 and C50: dollars per GPU-hour that was used, by busy hours and weighted by utilisation; null: none was. */
export function effectiveRates({ reportedMicros, busyGpuMinutes, utilisedGpuMinutes }: GpuTime): {
  busyMicros: Micros | null;
  utilisedMicros: Micros | null;
} {
  const rate = (minutes: number) =>
    effectiveRate(reportedMicros, { numerator: BigInt(Math.round(minutes * PPM)), denominator: BigInt(60 * PPM) });
  return { busyMicros: rate(busyGpuMinutes), utilisedMicros: rate(utilisedGpuMinutes) };
}

export type WasteFinding = {
  kind: WasteKind;
  resourceId: string;
  name: string;
  typeName: string | null;
  region: string;
  team: string;
  /** It goes on as of now, since when. */
  since: number | null;
  minutes: number;
  /** In the window. */
  micros: string;
  /** The same in a month of 730 hours. */
  monthMicros: string;
  /** Where the newest of it can be seen: whole days or the stretch that goes on. */
  from: number;
  to: number;
  /** What holds it: processes and who runs them, or why the state is what it is. */
  detail: string | null;
};

export type WasteAnswer = {
  now: number;
  zone: string;
  days: WasteQuestion["days"];
  from: number;
  to: number;
  fromDay: string;
  toDay: string;
  costMicros: string;
  /** Money of the window by kind, machines that are gone included. */
  totals: Record<WasteKind, { micros: string; minutes: number; resources: number }>;
  /** In a month of 730 hours, of resources that still bill, each counted once. */
  potentialMicros: string;
  /** What of the window was on machines that are gone: known, and past saving. */
  goneMicros: string;
  gpu: {
    gpuHours: number;
    reportedPct: number | null;
    busyPct: number | null;
    utilisedPct: number | null;
    paidMicros: string | null;
    busyMicros: string | null;
    utilisedMicros: string | null;
  };
  /** Of resources that still bill, the most expensive first. */
  findings: WasteFinding[];
};
