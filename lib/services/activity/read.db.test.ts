import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { findConnection } from "@/lib/db/fleet/connection";
import { recordAudit } from "@/lib/db/mutate";
import type { Ctx, Role } from "@/lib/domain/access";
import { ActivityQuestion } from "@/lib/domain/activity/question";
import { pollEvents } from "@/lib/services/fleet/poll";
import { admin, call, launch, launchBody } from "@/lib/simulator/testing";
import { askForLaunch, askToEnd, running, TERMINATE, work } from "@/lib/testing/intents";
import { as, signedIn, somebody } from "@/lib/testing/people";
import { rows, startWorld, type World } from "@/lib/testing/world";
import { checkWholeChain, readChain, verifyTrail } from "./chain";
import { exportActivity, readActivity } from "./read";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 30_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const DAY = 24 * 3_600_000;
const who = (role: Role): Promise<Ctx> => as(role, new Date(world.now()));
const ask = (ctx: Ctx, question: object = {}) => readActivity(ctx, ActivityQuestion.parse(question));

/** Reads Lambda's log until it is read to now. */
async function readLog(): Promise<void> {
  for (let reads = 0; reads < 100; reads += 1) {
    await world.advance(2_000);
    await pollEvents(world.ctx());
    const connection = await findConnection();
    if (connection?.eventsError || connection?.eventsReadTo?.getTime() === world.now()) return;
  }
  throw new Error("the log is never read to its end");
}

/** Entries of this test alone; the trail before it cannot be emptied. */
async function mine(ctx: Ctx, question: object = {}) {
  const subject = `test ${randomUUID()}`;
  const entry = async (
    action: `${string}.${string}`,
    more: { actor?: Ctx["actor"]; at?: number; reason?: string } = {},
  ) => {
    const by = { actor: more.actor ?? ctx.actor, now: new Date(more.at ?? world.now()), ip: "192.0.2.1" };
    await recordAudit(by, {
      action,
      subjectKind: "setting",
      subjectId: "x",
      subject,
      reason: more.reason ?? null,
      after: { n: 1 },
    });
  };
  const read = async (more: object = {}) =>
    (await ask(ctx, { q: subject, ...question, ...more })).acts.map(({ action }) => action);
  return { subject, entry, read };
}

describe("the trail and Lambda's log in one list", () => {
  test("a launch from here is ours; a launch, an end and a key elsewhere are outside, and say by whom", async () => {
    const ctx = await who("operator");
    const intentId = await askForLaunch(world, "gh-ours");
    await work(world, 90_000);
    const outside = await running(world, "gh-theirs");
    await admin(world.cloud, "POST", "/terminate-outside", { id: outside });
    await call(world.cloud, "POST", "/ssh-keys", { name: "stray-key" });
    await work(world, 2 * 60_000);
    await readLog();

    const [resource] = await rows<{ id: string }>("select id from resource where launch_intent_id = $1", [intentId]);
    const ours = (await ask(ctx, { q: "gh-ours" })).acts;
    expect(ours.map(({ words, who }) => [words, who.kind])).toEqual([
      ["Listed by Lambda, launched from here", "system"],
      ["Launched", "system"],
      ["Launch accepted", "system"],
    ]);
    expect(ours[0]?.href).toBe(`/fleet/${resource?.id}`);
    expect(ours[1]).toMatchObject({ source: "lambda", changes: { typeName: { from: null, to: "gpu_1x_gh200" } } });

    const theirs = (await ask(ctx, { q: "gh-theirs", who: "outside" })).acts;
    expect(theirs.map(({ words }) => words).sort()).toEqual([
      "First seen, launched outside",
      "Gone, ended outside",
      "Launched outside",
      "Terminated outside",
    ]);
    const launched = theirs.find(({ words }) => words === "Launched outside");
    expect(launched?.who).toMatchObject({ kind: "outside", name: expect.stringMatching(/^identity …\w{4}$/) });
    expect(launched?.who.mark).toMatch(/^lrn:/);

    const keys = (await ask(ctx, { q: "SSH key added" })).acts;
    expect(keys).toMatchObject([{ words: "SSH key added outside", subject: "the account", href: null }]);
  });

  test("an end that was asked for here is not outside when Lambda's log tells of it", async () => {
    const machine = await running(world, "gh-ended");
    await askToEnd(world, "terminate", machine);
    await work(world, 3 * 60_000);
    await readLog();
    expect(world.requests.filter(({ path }) => path === TERMINATE)).not.toHaveLength(0);
    const acts = (await ask(await who("admin"), { q: "gh-ended" })).acts;
    expect(acts.find(({ words }) => words === "Terminated")?.who.kind).toBe("system");
    expect(acts.map(({ words }) => words)).not.toContain("Gone, ended outside");
    expect(
      acts
        .filter(({ who }) => who.kind === "outside")
        .map(({ words }) => words)
        .sort(),
    ).toEqual(["First seen, launched outside", "Launched outside"]);
  });

  test("a machine that is unhealthy is told of once", async () => {
    world.cloud.faults.add({ name: "unhealthy_boot", count: 1 });
    await launch(world.cloud, launchBody({ name: "gh-dead" }));
    await work(world, 2 * 60_000);
    const unhealthy = (await ask(await who("admin"), { q: "Unhealthy", who: "outside" })).acts;
    expect(unhealthy).toMatchObject([{ subject: "gh-dead", words: "Unhealthy", source: "lambda" }]);
  });

  test("what Lambda's log could not tell is said, and when it was read", async () => {
    await readLog();
    expect(await ask(await who("admin"))).toMatchObject({ eventsReadAt: expect.any(Number), eventsError: null });
    world.cloud.faults.add({ name: "server_error", method: "GET", path: "/audit-events" });
    await readLog();
    expect((await ask(await who("admin"))).eventsError).toMatch(/\w/);
  });
});

