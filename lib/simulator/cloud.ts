import { capacityAt } from "./capacity";
import { instanceTypes } from "./catalogue";
import type { Clock } from "./clock";
import { readInstallLine } from "./install-line";
import type { LaunchRequest } from "./launch-request";
import { resolveLaunch } from "./launch-request";
import { type Bill, billOf } from "./ledger";
import { isKnownAt, isRestartingAt, planTermination, statusAt } from "./lifecycle";
import { createMachine, setWork } from "./machine";
import { problems } from "./problems";
import { hashText, hex, unit } from "./random";
import type { Actor, AuditEntry, Behaviour, CloudState, FileSystem, Machine, SshKey } from "./types";
import { existsAt, isMountedAt, priceAt, pricesFrom } from "./views";

export type LaunchTwist = {
  isUnhealthy: boolean;
  listLagMs: number;
  bootMs: number;
  isCudaDead: boolean;
  /** How long a step of the recorded coming and going of capacity takes. */
  flickerStepMs: number;
};

/** A cloud with nothing in it: today's price list, one SSH key, no machines. */
export function emptyState(seed: number, startedAt: number): CloudState {
  return {
    seed,
    startedAt,
    counter: 0,
    quota: 64,
    machines: [],
    sshKeys: [
      {
        id: hex(seed, "ssh-key/default"),
        name: "team-key",
        publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDU5bW9ja2tleWZvcnRoZXNpbXVsYXRvcjAwMDAw team-key",
        addedAt: startedAt,
        deletedAt: null,
      },
    ],
    fileSystems: [],
    audit: [],
    prices: pricesFrom((name) => [{ from: 0, value: instanceTypes.get(name)?.cents2026 ?? 0 }]),
    capacity: {},
    capacityStepMs: null,
  };
}

/** The account and its rules. Time is the clock's; what happens later is decided when it is set off. */
export class Cloud {
  private readonly listeners: (() => void)[] = [];

  constructor(
    readonly state: CloudState,
    readonly clock: Clock,
    readonly behaviour: Behaviour,
  ) {}

