import { pool, prisma } from "@/lib/db/client";
import type { Severity } from "@/lib/domain/alerts/types";
import type { Status } from "@/lib/domain/fleet/observe";
import type { Workload } from "@/lib/domain/fleet/workloads";

export type InstanceFacts = {
  id: string;
  externalId: string;
  name: string | null;
  status: Status;
  attrs: Record<string, unknown>;
  tags: Record<string, string>;
  typeName: string | null;
  gpuModel: string | null;
  typeGpus: number | null;
  region: string;
  ip: string | null;
  privateIp: string | null;
  owner: string;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  workload: Workload;
  launchIntentId: string | null;
  launchedBy: string | null;
  firstSeenAt: Date;
  goneAt: Date | null;
  goneReason: string | null;
  activeSince: Date | null;
  statusSince: Date;
  priceMicros: bigint | null;
  todayMicros: bigint | null;
  todayUnknown: number;
  sourceAt: Date | null;
  sourceError: string | null;
  intervalMs: number | null;
  alert: Severity | null;
  idleSince: Date | null;
  idleKind: "empty" | "held" | null;
  billEvidence: { from: string; to: string } | null;
  leaseUntil: Date | null;
  purpose: string;
  isProtected: boolean;
  protectReason: string;
};

type Raw = Omit<InstanceFacts, "priceMicros" | "todayMicros"> & {
  priceMicros: string | null;
  todayMicros: string | null;
};

/** Machines with what is known of them now: those present, those that went since, or the ones named. */
export async function listInstances(
  day: string,
  which: { goneSince: Date } | { ids: string[] },
): Promise<InstanceFacts[]> {
  const byId = "ids" in which;
  const { rows } = await pool().query<Raw>(
    `select r.id, r.external_id as "externalId", s.name, s.status::text as status, s.attrs, s.tags, s.type_name as "typeName", t.gpu_model as "gpuModel", t.gpus as "typeGpus",
            s.region, s.ip, s.private_ip as "privateIp", coalesce(l.owner, '') as owner, coalesce(l.team, '') as team, coalesce(l.project, '') as project,
            coalesce(l.environment, '') as environment, coalesce(l.cost_center, '') as "costCenter", coalesce(l.workload::text, 'unknown') as workload,
            r.launch_intent_id as "launchIntentId", r.launched_by as "launchedBy", r.first_seen_at as "firstSeenAt", r.gone_at as "goneAt", r.gone_reason::text as "goneReason", r.idle_since as "idleSince", r.idle_kind::text as "idleKind", r.bill_evidence as "billEvidence",
            r.lease_until as "leaseUntil", r.purpose, r.is_protected as "isProtected", r.protect_reason as "protectReason",
            (select min(a.valid_from) from resource_span a where a.resource_id = r.id and a.status in ('active', 'unknown')) as "activeSince", s.valid_from as "statusSince",
            coalesce(p.micros, s.price_micros)::text as "priceMicros", c.micros::text as "todayMicros", coalesce(c.unknown, 0)::int as "todayUnknown",
            o.at as "sourceAt", o.error as "sourceError", o.interval_ms as "intervalMs",
            (select max(x.severity)::text from alert x where x.resource_id = r.id and x.resolved_at is null and x.fired_at is not null) as alert
     from resource r
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join instance_type t on t.provider = s.provider and t.name = s.type_name
     left join resource_label l on l.resource_id = r.id and l.valid_to is null
     left join lateral (select rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour') as micros) p on true
     left join lateral (select sum(micros) as micros, count(*) filter (where micros is null) as unknown from ledger_row where resource_id = r.id and day = $1::date) c on true
     left join lateral (select max(last_received_at) as at, max(interval_ms) as interval_ms, (array_agg(last_error order by last_received_at desc))[1] as error
                        from telemetry_source t where t.resource_id = r.id and not (t.kind = 'push' and not exists (select 1 from gpu g where g.source_id = t.id)) having count(*) > 0) o on true
     where r.kind = 'instance' and ${byId ? "r.id = any ($2::uuid[])" : "(r.gone_at is null or r.gone_at > $2)"}
     order by coalesce(p.micros, s.price_micros) desc nulls last, s.name`,
    [day, byId ? which.ids : which.goneSince],
  );
  return rows.map((row) => ({ ...row, priceMicros: big(row.priceMicros), todayMicros: big(row.todayMicros) }));
}

function big(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

export type SpanRow = {
  id: bigint;
  validFrom: Date;
  validTo: Date | null;
  lastSeenAt: Date | null;
  prevPollAt: Date | null;
  status: Status;
  name: string | null;
  region: string;
  typeName: string | null;
  priceMicros: bigint | null;
  ip: string | null;
  tags: unknown;
  attrs: unknown;
};

export async function listSpans(resourceId: string): Promise<SpanRow[]> {
  return prisma.resourceSpan.findMany({ where: { resourceId }, orderBy: { validFrom: "asc" } });
}

export async function listLabels(resourceId: string) {
  return prisma.resourceLabel.findMany({
    where: { resourceId },
    include: { by: { select: { name: true } } },
    orderBy: { validFrom: "desc" },
  });
}

export async function listEventsOf(resourceId: string) {
  return prisma.providerEvent.findMany({ where: { resourceId }, orderBy: { at: "desc" }, take: 100 });
}

export type Filesystem = {
  id: string;
  externalId: string;
  name: string | null;
  region: string;
  bytesUsed: bigint | null;
  isAttached: boolean | null;
  firstSeenAt: Date;
};

export async function listFilesystems(): Promise<Filesystem[]> {
  const rows = await prisma.resource.findMany({
    where: { kind: "filesystem", goneAt: null },
    include: { spans: { orderBy: { validFrom: "desc" }, take: 1 } },
  });
  return rows.flatMap(({ spans: [span], ...row }) =>
    span
      ? [
          {
            id: row.id,
            externalId: row.externalId,
            name: span.name,
            region: span.region,
            bytesUsed: span.bytesUsed,
            isAttached: span.isAttached,
            firstSeenAt: row.firstSeenAt,
          },
        ]
      : [],
  );
}

/** Senders that nobody has tied to a machine yet, the latest first. */
export async function listUnassigned() {
  return prisma.telemetrySource.findMany({
    where: { resourceId: null, dismissedAt: null },
    include: { gpus: { select: { model: true } }, token: { select: { name: true, kind: true } } },
    orderBy: { lastReceivedAt: "desc" },
    take: 50,
  });
}

/** When the GPUs of machines were first heard; what was heard before its retention is not remembered. */
export async function firstSamplesAt(resourceIds: string[]): Promise<Map<string, Date>> {
  const { rows } = await pool().query<{ id: string; at: Date }>(
    "select resource_id as id, min(first_seen_at) as at from gpu where resource_id = any ($1) group by resource_id",
    [resourceIds],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}