describe("reading on", () => {
  test("goes back through everything once, whatever comes in meanwhile, also within one instant", async () => {
    const ctx = await who("admin");
    const { subject, entry } = await mine(ctx);
    for (let i = 0; i < 150; i += 1)
      await entry("setting.changed", { at: world.now() - Math.floor(i / 50), reason: `n${i}` });
    const seen: (string | null)[] = [];
    let after: string | null | undefined;
    do {
      const page = await ask(ctx, { q: subject, ...(after && { after }) });
      expect(page.acts.length).toBeLessThanOrEqual(60);
      seen.push(...page.acts.map(({ reason }) => reason));
      after = page.next;
      if (seen.length === 60) await entry("setting.changed", { reason: "late" });
    } while (after);
    expect(seen).toHaveLength(150);
    expect(new Set(seen).size).toBe(150);
    expect(seen[0]).toBe("n49");
    expect(seen.at(-1)).toBe("n100");
  });

  test.each(["x", "12", "1:z9", "1:a9:'; drop table audit_event --"])(
    "a mark that nobody gave (%s) does no harm",
    async (after) => {
      const answer = await ask(await who("admin"), { after });
      expect(Array.isArray(answer.acts)).toBe(true);
    },
  );
});

describe("finding", () => {
  test("by who, by what is shown, by name, by reason; signs of patterns are only signs", async () => {
    const ctx = await who("admin");
    const { subject, entry, read } = await mine(ctx);
    await entry("budget.set", { reason: "100 % more" });
    await entry("price.set", { actor: { kind: "system", name: "poll-types" } });
    await entry("rule.created", { actor: { kind: "token", id: randomUUID(), name: "ci", role: "admin" } });
    expect(await read()).toEqual(["rule.created", "price.set", "budget.set"]);
    expect(await read({ who: "people" })).toEqual(["rule.created", "budget.set"]);
    expect(await read({ who: "system" })).toEqual(["price.set"]);
    expect(await read({ who: "outside" })).toEqual([]);
    const found = async (q: string) =>
      (await ask(ctx, { q })).acts.filter((act) => act.subject === subject).map(({ action }) => action);
    expect(await found("price SET")).toEqual(["price.set"]);
    expect(await found("Rule created")).toEqual(["rule.created"]);
    expect(await found("poll-types")).toEqual(["price.set"]);
    expect(await found("100 %")).toEqual(["budget.set"]);
    expect(await found("%")).toEqual(["budget.set"]);
    expect(await found("_")).toEqual([]);
    expect(await found("' or 1=1 --")).toEqual([]);
  });

  test("by kind, source and time, whom by and what on; the file holds the same", async () => {
    const ctx = await who("admin");
    const { subject, entry, read } = await mine(ctx);
    await entry("budget.set", { at: world.now() - 8 * DAY });
    await entry("terminate.requested", { at: world.now() - 2 * DAY });
    await entry("rule.created", { actor: { kind: "token", id: randomUUID(), name: "ci bot", role: "admin" } });
    await entry("moon.landed");
    expect(await read({ what: "machines" })).toEqual(["terminate.requested"]);
    expect(await read({ what: "money" })).toEqual(["budget.set"]);
    expect(await read({ what: "settings" })).toEqual(["moon.landed"]);
    expect(await read({ days: "1" })).toEqual(["moon.landed", "rule.created"]);
    expect(await read({ days: "7" })).toEqual(["moon.landed", "rule.created", "terminate.requested"]);
    expect(await read({ from: world.now() - 9 * DAY, to: world.now() - DAY })).toEqual([
      "terminate.requested",
      "budget.set",
    ]);
    expect(await read({ source: "lambda" })).toEqual([]);
    const named = async (q: string) => (await ask(ctx, { q })).acts.map(({ action }) => action);
    expect(await named(`by:"ci bot" on:"${subject}"`)).toEqual(["rule.created"]);
    expect(await named(`by:ci on:${subject.split(" ")[1]} landed`)).toEqual([]);
    expect((await ask(ctx, { source: "lambda" })).acts.every((act) => act.source === "lambda")).toBe(true);
    const file = await exportActivity(ctx, ActivityQuestion.parse({ q: subject, days: "7", what: "machines" }));
    let lines = 0;
    for await (const _ of file.rows) lines += 1;
    expect(lines).toBe(1);
  });

  test("links only to what can still be looked at", async () => {
    const ctx = await who("admin");
    const [rule] = await rows<{ id: string; name: string }>("select id, name from alert_rule limit 1");
    const subject = `rule ${randomUUID()}`;
    for (const subjectId of [rule?.id ?? "", randomUUID(), "not-an-id"])
      await recordAudit(ctx, { action: "rule.changed", subjectKind: "rule", subjectId, subject });
    const { acts } = await ask(ctx, { q: subject });
    expect(acts.map(({ href }) => href)).toEqual([null, null, `/alerts/rules/${rule?.id}`]);
  });
});

