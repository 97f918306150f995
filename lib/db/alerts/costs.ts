import { type Client, prisma } from "@/lib/db/client";
import { burnedByLedger, type MeteredSpell, type Tail } from "@/lib/domain/cost/burn";

export type Meter = { rows: MeteredSpell[]; tail: Tail };

/** What the ledger says of a machine between two instants, and its rate beyond it. */
export async function readMeter(resourceId: string, from: Date, to: Date, client: Client = prisma): Promise<Meter> {
  const rows = await client.$queryRaw<{ from: Date; to: Date; minutes: number; micros: bigint | null }[]>`
    SELECT starts_at AS "from", ends_at AS "to", minutes, micros FROM ledger_row
    WHERE resource_id = ${resourceId}::uuid AND charge = 'usage' AND corrects_key IS NULL AND minutes > 0
      AND starts_at < ${to} AND ends_at > ${from} ORDER BY starts_at`;
  const [rate] = await client.$queryRaw<{ micros: bigint | null; goneAt: Date | null; isBilled: boolean }[]>`
    SELECT coalesce(rate_now(r.id, s.provider, s.type_name, s.region, 'instance_hour'), s.price_micros) AS micros,
      coalesce(CASE WHEN r.gone_at IS NOT NULL THEN r.bill_to_best END, r.gone_at) AS "goneAt",
      s.status IN ('active', 'unhealthy', 'unknown') AS "isBilled"
    FROM resource r JOIN LATERAL (SELECT * FROM resource_span s WHERE s.resource_id = r.id ORDER BY s.valid_from DESC LIMIT 1) s ON true
    WHERE r.id = ${resourceId}::uuid`;
  const endedAt = rate?.goneAt?.getTime() ?? null;
  return {
    rows: rows.map((row) => ({ ...row, from: row.from.getTime(), to: row.to.getTime() })),
    tail: {
      microsPerHour: rate?.micros ?? null,
      // Neither booting nor terminating is billed: then only what the ledger holds counts.
      to: endedAt ?? (rate?.isBilled ? null : (rows.at(-1)?.to.getTime() ?? from.getTime())),
    },
  };
}

/** Writes what an episode burned from its fire to its end, by the ledger. Without a machine or a price nothing is written. */
export async function freezeCost(tx: Client, alertId: string): Promise<void> {
  const alert = await tx.alert.findUnique({
    where: { id: alertId },
    select: { resourceId: true, firedAt: true, resolvedAt: true, costMicros: true },
  });
  if (!alert?.resourceId || !alert.firedAt || !alert.resolvedAt) return;
  const { rows, tail } = await readMeter(alert.resourceId, alert.firedAt, alert.resolvedAt, tx);
  const costMicros = burnedByLedger(rows, tail, alert.firedAt.getTime(), alert.resolvedAt.getTime());
  if (costMicros !== alert.costMicros) await tx.alert.update({ where: { id: alertId }, data: { costMicros } });
}

/** The ledger follows a minute or two behind, and the end of a machine is learnt late: what has ended of late is settled by what it says now. */
export async function settleCosts(now: Date, limit = 200): Promise<void> {
  const since = new Date(now.getTime() - 3_600_000);
  const alerts = await prisma.alert.findMany({
    where: {
      resourceId: { not: null },
      firedAt: { not: null },
      resolvedAt: { lte: now },
      OR: [
        { resolvedAt: { gt: since } },
        { costMicros: null, resolvedAt: { gt: new Date(now.getTime() - 86_400_000) } },
      ],
    },
    select: { id: true },
    orderBy: { resolvedAt: "desc" },
    take: limit,
  });
  for (const { id } of alerts) await freezeCost(prisma, id);
}
