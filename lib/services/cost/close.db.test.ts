import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { costClose } from "@/lib/cli/cost-close";
import { pool } from "@/lib/db/client";
import { contentOf } from "@/lib/db/cost/close";
import { findPeriod } from "@/lib/db/cost/periods";
import { type Ctx, type Role, systemCtx } from "@/lib/domain/access";
import { RuleDraft } from "@/lib/domain/cost/allocation-view";
import { AppError } from "@/lib/errors";
import { as, lastAudit } from "@/lib/testing/people";
import { rows } from "@/lib/testing/world";
import { createRule } from "./allocation-change";
import { beginClosing, closeMonth, readClose, signPoint, signReview } from "./close";
import { exportContent, readStatement } from "./statement";
import { Story, TYPE } from "./story.testing";

const OVER = new Date("2026-11-02T08:00:00Z");
const ML = "0f1e2d3c";
const MONTH = { month: "2026-10" };

/** A program with a role: people cost a second each. */
const program = (role: Role): Ctx => ({
  actor: { kind: "token", id: "0190c0de-0000-7000-8000-000000000000", name: `a ${role} program`, role },
  now: OVER,
});

/** Two teams' machines, storage of nobody's that has no price, an end that nobody saw: a month's end with everything to settle. */
async function october(): Promise<Story> {
  const story = await Story.begin("2026-10-20T00:00:00Z");
  await story.priceList("2026-10-20T00:00:00Z", { [TYPE]: 229 });
  await story.look("2026-10-20T10:00:00Z");
  const ml = { id: ML, status: "active", tags: { team: "ml", project: "rag" } };
  const web = { id: "1a2b3c4d", status: "active", tags: { team: "web" } };
  await story.look("2026-10-20T10:00:30Z", ml, web);
  await story.look("2026-10-31T12:00:00Z", ml, web);
  // For two hours nobody looked; then one of them was gone.
  await story.look("2026-10-31T14:00:00Z", web);
  await story.look("2026-10-31T14:00:30Z", web);
  await story.look("2026-10-31T14:01:00Z", web);
  await story.filesystem("2026-10-31T14:00:00Z", { id: "data", bytes: 2 ** 30 });
  await story.look("2026-11-01T12:00:00Z", web);
  await story.meter("2026-11-02T07:59:30Z");
  return story;
}

async function settle(ctx: Ctx): Promise<void> {
  const { points, review, month } = await readClose(ctx, MONTH);
  for (const { id, fact, isSignable, state } of points)
    if (isSignable && state === "open") await signPoint(ctx, { month, point: id, fact, note: "looked at" });
  const items = review.map(({ resourceId, fact }) => ({ resourceId, fact }));
  if (items.length > 0) await signReview(ctx, { month, items, note: "the log agrees" });
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error ?? new Error("was not refused");
};

afterEach(() => void vi.restoreAllMocks());

