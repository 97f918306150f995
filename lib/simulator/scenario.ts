import { instanceTypes } from "./catalogue";
import { emptyState } from "./cloud";
import { chooseImage } from "./images";
import { planTermination } from "./lifecycle";
import { createMachine } from "./machine";
import { hashText, hex } from "./random";
import { demoFleet } from "./scenario-fleet";
import type { PlannedMachine } from "./scenario-plan";
import type { Actor, AuditEntry, CloudState, FileSystem, Machine, SshKey } from "./types";
import { priceAt, pricesFrom } from "./views";

const DAY = 86_400_000;
const GIB = 2 ** 30;
const PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGRlbW8ta2V5LW9mLW5vLXVzZS10by1hbnlib2R5";

/**
 * The demo: a GPU team's last `days`, up to `now`, out of a seed alone. The live cloud goes on from this state with the
 * same machines, and everything in the past can be asked for again.
 */
export function demoScenario(seed: number, now: number, days: number): CloudState {
  const state = emptyState(seed, now);
  const raised = now - 25 * DAY - 5 * 3_600_000;
  state.prices = pricesFrom((name) => {
    const row = instanceTypes.get(name);
    const today = { from: 0, value: row?.cents2026 ?? 0 };
    const hadOldPrice = name === "gpu_1x_gh200" || name === "gpu_1x_a10";
    return hadOldPrice && row?.cents2025
      ? [
          { from: 0, value: row.cents2025 },
          { ...today, from: raised },
        ]
      : [today];
  });
  state.sshKeys = ["team-key", "ci-runner"].map((name) => sshKey(seed, name, now));
  state.fileSystems = [
    fileSystem(seed, "datasets", "us-east-3", now - 120 * DAY, 1_180 * GIB, 6 * GIB),
    fileSystem(seed, "old-checkpoints", "us-west-2", now - 96 * DAY, 640 * GIB, 0),
  ];
  for (const plan of demoFleet(seed, now, days)) state.machines.push(machineFrom(state, plan));
  state.machines.sort((a, b) => a.launchedAt - b.launchedAt);
  state.audit = auditOf(state, now);
  return state;
}

const sshKey = (seed: number, name: string, now: number): SshKey => ({
  id: hex(seed, `ssh-key/${name}`),
  name,
  publicKey: `${PUBLIC_KEY} ${name}`,
  addedAt: now - 130 * DAY,
  deletedAt: null,
});

function fileSystem(
  seed: number,
  name: string,
  regionName: string,
  createdAt: number,
  bytesAtStart: number,
  bytesPerDay: number,
): FileSystem {
  return {
    id: hex(seed, `filesystem/${name}`),
    name,
    regionName,
    createdAt,
    createdBy: { id: hex(seed, "user/jonas"), email: "jonas@example.com" },
    deletedAt: null,
    bytesAtStart,
    bytesPerDay,
  };
}

/** Every call of a program was made with one key; a person in the console has none. */
export function demoActor(seed: number, via: PlannedMachine["via"]): Actor {
  return {
    lrn: `lrn:cloud:identity:${hex(seed, `identity/${via}`)}`,
    apiKeyLrn: via === "api" ? `lrn:cloud:api_key:${hex(seed, "api-key")}` : null,
  };
}

function machineFrom(state: CloudState, plan: PlannedMachine): Machine {
  const machine = createMachine({
    id: hex(state.seed, `${plan.key}/${plan.from}`),
    typeName: plan.typeName,
    regionName: plan.regionName,
    name: plan.name,
    hostname: null,
    sshKeyNames: [plan.via === "api" ? "ci-runner" : "team-key"],
    mounts: state.fileSystems
      .filter(({ name }) => plan.fileSystems.includes(name))
      .map(({ id, name }) => ({ fileSystemId: id, name, mountPoint: `/lambda/nfs/${name}` })),
    tags: Object.entries(plan.tags).map(([key, value]) => ({ key, value })),
    imageId: chooseImage({ family: "lambda-stack-22-04" }, plan.regionName, plan.typeName)?.id ?? "",
    userData: null,
    launchedAt: plan.from,
    listedAt: plan.from,
    launchCents: priceAt(state, plan.typeName, plan.from),
    bootMs: "lambda",
    isUnhealthy: plan.isUnhealthy,
    isInStep: false,
  });
  machine.workloads = machine.activeAt === null ? [] : plan.workloads(machine.activeAt);
  machine.restarts = plan.restartedAt.map((from) => ({ from, to: from + 75_000 }));
  machine.terminateRequestedAt = plan.to;
  machine.terminatedAt = plan.to === null ? null : planTermination(machine.seed, plan.to, "lambda");
  machine.agent.isInstalled = plan.agent !== null && machine.guestAt !== null;
  machine.agent.kind = plan.agent ?? "inline";
  machine.agent.modes.push(...plan.agentModes);
  machine.agent.sampledTo = state.startedAt;
  return machine;
}

function auditOf(state: CloudState, now: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  const note = (
    at: number | null,
    resource: AuditEntry["resource"],
    action: string,
    via: PlannedMachine["via"],
    id: string,
    details: Record<string, string>,
  ) => {
    if (at === null || at > now) return;
    const actor = demoActor(state.seed, via);
    const eventId = hex(hashText(`${state.seed}/${action}/${at}`), id);
    entries.push({ id: eventId, at, resource, action, actor, resourceIds: [id], details });
  };
  for (const { id, regionName, createdAt } of state.fileSystems) {
    note(createdAt, "filesystem", "created", "console", id, { region: regionName });
  }
  for (const machine of state.machines) {
    const details = {
      instance_lrn: `lrn:cloud:instance:${machine.id}`,
      instance_type: machine.typeName,
      region: machine.regionName,
    };
    const via = machine.sshKeyNames.includes("ci-runner") ? "api" : "console";
    note(machine.launchedAt, "instance", "launched", via, machine.id, details);
    for (const { from } of machine.restarts) note(from, "instance", "restarted", via, machine.id, details);
    note(machine.terminateRequestedAt, "instance", "terminated", via, machine.id, details);
  }
  return entries.sort((a, b) => a.at - b.at);
}
