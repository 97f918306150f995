import type { TypeRow } from "@/lib/db/fleet/catalog";
import type { Seen } from "@/lib/domain/fleet/observe";
import type { Filesystem, Instance, InstanceType } from "@/lib/integrations/lambda/contract";

const MICROS_PER_CENT = 10_000n;

/** Lambda's instance in our words. */
export function seenInstance(instance: Instance): Seen {
  return {
    externalId: instance.id,
    status: instance.status,
    name: instance.name,
    region: instance.region,
    typeName: instance.typeName,
    priceMicros: instance.priceCents === null ? null : BigInt(instance.priceCents) * MICROS_PER_CENT,
    ip: instance.ip,
    privateIp: instance.privateIp,
    hostname: instance.hostname,
    tags: instance.tags,
    bytesUsed: null,
    isAttached: null,
    attrs: {
      sshKeyNames: instance.sshKeyNames,
      fileSystemNames: instance.fileSystemNames,
      ...(instance.isReserved && { isReserved: true }),
      // A word that we do not know is kept, so that a person can read it.
      ...(instance.status === "unknown" && { rawStatus: instance.rawStatus.slice(0, 64) }),
    },
  };
}

export function seenFilesystem(filesystem: Filesystem): Seen {
  return {
    externalId: filesystem.id,
    status: "active",
    name: filesystem.name,
    region: filesystem.region,
    typeName: null,
    priceMicros: null,
    ip: null,
    privateIp: null,
    hostname: null,
    tags: {},
    bytesUsed: filesystem.bytesUsed === null ? null : BigInt(filesystem.bytesUsed),
    isAttached: filesystem.isAttached,
    attrs: { mountPoint: filesystem.mountPoint },
  };
}

// "GH200 (96 GB)", "H100 (80 GB SXM5)", "Tesla V100 (16 GB)", "N/A".
const GPU = /^(?:NVIDIA )?(?:Tesla )?(.+?) \((\d+) GB/;
// The hosts of these superchips are ARM.
const ARM = /\bGH200\b|\bGB[23]00\b/;

export function typeRow(type: InstanceType): TypeRow {
  const [, model, memory] = GPU.exec(type.gpuDescription) ?? [];
  return {
    name: type.name,
    description: type.description,
    gpuModel: model ?? null,
    gpus: type.gpus,
    gpuMemoryGb: memory ? Number(memory) : null,
    vcpus: type.vcpus,
    memoryGib: type.memoryGib,
    storageGib: type.storageGib,
    architecture: type.gpus === 0 ? null : ARM.test(type.gpuDescription) ? "arm64" : "x86_64",
    priceMicros: BigInt(type.priceCents) * MICROS_PER_CENT,
    regionsWithCapacity: type.regionsWithCapacity,
  };
}