describe("who sees what", () => {
  test("a viewer nothing", async () => {
    const ctx = await who("viewer");
    await expect(ask(ctx)).rejects.toMatchObject({ code: "forbidden" });
    await expect(readChain(ctx)).rejects.toMatchObject({ code: "forbidden" });
  });

  test.each<[Role, string[]]>([
    ["admin", ["alert.acknowledged", "budget.set", "person.invited", "rule.created", "token.created"]],
    ["operator", ["alert.acknowledged", "budget.set", "person.invited", "rule.created", "token.created"]],
    ["finance", ["budget.set", "token.created"]],
    ["on_call", ["alert.acknowledged", "token.created"]],
  ])("%s", async (role, expected) => {
    const ctx = await who(role);
    const other = (await who("admin")).actor;
    const { entry, read } = await mine(ctx);
    for (const action of ["alert.acknowledged", "budget.set", "person.invited", "rule.created"] as const)
      await entry(action, { actor: other });
    // Its own act, of whatever kind.
    await entry("token.created");
    expect((await read()).sort()).toEqual(expected);
  });

  test("on-call sees nothing of Lambda's log; its own sign-in it does", async () => {
    await running(world, "gh-theirs");
    await readLog();
    const person = await somebody("on_call", new Date(world.now()));
    const { ctx } = await signedIn(person, new Date(world.now()));
    expect((await ask(ctx, { q: "gh-theirs" })).acts).toEqual([]);
    expect((await ask(ctx, { q: person.name })).acts.map(({ action }) => action)).toContain("person.signed-in");
    expect((await ask(ctx)).limit).not.toBeNull();
    expect((await ask(await who("finance"), { q: "gh-theirs" })).acts).not.toEqual([]);
  });
});

