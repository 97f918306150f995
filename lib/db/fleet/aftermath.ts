import { type Client, pool, prisma } from "@/lib/db/client";
import { type Intent, toIntent } from "@/lib/db/intents";

type Life = {
  billTo: Date | null;
  isFinal: boolean;
  micros: bigint;
  lowMicros: bigint;
  highMicros: bigint;
  unknownRows: number;
};

/** What a machine cost in all, and whether that can still change. */
export async function findLife(resourceId: string): Promise<Life> {
  const { rows } = await pool().query<
    Omit<Life, "micros" | "lowMicros" | "highMicros"> & { micros: string; low: string; high: string }
  >(
    `select r.bill_to_best as "billTo", r.metered_final as "isFinal", coalesce(sum(l.micros), 0)::text as micros,
            coalesce(sum(coalesce(l.low_micros, l.micros)), 0)::text as low, coalesce(sum(coalesce(l.high_micros, l.micros)), 0)::text as high,
            count(l.key) filter (where l.micros is null)::int as "unknownRows"
     from resource r left join ledger_row l on l.resource_id = r.id where r.id = $1 group by r.id`,
    [resourceId],
  );
  const row = rows[0];
  return {
    billTo: row?.billTo ?? null,
    isFinal: row?.isFinal ?? false,
    micros: BigInt(row?.micros ?? "0"),
    lowMicros: BigInt(row?.low ?? "0"),
    highMicros: BigInt(row?.high ?? "0"),
    unknownRows: row?.unknownRows ?? 0,
  };
}

/** The last request from here to end a machine that was sent or still may be, with who agreed to it. */
export async function findTerminationOf(targetId: string): Promise<(Intent & { approver: string | null }) | null> {
  const row = await prisma.intent.findFirst({
    where: { targetId, kind: "terminate", state: { notIn: ["cancelled", "expired"] } },
    include: { approvedBy: { select: { name: true } } },
    orderBy: { createdAt: "desc" },
  });
  if (!row) return null;
  const { approvedBy, ...intent } = row;
  return { ...toIntent(intent), approver: approvedBy?.name ?? null };
}

const ownTokens = (resourceId: string) => ({
  kind: "enrolment" as const,
  OR: [{ resourceId }, { intent: { launched: { id: resourceId } } }],
});

/** The credentials that were made for one machine alone. */
export async function listTokensOf(resourceId: string) {
  return prisma.token.findMany({ where: ownTokens(resourceId), select: { id: true, revokedAt: true } });
}

/** Machines that are gone and whose own tokens still work. */
export async function listRetirable(): Promise<
  { id: string; name: string; goneAt: Date | null; goneReason: string | null }[]
> {
  const { rows } = await pool().query<{ id: string; name: string; goneAt: Date; goneReason: string | null }>(
    `select r.id, coalesce((select s.name from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1), r.external_id) as name,
            r.gone_at as "goneAt", r.gone_reason::text as "goneReason"
     from resource r
     where r.gone_at is not null and exists (
       select 1 from token t where t.kind = 'enrolment' and t.revoked_at is null and (t.resource_id = r.id or t.intent_id = r.launch_intent_id))
     order by r.gone_at limit 200`,
  );
  return rows;
}

export async function revokeTokensOf(tx: Client, resourceId: string, now: Date): Promise<number> {
  const { count } = await tx.token.updateMany({
    where: { ...ownTokens(resourceId), revokedAt: null },
    data: { revokedAt: now },
  });
  return count;
}
