import { type Client, pool } from "@/lib/db/client";
import { type KeptSlot, type KeptStretch, withSlot } from "@/lib/domain/alerts/kept";

export type Kept = KeptSlot & { alertId: string };

type Row = { alertId: string; from: Date; to: Date; value: number | null; rise: number; state: KeptStretch["state"] };

const COLUMNS = `alert_id as "alertId", from_slot as "from", to_slot as "to", value, rise, state::text as state`;

const stretchOf = ({ from, to, value, rise, state }: Row): KeptStretch => ({
  from: from.getTime(),
  to: to.getTime(),
  value,
  rise,
  state,
});

/** Writes what a slot saw of open episodes beside what was seen before. */
export async function keepJudgements(tx: Client, seen: readonly Kept[], intervalMs: number): Promise<void> {
  if (seen.length === 0) return;
  const rows = await tx.$queryRawUnsafe<Row[]>(
    `select distinct on (alert_id) ${COLUMNS} from alert_judgement where alert_id = any ($1::uuid[]) order by alert_id, from_slot desc`,
    seen.map(({ alertId }) => alertId),
  );
  const last = new Map(rows.map((row) => [row.alertId, stretchOf(row)]));
  const kept = seen.map(({ alertId, ...one }) => {
    const before = last.get(alertId);
    const longer = before ? withSlot(before, one, intervalMs) : null;
    const { slot, value, state } = one;
    return { alertId, ...(longer ?? { from: slot, to: slot, value, rise: 0, state }) };
  });
  await tx.$executeRawUnsafe(
    `insert into alert_judgement (alert_id, from_slot, to_slot, value, rise, state)
     select a, f, t, v, r, s::alert_status from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::float8[], $5::float8[], $6::text[]) as k (a, f, t, v, r, s)
     on conflict (alert_id, from_slot) do update set to_slot = excluded.to_slot, rise = excluded.rise`,
    kept.map(({ alertId }) => alertId),
    kept.map(({ from }) => new Date(from)),
    kept.map(({ to }) => new Date(to)),
    kept.map(({ value }) => value),
    kept.map(({ rise }) => rise),
    kept.map(({ state }) => state),
  );
}

/** What was kept of an episode, oldest first. */
export async function listJudgements(alertId: string): Promise<KeptStretch[]> {
  const { rows } = await pool().query<Row>(
    `select ${COLUMNS} from alert_judgement where alert_id = $1 order by from_slot`,
    [alertId],
  );
  return rows.map(stretchOf);
}

export async function forgetJudgements(before: Date): Promise<void> {
  await pool().query("delete from alert_judgement where to_slot < $1", [before]);
}
