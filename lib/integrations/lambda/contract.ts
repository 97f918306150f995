import { z } from "zod";
import { cleanName } from "@/lib/domain/text";

/*
 * What we read of Lambda's answers (API 1.10.0). Unknown fields are ignored and unknown words survive, because answers grow:
 * `workspace_id` came in June 2026, `preempted` in 1.8.3. Secrets (jupyter_token, jupyter_url) are not in these schemas, so
 * they cannot be stored or logged.
 */

const text = (limit: number) => z.string().transform((value) => cleanName(value, limit));
const optionalText = (limit: number) =>
  text(limit)
    .nullish()
    .transform((value) => value || null);

const STATUSES = ["booting", "active", "unhealthy", "terminating", "terminated", "preempted"] as const;
export type KnownStatus = (typeof STATUSES)[number];

const Region = z.object({ name: text(64), description: text(200).catch("") });

const Tags = z
  .array(z.object({ key: z.string(), value: z.string() }))
  .nullish()
  .transform((tags) =>
    Object.fromEntries((tags ?? []).slice(0, 100).map(({ key, value }) => [key.slice(0, 64), cleanName(value, 256)])),
  );

const Action = z.object({ available: z.boolean(), reason_code: z.string().nullish() });

export const Instance = z
  .object({
    id: z.string().min(1).max(64),
    status: z.string().max(64),
    name: optionalText(64),
    ip: optionalText(64),
    private_ip: optionalText(64),
    hostname: optionalText(255),
    region: Region,
    instance_type: z.object({
      name: text(100),
      price_cents_per_hour: z.number().int().min(0).max(100_000_000).nullish(),
    }),
    ssh_key_names: z.array(z.string().max(200)).catch([]),
    file_system_names: z.array(z.string().max(200)).catch([]),
    tags: Tags,
    is_reserved: z.boolean().nullish(),
    actions: z.object({ terminate: Action.nullish(), restart: Action.nullish() }).nullish().catch(null),
  })
  .transform((raw) => ({
    id: raw.id,
    status: STATUSES.find((known) => known === raw.status) ?? ("unknown" as const),
    rawStatus: raw.status,
    name: raw.name,
    ip: raw.ip,
    privateIp: raw.private_ip,
    hostname: raw.hostname,
    region: raw.region.name,
    typeName: raw.instance_type.name,
    /** Whole instance, per hour. */
    priceCents: raw.instance_type.price_cents_per_hour ?? null,
    sshKeyNames: raw.ssh_key_names,
    fileSystemNames: raw.file_system_names,
    tags: raw.tags,
    isReserved: raw.is_reserved ?? false,
    terminateBlockedBy:
      raw.actions?.terminate?.available === false ? (raw.actions.terminate.reason_code ?? "not available") : null,
  }));
export type Instance = z.output<typeof Instance>;

const TypeItem = z.object({
  instance_type: z.object({
    name: text(100),
    description: text(300).catch(""),
    gpu_description: text(300).catch(""),
    price_cents_per_hour: z.number().int().min(0).max(100_000_000),
    specs: z.object({
      vcpus: z.number().int().nonnegative(),
      memory_gib: z.number().int().nonnegative(),
      storage_gib: z.number().int().nonnegative(),
      gpus: z.number().int().nonnegative().catch(0),
    }),
  }),
  regions_with_capacity_available: z.array(Region).catch([]),
});
type TypeItem = z.output<typeof TypeItem>;

/** By name of the type. What stands beside the types and is none is left out; a map without any type is no answer. */
export const InstanceTypes = z.record(z.string(), TypeItem.nullable().catch(null)).transform((items, issues) => {
  const types = Object.entries(items).filter((item): item is [string, TypeItem] => item[1] !== null);
  if (types.length > 0 || Object.keys(items).length === 0) return Object.fromEntries(types);
  issues.addIssue({ code: "custom", message: "no instance type can be read" });
  return z.NEVER;
});

export type InstanceType = {
  name: string;
  description: string;
  /** "GH200 (96 GB)", "N/A" for machines without a GPU. */
  gpuDescription: string;
  priceCents: number;
  vcpus: number;
  memoryGib: number;
  storageGib: number;
  gpus: number;
  regionsWithCapacity: string[];
};

