import { pool } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { LabelFact, NameFact, OwnerWords, Payable, Selector, SplitMethod } from "@/lib/domain/cost/allocation";
import type { Assignment } from "@/lib/domain/cost/assign";
import type { PaidRow } from "@/lib/domain/cost/attribution";

export type OwnedRow = PaidRow & { ownerId: number; lowMicros: bigint | null; highMicros: bigint | null };

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/** The rows of a month that a machine or file system made, with who bears them in the ledger. */
export async function listOwnedRows(month: string): Promise<OwnedRow[]> {
  const { rows } = await pool().query<
    Omit<OwnedRow, "micros" | "lowMicros" | "highMicros"> & {
      micros: string | null;
      low: string | null;
      high: string | null;
    }
  >(
    `select l.resource_id as "resourceId", l.owner_id as "ownerId", ${ms("l.starts_at")} as "startsAt", ${ms("l.ends_at")} as "endsAt",
       case l.charge when 'storage' then 3600000 else 60000 end as "unitMs", l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high
     from ledger_row l where l.period = $1::date and l.resource_id is not null order by l.resource_id, l.starts_at, l.key`,
    [`${month}-01`],
  );
  const big = (text: string | null) => (text === null ? null : BigInt(text));
  return rows.map(({ low, high, ...row }) => ({
    ...row,
    micros: big(row.micros),
    lowMicros: big(low),
    highMicros: big(high),
  }));
}

export type PayableFact = Payable & {
  name: string;
  typeName: string | null;
  region: string;
  isGone: boolean;
  launchedBy: string | null;
  requestedBy: string | null;
};

type RawPayable = Omit<PayableFact, "labels" | "spans"> & {
  labels: LabelFact[] | null;
  spans: NameFact[] | null;
};

/** What labels and rules go by, of everything that made a row in a month. */
export async function listPayables(month: string): Promise<PayableFact[]> {
  const { rows } = await pool().query<RawPayable>(
    `select r.id, r.kind::text as kind, r.connection_id as "connectionId", r.gone_at is not null as "isGone", r.launched_by as "launchedBy",
       i.requested_by as "requestedBy", coalesce(s.name, r.external_id) as name, s.type_name as "typeName", s.region,
       (select json_agg(json_build_object('from', ${ms("l.valid_from")}, 'to', ${ms("l.valid_to")}, 'byHand', l.by_id is not null, 'team', l.team,
          'project', l.project, 'environment', l.environment, 'costCenter', l.cost_center, 'owner', l.owner, 'workload', l.workload) order by l.valid_from)
        from resource_label l where l.resource_id = r.id) as labels,
       (select json_agg(json_build_object('validFrom', ${ms("n.valid_from")}, 'name', n.name, 'typeName', n.type_name, 'tags', n.tags) order by n.valid_from)
        from (select q.*, lag((q.name, q.type_name, q.tags)::text) over (order by q.valid_from) as before from resource_span q where q.resource_id = r.id) n
        where n.before is null or n.before <> (n.name, n.type_name, n.tags)::text) as spans
     from resource r left join intent i on i.id = r.launch_intent_id
     cross join lateral (select * from resource_span z where z.resource_id = r.id order by z.valid_from desc limit 1) s
     where r.id in (select l.resource_id from ledger_row l where l.period = $1::date) order by r.id`,
    [`${month}-01`],
  );
  return rows.map(({ labels, spans, ...row }) => ({
    ...row,
    labels: labels ?? [],
    spans: spans ?? [],
  }));
}

/** Since when things have cost something that nobody bears, and what they cost per hour now; null: a price or a size is not known. */
export async function unborneFacts(
  resourceIds: readonly string[],
): Promise<Map<string, { since: number; microsPerHour: bigint | null }>> {
  const { rows } = await pool().query<{ id: string; since: number; rate: string | null }>(
    `select r.id, (select ${ms("min(l.starts_at)")} from ledger_row l where l.resource_id = r.id and l.owner_id = 0) as since,
       case when r.gone_at is not null then '0'
            when r.kind = 'instance' then rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour')::text
            else round(s.bytes_used * rate_now(r.id, s.provider, 'filesystem', s.region, 'gib_month') / (720.0 * 1073741824))::text end as rate
     from resource r cross join lateral (select * from resource_span z where z.resource_id = r.id order by z.valid_from desc limit 1) s
     where r.id = any ($1::uuid[])`,
    [resourceIds],
  );
  return new Map(
    rows.map(({ id, since, rate }) => [id, { since, microsPerHour: rate === null ? null : BigInt(rate) }]),
  );
}

export type OwnerSum = OwnerWords & {
  ownerId: number;
  isShared: boolean;
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
};