describe("the chain", () => {
  const tamper = async (sql: string, values: unknown[]) => {
    await rows("alter table audit_event disable trigger audit_event_append_only");
    await rows(sql, values);
    await rows("alter table audit_event enable trigger audit_event_append_only");
  };

  test("cannot be changed through the door, and says which entry was changed behind it", async () => {
    const ctx = await who("admin");
    const before = await readChain(ctx);
    expect(before).toMatchObject({ isIntact: true, brokenAt: null });
    await recordAudit(ctx, {
      action: "setting.changed",
      subjectKind: "setting",
      subjectId: "x",
      subject: "Limit",
      reason: "mine",
    });
    const after = await readChain(ctx);
    expect(Number(after.entries)).toBe(Number(before.entries) + 1);
    expect(after.head).not.toBe(before.head);

    const [entry] = await prisma.auditEvent.findMany({ orderBy: { seq: "desc" }, take: 1 });
    await expect(
      prisma.auditEvent.update({ where: { id: entry?.id ?? "" }, data: { reason: "theirs" } }),
    ).rejects.toThrow();
    await expect(prisma.auditEvent.delete({ where: { id: entry?.id ?? "" } })).rejects.toThrow();

    await tamper("update audit_event set reason = 'theirs' where id = $1", [entry?.id]);
    expect(await readChain(ctx)).toMatchObject({ isIntact: false, brokenAt: String(entry?.seq) });
    await tamper("update audit_event set reason = 'mine' where id = $1", [entry?.id]);
    expect(await readChain(ctx)).toMatchObject({ isIntact: true });
  });

  test("says where an entry was taken out", async () => {
    const ctx = await who("admin");
    for (const subject of ["one", "two", "three"])
      await recordAudit(ctx, { action: "setting.changed", subjectKind: "setting", subjectId: "x", subject });
    const [, second] = await prisma.auditEvent.findMany({ orderBy: { seq: "desc" }, take: 2 });
    if (!second) throw new Error("no entry");
    await tamper("delete from audit_event where id = $1", [second.id]);
    expect(await readChain(ctx)).toMatchObject({ isIntact: false, brokenAt: String(second.seq + 1n) });
  });

  test("is read on from where it was checked; a check of all of it finds what was changed before", async () => {
    await tamper("delete from audit_event", []);
    const ctx = await who("admin");
    const later = (ms: number): Ctx => ({ ...ctx, now: new Date(ctx.now.getTime() + ms) });
    const add = (subject: string) =>
      recordAudit(ctx, { action: "setting.changed", subjectKind: "setting", subjectId: "x", subject });
    await add("one");
    await verifyTrail(ctx);
    const checked = await readChain(ctx);
    expect(checked).toMatchObject({ isIntact: true, wholeAt: ctx.now.getTime() });

    // Entries since are looked at with every reading, and follow the one that was checked.
    await add("two");
    expect(await readChain(ctx)).toMatchObject({ isIntact: true, entries: String(Number(checked.entries) + 1) });
    await tamper("update audit_event set reason = 'theirs' where subject = 'two'", []);
    expect(await readChain(ctx)).toMatchObject({ isIntact: false });
    await tamper("update audit_event set reason = null where subject = 'two'", []);
    await verifyTrail(later(1));

    // The end cut off is seen at once, though nothing follows it.
    const [last] = await prisma.auditEvent.findMany({ orderBy: { seq: "desc" }, take: 1 });
    await tamper("delete from audit_event where subject = 'two'", []);
    expect(await readChain(ctx)).toMatchObject({ isIntact: false, brokenAt: String(last?.seq) });
  });

  test("tells of an old change once a day at the latest, and until all of it is whole again", async () => {
    await tamper("delete from audit_event", []);
    await rows("delete from audit_check");
    const ctx = await who("admin");
    const later = (ms: number): Ctx => ({ ...ctx, now: new Date(ctx.now.getTime() + ms) });
    await recordAudit(ctx, { action: "setting.changed", subjectKind: "setting", subjectId: "x", subject: "old" });
    await verifyTrail(ctx);
    await tamper("update audit_event set reason = 'theirs' where subject = 'old'", []);
    await verifyTrail(later(DAY - 1));
    const old = await prisma.auditEvent.findFirstOrThrow({ where: { subject: "old" } });
    await expect(verifyTrail(later(DAY))).rejects.toThrow(`broken at entry ${old.seq}`);
    expect(await readChain(ctx)).toMatchObject({ isIntact: false, brokenAt: String(old.seq) });
    await expect(verifyTrail(later(DAY + 1))).rejects.toThrow("broken");
    await tamper("update audit_event set reason = null where subject = 'old'", []);
    expect(await checkWholeChain(later(DAY + 2))).toMatchObject({ isIntact: true });
    expect(await readChain(ctx)).toMatchObject({ isIntact: true });
  });
});
