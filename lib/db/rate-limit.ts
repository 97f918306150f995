import { pool } from "./client";

/**
 * Reserves the next place in a queue whose places lie `spacingMs` apart, for all processes together, and returns how long to
 * wait for it. Null: that is longer than `atMostMs`, and no place was taken.
 */
export async function reserve(key: string, spacingMs: number, atMostMs: number): Promise<number | null> {
  const { rows } = await pool().query<{ wait: number }>(
    `insert into rate_limit as r (key, next_at) values ($1, hopperdeck_now() + make_interval(secs => $2))
     on conflict (key) do update set next_at = greatest(r.next_at, hopperdeck_now()) + make_interval(secs => $2)
       where r.next_at <= hopperdeck_now() + make_interval(secs => $3)
     returning greatest(0, extract(epoch from next_at - make_interval(secs => $2) - hopperdeck_now()) * 1000)::float8 as wait`,
    [key, spacingMs / 1000, atMostMs / 1000],
  );
  return rows[0]?.wait ?? null;
}

/** Nobody goes before so long from now; each time in a row doubles it, up to `mostMs`. */
export async function holdBack(key: string, leastMs: number, mostMs: number): Promise<void> {
  await pool().query(
    `insert into rate_limit as r (key, next_at, count) values ($1, hopperdeck_now() + make_interval(secs => $2), 1)
     on conflict (key) do update set count = least(r.count + 1, 20),
       next_at = greatest(r.next_at, hopperdeck_now() + make_interval(secs => least($3, $2 * power(2, least(r.count, 20)))))`,
    [key, leastMs / 1000, mostMs / 1000],
  );
}

export async function forgive(key: string): Promise<void> {
  await pool().query("update rate_limit set count = 0 where key = $1 and count > 0", [key]);
}

/** When the next one may go; null: at once. */
export async function nextAt(key: string): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date }>(
    "select next_at as at from rate_limit where key = $1 and next_at > hopperdeck_now()",
    [key],
  );
  return rows[0]?.at ?? null;
}
