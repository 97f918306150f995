import { isSampling } from "./beats";
import { type Gpu, gpuMetrics, gpuProcesses } from "./gpu";
import { gpusOf } from "./machine";
import { between, mix, unit } from "./random";
import type { Machine } from "./types";

/** At most one incident in so long, on some card of the machine. */
const SLOT_MS = 6 * 3_600_000;
const CHANCE = 0.035;

type Told = { code: number; afterMs: number; text: string };

/**
 * What the NVIDIA driver wrote to the kernel's log of a machine in [from, to), as `dmesg --time-format iso` prints it. Any window
 * can be asked for alone: the same machine always tells the same lines. Work that nobody does has no incident.
 */
export function kernelLines(machine: Machine, from: number, to: number): { at: number; line: string }[] {
  const lines: { at: number; line: string }[] = [];
  const seed = mix(machine.seed, 7_154);
  for (let slot = Math.floor(from / SLOT_MS) - 1; slot * SLOT_MS < to; slot += 1) {
    if (unit(seed, slot) >= CHANCE) continue;
    const gpus = gpusOf(machine);
    const gpu = gpus[between(mix(seed, slot), 1, 0, gpus.length - 1)];
    const start = slot * SLOT_MS + between(mix(seed, slot), 2, 0, SLOT_MS - 60_000);
    if (!gpu || !isSampling(machine, start)) continue;
    for (const { code, afterMs, text } of incidentOn(machine, gpu, mix(seed, slot), start)) {
      const at = start + afterMs;
      if (at >= from && at < to) lines.push({ at, line: driverLine(gpu, at, code, text) });
    }
  }
  return lines.sort((a, b) => a.at - b.at);
}

function incidentOn(machine: Machine, gpu: Gpu, seed: number, at: number): Told[] {
  const [process] = gpuProcesses(gpu, machine.workloads, at);
  if (!process) return [];
  const who = `pid=${process.pid}, name=${process.name.split("/").at(-1)?.slice(0, 15)}, `;
  if ((gpuMetrics(gpu, machine.workloads, at)?.eccUncorrected ?? 0) > 0) return memoryError(who);
  const draw = unit(seed, 3);
  if (draw < 0.5) return pageFault(who, seed);
  if (draw < 0.7) return [{ code: 43, afterMs: 0, text: `${who}Ch 00000010` }];
  if (draw < 0.85 && gpu.model.name.includes("GH200"))
    return [{ code: 121, afterMs: 0, text: "C2C Link corrected error: link 0" }];
  return [
    { code: 109, afterMs: 0, text: `${who}errorString CTX SWITCH TIMEOUT, Info 0x1c018` },
    { code: 45, afterMs: 2_140, text: `${who}Ch 00000008` },
  ];
}

function pageFault(who: string, seed: number): Told[] {
  const address = between(seed, 4, 0x10, 0xff).toString(16);
  const fault = `Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f${address}_${address}000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ`;
  return [
    { code: 31, afterMs: 0, text: `${who}${fault}` },
    { code: 45, afterMs: 310, text: `${who}Ch 00000010` },
    { code: 45, afterMs: 322, text: `${who}Ch 00000011` },
  ];
}

function memoryError(who: string): Told[] {
  const unknown = "pid='<unknown>', name=<unknown>, ";
  return [
    {
      code: 48,
      afterMs: 0,
      text: `${unknown}An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at physAddr 0x12bac1c3e0 partition 2, subpartition 1.`,
    },
    {
      code: 63,
      afterMs: 28,
      text: `${unknown}Row Remapper: New row (0x00000012bac1c3e0) marked for remapping, reset gpu to activate.`,
    },
    { code: 94, afterMs: 36, text: `${unknown}Contained: SM (0x1). RST: No, D-RST: No` },
    { code: 94, afterMs: 51, text: `${who}Ch 00000008` },
  ];
}

/** The driver names the place without the function, and the domain in four digits. */
function driverLine(gpu: Gpu, at: number, code: number, text: string): string {
  const place = gpu.busId.replace(/\.\d$/, "").slice(-10).toLowerCase();
  const when = new Date(at).toISOString().replace(".", ",").replace("Z", "000+00:00");
  return `${when} NVRM: Xid (PCI:${place}): ${code}, ${text}`;
}
