import { pool, prisma } from "@/lib/db/client";
import type { Tx } from "@/lib/db/mutate";

export type StoredSpend = {
  provider: string;
  month: string;
  micros: bigint;
  note: string;
  by: string | null;
  updatedAt: Date;
};

const MONTH_LENGTH = 7;

/** Other providers' bills, the newest month first. */
export async function listOtherSpend(): Promise<StoredSpend[]> {
  const rows = await prisma.otherSpend.findMany({
    include: { createdBy: { select: { name: true } } },
    orderBy: [{ month: "desc" }, { provider: "asc" }],
  });
  return rows.map(({ month, createdBy, createdById: _, ...row }) => ({
    ...row,
    month: month.toISOString().slice(0, MONTH_LENGTH),
    by: createdBy?.name ?? null,
  }));
}

export type SpendToWrite = { provider: string; month: string; micros: bigint; note: string };

/** Writes bills; each takes the place of what was there. What was there is returned. */
export async function writeOtherSpend(
  tx: Tx,
  spends: readonly SpendToWrite[],
  byId: string | null,
  now: Date,
): Promise<(bigint | null)[]> {
  const before: (bigint | null)[] = [];
  for (const { provider, month, micros, note } of spends) {
    const key = { provider, month: new Date(`${month}-01`) };
    const old = await tx.otherSpend.findUnique({ where: { provider_month: key } });
    before.push(old?.micros ?? null);
    const data = { micros, note, createdById: byId, updatedAt: now };
    await tx.otherSpend.upsert({ where: { provider_month: key }, create: { ...key, ...data }, update: data });
  }
  return before;
}

/** What it was; null: it is not there any more. */
export async function removeOtherSpend(tx: Tx, provider: string, month: string): Promise<bigint | null> {
  const key = { provider, month: new Date(`${month}-01`) };
  const old = await tx.otherSpend.findUnique({ where: { provider_month: key } });
  if (!old) return null;
  await tx.otherSpend.delete({ where: { provider_month: key } });
  return old.micros;
}

/** What Lambda cost in each month that the ledger has, as billed; `since` is a month. */
export async function listLambdaMonths(
  since: string,
): Promise<{ month: string; micros: bigint; unknownRows: number }[]> {
  const { rows } = await pool().query<{ month: string; micros: string; unknownRows: number }>(
    `select to_char(period, 'YYYY-MM') as month, sum(micros)::text as micros, sum(unknown_rows)::int as "unknownRows"
     from cost_day where period >= $1::date group by 1 order by 1 desc`,
    [`${since}-01`],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}