test("a month closes when everything is settled, once for all who close it at once, and never changes after", async () => {
  await october();
  const finance = { ...(await as("finance", new Date())), now: OVER };
  expect((await refusal(closeMonth(program("operator"), MONTH))).code).toBe("forbidden");
  expect((await refusal(closeMonth({ ...finance, now: new Date("2026-10-31T23:59:59Z") }, MONTH))).message).toMatch(
    /not over/,
  );

  await beginClosing(finance, MONTH);
  const before = await readClose(finance, MONTH);
  expect(before).toMatchObject({ status: "closing", isOver: true });
  const open = before.points.filter(({ state }) => state !== "done").map(({ id }) => id);
  expect(open).toEqual(expect.arrayContaining(["settled", "gaps", "unknown", "review", "accrual"]));
  expect((await refusal(closeMonth(finance, MONTH))).message).toMatch(/stays open.*Doubtful lives/s);
  expect((await findPeriod("2026-10")).status).toBe("closing");

  await settle(finance);
  const stale = { ...MONTH, point: "gaps", fact: "1 gap", note: "as I remember it" };
  expect((await refusal(signPoint(finance, stale))).code).toBe("conflict");

  // Web, command line, a second person: one closes, all have the same hash.
  const closers = [finance, systemCtx("command line", OVER), program("admin"), finance];
  const closed = await Promise.all(closers.map((ctx) => closeMonth(ctx, MONTH)));
  expect(closed.filter(({ wasClosed }) => !wasClosed)).toHaveLength(1);
  expect(new Set(closed.map(({ contentHash }) => contentHash)).size).toBe(1);
  expect(await rows("select 1 from audit_event where action = 'period.closed'")).toHaveLength(1);
  expect(await lastAudit("2026-10")).toMatchObject({ action: "period.closed" });

  // The hash is that of the file, and of the rows in whatever order they lie.
  const hash = createHash("sha256");
  for await (const part of (await exportContent(finance, MONTH)).lines) hash.update(part);
  expect(hash.digest("hex")).toBe(closed[0]?.contentHash);
  expect(await contentOf("2026-10")).toMatchObject({ hash: closed[0]?.contentHash, rows: closed[0]?.rows });

  // Statements: all teams add up, and stay what they were.
  const all = await readStatement(finance, MONTH);
  expect(all).toMatchObject({ status: "closed", teams: ["", "ml", "web"], contentHash: closed[0]?.contentHash });
  expect(all.content.totals.totalMicros).toBe(closed[0]?.totalMicros);
  const parts = await Promise.all(all.teams.map((team) => readStatement(finance, { ...MONTH, team })));
  const sum = parts.reduce((total, { content }) => total + BigInt(content.totals.totalMicros), 0n);
  expect(sum.toString()).toBe(closed[0]?.totalMicros);

  // Nothing of it can be written any more, by anybody.
  for (const statement of [
    "update ledger_row set note = 'x' where period = '2026-10-01'",
    "update ledger_row set period = '2026-11-01' where period = '2026-10-01'",
    "update ledger_row set period = '2026-10-01', day = '2026-10-31' where period = '2026-11-01'",
    "delete from ledger_row where period = '2026-10-01'",
    "insert into ledger_row (key, period, day, charge, resource_id, owner_id, starts_at, ends_at) select gen_random_uuid(), period, day, charge, resource_id, owner_id, starts_at, ends_at from ledger_row where period = '2026-10-01' limit 1",
    "insert into shared_cost (period, day, pot_id, owner_id, micros) values ('2026-10-01', '2026-10-30', 0, 0, 1)",
    "truncate ledger_row",
    "update period set status = 'open', content_hash = null, closed_at = null",
    "delete from period",
    "update statement set total_micros = 0",
    "insert into statement (month, scope, total_micros, content, hash, created_at) values ('2026-10-01', 'team:late', 0, '{}', '', now())",
    "update cost_owner set team = 'other' where team = 'ml'",
  ])
    await expect(pool().query(statement), statement).rejects.toMatchObject({ code: /^HD00[12]$/ });
  await pool().query("update ledger_row set note = 'x' where period = '2026-11-01'");
  expect(await contentOf("2026-10")).toMatchObject({ hash: closed[0]?.contentHash });
});

test("whoever writes while a month is closed is in its hash or is refused, and a crash in the middle leaves it open", async () => {
  await october();
  const finance = program("finance");
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(await costClose(["2026-10"])).toBe(1);
  expect(said.mock.calls.flat().join("\n")).toMatch(/OPEN +Doubtful lives/);
  await settle(finance);

  // Somebody is about to write a row of the month: the close waits for him, and is killed while it waits.
  const url = process.env.DATABASE_URL ?? "";
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query("begin");
  await writer.query("select pg_advisory_xact_lock_shared(hashtext('period'), month_lock_key('2026-10-01'))");
  const killed = closeMonth(finance, MONTH).then(
    () => "closed",
    () => "lost",
  );
  const waiting = async () =>
    (
      await rows<{ pid: number }>(
        "select l.pid from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and l.locktype = 'advisory' and not l.granted",
      )
    )[0]?.pid;
  let pid = await waiting();
  for (let i = 0; i < 200 && pid === undefined; i++) {
    await sleep(20);
    pid = await waiting();
  }
  await pool().query("select pg_terminate_backend($1)", [pid]);
  expect(await killed).toBe("lost");
  expect(await findPeriod("2026-10")).toMatchObject({ status: "closing", contentHash: null });
  expect(await rows("select 1 from statement")).toEqual([]);

  // The next close waits as well; the write that came first is in it, the one that comes after is refused.
  const second = closeMonth(finance, MONTH);
  for (let i = 0; i < 200 && (await waiting()) === undefined; i++) await sleep(20);
  await writer.query("update ledger_row set note = 'held' where period = '2026-10-01'");
  await writer.query("commit");
  const { contentHash } = await second;
  expect(await costClose(["2026-10", "--yes"])).toBe(0);
  expect(said.mock.lastCall).toEqual([expect.stringContaining(contentHash)]);
  expect(await rows("select distinct note from ledger_row where period = '2026-10-01'")).toEqual([{ note: "held" }]);
  expect((await contentOf("2026-10")).hash).toBe(contentHash);
  await expect(writer.query("update ledger_row set note = 'late' where period = '2026-10-01'")).rejects.toMatchObject({
    code: "HD002",
  });
  await writer.end();
});

