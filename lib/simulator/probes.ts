import { instanceTypes } from "./catalogue";
import { gpuProcesses } from "./gpu";
import { gpusOf } from "./machine";
import { between, smoothNoise, unit } from "./random";
import type { Machine } from "./types";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KIB_PER_GIB = 1024 * 1024;

/** Instants as the shell prints them: UTC, whole seconds. */
export const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

/**
 * What the agent's probes found out up to an instant, as sections of its report. A machine lacks what its image lacks: some
 * have no PyTorch, some no Python, some no service that keeps the clock.
 */
export function probeSections(machine: Machine, at: number): string {
  const since = machine.guestAt ?? at;
  const last = (everyMs: number) => iso(Math.max(since, Math.floor(at / everyMs) * everyMs));
  const image = imageOf(machine);
  return [
    `#kernel at=${last(5 * MINUTE)} from=journalctl`,
    `#clock at=${last(MINUTE)}`,
    ...clockLines(machine, at, image),
    `#mounts at=${last(5 * MINUTE)}`,
    ...mountLines(machine, at),
    `#versions at=${last(HOUR)}`,
    ...versionLines(machine, image),
    ...cudaSections(machine, at, image),
    "",
  ].join("\n");
}

/** Which of ten images it runs: what it has and lacks. */
const imageOf = (machine: Machine): number => between(machine.seed, 61, 0, 9);
const hasPython = (image: number): boolean => image !== 1;

function clockLines(machine: Machine, at: number, image: number): string[] {
  if (image === 2) return ["missing=chronyc, timedatectl and ntpq are not installed"];
  const offsetMs = (smoothNoise(machine.seed, at / HOUR) - 0.5) * 1.6;
  return ["from=timedatectl", `behind=${offsetMs < 0 ? "-" : "+"}${Math.abs(offsetMs).toFixed(3)}ms`];
}

type SimulatedMount = { device: string; type: string; mountPoint: string; sizeKib: number; usedKib: number };

/** Its disk and its shared file systems; these have no end, and say so with the largest number there is. */
export function mountsOf(machine: Machine, at: number): SimulatedMount[] {
  const sizeKib = Math.round((instanceTypes.get(machine.typeName)?.storageGib ?? 512) * 0.96 * KIB_PER_GIB);
  const days = Math.max(0, at - machine.launchedAt) / (24 * HOUR);
  const share = Math.min(0.93, 0.04 + unit(machine.seed, 62) * 0.3 + days * 0.004);
  const shared = machine.mounts.map(({ name, mountPoint, fileSystemId }) => ({
    device: name,
    type: "virtiofs",
    mountPoint,
    sizeKib: 9_007_199_254_740_991,
    usedKib: Math.round((200 + (Number.parseInt(fileSystemId.slice(0, 4), 16) || 0) / 20 + days) * KIB_PER_GIB),
  }));
  return [
    { device: "/dev/vda1", type: "ext4", mountPoint: "/", sizeKib, usedKib: Math.round(sizeKib * share) },
    ...shared,
  ];
}

const mountLines = (machine: Machine, at: number): string[] =>
  mountsOf(machine, at).map(
    ({ device, type, mountPoint, sizeKib, usedKib }) => `${device} ${type} ${mountPoint} ${sizeKib} ${usedKib}`,
  );

/** The PyTorch on it; null where its image brings none. */
export function torchOf(machine: Machine): string | null {
  if (imageOf(machine) === 0) return null;
  return unit(machine.seed, 63) < 0.7 ? "2.7.0" : "2.5.1";
}

function versionLines(machine: Machine, image: number): string[] {
  const driver = gpusOf(machine)[0]?.model.driverVersion;
  const torch = torchOf(machine);
  return [
    ...(driver ? [`driver=${driver}`, "cuda=12.8"] : ["driver.missing=nvidia-smi is not installed"]),
    hasPython(image)
      ? torch === null
        ? "torch.missing=no PyTorch where python3 of the system looks"
        : `torch=${torch}`
      : "torch.missing=python3 is not installed",
  ];
}

/** Tried when the machine came up; put off ever since while a process uses a GPU. */
function cudaSections(machine: Machine, at: number, image: number): string[] {
  const gpus = gpusOf(machine);
  if (gpus.length === 0) return [];
  const since = machine.guestAt ?? at;
  const tried = (instant: number) => [
    `#cuda at=${iso(instant)}`,
    ...(machine.isCudaDead
      ? ["usable=no", "devices=0", "took_ms=90", "message=cuInit: error 802, system not yet initialized"]
      : hasPython(image)
        ? ["usable=yes", `devices=${gpus.length}`, `took_ms=${gpus.length * between(machine.seed, 64, 180, 420)}`]
        : ["missing=python3 is not installed"]),
  ];
  const isBusy = gpus.some((gpu) => gpuProcesses(gpu, machine.workloads, at).length > 0);
  if (!isBusy || !hasPython(image)) return tried(Math.max(since, Math.floor(at / HOUR) * HOUR));
  const put = Math.max(since, Math.floor(at / (5 * MINUTE)) * 5 * MINUTE);
  return [...tried(since), `#cuda at=${iso(put)}`, "busy=processes use the GPUs"];
}
