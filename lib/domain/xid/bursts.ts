import { groupBy } from "@/lib/domain/group";
import type { XidSighting } from "@/lib/domain/telemetry/report";
import { driverMessage } from "./kernel-log";

/** An Xid of one machine as it is remembered. */
export type XidEvent = {
  id: string;
  /** Whose events belong together: the instance, or the sender that nobody has placed yet. */
  machine: string;
  at: number;
  /** How `at` is known, where it is not written. */
  atIs: "written" | "assumed_utc" | "received";
  code: number;
  seenBy: XidSighting["seenBy"];
  /** The gauge showed it when we looked first: it came at some time before. */
  isSinceBefore: boolean;
  gpuId: number | null;
  busId: string | null;
  mig: string;
  text: string;
  pid: number | null;
  processName: string | null;
  sourceId: string | null;
};

/** Events of one machine with no silence longer than the gap between them, oldest first. */
export type Burst = { machine: string; from: number; to: number; events: XidEvent[] };

/** As NVIDIA's fleet tools group them. */
export const BURST_GAP_MS = 180_000;

/** Two senders of one machine tell one line with clocks that differ by no more than this. */
const TWICE_MS = 5_000;

/** Groups events into incidents, newest first. */
export function burstsOf(events: readonly XidEvent[]): Burst[] {
  const bursts: Burst[] = [];
  for (const [machine, own] of groupBy(events, (event) => event.machine)) {
    let open: Burst | null = null;
    for (const event of withoutTwins([...own].sort((a, b) => a.at - b.at || compare(a.id, b.id)))) {
      if (open && event.at - open.to <= BURST_GAP_MS) {
        open.events.push(event);
        open.to = event.at;
      } else {
        open = { machine, from: event.at, to: event.at, events: [event] };
        bursts.push(open);
      }
    }
  }
  return bursts.sort((a, b) => b.from - a.from || compare(a.machine, b.machine));
}

/** The card an event speaks of, one name for one card within a machine; what names none shares a name. */
export function cardOf({ gpuId, busId, mig }: XidEvent): string {
  if (gpuId !== null) return `gpu:${gpuId}`;
  return busId === null ? "unknown" : `bus:${busId}/${mig}`;
}

export type SeenCode = {
  code: number;
  /** Lines in the kernel's log. Zero: known from a gauge alone, which tells the last code and counts nothing. */
  lines: number;
  seenBy: XidSighting["seenBy"][];
  firstAt: number;
};

/** The codes of an incident in the order in which they came. */
export function codesOf({ events }: Burst): SeenCode[] {
  return [...groupBy(events, (event) => event.code)].map(([code, own]) => ({
    code,
    lines: own.filter(({ seenBy }) => seenBy === "kernel").length,
    seenBy: [...new Set(own.map(({ seenBy }) => seenBy))].sort().reverse(),
    firstAt: Math.min(...own.map(({ at }) => at)),
  }));
}

/** Sightings of one text, read without a store: what a line says of its card is all that is known. */
export function fromSightings(sightings: readonly XidSighting[], machine = "this machine"): XidEvent[] {
  return sightings
    .filter(({ code }) => code > 0)
    .map(({ at, atIs, code, place, seenBy, text, pid, processName }, i) => ({
      id: String(i).padStart(6, "0"),
      machine,
      at,
      atIs: atIs ?? "written",
      code,
      seenBy,
      isSinceBefore: false,
      gpuId: null,
      busId: place.busId,
      mig: place.mig,
      text,
      pid,
      processName,
      sourceId: null,
    }));
}

/** One line of the kernel that two senders told, each in its own form of the log, is one line. */
function withoutTwins(sorted: readonly XidEvent[]): XidEvent[] {
  const told = new Map<string, XidEvent>();
  return sorted.filter((event) => {
    if (event.seenBy !== "kernel") return true;
    const message = driverMessage(event.text);
    const first = told.get(message);
    if (first && first.sourceId !== event.sourceId && event.at - first.at <= TWICE_MS) return false;
    told.set(message, event);
    return true;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
