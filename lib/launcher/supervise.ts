import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError, say } from "./report";

const DEATHS_ALLOWED = 5;
const DEATH_WINDOW_MS = 60_000;
const LONGEST_PAUSE_MS = 10_000;
/** Longer than any job of the worker takes to come to a safe stop. */
const PATIENCE_MS = 20_000;

export type Charge = {
  name: string;
  /** Starts the process; resolves when it is up, rejects when it could not be. */
  start: () => Promise<ChildProcess>;
  /** How it is asked to stop. */
  stop?: (child: ChildProcess) => Promise<void>;
};

/** Keeps processes alive: a dead one is started again after a growing pause; five deaths in a minute are too many. */
export class Supervisor {
  /** In the order of their start, which a restart does not change. */
  #running = new Map<string, { charge: Charge; child: ChildProcess }>();
  #isStopping = false;
  #giveUp: (error: Error) => void = () => {};
  /** Rejects with a sentence when a process cannot be kept alive. */
  readonly failed = new Promise<never>((_, reject) => {
    this.#giveUp = reject;
  });

  constructor() {
    this.failed.catch(() => {});
  }

  async add(charge: Charge): Promise<void> {
    const child = await charge.start();
    if (this.#isStopping) await (charge.stop ?? endGently)(child);
    else this.#watch(charge, child, []);
  }

  /** Stops all, the last started first: each before those that it needs. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { charge, child } of [...this.#running.values()].reverse()) {
      if (child.exitCode === null && child.signalCode === null) await (charge.stop ?? endGently)(child);
    }
  }

  #watch(charge: Charge, child: ChildProcess, deaths: number[]): void {
    this.#running.set(charge.name, { charge, child });
    child.once("exit", (code, signal) => {
      if (!this.#isStopping)
        void this.#revive(charge, deaths, signal ? `was ended by ${signal}` : `ended with ${code}`);
    });
  }

  async #revive(charge: Charge, earlier: number[], how: string): Promise<void> {
    let why = how;
    let deaths = earlier;
    while (!this.#isStopping) {
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
      const pauseMs = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** deaths.length);
      say(`${charge.name} ${why}; starting it again in ${(pauseMs / 1000).toFixed(1)} s`);
      await sleep(pauseMs);
      if (this.#isStopping) return;
      try {
        this.#watch(charge, await charge.start(), deaths);
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
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await exit;
  clearTimeout(patience);
}
