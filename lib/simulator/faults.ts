import { hashText, unit } from "./random";
import { isRecord } from "./request-body";

/** What can be made to go wrong, named after lambda-cloud-api.md section 5. */
export const faultNames = [
  /** The launch call hangs; a machine exists (or not). `resetAfterMs` cuts the connection instead. */
  "launch_timeout_created",
  "launch_timeout_not_created",
  "launch_500_created",
  /** What was asked for is done and its answer is lost, is a 500, or is an HTML page of `status` (502). */
  "answer_lost",
  "answer_500",
  "answer_page",
  /** A launch is done, and its answer names `ids` (0) machines instead of one. */
  "odd_ids",
  "firewall_conflict",
  "insufficient_capacity",
  /** Capacity for GH200 comes and goes as it was recorded, a step every `stepMs` (120000), in the list and for launches. */
  "capacity_flicker",
  /** The machine of the next launch is active after `seconds` (857) only. */
  "slow_boot",
  /** The machine of the next launch is active, and CUDA does not work on it (error 802); nvidia-smi is fine. */
  "cuda_dead",
  /** The machine of the next launch never passes its health check. */
  "unhealthy_boot",
  /** New machines show in the list only `seconds` (10) after their launch. */
  "list_lag",
  /** Machines are not known by their id for `seconds` (10) after their launch. */
  "unknown_by_id",
  /** A terminate is answered 404, and nothing is done. */
  "terminate_not_found",
  /** One unknown id among several does not stop the others of a terminate or restart. */
  "partial_batch",
  /** Somebody else registers the same name a moment before. */
  "ssh_key_taken",
  "empty_list",
  /** The list loses half of its machines, or all but `keep`. */
  "half_list",
  /** Every machine (or the one with `id`) has the status `status`, a word nobody knows. */
  "unknown_status",
  "extra_fields",
  /** What is not known is null instead of left out. */
  "null_fields",
  /** With `retryAfter` seconds where given; the default says nothing. */
  "rate_limited",
  /** An HTML page of `status` (403) that something in front of the API sends. */
  "edge_page",
  /** `status` (500) in the usual envelope, nothing done. */
  "server_error",
  "unauthorised",
  "account_inactive",
  /** No answer at all; nothing done. */
  "hang",
  /** An answer after `ms` (3000) of real time. */
  "slow",
  "audit_out_of_order",
  "audit_forbidden",
  /** Events show only `seconds` (300) after they happened. */
  "audit_lag",
] as const;
export type FaultName = (typeof faultNames)[number];

export type Fault = {
  name: FaultName;
  /** How many more times; null means until it is taken away. */
  remaining: number | null;
  /** Only these requests: HTTP method, and a beginning of the path after /api/v1. */
  method: string | null;
  path: string | null;
  /** Only requests with the API key that ends so. */
  key: string | null;
  /** With this chance only, from 0 to 1; the same seed, the same strikes. */
  chance: number;
  params: Record<string, unknown>;
};

/** A fault that has just struck, with what was asked of it. */
export type Struck = { number(name: string, otherwise: number): number; text(name: string): string | null };

export class Faults {
  private switched: Fault[] = [];
  private tosses = 0;

  constructor(private readonly seed = 1) {}

  /** From `{name, count?, method?, path?, …}`; null when it is not a fault. */
  add(value: unknown): Fault | null {
    if (!isRecord(value)) return null;
    const { name: wanted, count, method, path, key, chance, ...params } = value;
    const name = faultNames.find((known) => known === wanted);
    if (!name) return null;
    const fault: Fault = {
      name,
      remaining: typeof count === "number" ? count : null,
      method: typeof method === "string" ? method.toUpperCase() : null,
      path: typeof path === "string" ? path : null,
      key: typeof key === "string" ? key : null,
      chance: typeof chance === "number" ? chance : 1,
      params,
    };
    this.switched.push(fault);
    return fault;
  }

  clear(name: string | null): void {
    this.switched = name === null ? [] : this.switched.filter((fault) => fault.name !== name);
  }

  list(): readonly Fault[] {
    return this.switched;
  }

  /** Whether this fault strikes this request; counts it. */
  strike(name: FaultName, method: string, path: string, key = ""): Struck | null {
    const fault = this.switched.find(
      (one) =>
        one.name === name &&
        (one.method === null || one.method === method) &&
        (one.path === null || path.startsWith(one.path)) &&
        (one.key === null || key.endsWith(one.key)) &&
        (one.remaining === null || one.remaining > 0),
    );
    if (!fault || !this.falls(fault)) return null;
    if (fault.remaining !== null) {
      fault.remaining -= 1;
      if (fault.remaining <= 0) this.switched = this.switched.filter((one) => one !== fault);
    }
    const { params } = fault;
    return {
      number: (key, otherwise) => (typeof params[key] === "number" ? params[key] : otherwise),
      text: (key) => (typeof params[key] === "string" ? params[key] : null),
    };
  }

  private falls({ chance }: Fault): boolean {
    if (chance >= 1) return true;
    this.tosses += 1;
    return unit(hashText(`${this.seed}/toss/${this.tosses}`), 1) < chance;
  }
}

/** Adds fields that no specification names to every object of an answer. */
export function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, withExtraFields(inner)]);
  return Object.fromEntries([...fields, ["x_workspace_id", "w-01"], ["x_future", { depth: [1, null, "two"] }]]);
}

const optionalFields = ["name", "ip", "private_ip", "hostname", "jupyter_token", "jupyter_url", "file_system_mounts"];

/** Fills in null where an instance leaves a field out. */
export function withNullFields(value: unknown): unknown {
  return eachInstance(value, (instance) => {
    const missing = optionalFields.filter((field) => !(field in instance));
    return { ...instance, ...Object.fromEntries(missing.map((field) => [field, null])) };
  });
}

export function withStatus(value: unknown, status: string, id: string | null): unknown {
  return eachInstance(value, (instance) => (id === null || instance.id === id ? { ...instance, status } : instance));
}

function eachInstance(value: unknown, change: (instance: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => eachInstance(inner, change));
  if (!isRecord(value)) return value;
  if ("actions" in value && "status" in value) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, eachInstance(inner, change)]));
}

/** What a firewall in front of an API shows instead of an answer. */
export function edgePage(status: number): string {
  const said =
    status === 403 || status === 429
      ? "<h1>Access denied</h1><p>The owner of this website has banned you temporarily from accessing this website.</p>"
      : `<h1>Error ${status}</h1><p>The web server reported a bad gateway error.</p>`;
  return `<!DOCTYPE html><html lang="en"><head><title>${status}</title></head><body>${said}</body></html>`;
}
