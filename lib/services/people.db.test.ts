import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { as, DEVICE, lastAudit, PASSWORD, secretOf, signedIn, somebody } from "@/lib/testing/people";
import {
  acceptInvite,
  changePerson,
  firstAdminLink,
  invite,
  readInvite,
  readPeople,
  setPassword,
  signIn,
  signInAs,
  signOut,
  signOutEverywhere,
  whoIs,
} from "./people";

const HOUR = 3_600_000;
let now = new Date("2026-11-20T12:00:00Z");
const moveOn = async (ms: number) => {
  now = new Date(now.getTime() + ms);
  await setTestClock(now);
};

beforeEach(async () => {
  await moveOn(HOUR);
  await prisma.rateLimit.deleteMany();
});

const newPerson = (token: string, email = "ada@example.com") => ({ token, name: "Ada", email, password: PASSWORD });

// ── the first admin ─────────────────────────────────────────────────────────

test("the first link makes an admin; the newest one alone works, and none while somebody has an account", async () => {
  const older = await firstAdminLink(now);
  const newer = await firstAdminLink(now);
  if (!older || !newer) throw new Error("no link");
  expect(await readInvite(now, secretOf(older))).toBeNull();
  expect(await readInvite(now, secretOf(newer))).toEqual({ role: "admin" });
  await acceptInvite(now, newPerson(secretOf(newer), "first@example.com"), DEVICE);
  expect(await prisma.user.findMany({ select: { email: true, role: true } })).toEqual([
    { email: "first@example.com", role: "admin" },
  ]);
  expect(await firstAdminLink(now)).toBeNull();
});

// ── invitations ─────────────────────────────────────────────────────────────

test("an admin invites; the link makes one account of that role, is shown once and kept as a hash", async () => {
  const admin = await as("admin", now);
  const { url, expiresAt } = await invite(admin, { role: "on_call", name: "Grace" });
  expect(expiresAt).toBe(now.getTime() + 24 * HOUR);
  const secret = secretOf(url);
  const tokens = await prisma.$queryRaw<{ hit: boolean }[]>`
    SELECT bool_or(strpos(t::text, ${secret.split("_")[2]}) > 0) AS hit FROM token t`;
  expect(tokens[0]?.hit).toBe(false);
  await acceptInvite(now, newPerson(secret, "grace@example.com"), DEVICE);
  const { people } = await readPeople(admin);
  const grace = people.find((one) => one.email === "grace@example.com");
  expect(grace).toMatchObject({ role: "on_call", isDisabled: false, isMe: false });
  expect(await lastAudit(grace?.id ?? "")).toMatchObject({ action: "person.joined", actor: "Ada" });
});

test("an invitation used by two at the same moment makes one account", async () => {
  const { url } = await invite(await as("admin", now), { role: "viewer", name: "" });
  const before = await prisma.user.count();
  const outcomes = await Promise.allSettled(
    ["one", "two", "three"].map((who) => acceptInvite(now, newPerson(secretOf(url), `${who}@example.com`), DEVICE)),
  );
  expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect(await prisma.user.count()).toBe(before + 1);
  await expect(acceptInvite(now, newPerson(secretOf(url), "four@example.com"), DEVICE)).rejects.toMatchObject({
    code: "invalid",
  });
});

test("an invitation ends after a day, and an address has one account", async () => {
  const admin = await as("admin", now);
  const { url } = await invite(admin, { role: "viewer", name: "" });
  expect(await readInvite(new Date(now.getTime() + 24 * HOUR), secretOf(url))).toBeNull();
  const known = await somebody("viewer", now);
  const other = await invite(admin, { role: "viewer", name: "" });
  await expect(acceptInvite(now, newPerson(secretOf(other.url), known.email), DEVICE)).rejects.toMatchObject({
    code: "conflict",
    fields: { email: "already has an account" },
  });
  // The use that failed is given back with everything else.
  expect(await readInvite(now, secretOf(other.url))).toEqual({ role: "viewer" });
});

