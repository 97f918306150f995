import { BEAT_MS } from "./beats";
import { architectureOf, instanceTypes } from "./catalogue";
import { agentApps, queryGpu } from "./nvidia-smi";
import { iso, probeSections } from "./probes";
import type { Machine } from "./types";
import { kernelLines } from "./xid";

export const VERSION = "2.0.0";
const APPS_MS = 60_000;

export const KERNEL = "6.8.0-1013-nvidia";
export const unameOf = (machine: Machine): string =>
  architectureOf(machine.typeName) === "arm64" ? "aarch64" : "x86_64";

/** A report in the agent's protocol, version 2: a section per sample, processes and what the probes say once a minute. */
export function agentReport(machine: Machine, instants: readonly number[], sentAt: number): string {
  const parts = [
    `#agent protocol=2 version=${VERSION} host=${machine.hostname} interval=${BEAT_MS / 1_000} sent_at=${iso(sentAt)} machine=${unameOf(machine)} kernel=${KERNEL} ip=${machine.privateIp} dropped=${machine.agent.dropped}\n`,
  ];
  const hasGpus = (instanceTypes.get(machine.typeName)?.gpus ?? 0) > 0;
  const newest = Math.max(...instants);
  for (const at of instants) {
    const gpu = queryGpu(machine, at);
    if (gpu.status === 0) parts.push(`#gpu at=${iso(at)}\n`, gpu.text);
    else parts.push(`#error at=${iso(at)} status=${gpu.status}\n`, gpu.text);
    const isFirstOfMinute = Math.floor(at / APPS_MS) !== Math.floor((at - BEAT_MS) / APPS_MS);
    if (hasGpus && gpu.status === 0 && isFirstOfMinute) parts.push(`#apps at=${iso(at)}\n`, agentApps(machine, at));
    if (isFirstOfMinute && at === newest) parts.push(probeSections(machine, at));
    const kernel = kernelLines(machine, at - BEAT_MS, at);
    if (kernel.length > 0)
      parts.push(`#kernel at=${iso(at)} from=journalctl\n`, ...kernel.map(({ line }) => `${line}\n`));
  }
  return parts.join("");
}
