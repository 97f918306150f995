import { BEAT_MS, beats } from "./beats";
import { isRestartingAt } from "./lifecycle";
import { gpusOf } from "./machine";
import { agentReport, VERSION } from "./report";
import { type Machine, valueAt } from "./types";

/** Something on a machine that samples and sends. */
export type MachineAgent = {
  /** Does all that is due at this instant; resolves when it is sent, or cannot be sent now. */
  tick(now: number): Promise<void>;
  stop(): Promise<void>;
};

const BUFFER_BEATS = (24 * 3_600_000) / BEAT_MS;
const READINGS_PER_REPORT = 360;
const SEND_TIMEOUT_MS = 20_000;
const SLOWEST_MS = 60_000;

/** The simulated agent: since any instant's sample can be computed, it remembers instants and no samples. */
export class InlineAgent implements MachineAgent {
  private sending: Promise<void> | null = null;
  private readonly gone = new AbortController();

  constructor(private readonly machine: Machine) {}

  async tick(now: number): Promise<void> {
    takeSamples(this.machine, now);
    this.sending ??= this.send(now).finally(() => {
      this.sending = null;
    });
    await this.sending;
  }

  async stop(): Promise<void> {
    this.gone.abort();
    await this.sending;
  }

  private async send(now: number): Promise<void> {
    const { agent } = this.machine;
    while (agent.pending.length > 0 && agent.target && canSend(this.machine, now) && now >= agent.retryAt) {
      const batch = nextBatch(this.machine);
      const outcome = await this.post(agent.target, agentReport(this.machine, batch, now));
      if (this.gone.signal.aborted) return;
      agent.lastStatus = outcome.status;
      if (settles(agent, batch, outcome, now)) {
        const done = new Set(batch);
        agent.pending = agent.pending.filter((at) => !done.has(at));
      }
    }
  }

  private async post(target: { url: string; token: string }, body: string): Promise<Outcome> {
    try {
      const response = await fetch(`${target.url}/api/v1/ingest/nvidia-smi`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${target.token}`,
          "content-type": "text/plain; charset=utf-8",
          "user-agent": `hopperdeck-agent/${VERSION}`,
        },
        body,
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(SEND_TIMEOUT_MS), this.gone.signal]),
      });
      await response.arrayBuffer();
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      return { status: response.status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null };
    } catch {
      return { status: null, retryAfterMs: null };
    }
  }
}

type Outcome = { status: number | null; retryAfterMs: number | null };

/** Notes every sample that has fallen due; what the buffer cannot hold is lost, oldest first. */
export function takeSamples(machine: Machine, now: number): void {
  const { agent } = machine;
  if (isOff(machine, now)) {
    agent.pending = [];
    agent.sampledTo = now;
    return;
  }
  // A stopped process keeps what it had; a longer gap than the buffer would be thrown away again.
  const from = Math.max(agent.sampledTo + 1, now - (BUFFER_BEATS + 1) * BEAT_MS);
  for (const at of beats(machine, from, now + 1)) agent.pending.push(at);
  agent.sampledTo = Math.max(agent.sampledTo, now);
  const excess = agent.pending.length - BUFFER_BEATS;
  if (excess > 0) {
    agent.pending.splice(0, excess);
    agent.dropped += excess;
  }
}

/** A machine that is gone took its buffer along. */
const isOff = ({ terminateRequestedAt }: Machine, now: number): boolean =>
  terminateRequestedAt !== null && now >= terminateRequestedAt;

const canSend = (machine: Machine, now: number): boolean =>
  valueAt(machine.agent.modes, now) === "running" && !isRestartingAt(machine, now);

/** The newest sample goes with the first request; the backlog follows, oldest first. */
function nextBatch(machine: Machine): number[] {
  const { pending } = machine.agent;
  const most = Math.max(1, Math.floor(READINGS_PER_REPORT / Math.max(1, gpusOf(machine).length)));
  if (pending.length <= most) return pending.slice();
  const newest = pending.at(-1);
  const oldest = pending.slice(0, most - 1);
  return newest === undefined ? oldest : [...oldest, newest];
}

/** Whether the batch is over and done with: taken, or refused for good. Otherwise when to try again. */
function settles(agent: Machine["agent"], batch: readonly number[], outcome: Outcome, now: number): boolean {
  const { status } = outcome;
  if (status !== null && status >= 200 && status < 300) {
    agent.sent += batch.length;
    agent.lastSentAt = now;
    agent.failures = 0;
    return true;
  }
  if (status !== null && [400, 413, 415, 422].includes(status)) {
    agent.dropped += batch.length;
    agent.failures = 0;
    return true;
  }
  agent.failures += 1;
  const backoffMs = Math.min(SLOWEST_MS, 1_000 * 2 ** Math.min(agent.failures, 6));
  const isRefused = status === 401 || status === 403;
  agent.retryAt = now + (outcome.retryAfterMs ?? (isRefused ? SLOWEST_MS : backoffMs));
  return false;
}
