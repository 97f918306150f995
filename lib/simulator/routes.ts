import { auditPage } from "./audit-log";
import { regions } from "./catalogue";
import type { Cloud } from "./cloud";
import type { Faults } from "./faults";
import {
  changeGlobalRuleset,
  changeRuleset,
  createRuleset,
  listRulesets,
  readGlobalRuleset,
  readRuleset,
} from "./firewall";
import { readLaunch } from "./launch-request";
import { ApiProblem, problems } from "./problems";
import { pathId, type RequestBody } from "./request-body";
import { generateSshKeyPair } from "./ssh-key-pair";
import type { Actor, Machine } from "./types";
import {
  fileSystemsView,
  fileSystemView,
  imagesView,
  instanceTypesView,
  instanceView,
  listingView,
  sshKeyView,
} from "./views";

export type Call = {
  cloud: Cloud;
  faults: Faults;
  method: string;
  /** After /api/v1. */
  path: string;
  /** The part of the path in braces. */
  id: string;
  query: URLSearchParams;
  body: RequestBody;
  actor: Actor;
};

/** The payload, or no answer at all (the connection cut after a while, where `resetAfterMs` is positive). */
export type Outcome = { data: unknown; page_token?: string | null } | { hang: true; resetAfterMs: number };

export type Route = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  operationId: string;
  answer: (call: Call) => Outcome;
};

const view = ({ cloud }: Call, machine: Machine) => instanceView(cloud.state, machine, cloud.now());

function listInstances(call: Call): Outcome {
  const { cloud, faults, method, path } = call;
  const listed = listingView(cloud.state, cloud.now());
  if (faults.strike("empty_list", method, path)) return { data: [] };
  const half = faults.strike("half_list", method, path);
  return { data: half ? listed.slice(0, half.number("keep", Math.floor(listed.length / 2))) : listed };
}

function getInstance(call: Call): Outcome {
  const machine = call.cloud.known(pathId(call.id));
  const late = call.faults.strike("unknown_by_id", call.method, call.path);
  const isTooNew = late && machine && call.cloud.now() - machine.launchedAt < late.number("seconds", 10) * 1_000;
  if (!machine || isTooNew) throw problems.instanceNotFound();
  return { data: view(call, machine) };
}

function renameInstance(call: Call): Outcome {
  const id = pathId(call.id);
  const name = call.body.optionalString("name", { max: 64 });
  return { data: view(call, call.cloud.rename(id, name, call.actor)) };
}

function launch(call: Call): Outcome {
  const { cloud, faults, method, path, actor } = call;
  const request = readLaunch(call.body);
  const lost = faults.strike("launch_timeout_not_created", method, path);
  if (lost) return { hang: true, resetAfterMs: lost.number("resetAfterMs", 0) };
  if (faults.strike("insufficient_capacity", method, path)) throw problems.noCapacity();
  const lag = faults.strike("list_lag", method, path);
  const slow = faults.strike("slow_boot", method, path);
  const flicker = faults.strike("capacity_flicker", method, path);
  const machine = cloud.launch(request, actor, {
    ...(faults.strike("unhealthy_boot", method, path) ? { isUnhealthy: true } : {}),
    ...(faults.strike("cuda_dead", method, path) ? { isCudaDead: true } : {}),
    ...(slow ? { bootMs: slow.number("seconds", 857) * 1_000 } : {}),
    ...(flicker ? { flickerStepMs: flicker.number("stepMs", FLICKER_MS) } : {}),
    listLagMs: lag ? lag.number("seconds", 10) * 1_000 : 0,
  });
  const silent = faults.strike("launch_timeout_created", method, path);
  if (silent) return { hang: true, resetAfterMs: silent.number("resetAfterMs", 0) };
  if (faults.strike("launch_500_created", method, path)) throw problems.internal();
  const odd = faults.strike("odd_ids", method, path);
  if (odd) return { data: { instance_ids: [machine.id, "f".repeat(32)].slice(0, odd.number("ids", 0)) } };
  return { data: { instance_ids: [machine.id] } };
}

/** How often capacity was looked at when its coming and going was recorded. */
const FLICKER_MS = 120_000;

function listInstanceTypes({ cloud, faults, method, path }: Call): Outcome {
  const flicker = faults.strike("capacity_flicker", method, path);
  const state = flicker ? { ...cloud.state, capacityStepMs: flicker.number("stepMs", FLICKER_MS) } : cloud.state;
  return { data: instanceTypesView(state, cloud.now()) };
}

const batchMode = ({ cloud, faults, method, path }: Call) =>
  faults.strike("partial_batch", method, path) ? "partial" : cloud.behaviour.batch;

function restart(call: Call): Outcome {
  const ids = call.body.strings("instance_ids").map(bodyId(call));
  const machines = call.cloud.restart(ids, call.actor, batchMode(call));
  return { data: { restarted_instances: machines.map((machine) => view(call, machine)) } };
}

function terminate(call: Call): Outcome {
  const ids = call.body.strings("instance_ids").map(bodyId(call));
  if (call.faults.strike("terminate_not_found", call.method, call.path)) throw problems.instanceNotFound();
  const machines = call.cloud.terminate(ids, call.actor, batchMode(call));
  return { data: { terminated_instances: machines.map((machine) => view(call, machine)) } };
}

const bodyId = (call: Call) => (id: string, i: number) => {
  const simple = id.replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(simple)) throw call.body.wrong(`instance_ids.${i}`, "Input should be a valid UUID");
  return simple;
};

