import { instanceTypes } from "./catalogue";
import type { Gpu } from "./gpu";
import { gpuModelOf } from "./gpu-models";
import { planBoot } from "./lifecycle";
import { between, hashText, hex, mix, uuid } from "./random";
import type { Behaviour, Machine, Tag } from "./types";
import { isWorkloadKind, type WorkloadKind, type WorkloadSpan } from "./workloads";

export type NewMachine = {
  id: string;
  typeName: string;
  regionName: string;
  name: string | null;
  hostname: string | null;
  sshKeyNames: string[];
  mounts: Machine["mounts"];
  tags: Tag[];
  imageId: string;
  userData: string | null;
  launchedAt: number;
  listedAt: number;
  launchCents: number;
  bootMs: Behaviour["bootMs"];
  isUnhealthy: boolean;
  /** Whether agents take their samples all at once, on the full ten seconds. */
  isInStep: boolean;
};

/** A machine as it is right after a launch, its boot already decided. */
export function createMachine(plan: NewMachine): Machine {
  const seed = hashText(plan.id);
  const gpus = instanceTypes.get(plan.typeName)?.gpus ?? 0;
  const boot = planBoot(seed, plan.launchedAt, gpus, plan.bootMs, plan.isUnhealthy);
  const ip = publicIp(seed);
  return {
    id: plan.id,
    seed,
    typeName: plan.typeName,
    regionName: plan.regionName,
    names: [{ from: plan.launchedAt, value: plan.name }],
    hostname: plan.hostname ?? ip.replaceAll(".", "-"),
    ip,
    privateIp: `10.19.${between(seed, 21, 0, 255)}.${between(seed, 22, 2, 254)}`,
    jupyterToken: hex(seed, "jupyter"),
    sshKeyNames: plan.sshKeyNames,
    mounts: plan.mounts,
    tags: plan.tags,
    imageId: plan.imageId,
    userData: plan.userData,
    launchedAt: plan.launchedAt,
    listedAt: plan.listedAt,
    ...boot,
    restarts: [],
    terminateRequestedAt: null,
    terminatedAt: null,
    launchCents: plan.launchCents,
    workloads: firstWorkload(plan.tags, boot.activeAt ?? plan.launchedAt),
    agent: {
      kind: "inline",
      isInstalled: false,
      target: null,
      modes: boot.guestAt === null ? [] : [{ from: boot.guestAt, value: "running" }],
      phaseMs: plan.isInStep ? 0 : between(seed, 23, 0, 9) * 1_000,
      sampledTo: boot.guestAt ?? plan.launchedAt,
      pending: [],
      sent: 0,
      dropped: 0,
      failures: 0,
      retryAt: 0,
      lastSentAt: null,
      lastStatus: null,
    },
  };
}

/** Addresses of the blocks kept for documentation (RFC 5737). */
function publicIp(seed: number): string {
  const block = ["192.0.2", "198.51.100", "203.0.113"][between(seed, 24, 0, 2)];
  return `${block}.${between(seed, 25, 1, 254)}`;
}

/** What a new machine does three minutes after it is active: what its `workload` tag says. */
function firstWorkload(tags: Tag[], activeAt: number): WorkloadSpan[] {
  const wanted = tags.find(({ key }) => key === "workload")?.value;
  const kind: WorkloadKind | null = isWorkloadKind(wanted) ? wanted : null;
  return kind ? [{ from: activeAt + 180_000, kind, params: {}, gpu: null }] : [];
}

/** What the machine does from now on; what it was to do later is off, unless this is for one GPU. */
export function setWork(machine: Machine, span: WorkloadSpan): void {
  const kept = span.gpu === null ? machine.workloads.filter(({ from }) => from <= span.from) : machine.workloads;
  machine.workloads = [...kept, span].sort((a, b) => a.from - b.from);
}

const known = new WeakMap<object, Gpu[]>();

/** Puts another card in a machine, as a provider may: the listing says nothing of it. Without a place, into all of them. */
export function exchangeCards(machine: Machine, typeName: string, index: number | null): void {
  machine.exchanged = [...(machine.exchanged ?? []), { typeName, index }];
  known.delete(machine);
}

/** The cards in a machine; none for a type without GPUs. */
export function gpusOf(machine: Pick<Machine, "seed" | "typeName" | "exchanged">): Gpu[] {
  const cached = known.get(machine);
  if (cached) return cached;
  const own = gpuModelOf(machine.typeName);
  const count = own ? (instanceTypes.get(machine.typeName)?.gpus ?? 0) : 0;
  const gpus: Gpu[] = [];
  for (let index = 0; own && index < count; index++) {
    const exchanges = (machine.exchanged ?? []).filter((one) => one.index === null || one.index === index);
    const last = exchanges.at(-1);
    const model = (last && gpuModelOf(last.typeName)) ?? own;
    const place = exchanges.length === 0 ? `gpu/${index}` : `gpu/${index}/${exchanges.length}`;
    gpus.push({
      index,
      uuid: `GPU-${uuid(machine.seed, place)}`,
      busId: model.busIds[index] ?? "00000000:00:00.0",
      model,
      seed: mix(machine.seed, 1_000 + index),
      machineSeed: machine.seed,
    });
  }
  known.set(machine, gpus);
  return gpus;
}
