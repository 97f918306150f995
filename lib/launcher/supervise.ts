import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError, say } from "./report";

const DEATHS_ALLOWED = 5;
const DEATH_WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** Longer than any job of the worker takes to come to a safe stop. */
const PATIENCE_MS = 20_000;

export type Charge = {
  name: string;
  /** Starts the process; resolves when it is up, rejects when it could not be. On the signal it ends what it began, and rejects. */
  start: (signal: AbortSignal) => Promise<ChildProcess>;
  /** How it is asked to stop. */
  stop?: (child: ChildProcess) => Promise<void>;
};

/** Keeps processes alive: a dead one is started again after a growing pause; five deaths in a minute are too many. */
export class Supervisor {
  /** In the order of their start, which a restart does not change. */
  #running = new Map<string, { charge: Charge; child: ChildProcess }>();
  #starts = new Set<Promise<void>>();
  #ending = new AbortController();
  #giveUp: (error: Error) => void = () => {};
  /** Rejects with a sentence when a process cannot be kept alive. */
  readonly failed = new Promise<never>((_, reject) => {
    this.#giveUp = reject;
  });

  constructor(readonly firstPauseMs = FIRST_PAUSE_MS) {
    this.failed.catch(() => {});
  }

  /** Aborts when everything is to end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  async add(charge: Charge): Promise<void> {
    await this.#begin(charge, []);
  }

  /** Stops all, the last started first: each before those that it needs. What is just starting is waited for. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#starts);
    for (const { charge, child } of [...this.#running.values()].reverse()) {
      if (child.exitCode === null && child.signalCode === null) await (charge.stop ?? endGently)(child);
    }
  }

  async #begin(charge: Charge, deaths: number[]): Promise<void> {
    this.signal.throwIfAborted();
    const beginning = charge.start(this.signal).then((child) => this.#watch(charge, child, deaths));
    this.#starts.add(beginning);
    await beginning.finally(() => this.#starts.delete(beginning));
  }

  #watch(charge: Charge, child: ChildProcess, deaths: number[]): void {
    this.#running.set(charge.name, { charge, child });
    const gone = (code: number | null, signal: string | null) => {
      if (!this.signal.aborted)
        void this.#revive(charge, deaths, signal ? `was ended by ${signal}` : `ended with ${code}`);
    };
    // It may have died between its first answer and now.
    if (child.exitCode !== null || child.signalCode !== null) gone(child.exitCode, child.signalCode);
    else child.once("exit", gone);
  }

  async #revive(charge: Charge, earlier: number[], how: string): Promise<void> {
    let why = how;
    let deaths = earlier;
    while (!this.signal.aborted) {
      const now = Date.now();
      deaths = [...deaths.filter((at) => now - at < DEATH_WINDOW_MS), now];
      if (deaths.length >= DEATHS_ALLOWED) {
        this.#giveUp(
          new StartError(
            `${charge.name} ${why}, for the ${deaths.length}th time within a minute. Giving up; its last words stand above.`,
          ),
        );
        return;
      }
      const pauseMs = Math.min(LONGEST_PAUSE_MS, this.firstPauseMs * 2 ** (deaths.length - 1));
      say(`${charge.name} ${why}; starting it again in ${(pauseMs / 1000).toFixed(1)} s`);
      await sleep(pauseMs, undefined, { signal: this.signal }).catch(() => {});
      try {
        await this.#begin(charge, deaths);
        say(`${charge.name} is back`);
        return;
      } catch (error) {
        why = `could not be started (${(error as Error).message})`;
      }
    }
  }
}

/** SIGTERM, and SIGKILL when that was not heard. */
export async function endGently(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await exit;
  clearTimeout(patience);
}