function addSshKey({ cloud, faults, method, path, body, actor }: Call): Outcome {
  const name = body.string("name", { min: 1, max: 64 });
  const given = body.optionalString("public_key", { min: 1, max: 4096 });
  if (faults.strike("ssh_key_taken", method, path)) cloud.addSshKey(name, generateSshKeyPair(name).publicKey, actor);
  if (given !== null) return { data: sshKeyView(cloud.addSshKey(name, given, actor)) };
  const pair = generateSshKeyPair(name);
  return { data: { ...sshKeyView(cloud.addSshKey(name, pair.publicKey, actor)), private_key: pair.privateKey } };
}

function createFileSystem({ cloud, body, actor }: Call): Outcome {
  const name = body.string("name", { min: 1, max: 60, pattern: /^[a-zA-Z]+[0-9a-zA-Z-]*$/ });
  const region = body.string("region");
  if (!regions.some((one) => one.name === region)) throw problems.invalid(`Region ${region} does not exist`);
  return { data: fileSystemView(cloud.state, cloud.createFileSystem(name, region, actor), cloud.now()) };
}

function listAuditEvents({ cloud, faults, method, path, query }: Call): Outcome {
  if (faults.strike("audit_forbidden", method, path)) {
    throw new ApiProblem(403, "global/forbidden", "You are not allowed to read the audit log.");
  }
  const lag = faults.strike("audit_lag", method, path);
  return auditPage(cloud.state.audit, query, {
    pageSize: cloud.behaviour.auditPageSize,
    isOutOfOrder: faults.strike("audit_out_of_order", method, path) !== null,
    visibleTo: cloud.now() - (lag ? lag.number("seconds", 300) * 1_000 : 0),
  });
}

/** The part of the API that is served (lambda-cloud-api.md section 2). */
export const routes: readonly Route[] = [
  { method: "GET", path: "/instances", operationId: "listInstances", answer: listInstances },
  { method: "GET", path: "/instances/{id}", operationId: "getInstance", answer: getInstance },
  { method: "POST", path: "/instances/{id}", operationId: "postInstance", answer: renameInstance },
  { method: "POST", path: "/instance-operations/launch", operationId: "launchInstance", answer: launch },
  { method: "POST", path: "/instance-operations/restart", operationId: "restartInstance", answer: restart },
  { method: "POST", path: "/instance-operations/terminate", operationId: "terminateInstance", answer: terminate },
  {
    method: "GET",
    path: "/instance-types",
    operationId: "listInstanceTypes",
    answer: listInstanceTypes,
  },
  { method: "GET", path: "/regions", operationId: "listRegions", answer: () => ({ data: regions }) },
  { method: "GET", path: "/images", operationId: "listImages", answer: () => ({ data: imagesView() }) },
  {
    method: "GET",
    path: "/ssh-keys",
    operationId: "listSSHKeys",
    answer: ({ cloud }) => ({ data: cloud.state.sshKeys.filter((key) => key.deletedAt === null).map(sshKeyView) }),
  },
  { method: "POST", path: "/ssh-keys", operationId: "addSSHKey", answer: addSshKey },
  {
    method: "DELETE",
    path: "/ssh-keys/{id}",
    operationId: "deleteSSHKey",
    answer: ({ cloud, id, actor }) => {
      cloud.deleteSshKey(pathId(id), actor);
      return { data: {} };
    },
  },
  {
    method: "GET",
    path: "/file-systems",
    operationId: "listFilesystems",
    answer: ({ cloud }) => ({ data: fileSystemsView(cloud.state, cloud.now()) }),
  },
  { method: "POST", path: "/filesystems", operationId: "createFilesystem", answer: createFileSystem },
  {
    method: "DELETE",
    path: "/filesystems/{id}",
    operationId: "filesystemDelete",
    answer: ({ cloud, id, actor }) => {
      const simple = pathId(id);
      cloud.deleteFileSystem(simple, actor);
      return { data: { deleted_ids: [simple] } };
    },
  },
  {
    method: "GET",
    path: "/firewall-rulesets/global",
    operationId: "getGlobalFirewallRuleset",
    answer: readGlobalRuleset,
  },
  {
    method: "PATCH",
    path: "/firewall-rulesets/global",
    operationId: "updateGlobalFirewallRuleset",
    answer: changeGlobalRuleset,
  },
  { method: "GET", path: "/firewall-rulesets", operationId: "firewallRulesetsList", answer: listRulesets },
  { method: "POST", path: "/firewall-rulesets", operationId: "createFirewallRuleset", answer: createRuleset },
  { method: "GET", path: "/firewall-rulesets/{id}", operationId: "getFirewallRuleset", answer: readRuleset },
  { method: "PATCH", path: "/firewall-rulesets/{id}", operationId: "updateFirewallRuleset", answer: changeRuleset },
  { method: "GET", path: "/audit-events", operationId: "getAuditEvents", answer: listAuditEvents },
];

/** What is served of the API, in OpenAPI's terms and without schemas: enough for a probe of paths and version. */
export function openApiDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operationId } of routes) {
    const operation = { operationId, responses: { 200: { description: "OK" } } };
    paths[`/api/v1${path}`] = { ...paths[`/api/v1${path}`], [method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Lambda Cloud API", version: "1.10.0" },
    servers: [{ url: "https://cloud.lambda.ai/" }],
    paths,
  };
}