test("what is shared is spread as the rows are that are hashed, though they change while the close waits", async () => {
  const story = await october();
  await story.filesystem("2026-10-31T14:30:00Z", { id: "data", bytes: 3 * 2 ** 40 });
  await story.storagePrice("2026-10-20T00:00:00Z", 200_000n);
  const finance = program("finance");
  const shared = { selector: { kind: "filesystem" }, method: "gpu_minutes", shares: [], from: 0 };
  await createRule(finance, RuleDraft.parse({ name: "Datasets", month: MONTH.month, ...shared }));
  await story.meter("2026-11-02T07:59:40Z");
  await settle(finance);

  const writer = new pg.Client({ connectionString: process.env.DATABASE_URL ?? "" });
  await writer.connect();
  await writer.query("begin");
  await writer.query("select pg_advisory_xact_lock_shared(hashtext('period'), month_lock_key('2026-10-01'))");
  const closing = closeMonth(finance, MONTH);
  const isWaiting = () =>
    rows(
      "select 1 from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and l.locktype = 'advisory' and not l.granted",
    );
  for (let i = 0; i < 200 && (await isWaiting()).length === 0; i++) await sleep(20);
  // A pot's row and a payer's minutes, in the last moment in which that can be: too little to change a signed fact.
  await writer.query(
    "update ledger_row set micros = micros + 1, high_micros = high_micros + 1 where period = '2026-10-01' and charge = 'storage' and micros is not null",
  );
  await writer.query(
    "update ledger_row set minutes = minutes + 60 where period = '2026-10-01' and day = '2026-10-31' and charge = 'usage'",
  );
  await writer.query("commit");
  await writer.end();
  const closed = await closing;

  const [sums] = await rows<{ pots: string; spread: string; parts: number }>(
    `select (select sum(l.micros) from ledger_row l join cost_owner o on o.id = l.owner_id and o.is_shared where l.period = '2026-10-01')::text as pots,
       (select sum(micros) from shared_cost where period = '2026-10-01')::text as spread, (select count(*)::int from shared_cost where period = '2026-10-01') as parts`,
  );
  expect(BigInt(sums?.pots ?? "0")).toBeGreaterThan(0n);
  expect(sums).toMatchObject({ spread: sums?.pots, parts: 2 });
  const all = await readStatement(finance, MONTH);
  expect(all.contentHash).toBe(closed.contentHash);
  const parts = await Promise.all(all.teams.map((team) => readStatement(finance, { ...MONTH, team })));
  const sum = parts.reduce((total, { content }) => total + BigInt(content.totals.totalMicros), 0n);
  expect(sum.toString()).toBe(closed.totalMicros);
});

test("the same rows have the same hash in whatever order they were written", async () => {
  await october();
  const { hash, rows: count } = await contentOf("2026-10");
  const client = await pool().connect();
  try {
    await client.query(
      "create temp table shuffled as select * from ledger_row where period = '2026-10-01' order by random()",
    );
    await client.query("delete from ledger_row where period = '2026-10-01'");
    expect((await contentOf("2026-10")).rows).toBe(0);
    await client.query("insert into ledger_row select * from shuffled order by random()");
  } finally {
    client.release();
  }
  expect(await contentOf("2026-10")).toMatchObject({ hash, rows: count });
  await pool().query(
    "update ledger_row set micros = micros + 1, high_micros = high_micros + 1 where key = (select key from ledger_row where period = '2026-10-01' and micros is not null limit 1)",
  );
  expect((await contentOf("2026-10")).hash).not.toBe(hash);
});

test("what is learnt of a closed month counts in the open one and names its day (C57, C58)", async () => {
  const story = await october();
  const finance = program("finance");
  await settle(finance);
  const closed = await closeMonth(finance, MONTH);
  const before = await readStatement(finance, { ...MONTH, team: "ml" });

  // Lambda's log, read later: the machine ended half an hour later than half-way.
  await story.logged("2026-11-02T09:00:00Z", "terminated", ML, "2026-10-31T13:30:00Z");
  await story.meter("2026-11-02T09:00:30Z");
  const later = { ...finance, now: new Date("2026-11-02T09:01:00Z") };
  const november = await readClose(later, { month: "2026-11" });
  expect(november.corrections.count).toBeGreaterThan(0);
  expect(november.corrections.rows.every(({ day }) => day === "2026-10-31")).toBe(true);
  // Half an hour at $2.29.
  expect(november.corrections.micros).toBe("1145000");
  const october26 = await readClose(later, MONTH);
  expect(october26).toMatchObject({
    contentHash: closed.contentHash,
    correctedLater: [{ month: "2026-11", micros: "1145000" }],
  });
  expect(await readStatement(later, { ...MONTH, team: "ml" })).toEqual({ ...before, now: later.now.getTime() });
  const draft = await readStatement(later, { month: "2026-11", team: "ml" });
  expect(draft.content.totals).toMatchObject({ correctionsMicros: "1145000" });
});
