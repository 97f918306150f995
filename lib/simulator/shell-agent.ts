import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { InlineAgent, type MachineAgent } from "./agent";
import { BEAT_MS, beats } from "./beats";
import { KERNEL, unameOf } from "./report";
import { probeFiles, probeTools, writeProcesses } from "./shell-tools";
import { type Machine, valueAt } from "./types";

export type Shell = {
  /** The real agent: a POSIX shell script. */
  script: string;
  /** Where its commands are found. */
  searchPath: string;
  adminUrl: () => string;
};

/** More beats than this at once are sent by the simulated agent: a day of shell processes would take an hour. */
const MOST_BEATS = 30;
const BEAT_TIMEOUT_MS = 30_000;
/** Nobody listens on the discard port of this machine. */
const UNREACHABLE = "http://127.0.0.1:9";

/** The real agent on a simulated machine: the script runs once per beat, with a fake nvidia-smi and its own spool. */
export class ShellAgent implements MachineAgent {
  private readonly backlog: InlineAgent;
  private readonly gone = new AbortController();
  private folder: Promise<string> | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly machine: Machine,
    private readonly shell: Shell,
  ) {
    this.backlog = new InlineAgent(machine);
  }

  async tick(now: number): Promise<void> {
    this.running ??= this.run(now).finally(() => {
      this.running = null;
    });
    await this.running;
  }

  async stop(): Promise<void> {
    this.gone.abort();
    await Promise.all([this.backlog.stop(), this.running]);
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
  }

  private async run(now: number): Promise<void> {
    const { agent } = this.machine;
    const due = [...beats(this.machine, Math.max(agent.sampledTo + 1, now - MOST_BEATS * BEAT_MS), now + 1)];
    if (due[0] !== undefined) await this.backlog.tick(due[0] - 1);
    for (const at of due) {
      if (this.gone.signal.aborted) return;
      await this.beat(at);
      agent.sampledTo = at;
      agent.sent += 1;
    }
    agent.sampledTo = Math.max(agent.sampledTo, now);
  }

  private async beat(at: number): Promise<void> {
    const { agent } = this.machine;
    this.folder ??= prepare(this.shell.adminUrl(), this.machine);
    const folder = await this.folder;
    const token = path.join(folder, "token");
    await writeFile(token, agent.target?.token ?? "", { mode: 0o600 });
    await writeProcesses(path.join(folder, "root"), this.machine, at);
    const isOffline = valueAt(agent.modes, at) === "offline";
    const instant = new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
    const child = spawn("sh", [this.shell.script], {
      env: {
        PATH: `${folder}:${this.shell.searchPath}`,
        HOME: folder,
        NODE_ENV: "production",
        HOPPERDECK_URL: isOffline ? UNREACHABLE : (agent.target?.url ?? UNREACHABLE),
        HOPPERDECK_TOKEN_FILE: token,
        HOPPERDECK_SPOOL: path.join(folder, "spool"),
        HOPPERDECK_INTERVAL: String(BEAT_MS / 1_000),
        HOPPERDECK_ROOT: path.join(folder, "root"),
        HOPPERDECK_NVIDIA_SMI: path.join(folder, "nvidia-smi"),
        HOPPERDECK_ONCE: "1",
        HOPPERDECK_NOW: instant,
      },
      stdio: "ignore",
      timeout: BEAT_TIMEOUT_MS,
      signal: this.gone.signal,
    });
    const status = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("close", resolve);
    });
    agent.lastStatus = status;
    if (status === 0 && !isOffline) agent.lastSentAt = at;
  }
}

/** A folder with a spool, an `nvidia-smi` that asks the simulator what to print, and the machine's own names. */
async function prepare(adminUrl: string, machine: Machine): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "gpu-machine-"));
  await mkdir(path.join(folder, "spool"), { mode: 0o700 });
  const commands = {
    "nvidia-smi": [
      `answer=$(curl -sS --max-time 8 --get --data-urlencode "args=$*" --data-urlencode "at=\${HOPPERDECK_NOW:-}" \\`,
      `  '${adminUrl}/machines/${machine.id}/nvidia-smi') || exit 9`,
      `printf '%s' "\${answer%#exit *}"`,
      `exit "\${answer##*#exit }"`,
    ],
    ...probeTools(machine),
    hostname: [`case \${1:-} in -I) echo ${machine.privateIp} ;; *) echo ${machine.hostname} ;; esac`],
    uname: [
      `case \${1:-} in -m) echo ${unameOf(machine)} ;; -r) echo ${KERNEL} ;; -n) echo ${machine.hostname} ;; *) echo Linux ;; esac`,
    ],
  };
  for (const [name, lines] of Object.entries(commands)) {
    await writeFile(path.join(folder, name), `${["#!/bin/sh", ...lines].join("\n")}\n`, { mode: 0o755 });
  }
  for (const [name, text] of Object.entries(probeFiles(machine))) {
    const file = path.join(folder, "root", name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}
