import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import { Matchers } from "@/lib/domain/silences/matchers";
import type { NewSilence, Silence } from "@/lib/domain/silences/silence";
import { Recurrence } from "@/lib/domain/silences/windows";

export type StoredSilence = Silence & {
  id: string;
  reason: string;
  ticketUrl: string | null;
  createdById: string;
  createdBy: string;
  createdAt: number;
  endedBy: string | null;
};

const PEOPLE = { createdBy: { select: { name: true } }, endedBy: { select: { name: true } } } as const;

type Row = Prisma.SilenceGetPayload<{ include: typeof PEOPLE }>;

function silenceOf(row: Row): StoredSilence {
  return {
    id: row.id,
    kind: row.kind,
    matchers: Matchers.parse(row.matchers),
    reason: row.reason,
    ticketUrl: row.ticketUrl,
    recurrence: row.recurrence === null ? null : Recurrence.parse(row.recurrence),
    startsAt: row.startsAt.getTime(),
    endsAt: row.endsAt.getTime(),
    endedAt: row.endedAt?.getTime() ?? null,
    createdById: row.createdById,
    createdBy: row.createdBy.name,
    createdAt: row.createdAt.getTime(),
    endedBy: row.endedBy?.name ?? null,
  };
}

/** Silences that are not over at an instant, or ended after it; the newest first. */
export async function listSilences(since: Date, client: Client = prisma): Promise<StoredSilence[]> {
  const rows = await client.silence.findMany({
    where: { endsAt: { gt: since }, OR: [{ endedAt: null }, { endedAt: { gt: since } }] },
    include: PEOPLE,
    orderBy: { createdAt: "desc" },
    take: 500,
  });
  return rows.map(silenceOf);
}

export async function findSilence(id: string, client: Client = prisma): Promise<StoredSilence | null> {
  const row = await client.silence.findUnique({ where: { id }, include: PEOPLE });
  return row && silenceOf(row);
}

export async function insertSilence(tx: Tx, silence: NewSilence, createdById: string, at: Date): Promise<string> {
  const { matchers, recurrence, startsAt, endsAt, ...rest } = silence;
  const { id } = await tx.silence.create({
    data: {
      ...rest,
      matchers: matchers as unknown as Prisma.InputJsonArray,
      ...(recurrence && { recurrence: recurrence as unknown as Prisma.InputJsonObject }),
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
      createdById,
      createdAt: at,
    },
    select: { id: true },
  });
  return id;
}

/** False: somebody has ended it already, or it is over. */
export async function endSilence(tx: Tx, id: string, endedById: string | null, at: Date): Promise<boolean> {
  const { count } = await tx.silence.updateMany({
    where: { id, endedAt: null, endsAt: { gt: at } },
    data: { endedAt: at, endedById },
  });
  return count > 0;
}

/** An episode that has fired, with every word by which a silence may find it. */
export type FiredEpisode = {
  alertId: string;
  ruleName: string;
  kind: string;
  metric: string;
  ruleLabels: Record<string, string>;
  severity: string;
  target: string;
  resourceId: string | null;
  instance: string;
  gpu: string;
  team: string;
  project: string;
  environment: string;
  workload: string;
  type: string;
  region: string;
  priceMicros: bigint | null;
  firedAt: number;
  resolvedAt: number | null;
};

const MOST_EPISODES = 20_000;

const FACTS = `
  select a.id as "alertId", r.name as "ruleName", r.kind::text as kind, r.metric, r.labels as "ruleLabels", a.severity::text as severity,
         a.target_name as target, a.resource_id as "resourceId", coalesce(s.name, '') as instance, coalesce(g.position::text, '') as gpu,
         coalesce(l.team, '') as team, coalesce(l.project, '') as project, coalesce(l.environment, '') as environment,
         coalesce(l.workload::text, '') as workload, coalesce(s.type_name, '') as type, coalesce(s.region, '') as region,
         s.price_micros::text as "priceMicros", a.fired_at as "firedAt", a.resolved_at as "resolvedAt"
  from alert a join alert_rule r on r.id = a.rule_id left join gpu g on g.id = a.gpu_id
  left join lateral (select name, type_name, region, price_micros from resource_span where resource_id = a.resource_id order by valid_from desc limit 1) s on true
  left join lateral (select team, project, environment, workload from resource_label where resource_id = a.resource_id and valid_to is null limit 1) l on true`;

type FactRow = Omit<FiredEpisode, "priceMicros" | "firedAt" | "resolvedAt"> & {
  priceMicros: string | null;
  firedAt: Date;
  resolvedAt: Date | null;
};

const episodeOf = (row: FactRow): FiredEpisode => ({
  ...row,
  priceMicros: row.priceMicros === null ? null : BigInt(row.priceMicros),
  firedAt: row.firedAt.getTime(),
  resolvedAt: row.resolvedAt?.getTime() ?? null,
});

/** Episodes that fired before `to` and were not over at `from`, the newest first; names and labels are those of today. */
export async function listFired(from: Date, to: Date): Promise<FiredEpisode[]> {
  const { rows } = await pool().query<FactRow>(
    `${FACTS} where a.fired_at < $2 and (a.resolved_at is null or a.resolved_at > $1) order by a.fired_at desc limit ${MOST_EPISODES}`,
    [from, to],
  );
  return rows.map(episodeOf);
}

/** Episodes that fire at this moment. */
export async function listFiring(): Promise<FiredEpisode[]> {
  const { rows } = await pool().query<FactRow>(
    `${FACTS} where a.fired_at is not null and a.resolved_at is null order by a.fired_at desc limit ${MOST_EPISODES}`,
  );
  return rows.map(episodeOf);
}

/** The words of one episode that has fired, within the transaction that wrote it; null: it has not. */
export async function findFired(tx: Client, alertId: string): Promise<FiredEpisode | null> {
  const rows = await tx.$queryRawUnsafe<FactRow[]>(
    `${FACTS} where a.id = $1::uuid and a.fired_at is not null`,
    alertId,
  );
  return rows[0] ? episodeOf(rows[0]) : null;
}
