import type pg from "pg";
import { pool } from "@/lib/db/client";

/** One derivation at a time: a total of what another has not committed yet would be wrong for good. */
export async function alone<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtext('roll-up'))");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
