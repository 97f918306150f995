import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gpuProcesses } from "./gpu";
import { gpusOf } from "./machine";
import { userOf } from "./nvidia-smi";
import { mountsOf, torchOf } from "./probes";
import { uuid } from "./random";
import type { Machine } from "./types";

/* What the real agent's probes find on a simulated machine, so that they do not look at the one that simulates it. */

const UID = 1000;

/** Programs by name, as lines of shell. */
export function probeTools(machine: Machine): Record<string, string[]> {
  const torch = torchOf(machine);
  const sizes = mountsOf(machine, machine.launchedAt).map(
    ({ device, mountPoint, sizeKib, usedKib }) =>
      `  ${mountPoint}) echo '${device} ${sizeKib} ${usedKib} 0 1% ${mountPoint}' ;;`,
  );
  return {
    df: ["echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'", `case "$2" in`, ...sizes, "esac"],
    journalctl: ["echo '-- cursor: s=0'"],
    timedatectl: ["echo '       Offset: +412us'"],
    dmesg: ["exit 1"],
    python3: [
      `case "$*" in`,
      torch === null ? "  *importlib*) exit 1 ;;" : `  *importlib*) echo ${torch} ;;`,
      `  *libcuda*) printf 'usable=yes\\ndevices=${gpusOf(machine).length}\\ntook_ms=318\\n' ;;`,
      "esac",
    ],
  };
}

/** Files of the machine by path. */
export function probeFiles(machine: Machine): Record<string, string> {
  const mounts = mountsOf(machine, machine.launchedAt);
  return {
    "proc/1/mounts": mounts.map(({ device, type, mountPoint }) => `${device} ${mountPoint} ${type} rw 0 0\n`).join(""),
    "proc/sys/kernel/random/boot_id": `${uuid(machine.seed, "boot")}\n`,
    "sys/module/nvidia/version": `${gpusOf(machine)[0]?.model.driverVersion ?? ""}\n`,
    "etc/passwd": `root:x:0:0:root:/root:/bin/bash\n${userOf(machine)}:x:${UID}:${UID}::/home/${userOf(machine)}:/bin/bash\n`,
    "dev/nvidia-uvm": "",
  };
}

/** Whose the processes are that run now. */
export async function writeProcesses(root: string, machine: Machine, at: number): Promise<void> {
  for (const { pid } of gpusOf(machine).flatMap((gpu) => gpuProcesses(gpu, machine.workloads, at))) {
    await mkdir(path.join(root, "proc", String(pid)), { recursive: true });
    await writeFile(path.join(root, "proc", String(pid), "status"), `Uid:\t${UID}\t${UID}\t${UID}\t${UID}\n`);
  }
}