/** What each owner and pot has in the ledger of a month. */
export async function sumByOwner(month: string): Promise<OwnerSum[]> {
  const { rows } = await pool().query<
    Omit<OwnerSum, "micros" | "lowMicros" | "highMicros"> & { micros: string; low: string; high: string }
  >(
    `select o.id as "ownerId", o.team, o.project, o.environment, o.cost_center as "costCenter", o.is_shared as "isShared",
       sum(d.micros)::text as micros, sum(d.low_micros)::text as low, sum(d.high_micros)::text as high, sum(d.unknown_rows)::int as "unknownRows"
     from cost_day d join cost_owner o on o.id = d.owner_id where d.period = $1::date group by o.id order by o.id`,
    [`${month}-01`],
  );
  return rows.map(({ low, high, ...row }) => ({
    ...row,
    micros: BigInt(row.micros),
    lowMicros: BigInt(low),
    highMicros: BigInt(high),
  }));
}

/** Charges of a month that no machine makes and nobody bears. */
export async function sumLoose(month: string): Promise<{ charge: string; micros: bigint; rows: number }[]> {
  const { rows } = await pool().query<{ charge: string; micros: string; rows: number }>(
    `select l.charge::text as charge, coalesce(sum(l.micros), 0)::text as micros, count(*)::int as rows
     from ledger_row l where l.period = $1::date and l.owner_id = 0 and l.resource_id is null group by 1 order by 1`,
    [`${month}-01`],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

/** What lay in the pots of a month, day by day. */
export async function potDaysOf(month: string): Promise<{ potId: number; day: string; micros: bigint }[]> {
  const { rows } = await pool().query<{ potId: number; day: string; micros: string }>(
    `select d.owner_id as "potId", d.day::text as day, sum(d.micros)::text as micros from cost_day d join cost_owner o on o.id = d.owner_id and o.is_shared
     where d.period = $1::date group by 1, 2 order by 1, 2`,
    [`${month}-01`],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

/** The words that are in use, to be chosen from. */
export async function listOwnerWords(): Promise<OwnerWords[]> {
  const { rows } = await pool().query<OwnerWords>(
    `select team, project, environment, cost_center as "costCenter" from cost_owner where id <> 0 and not is_shared
     union select team, project, environment, cost_center from resource_label where valid_to is null order by 1, 2, 3, 4 limit 2000`,
  );
  return rows;
}

/** Things with their labels, and nobody changes them meanwhile. */
export async function lockLabels(tx: Tx, resourceIds: readonly string[]) {
  await tx.$queryRaw`SELECT id FROM resource WHERE id = ANY (${[...resourceIds]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return tx.resource.findMany({
    where: { id: { in: [...resourceIds] } },
    select: {
      id: true,
      kind: true,
      externalId: true,
      labels: { orderBy: { validFrom: "asc" } },
      spans: { orderBy: { validFrom: "desc" }, take: 1, select: { name: true } },
    },
    orderBy: { id: "asc" },
  });
}

/** Puts words into labels; a label that is split keeps its other words on both sides. */
export async function assignLabels(
  tx: Tx,
  { changes, words, byId }: { changes: readonly Assignment[]; words: OwnerWords; byId: string | null },
): Promise<void> {
  for (const change of changes) {
    if (change.do === "change") {
      await tx.resourceLabel.update({ where: { id: change.id }, data: { ...words, byId } });
      continue;
    }
    const at = new Date(change.at);
    const { resourceId, owner, workload, validTo } = await tx.resourceLabel.update({
      where: { id: change.id },
      data: { validTo: at },
    });
    const end = change.validTo === null ? null : new Date(change.validTo);
    if (validTo)
      await tx.resourceLabel.create({
        data: { resourceId, owner, workload, ...words, byId, validFrom: at, validTo: end },
      });
  }
}

export type NewRule = {
  name: string;
  priority: number;
  selector: Selector;
  method: SplitMethod;
  potId: number | null;
  shares: { ownerId: number; ppm: number }[];
  from: Date;
  at: Date;
};

export async function insertRule(tx: Tx, { shares, selector, from, at, ...rule }: NewRule): Promise<string> {
  const { id } = await tx.allocationRule.create({
    data: {
      ...rule,
      selector: selector as Prisma.InputJsonObject,
      validFrom: from,
      createdAt: at,
      updatedAt: at,
      shares: { create: shares },
    },
  });
  return id;
}

/** Changes a rule if it is still the version that somebody saw. */
export async function changeRule(
  tx: Tx,
  { id, version }: { id: string; version: number },
  change: { validTo?: Date; deletedAt?: Date; priority?: number },
  at: Date,
): Promise<boolean> {
  const { count } = await tx.allocationRule.updateMany({
    where: { id, version, deletedAt: null },
    data: { ...change, updatedAt: at },
  });
  return count === 1;
}

export async function isRuleRemoved(tx: Tx, id: string): Promise<boolean> {
  return (await tx.allocationRule.count({ where: { id, deletedAt: { not: null } } })) > 0;
}

/** Rules are written one after the other. */
export async function lockRules(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('allocation_rule'))`;
}