/** The map that the API answers, as rows. */
export function instanceTypeRows(types: z.output<typeof InstanceTypes>): InstanceType[] {
  return Object.values(types).map(({ instance_type: type, regions_with_capacity_available: regions }) => ({
    name: type.name,
    description: type.description,
    gpuDescription: type.gpu_description,
    priceCents: type.price_cents_per_hour,
    vcpus: type.specs.vcpus,
    memoryGib: type.specs.memory_gib,
    storageGib: type.specs.storage_gib,
    gpus: type.specs.gpus,
    regionsWithCapacity: [...new Set(regions.map((region) => region.name))],
  }));
}

export const Image = z
  .object({
    id: z.string().max(64),
    name: text(200),
    description: text(500).catch(""),
    family: text(100),
    version: text(100).catch(""),
    architecture: z.string().max(32),
    region: Region,
  })
  .transform(({ region, ...image }) => ({ ...image, region: region.name }));
export type Image = z.output<typeof Image>;

export const SshKey = z
  .object({ id: z.string().max(64), name: text(64), public_key: z.string().max(8_192).nullish() })
  .transform(({ public_key: publicKey, ...key }) => ({ ...key, publicKey: publicKey ?? null }));
export type SshKey = z.output<typeof SshKey>;

export const Filesystem = z
  .object({
    id: z.string().min(1).max(64),
    name: text(64),
    mount_point: z.string().max(256).catch(""),
    created: z.string().max(64).nullish(),
    is_in_use: z.boolean(),
    bytes_used: z.number().int().nonnegative().nullish(),
    region: Region,
  })
  .transform((raw) => ({
    id: raw.id,
    name: raw.name,
    mountPoint: raw.mount_point,
    isAttached: raw.is_in_use,
    /** Approximate, refreshed by Lambda every few hours. */
    bytesUsed: raw.bytes_used ?? null,
    region: raw.region.name,
  }));
export type Filesystem = z.output<typeof Filesystem>;

const Rule = z
  .object({
    protocol: z.string().max(16),
    port_range: z.array(z.number().int()).nullish(),
    source_network: z.string().max(64),
    description: text(128).catch(""),
  })
  .transform(({ port_range: ports, source_network: source, ...rest }) => ({ ...rest, ports: ports ?? null, source }));

export const GlobalRuleset = z.object({ id: z.literal("global"), name: text(200), rules: z.array(Rule) });

export const Ruleset = z
  .object({
    id: z.string().max(64),
    name: text(64),
    region: Region,
    rules: z.array(Rule),
    instance_ids: z.array(z.string()).catch([]),
  })
  .transform(({ region, instance_ids: instances, ...rest }) => ({
    ...rest,
    region: region.name,
    machines: instances.length,
  }));
export type Ruleset = z.output<typeof Ruleset>;

export type RuleBody = {
  protocol: string;
  port_range?: [number, number];
  source_network: string;
  description: string;
};

export const RegionRow = Region;
export type RegionRow = z.output<typeof Region>;

const LRN_INSTANCE = /^lrn:cloud:instance:([0-9a-f-]{8,64})$/i;

export const AuditEvent = z
  .object({
    event_id: z.string().min(1).max(128),
    event_time: z.string().transform((value, issues) => {
      const at = Date.parse(value);
      if (Number.isFinite(at)) return at;
      issues.addIssue({ code: "custom", message: "not an instant" });
      return z.NEVER;
    }),
    action: text(200),
    service_name: text(100).catch(""),
    resource_name: text(100).catch(""),
    actor_lrn: optionalText(300),
    request_api_key_lrn: optionalText(300),
    resource_lrns: z.array(z.string().max(300)).catch([]),
    additional_details: z.record(z.string(), z.unknown()).catch({}),
  })
  .transform((raw) => {
    const named = typeof raw.additional_details.instance_lrn === "string" ? [raw.additional_details.instance_lrn] : [];
    const ids = [...raw.resource_lrns, ...named].flatMap((lrn) => LRN_INSTANCE.exec(lrn)?.[1] ?? []);
    return {
      id: raw.event_id,
      at: raw.event_time,
      action: raw.action,
      resource: raw.resource_name,
      actor: raw.actor_lrn,
      apiKey: raw.request_api_key_lrn,
      instanceIds: [...new Set(ids)],
      typeName: shortText(raw.additional_details.instance_type),
      region: shortText(raw.additional_details.region),
    };
  });
export type AuditEvent = z.output<typeof AuditEvent>;

export const ErrorBody = z.object({
  error: z.object({
    code: z.string().max(200),
    message: z.string().max(2_000).catch(""),
    suggestion: z.string().max(2_000).nullish(),
  }),
});

function shortText(value: unknown): string | null {
  return typeof value === "string" ? cleanName(value, 100) : null;
}
