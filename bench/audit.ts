import { randomUUID } from "node:crypto";
import type pg from "pg";
import { systemCtx } from "@/lib/domain/access";
import { type Bars, median, openGround, timed } from "./ground";

const ENTRIES = 100_000;
const NEW = 100;
const ROUNDS = 5;
const LOOK_MS = 50;
/** What is read on from a mark must not grow with what lies before it. */
const SHARE_PCT = 5;

/** The trail's check over 100,000 entries: all of it once, and then what came since, as the worker and each look do it. */
export async function benchAudit(bars: Bars): Promise<void> {
  const ground = await openGround();
  process.env.DATABASE_URL = ground.url;
  process.env.AUTH_SECRET ??= "0".repeat(64);
  process.env.SECRETS_KEY ??= "0".repeat(64);
  const { pool, disconnect } = await import("@/lib/db/client");
  try {
    await measure(bars, pool());
  } finally {
    await disconnect();
    await ground.close();
  }
}

async function measure(bars: Bars, pool: pg.Pool): Promise<void> {
  const { checkWholeChain, readChain, verifyTrail } = await import("@/lib/services/activity/chain");
  const ctx = systemCtx("bench", new Date("2026-11-21T12:00:00Z"));
  const written = await timed(() => write(pool, ENTRIES));
  console.log(`\nThe audit trail: ${ENTRIES} entries written and chained in ${(written / 1000).toFixed(1)} s`);
  const whole = await timed(() => verifyTrail(ctx));
  console.log(`     all of it checked in ${whole.toFixed(0)} ms`);
  const looks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await write(pool, NEW);
    looks.push(await timed(() => readChain(ctx)));
    await verifyTrail(ctx);
  }
  bars.atMost(`a check of ${NEW} new entries after ${ENTRIES}`, median(looks), LOOK_MS, "ms");
  bars.atMost("… as a share of a check of all", (median(looks) / whole) * 100, SHARE_PCT, "%");
  const { entries, isIntact } = await checkWholeChain(ctx);
  bars.holds("all of it is whole", isIntact && entries === String(ENTRIES + ROUNDS * NEW));
}

/** Entries as the product writes them: the database chains them. */
async function write(pool: pg.Pool, entries: number): Promise<void> {
  await pool.query(
    `insert into audit_event (id, at, actor_kind, actor, action, subject_kind, subject_id, subject, changes)
     select gen_random_uuid(), $2, 'system', 'bench', 'setting.changed', 'setting', $3, 'Limit ' || n, '{"after": {"most": 12}}'
     from generate_series(1, $1) n`,
    [entries, new Date("2026-11-21T11:00:00Z"), randomUUID()],
  );
}
