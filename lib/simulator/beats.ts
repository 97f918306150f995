import { isRestartingAt } from "./lifecycle";
import { type Machine, valueAt } from "./types";

/** How often an agent takes a sample. */
export const BEAT_MS = 10_000;

/** The first beat of a machine's agent at or after an instant. */
export function beatAfter(machine: Machine, at: number, everyMs = BEAT_MS): number {
  const { phaseMs } = machine.agent;
  return Math.ceil((at - phaseMs) / everyMs) * everyMs + phaseMs;
}

/** Whether the agent takes a sample at this instant: it is installed, its machine is up, and nobody stopped it. */
export function isSampling(machine: Machine, at: number): boolean {
  const { agent, guestAt, terminateRequestedAt } = machine;
  if (!agent.isInstalled || guestAt === null || at < guestAt) return false;
  if (terminateRequestedAt !== null && at >= terminateRequestedAt) return false;
  if (valueAt(machine.healths, at) === "preempted") return false;
  const mode = valueAt(agent.modes, at);
  return mode !== null && mode !== "stopped" && !isRestartingAt(machine, at);
}

/** The sample instants in [from, to), every `everyMs`. */
export function* beats(machine: Machine, from: number, to: number, everyMs = BEAT_MS): Generator<number> {
  const start = Math.max(from, machine.guestAt ?? to);
  const end = Math.min(to, machine.terminateRequestedAt ?? to);
  for (let at = beatAfter(machine, start, everyMs); at < end; at += everyMs) {
    if (isSampling(machine, at)) yield at;
  }
}
