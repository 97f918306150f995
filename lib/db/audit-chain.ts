import { pool } from "./client";

/** Up to which entry the trail was found whole, and when. */
export type ChainMark = { seq: string; hash: string; checkedAt: Date; wholeAt: Date; brokenAt: string | null };

/** What was found of the entries after a place: how many follow, the last of them, and the first that does not fit. */
export type ChainPart = { entries: number; seq: string; hash: string; brokenAt: string | null };

/** Before the first entry. */
export const GENESIS = { seq: "0", hash: "" };

/** Recomputes the hashes of the next entries from their content and the one before; a null: there is none after this place. */
export async function checkNext(after: { seq: string; hash: string }, most: number): Promise<ChainPart | null> {
  const { rows } = await pool().query<ChainPart>(
    `select count(*)::int as entries, max(seq)::text as seq, (array_agg(encode(hash, 'hex') order by seq desc))[1] as hash,
            min(seq) filter (where not ok)::text as "brokenAt"
     from (select e.seq, e.hash,
                  e.hash = e.made
                  and e.prev_hash = lag(e.hash, 1, case when $2 = '' then sha256('hopperdeck'::bytea) else decode($2, 'hex') end) over w
                  and e.seq = $1::bigint + row_number() over w as ok
           from (select a.seq, a.hash, a.prev_hash, sha256(a.prev_hash || audit_canonical(a)) as made
                 from audit_event a where a.seq > $1::bigint order by a.seq limit $3) e
           window w as (order by e.seq)) x
     having count(*) > 0`,
    [after.seq, after.hash, most],
  );
  return rows[0] ?? null;
}

/** Whether the entry at a mark still has the hash that was found there. */
export async function isStillThere({ seq, hash }: { seq: string; hash: string }): Promise<boolean> {
  const { rowCount } = await pool().query("select 1 from audit_event where seq = $1 and hash = decode($2, 'hex')", [
    seq,
    hash,
  ]);
  return rowCount === 1;
}

export async function readChainMark(): Promise<ChainMark | null> {
  const { rows } = await pool().query<ChainMark>(
    `select seq::text as seq, encode(hash, 'hex') as hash, checked_at as "checkedAt", whole_at as "wholeAt", broken_at::text as "brokenAt"
     from audit_check`,
  );
  return rows[0] ?? null;
}

export async function writeChainMark({ seq, hash, checkedAt, wholeAt, brokenAt }: ChainMark): Promise<void> {
  await pool().query(
    `insert into audit_check (seq, hash, checked_at, whole_at, broken_at) values ($1, decode($2, 'hex'), $3, $4, $5)
     on conflict (only_row) do update set seq = excluded.seq, hash = excluded.hash, checked_at = excluded.checked_at,
       whole_at = excluded.whole_at, broken_at = excluded.broken_at`,
    [seq, hash, checkedAt, wholeAt, brokenAt],
  );
}