test("only an admin with a fresh sign-in invites, changes or signs out others", async () => {
  const target = await somebody("viewer", now);
  for (const role of ["viewer", "finance", "on_call", "operator"] as const) {
    const ctx = await as(role, now);
    const before = await prisma.auditEvent.count();
    await expect(invite(ctx, { role: "admin", name: "" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(changePerson(ctx, { userId: target.id, role: "admin" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(signOutEverywhere(ctx, { userId: target.id })).rejects.toMatchObject({ code: "forbidden" });
    await expect(setPassword(ctx, { userId: target.id, password: PASSWORD })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(await prisma.auditEvent.count()).toBe(before);
  }
  const admin = await as("admin", now);
  const later = { ...admin, now: new Date(now.getTime() + 10 * 60_000 + 1) };
  await expect(invite(later, { role: "viewer", name: "" })).rejects.toMatchObject({ fields: { stepUp: "required" } });
});

// ── roles ───────────────────────────────────────────────────────────────────

test("a changed role holds at the next request: the old session is dead", async () => {
  const admin = await as("admin", now);
  const person = await somebody("viewer", now);
  const { sid } = await signedIn(person, now);
  await changePerson(admin, { userId: person.id, role: "operator" });
  expect(await whoIs(sid)).toBeNull();
  expect((await signedIn(person, now)).ctx.actor.role).toBe("operator");
  expect(await lastAudit(person.id)).toMatchObject({ action: "person.signed-in" });
  const entry = await prisma.auditEvent.findFirst({ where: { subjectId: person.id, action: "person.changed" } });
  expect(entry).toMatchObject({ actor: "A admin", changes: { role: { from: "viewer", to: "operator" } } });
});

test("somebody disabled is out at once, cannot sign in, and may be enabled again", async () => {
  const admin = await as("admin", now);
  const person = await somebody("operator", now);
  const { sid } = await signedIn(person, now);
  await changePerson(admin, { userId: person.id, isDisabled: true });
  expect(await whoIs(sid)).toBeNull();
  await expect(signedIn(person, now)).rejects.toMatchObject({
    code: "unauthenticated",
    message: "E-mail or password is wrong.",
  });
  await changePerson(admin, { userId: person.id, isDisabled: false });
  expect(await whoIs(sid)).toBeNull();
  await prisma.rateLimit.deleteMany();
  expect((await signedIn(person, now)).ctx.actor.id).toBe(person.id);
});

test("the last admin stays, also when two admins remove one another at the same moment", async () => {
  await prisma.user.updateMany({ where: { role: "admin" }, data: { role: "viewer" } });
  const [one, two] = [await as("admin", now), await as("admin", now)];
  const outcomes = await Promise.allSettled([
    changePerson(one, { userId: two.actor.id, role: "viewer" }),
    changePerson(two, { userId: one.actor.id, isDisabled: true }),
  ]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  const left = await prisma.user.findMany({ where: { role: "admin", disabledAt: null }, select: { id: true } });
  expect(left).toHaveLength(1);
  const ctx = left[0]?.id === one.actor.id ? one : two;
  await expect(changePerson(ctx, { userId: ctx.actor.id, role: "operator" })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(changePerson(ctx, { userId: ctx.actor.id, isDisabled: true })).rejects.toMatchObject({
    code: "conflict",
  });
});

// ── sessions ────────────────────────────────────────────────────────────────

test("a copied session dies with the sign-out", async () => {
  const person = await somebody("viewer", now);
  const { sid } = await signedIn(person, now);
  const copy = sid;
  expect(await whoIs(copy)).not.toBeNull();
  await signOut(now, sid);
  expect(await whoIs(copy)).toBeNull();
  expect(await lastAudit(person.id)).toMatchObject({ action: "person.signed-out" });
  // A second sign-out says nothing twice.
  const before = await prisma.auditEvent.count();
  await signOut(now, sid);
  expect(await prisma.auditEvent.count()).toBe(before);
});

test("an admin ends all sessions of somebody; theirs alone", async () => {
  const admin = await as("admin", now);
  const [person, other] = [await somebody("viewer", now), await somebody("viewer", now)];
  const sids = [await signedIn(person, now), await signedIn(person, now), await signedIn(other, now)].map((s) => s.sid);
  expect(await signOutEverywhere(admin, { userId: person.id })).toEqual({ ended: 2 });
  const alive = await Promise.all(sids.map(async (sid) => (await whoIs(sid)) !== null));
  expect(alive).toEqual([false, false, true]);
});

test("a session ends when it was idle too long, and when it is too old although it was used", async () => {
  const { sid } = await signedIn(await somebody("viewer", now), now);
  for (let hours = 0; hours < 7 * 24; hours += 6) {
    expect(await whoIs(sid)).not.toBeNull();
    await moveOn(6 * HOUR);
  }
  await moveOn(1);
  expect(await whoIs(sid)).toBeNull();
  const idle = await signedIn(await somebody("viewer", now), now);
  await moveOn(12 * HOUR);
  expect(await whoIs(idle.sid)).not.toBeNull();
  await moveOn(12 * HOUR + 1);
  expect(await whoIs(idle.sid)).toBeNull();
});

test("the database knows no session's secret", async () => {
  const { sid } = await signedIn(await somebody("viewer", now), now);
  const hits = await prisma.$queryRaw<object[]>`
    SELECT 1 FROM session s WHERE strpos(s::text, ${sid}) > 0 OR strpos(s::text, encode(${sid}::bytea, 'hex')) > 0`;
  expect(hits).toEqual([]);
  expect(await whoIs("0".repeat(32))).toBeNull();
});

// ── the door ────────────────────────────────────────────────────────────────

test("after five failures the wait grows, and the right password waits like the wrong ones", async () => {
  const person = await somebody("viewer", now);
  const attempt = (password: string, device = DEVICE) => signIn(now, person.email, password, device);
  for (let i = 0; i < 5; i++) await expect(attempt("wrong")).rejects.toMatchObject({ code: "unauthenticated" });
  const waits: number[] = [];
  for (let i = 0; i < 4; i++) {
    const refused = await attempt(PASSWORD).then(
      () => null,
      (error: { code: string; retryAfterMs: number }) => error,
    );
    expect(refused?.code).toBe("too-many");
    waits.push(refused?.retryAfterMs ?? 0);
    await moveOn(refused?.retryAfterMs ?? 0);
    await expect(attempt("wrong")).rejects.toMatchObject({ code: "unauthenticated" });
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  // It is the account that waits, from wherever somebody tries.
  await expect(attempt(PASSWORD, { ip: "198.51.100.1", userAgent: "other" })).rejects.toMatchObject({
    code: "too-many",
  });
  await moveOn(15 * 60_000);
  await attempt(PASSWORD);
  await attempt(PASSWORD);
});

test("tried many times at the same moment, no more than five are looked at", async () => {
  const person = await somebody("viewer", now);
  const tries = Array.from({ length: 25 }, (_, i) => `guess ${i}`);
  const outcomes = await Promise.allSettled(tries.map((password) => signIn(now, person.email, password, DEVICE)));
  const codes = outcomes.map((one) => (one.status === "fulfilled" ? "in" : one.reason.code));
  expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(5);
  expect(codes.filter((code) => code === "too-many")).toHaveLength(20);
});

test("an address that sprays accounts waits as well; another one does not", async () => {
  const person = await somebody("viewer", now);
  for (let i = 0; i < 5; i++) await expect(signIn(now, `nobody-${i}@example.com`, "x", DEVICE)).rejects.toThrow();
  await expect(signIn(now, person.email, PASSWORD, DEVICE)).rejects.toMatchObject({ code: "too-many" });
  await signIn(now, person.email, PASSWORD, { ip: "198.51.100.2", userAgent: null });
});

test("unknown people and wrong passwords get the same answer, and nobody is told apart in the trail", async () => {
  const person = await somebody("viewer", now);
  const before = await prisma.auditEvent.count();
  const say = (email: string) => signIn(now, email, "wrong password", { ip: null, userAgent: null }).catch(String);
  expect(await say(person.email)).toBe(await say("nobody@example.com"));
  expect(await prisma.auditEvent.count()).toBe(before);
});

test("a new password ends every session, and the old one is wrong", async () => {
  const admin = await as("admin", now);
  const person = await somebody("viewer", now);
  const { sid } = await signedIn(person, now);
  await setPassword(admin, { userId: person.id, password: "another long password" });
  expect(await whoIs(sid)).toBeNull();
  await expect(signIn(now, person.email, PASSWORD, DEVICE)).rejects.toMatchObject({ code: "unauthenticated" });
  await signIn(now, person.email, "another long password", DEVICE);
  expect(JSON.stringify(await prisma.auditEvent.findMany({ select: { changes: true } }))).not.toContain("argon2");
});

test("one-click roles make one account each, also when clicked at once", async () => {
  const entered = await Promise.all(Array.from({ length: 6 }, () => signInAs(now, "finance", DEVICE)));
  expect(new Set(entered.map((one) => one.userId)).size).toBe(1);
  expect(await prisma.user.count({ where: { email: "finance@demo.hopperdeck.local" } })).toBe(1);
});

test("the people page names no secret, and a system actor is nobody's self", async () => {
  const answer = await readPeople(systemCtx("test", now));
  expect(answer.people.every((person) => !person.isMe)).toBe(true);
  expect(JSON.stringify(answer)).not.toMatch(/argon2|passwordHash|secretHash/);
});

test("unknown people cost the door as much work as wrong passwords", async () => {
  const person = await somebody("viewer", now);
  const took = async (email: string) => {
    await prisma.rateLimit.deleteMany();
    const from = performance.now();
    await signIn(now, email, "wrong password", { ip: null, userAgent: null }).catch(() => {});
    return performance.now() - from;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < 7; i += 1) {
    known.push(await took(person.email));
    unknown.push(await took(`nobody-${i}@example.com`));
  }
  // The fastest of several is what the work itself takes; without the hash it would be a tenth.
  expect(Math.min(...unknown) / Math.min(...known)).toBeGreaterThan(0.5);
  expect(Math.min(...unknown) / Math.min(...known)).toBeLessThan(2);
});

describe("with passwords switched off", () => {
  const before = { ...process.env };
  afterAll(() => {
    process.env = before;
    vi.resetModules();
  });

  test("nobody comes in by one, is invited to one or is given one; what was given before is worth nothing", async () => {
    const admin = await as("admin", now);
    const person = await somebody("viewer", now);
    const { url } = await invite(admin, { role: "viewer", name: "" });
    Object.assign(process.env, {
      PASSWORD_SIGN_IN: "0",
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "hopperdeck",
      OIDC_NAME: "Example",
      OIDC_ROLES: "gpu-admins=admin",
    });
    vi.resetModules();
    const door = await import("./people");
    const { changeMyPassword, readMySessions } = await import("./sessions");
    const refused = { code: "forbidden", message: expect.stringContaining("switched off") };
    await expect(door.signIn(now, person.email, PASSWORD, DEVICE)).rejects.toMatchObject(refused);
    await expect(door.invite(admin, { role: "viewer", name: "" })).rejects.toMatchObject(refused);
    await expect(door.acceptInvite(now, newPerson(secretOf(url)), DEVICE)).rejects.toMatchObject(refused);
    await expect(door.setPassword(admin, { userId: person.id, password: PASSWORD })).rejects.toMatchObject(refused);
    await expect(changeMyPassword(admin, { current: PASSWORD, password: PASSWORD })).rejects.toMatchObject(refused);
    expect((await readMySessions(admin)).hasPassword).toBe(false);
    expect(await door.firstAdminLink(now)).toBeNull();
    const answer = await door.readPeople(admin);
    expect(answer).toMatchObject({
      canInvite: false,
      provider: { name: "Example", roles: [{ group: "gpu-admins", role: "admin" }] },
    });
    expect(JSON.stringify(answer)).not.toMatch(/secret/i);
  });
});
