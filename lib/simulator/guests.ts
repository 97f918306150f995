import { InlineAgent, type MachineAgent } from "./agent";
import type { Cloud } from "./cloud";
import { type Shell, ShellAgent } from "./shell-agent";
import type { Machine } from "./types";
import type { WorkPusher } from "./work-pusher";

type Guest = { kind: Machine["agent"]["kind"]; agent: MachineAgent };

/** The agents on all machines. */
export class Guests {
  private readonly guests = new Map<string, Guest>();
  private isClosed = false;

  constructor(
    private readonly cloud: Cloud,
    private readonly shell: Shell | null,
    /** Null: the programs on the machines tell nothing of themselves. */
    private readonly work: WorkPusher | null = null,
  ) {}

  /** Lets every agent do all that is due now; resolves when everything is sent, or cannot be sent. */
  async tick(): Promise<void> {
    if (this.isClosed) return;
    const now = this.cloud.now();
    const reporting = this.cloud.state.machines.filter(({ agent }) => agent.isInstalled && agent.target !== null);
    const ticks: Promise<void>[] = [];
    for (const machine of reporting) {
      if (machine.terminateRequestedAt !== null && machine.terminateRequestedAt <= machine.agent.sampledTo) {
        ticks.push(this.dismiss(machine.id));
      } else {
        ticks.push(this.agentOf(machine).then((agent) => agent.tick(now)));
      }
    }
    if (this.work) ticks.push(this.work.tick(reporting, now));
    await Promise.all(ticks);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.work?.close(), ...[...this.guests.keys()].map((id) => this.dismiss(id))]);
  }

  private async agentOf(machine: Machine): Promise<MachineAgent> {
    const kind = this.shell ? machine.agent.kind : "inline";
    const before = this.guests.get(machine.id);
    if (before && before.kind !== kind) await this.dismiss(machine.id);
    const guest = this.guests.get(machine.id);
    if (guest) return guest.agent;
    const agent = kind === "shell" && this.shell ? new ShellAgent(machine, this.shell) : new InlineAgent(machine);
    this.guests.set(machine.id, { kind, agent });
    return agent;
  }

  private async dismiss(id: string): Promise<void> {
    const guest = this.guests.get(id);
    this.guests.delete(id);
    await guest?.agent.stop();
  }
}
