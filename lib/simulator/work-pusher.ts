import { canTell, runsOf, workBody } from "./runs";
import type { Machine } from "./types";

const EVERY_MS = 60_000;
const SEND_TIMEOUT_MS = 20_000;

/** The programs on machines: once a minute each run that goes on, or has just ended, tells what it has done. */
export class WorkPusher {
  private readonly toldAt = new Map<string, number>();
  private readonly gone = new AbortController();
  private sending: Promise<void> | null = null;

  /** Sends all that is due; resolves when it is sent, or cannot be sent. What could not be sent is told again a minute later. */
  async tick(machines: readonly Machine[], now: number): Promise<void> {
    this.sending ??= this.send(machines, now).finally(() => {
      this.sending = null;
    });
    await this.sending;
  }

  async close(): Promise<void> {
    this.gone.abort();
    await this.sending;
  }

  private async send(machines: readonly Machine[], now: number): Promise<void> {
    for (const machine of machines) {
      const { target } = machine.agent;
      if (!machine.agent.isInstalled || target === null) continue;
      for (const run of runsOf(machine, now).slice(-2)) {
        const key = `${machine.id} ${run.id}`;
        const last = this.toldAt.get(key) ?? now - EVERY_MS;
        const at = Math.min(now, run.until);
        if (now - last < EVERY_MS || last >= at || !canTell(machine, run, at)) continue;
        this.toldAt.set(key, now);
        await this.post(target, workBody(machine, run, at));
        if (this.gone.signal.aborted) return;
      }
    }
  }

  private async post(target: { url: string; token: string }, body: string): Promise<void> {
    try {
      const response = await fetch(`${target.url}/api/v1/ingest/workload`, {
        method: "POST",
        headers: { authorization: `Bearer ${target.token}`, "content-type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(SEND_TIMEOUT_MS), this.gone.signal]),
      });
      await response.arrayBuffer();
    } catch {
      // Told again in a minute; the counters lose nothing.
    }
  }
}