  now(): number {
    return this.clock.now();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** The machine that `GET /instances/{id}` would answer with. */
  known(id: string): Machine | null {
    const machine = this.state.machines.find((one) => one.id === id);
    return machine && isKnownAt(machine, this.now(), this.behaviour.rememberMs) ? machine : null;
  }

  launch(request: LaunchRequest, actor: Actor, twist: Partial<LaunchTwist> = {}): Machine {
    const { state, behaviour } = this;
    const now = this.now();
    const { mounts, image } = resolveLaunch(state, request, now);
    const running = state.machines.filter((machine) => machine.terminatedAt === null || machine.terminatedAt > now);
    if (running.length >= state.quota) throw problems.quota();
    const attempt = this.next("launch");
    const steps = twist.flickerStepMs === undefined ? state : { ...state, capacityStepMs: twist.flickerStepMs };
    const isThere = capacityAt(steps, request.typeName, now).includes(request.regionName);
    if (!isThere || unit(attempt, 1) < behaviour.refusal) throw problems.noCapacity();
    const machine = createMachine({
      ...request,
      id: hex(attempt, "instance"),
      mounts,
      imageId: image.id,
      launchedAt: now,
      listedAt: now + (twist.listLagMs ?? 0),
      launchCents: priceAt(state, request.typeName, now),
      bootMs: twist.bootMs ?? behaviour.bootMs,
      isUnhealthy: twist.isUnhealthy ?? unit(attempt, 2) < behaviour.unhealthyBoot,
      isInStep: this.clock.mode === "manual",
    });
    if (twist.isCudaDead) machine.isCudaDead = true;
    const target = readInstallLine(request.userData);
    machine.agent.target = target;
    machine.agent.isInstalled = target !== null && machine.guestAt !== null;
    state.machines.push(machine);
    this.note("instance", "launched", actor, [machine.id], {
      instance_lrn: `lrn:cloud:instance:${machine.id}`,
      instance_type: machine.typeName,
      region: machine.regionName,
    });
    return machine;
  }

  terminate(ids: readonly string[], actor: Actor, batch = this.behaviour.batch): Machine[] {
    const now = this.now();
    const machines = this.batchOf(ids, batch);
    if (!this.behaviour.canTerminateWhileBooting && machines.some((one) => statusAt(one, now) === "booting")) {
      throw problems.invalid("The instance has not finished launching.");
    }
    const ending = machines.filter((machine) => machine.terminateRequestedAt === null);
    for (const machine of ending) {
      machine.terminateRequestedAt = now;
      machine.terminatedAt = planTermination(machine.seed, now, this.behaviour.terminateMs);
      this.note("instance", "terminated", actor, [machine.id], detailsOf(machine));
    }
    return machines;
  }

  restart(ids: readonly string[], actor: Actor, batch = this.behaviour.batch): Machine[] {
    const now = this.now();
    const machines = this.batchOf(ids, batch);
    const canRestart = (machine: Machine) =>
      ["active", "unhealthy"].includes(statusAt(machine, now) ?? "") && !isRestartingAt(machine, now);
    if (!machines.every(canRestart)) throw problems.conflict();
    for (const machine of machines) {
      machine.restarts.push({ from: now, to: now + this.behaviour.restartMs });
      setWork(machine, { from: now, kind: "idle-empty", params: {}, gpu: null });
      this.note("instance", "restarted", actor, [machine.id], detailsOf(machine));
    }
    return machines;
  }

  rename(id: string, name: string | null, actor: Actor): Machine {
    const machine = this.known(id);
    if (!machine) throw problems.instanceNotFound();
    if (name !== null) {
      machine.names.push({ from: this.now(), value: name });
      this.note("instance", "updated", actor, [id], detailsOf(machine));
    }
    return machine;
  }

  addSshKey(name: string, publicKey: string, actor: Actor): SshKey {
    if (this.state.sshKeys.some((key) => key.name === name && key.deletedAt === null)) {
      throw problems.invalid("Invalid SSH key: name must be unique.");
    }
    const key: SshKey = {
      id: hex(this.next("ssh-key"), "id"),
      name,
      publicKey,
      addedAt: this.now(),
      deletedAt: null,
    };
    this.state.sshKeys.push(key);
    this.note("ssh_key", "created", actor, [key.id], { ssh_key_lrn: `lrn:cloud:ssh_key:${key.id}` });
    return key;
  }

  deleteSshKey(id: string, actor: Actor): void {
    const key = this.state.sshKeys.find((one) => one.id === id && one.deletedAt === null);
    if (!key) throw problems.notFound();
    key.deletedAt = this.now();
    this.note("ssh_key", "deleted", actor, [id], { ssh_key_lrn: `lrn:cloud:ssh_key:${id}` });
  }

  createFileSystem(name: string, regionName: string, actor: Actor): FileSystem {
    const now = this.now();
    const there = this.state.fileSystems.filter((fileSystem) => existsAt(fileSystem, now));
    if (there.some((fileSystem) => fileSystem.name === name && fileSystem.regionName === regionName)) {
      throw problems.duplicate("A filesystem with this name exists in this region.");
    }
    if (there.length >= 24) throw problems.quota();
    const fileSystem: FileSystem = {
      id: hex(this.next("filesystem"), "id"),
      name,
      regionName,
      createdAt: now,
      createdBy: { id: hex(this.state.seed, "user/api"), email: "platform@example.com" },
      deletedAt: null,
      bytesAtStart: 0,
      bytesPerDay: 0,
    };
    this.state.fileSystems.push(fileSystem);
    this.note("filesystem", "created", actor, [fileSystem.id], { region: regionName });
    return fileSystem;
  }

  deleteFileSystem(id: string, actor: Actor): void {
    const now = this.now();
    const fileSystem = this.state.fileSystems.find((one) => one.id === id && existsAt(one, now));
    if (!fileSystem) throw problems.fileSystemNotFound();
    if (isMountedAt(this.state, id, now)) throw problems.fileSystemInUse();
    fileSystem.deletedAt = now;
    this.note("filesystem", "deleted", actor, [id], { region: fileSystem.regionName });
  }

  setPrice(typeName: string, cents: number): void {
    const steps = this.state.prices[typeName];
    if (!steps) throw problems.launchObjectNotFound("instance type");
    steps.push({ from: this.now(), value: cents });
    this.changed();
  }

  /** What every machine that was ever billed has cost so far. */
  bills(): Bill[] {
    const { machines, prices } = this.state;
    return machines.map((machine) => billOf(machine, prices[machine.typeName] ?? [], this.now(), this.behaviour));
  }

  /** A seed that no other event of this cloud has. */
  private next(what: string): number {
    this.state.counter += 1;
    return hashText(`${this.state.seed}/${what}/${this.state.counter}`);
  }

  private batchOf(ids: readonly string[], batch: Behaviour["batch"]): Machine[] {
    const found = [...new Set(ids)].map((id) => this.known(id));
    const machines = found.filter((machine) => machine !== null);
    const isRefused = batch === "all-or-nothing" ? machines.length < found.length : machines.length === 0;
    if (isRefused) throw problems.instanceNotFound();
    return machines;
  }

  note(
    resource: AuditEntry["resource"],
    action: string,
    actor: Actor,
    resourceIds: string[],
    details: Record<string, string>,
  ): void {
    const id = hex(this.next("event"), "id");
    this.state.audit.push({ id, at: this.now(), resource, action, actor, resourceIds, details });
    this.changed();
  }
}

const detailsOf = (machine: Machine): Record<string, string> => ({
  instance_lrn: `lrn:cloud:instance:${machine.id}`,
  instance_type: machine.typeName,
  region: machine.regionName,
});
