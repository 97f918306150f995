import type { WorkloadSpan } from "./workloads";

/** From an instant on, until the next step; lists of them are in order of time. */
export type Step<T> = { from: number; value: T };

export function valueAt<T>(steps: readonly Step<T>[], at: number): T | null {
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i];
    if (step && step.from <= at) return step.value;
  }
  return null;
}

export type Tag = { key: string; value: string };
export type Health = "healthy" | "unhealthy" | "preempted";
/** `stopped`: no process. `offline`: it samples and cannot send. */
export type AgentMode = "running" | "stopped" | "offline";

export type Agent = {
  /** `inline` is simulated in this process; `shell` is the real script in a child process. */
  kind: "inline" | "shell";
  isInstalled: boolean;
  target: { url: string; token: string } | null;
  modes: Step<AgentMode>[];
  /** Where in each ten seconds it takes its sample. */
  phaseMs: number;
  /** Every sample up to here is sent, waiting in `pending`, or lost. */
  sampledTo: number;
  /** Instants of the samples that wait to be sent, oldest first. */
  pending: number[];
  sent: number;
  /** Lost because the buffer was full, or refused by the receiver for good. */
  dropped: number;
  failures: number;
  retryAt: number;
  lastSentAt: number | null;
  lastStatus: number | null;
};

/** A rented machine: what the API knows of it, and what goes on inside. */
export type Machine = {
  id: string;
  seed: number;
  typeName: string;
  regionName: string;
  names: Step<string | null>[];
  hostname: string;
  ip: string;
  privateIp: string;
  jupyterToken: string;
  sshKeyNames: string[];
  mounts: { fileSystemId: string; name: string; mountPoint: string }[];
  tags: Tag[];
  imageId: string;
  userData: string | null;
  launchedAt: number;
  /** From when `GET /instances` shows it. */
  listedAt: number;
  ipAt: number;
  /** From when a program inside can run; null when it never boots far enough. */
  guestAt: number | null;
  /** The health check passed; null when it never did. */
  activeAt: number | null;
  healths: Step<Health>[];
  restarts: { from: number; to: number }[];
  terminateRequestedAt: number | null;
  terminatedAt: number | null;
  /** The list price when it was launched. */
  launchCents: number;
  workloads: WorkloadSpan[];
  /** Cards that were put in since: those of another type, in one place or (null) in all. */
  exchanged?: { typeName: string; index: number | null }[];
  agent: Agent;
  /** Programs cannot use its GPUs, although nvidia-smi shows them. */
  isCudaDead?: boolean;
};

export type SshKey = { id: string; name: string; publicKey: string; addedAt: number; deletedAt: number | null };

export type FileSystem = {
  id: string;
  name: string;
  regionName: string;
  createdAt: number;
  createdBy: { id: string; email: string };
  deletedAt: number | null;
  bytesAtStart: number;
  bytesPerDay: number;
};

/** Who did it: a program with an API key, or a person in the provider's console. */
export type Actor = { lrn: string; apiKeyLrn: string | null };

export type AuditEntry = {
  id: string;
  at: number;
  resource: "instance" | "ssh_key" | "filesystem" | "firewall_ruleset";
  action: string;
  actor: Actor;
  resourceIds: string[];
  details: Record<string, string>;
};

/** Everything the cloud remembers, as plain JSON. */
export type FirewallRule = {
  protocol: string;
  port_range?: [number, number];
  source_network: string;
  description: string;
};

export type Ruleset = {
  id: string;
  name: string;
  /** Null: everywhere. */
  regionName: string | null;
  rules: FirewallRule[];
  createdAt: number;
};

export type CloudState = {
  seed: number;
  /** Where the told past ends and the live cloud begins. */
  startedAt: number;
  counter: number;
  quota: number;
  machines: Machine[];
  sshKeys: SshKey[];
  fileSystems: FileSystem[];
  /** Absent until somebody looks: then the account's first rules. */
  rulesets?: Ruleset[];
  audit: AuditEntry[];
  /** Cents per hour by instance type. */
  prices: Record<string, Step<number>[]>;
  /** Regions with capacity by instance type, where they are set by hand. */
  capacity: Record<string, Step<string[]>[]>;
  /** How long a step of the recorded coming and going of GH200 capacity takes; null keeps it steady. */
  capacityStepMs: number | null;
};

/** How the cloud behaves where nobody knows how the real one does; fixed numbers make tests exact. */
export type Behaviour = {
  /** From launch to active: a fixed time, or "lambda" for what was measured (log-normal, median 200 s). */
  bootMs: number | "lambda";
  /** From the terminate call to terminated: a fixed time, or "lambda" for 30 to 120 s. */
  terminateMs: number | "lambda";
  /** How long `GET /instances/{id}` still answers after that. */
  rememberMs: number;
  restartMs: number;
  /** Chance that a launch is refused although capacity was listed. */
  refusal: number;
  /** Chance that a machine never passes its health check. */
  unhealthyBoot: number;
  /** Whether a machine that never became active is billed from `unhealthy` on. */
  isUnhealthyBootBilled: boolean;
  rounding: "ceil" | "floor" | "nearest";
  canTerminateWhileBooting: boolean;
  /** What one unknown id among several does to a terminate or restart call. */
  batch: "all-or-nothing" | "partial";
  /** Real time that a launch call takes to answer. */
  launchLatencyMs: [number, number];
  auditPageSize: number;
};

export const lambdaBehaviour: Behaviour = {
  bootMs: "lambda",
  terminateMs: "lambda",
  rememberMs: 5 * 60_000,
  restartMs: 75_000,
  refusal: 0,
  unhealthyBoot: 0,
  isUnhealthyBootBilled: false,
  rounding: "ceil",
  canTerminateWhileBooting: true,
  batch: "all-or-nothing",
  launchLatencyMs: [0, 0],
  auditPageSize: 100,
};
