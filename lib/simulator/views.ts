import { capacityAt } from "./capacity";
import { instanceTypes, regionNamed } from "./catalogue";
import { images } from "./images";
import { actionsAt, isListedAt, statusAt } from "./lifecycle";
import {
  type AuditEntry,
  type CloudState,
  type FileSystem,
  type Machine,
  type SshKey,
  type Step,
  type Tag,
  valueAt,
} from "./types";

/** What the API answers, in its own words and shapes, as of any instant. */

export const ACCOUNT_LRN = "lrn:cloud:account:5d0c7e1b2f6a4c3d9e8f7a6b5c4d3e2f";
export const WORKSPACE_ID = "3f2e1d0c9b8a47869584737261504f3e";

const regionView = (name: string) => regionNamed(name) ?? { name, description: name };

export function priceAt(state: CloudState, typeName: string, at: number): number {
  return valueAt(state.prices[typeName] ?? [], at) ?? 0;
}

export function instanceTypeView(state: CloudState, name: string, at: number) {
  const row = instanceTypes.get(name);
  return {
    name,
    description: row?.description ?? name,
    gpu_description: row?.gpuDescription ?? "N/A",
    price_cents_per_hour: priceAt(state, name, at),
    specs: {
      vcpus: row?.vcpus ?? 0,
      memory_gib: row?.memoryGib ?? 0,
      storage_gib: row?.storageGib ?? 0,
      gpus: row?.gpus ?? 0,
    },
  };
}

export const typeItemView = (state: CloudState, name: string, at: number) => ({
  instance_type: instanceTypeView(state, name, at),
  regions_with_capacity_available: capacityAt(state, name, at).map(regionView),
});
export type TypeItemView = ReturnType<typeof typeItemView>;

export function instanceTypesView(state: CloudState, at: number): Record<string, TypeItemView> {
  return Object.fromEntries([...instanceTypes.keys()].map((name) => [name, typeItemView(state, name, at)]));
}

export type InstanceView = {
  id: string;
  name?: string;
  ip?: string;
  private_ip?: string;
  status: string;
  ssh_key_names: string[];
  file_system_names: string[];
  file_system_mounts?: { mount_point: string; file_system_id: string }[];
  region: { name: string; description: string };
  instance_type: ReturnType<typeof instanceTypeView>;
  hostname?: string;
  jupyter_token?: string;
  jupyter_url?: string;
  actions: ReturnType<typeof actionsAt>;
  tags?: Tag[];
};

/** What is not known yet (address, host name, Jupyter) is left out, not null. */
export function instanceView(state: CloudState, machine: Machine, at: number): InstanceView {
  const name = valueAt(machine.names, at);
  const hasAddress = at >= machine.ipAt;
  const hasGuest = machine.guestAt !== null && at >= machine.guestAt;
  return {
    id: machine.id,
    ...(name === null ? {} : { name }),
    ...(hasAddress ? { ip: machine.ip, private_ip: machine.privateIp } : {}),
    status: statusAt(machine, at) ?? "booting",
    ssh_key_names: machine.sshKeyNames,
    file_system_names: machine.mounts.map((mount) => mount.name),
    ...(machine.mounts.length === 0
      ? {}
      : {
          file_system_mounts: machine.mounts.map(({ mountPoint, fileSystemId }) => ({
            mount_point: mountPoint,
            file_system_id: fileSystemId,
          })),
        }),
    region: regionView(machine.regionName),
    instance_type: instanceTypeView(state, machine.typeName, at),
    ...(hasAddress ? { hostname: machine.hostname } : {}),
    ...(hasGuest
      ? {
          jupyter_token: machine.jupyterToken,
          jupyter_url: `https://jupyter-${machine.id}.lambdaspaces.com/?token=${machine.jupyterToken}`,
        }
      : {}),
    actions: actionsAt(machine, at),
    ...(machine.tags.length === 0 ? {} : { tags: machine.tags }),
  };
}

export function listingView(state: CloudState, at: number): InstanceView[] {
  return state.machines.filter((machine) => isListedAt(machine, at)).map((machine) => instanceView(state, machine, at));
}

/** `bytes_used` is brought up to date every few hours, here every six. */
export const BYTES_STEP_MS = 6 * 3_600_000;

export function bytesUsedAt(fileSystem: FileSystem, at: number): number {
  const counted = Math.max(fileSystem.createdAt, Math.floor(at / BYTES_STEP_MS) * BYTES_STEP_MS);
  const days = (counted - fileSystem.createdAt) / 86_400_000;
  return Math.round(fileSystem.bytesAtStart + days * fileSystem.bytesPerDay);
}

export const existsAt = (one: { createdAt: number; deletedAt: number | null }, at: number): boolean =>
  one.createdAt <= at && (one.deletedAt === null || at < one.deletedAt);

export function isMountedAt(state: CloudState, fileSystemId: string, at: number): boolean {
  return state.machines.some(
    (machine) =>
      machine.launchedAt <= at &&
      (machine.terminatedAt === null || at < machine.terminatedAt) &&
      machine.mounts.some((mount) => mount.fileSystemId === fileSystemId),
  );
}

export const fileSystemView = (state: CloudState, fileSystem: FileSystem, at: number) => ({
  id: fileSystem.id,
  name: fileSystem.name,
  mount_point: `/lambda/nfs/${fileSystem.name}`,
  created: isoMicros(fileSystem.createdAt),
  created_by: { id: fileSystem.createdBy.id, email: fileSystem.createdBy.email, status: "active" },
  is_in_use: isMountedAt(state, fileSystem.id, at),
  region: regionView(fileSystem.regionName),
  bytes_used: bytesUsedAt(fileSystem, at),
});
export type FileSystemView = ReturnType<typeof fileSystemView>;

export function fileSystemsView(state: CloudState, at: number): FileSystemView[] {
  return state.fileSystems
    .filter((fileSystem) => existsAt(fileSystem, at))
    .map((fileSystem) => fileSystemView(state, fileSystem, at));
}

/** Keys carry a `workspace_id` that the specification does not name, as real answers do since June 2026. */
export const sshKeyView = (key: SshKey) => ({
  id: key.id,
  name: key.name,
  public_key: key.publicKey,
  workspace_id: WORKSPACE_ID,
});

export const imagesView = () =>
  images.map((image) => ({
    id: image.id,
    created_time: image.createdTime,
    updated_time: image.updatedTime,
    name: image.name,
    description: image.description,
    family: image.family,
    version: image.version,
    architecture: image.architecture,
    region: regionView(image.regionName),
  }));

export const auditEventView = (entry: AuditEntry) => ({
  service_name: "cloud",
  resource_name: entry.resource,
  action: entry.action,
  catalog_version: "2025-09-06",
  event_id: entry.id,
  event_time: isoMicros(entry.at),
  actor_lrn: entry.actor.lrn,
  resource_lrns: entry.resourceIds.map((id) => `lrn:cloud:${entry.resource}:${id}`),
  resource_owner_lrn: ACCOUNT_LRN,
  request_api_key_lrn: entry.actor.apiKeyLrn,
  additional_details: entry.details,
});
export type AuditEventView = ReturnType<typeof auditEventView>;

/** UTC with six digits of a second, as the API prints instants. */
function isoMicros(at: number): string {
  return new Date(at).toISOString().replace("Z", "000Z");
}

export function pricesFrom(cents: (name: string) => Step<number>[]): Record<string, Step<number>[]> {
  return Object.fromEntries([...instanceTypes.keys()].map((name) => [name, cents(name)]));
}
