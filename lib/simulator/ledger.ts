import { statusAt } from "./lifecycle";
import { type Behaviour, type Machine, type Step, valueAt } from "./types";

/** The cloud's own bill for one machine: what an estimate can be scored against. Money in micro-dollars. */
export type Bill = {
  id: string;
  name: string | null;
  typeName: string;
  activeAt: number | null;
  terminateRequestedAt: number | null;
  /** The billed interval; null when nothing was billed. `to` is now while it runs. */
  from: number | null;
  to: number | null;
  minutes: number;
  /** Minutes at each price in force, in order of time. */
  lines: { cents: number; minutes: number }[];
  /** At the list price of each minute. */
  micros: bigint;
  /** At the list price of the launch. */
  frozenMicros: bigint;
};

const MINUTE = 60_000;

/** Billed from the health check to the terminate call, per started minute (or as `rounding` says). */
export function billOf(
  machine: Machine,
  prices: readonly Step<number>[],
  now: number,
  behaviour: Pick<Behaviour, "rounding" | "isUnhealthyBootBilled">,
): Bill {
  const from = billedFrom(machine, behaviour.isUnhealthyBootBilled);
  const preempted = machine.healths.find(({ value }) => value === "preempted")?.from ?? Number.POSITIVE_INFINITY;
  const to = Math.min(machine.terminateRequestedAt ?? now, preempted, now);
  const isBilled = from !== null && from < to;
  const minutes = isBilled ? rounded((to - from) / MINUTE, behaviour.rounding) : 0;
  const lines = isBilled ? linesOf(from, minutes, prices) : [];
  return {
    id: machine.id,
    name: valueAt(machine.names, now),
    typeName: machine.typeName,
    activeAt: machine.activeAt,
    terminateRequestedAt: machine.terminateRequestedAt,
    from: isBilled ? from : null,
    to: isBilled ? to : null,
    minutes,
    lines,
    micros: toMicros(lines.reduce((sum, line) => sum + BigInt(line.cents) * BigInt(line.minutes), 0n)),
    frozenMicros: toMicros(BigInt(machine.launchCents) * BigInt(minutes)),
  };
}

function billedFrom(machine: Machine, isUnhealthyBootBilled: boolean): number | null {
  if (machine.activeAt !== null) return machine.activeAt;
  const unhealthy = machine.healths.find(({ value }) => value === "unhealthy");
  return isUnhealthyBootBilled && unhealthy ? unhealthy.from : null;
}

const rounded = (minutes: number, rounding: Behaviour["rounding"]): number =>
  ({ ceil: Math.ceil, floor: Math.floor, nearest: Math.round })[rounding](minutes);

/** A minute takes the price in force when it starts. */
function linesOf(from: number, minutes: number, prices: readonly Step<number>[]): Bill["lines"] {
  const lines: Bill["lines"] = [];
  let done = 0;
  while (done < minutes) {
    const at = from + done * MINUTE;
    const next = prices.find((step) => step.from > at)?.from;
    const until = next === undefined ? minutes : Math.min(minutes, Math.ceil((next - from) / MINUTE));
    lines.push({ cents: valueAt(prices, at) ?? 0, minutes: until - done });
    done = until;
  }
  return lines;
}

/** Cents per hour × minutes → micro-dollars, half away from zero. */
const toMicros = (centMinutes: bigint): bigint => (centMinutes * 10_000n + 30n) / 60n;

/** What every machine that is billed now costs per hour, in cents. */
export function centsPerHourNow(machines: readonly Machine[], prices: Record<string, Step<number>[]>, now: number) {
  return machines
    .filter((machine) => {
      const status = statusAt(machine, now);
      return machine.activeAt !== null && (status === "active" || status === "unhealthy");
    })
    .reduce((sum, machine) => sum + (valueAt(prices[machine.typeName] ?? [], now) ?? 0), 0);
}
