import type pg from "pg";

/** What covered rows cost in effect; rows of closed months stay as they are. */
export async function setEffective(client: pg.ClientBase, parts: ReadonlyMap<string, bigint>): Promise<void> {
  if (parts.size === 0) return;
  await client.query(
    `update ledger_row l set effective_micros = x.micros from unnest($1::uuid[], $2::bigint[]) as x(key, micros)
     where l.key = x.key and l.effective_micros is distinct from x.micros
       and not exists (select from period p where p.month = l.period and p.status = 'closed')`,
    [[...parts.keys()], [...parts.values()].map(String)],
  );
}

/** Keeps others from settling the same commitments or charges until the transaction ends. */
export async function holdForSettling(client: pg.ClientBase, what: "commitment" | "charge"): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtext('settle'), hashtext($1))", [what]);
}
