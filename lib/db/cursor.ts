import type pg from "pg";
import { pool } from "./client";

/** A reader that takes nothing for so long gives the connection back, and its file ends there, broken off. */
const STALLED_AFTER = "60s";
const BATCH = 2_000;

/** A question inside the transaction of the rows: of the same instant. */
export type Within = Pick<pg.ClientBase, "query">;

/** All rows of a question as of one instant, some at a time: whoever asks for them sets the pace. `first` is asked before them. */
export async function* streamRows<R extends pg.QueryResultRow>(
  sql: string,
  values: readonly unknown[],
  first?: (client: Within) => Promise<void>,
): AsyncGenerator<R[]> {
  const client = await pool().connect();
  // The server may end a stalled transaction between two of our questions; the next one then says so.
  const ignore = () => {};
  client.on("error", ignore);
  let isBroken = true;
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(`set local idle_in_transaction_session_timeout = '${STALLED_AFTER}'`);
    await first?.(client);
    await client.query(`declare streamed no scroll cursor for ${sql}`, [...values]);
    for (;;) {
      const { rows }: pg.QueryResult<R> = await client.query(`fetch ${BATCH} from streamed`);
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH) break;
    }
    isBroken = false;
  } finally {
    await client.query("rollback").catch(() => {
      isBroken = true;
    });
    client.off("error", ignore);
    client.release(isBroken);
  }
}
