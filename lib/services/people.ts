import { randomBytes } from "node:crypto";
import { transact } from "@/lib/db/client";
import { mutate, recordAudit, writeAudit } from "@/lib/db/mutate";
import * as db from "@/lib/db/people";
import { readSetting, readSettingNow } from "@/lib/db/settings";
import { insertToken, listTokens, replaceFirstInvite, takeUse } from "@/lib/db/tokens";
import { authorize, type Ctx, ROLE_NAMES, type Role, type UserActor } from "@/lib/domain/access";
import {
  isSessionAlive,
  type NewInvite,
  type NewPerson,
  type PeopleAnswer,
  type PersonChange,
  signInDelayMs,
} from "@/lib/domain/people";
import { cleanEmail } from "@/lib/domain/text";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { hashPassword, isPassword } from "./passwords";
import { findToken, mintToken, sha256 } from "./tokens";

const INVITE_MS = 24 * 3_600_000;

export type Device = { ip: string | null; userAgent: string | null };

// ── signing in and out ──────────────────────────────────────────────────────

/**
 * Checks a password and opens a session; returns the sid for the cookie. Unknown people, wrong passwords and disabled
 * accounts look and take the same. After five failures the account and the address wait, longer each time. The break-glass
 * account comes in also where passwords are switched off; that it did stands in the trail and raises an alert.
 */
export async function signIn(
  now: Date,
  email: string,
  password: string,
  device: Device,
): Promise<{ userId: string; sid: string }> {
  const { userId: glassId } = await readSettingNow("breakGlass");
  if (glassId === null) requirePasswords();
  const known = cleanEmail(email).slice(0, 254);
  const keys = [`sign-in:${known}`, ...(device.ip ? [`sign-in-ip:${device.ip}`] : [])];
  const waitMs = await db.takeTry(keys, now, signInDelayMs);
  if (waitMs > 0) {
    throw new AppError(
      "too-many",
      `Too many failed tries. Wait ${Math.ceil(waitMs / 1000)} s and try again.`,
      {},
      waitMs,
    );
  }
  const person = await db.findPersonByEmail(known);
  const isRight = await isPassword(person?.passwordHash ?? null, password);
  const isGlass = person !== null && person.id === glassId;
  if (!person?.passwordHash || !isRight || person.disabledAt || !(env.hasPasswordSignIn || isGlass)) {
    throw new AppError("unauthenticated", "E-mail or password is wrong.");
  }
  await db.clearFailures(keys);
  if (isGlass)
    await recordAudit(asPerson(person, now, device.ip), {
      action: "person.glass-broken",
      subjectKind: "person",
      subjectId: person.id,
      subject: person.name,
    });
  return openSession(now, person, device);
}

/** The demo's one-click roles; refused anywhere else. */
export async function signInAs(now: Date, role: Role, device: Device): Promise<{ userId: string; sid: string }> {
  if (!isOneClickOffered()) throw new AppError("forbidden", "One-click roles exist in the demo on this machine only.");
  const email = `${role.replace("_", "-")}@demo.hopperdeck.local`;
  const name = `Demo ${ROLE_NAMES[role].toLowerCase()}`;
  const person =
    (await db.findPersonByEmail(email)) ??
    (await db.addPerson({ email, name, role, passwordHash: null, createdAt: now }).catch(async (error: unknown) => {
      // Two first clicks at once: the other one made the account.
      const made = await db.findPersonByEmail(email);
      if (made) return made;
      throw error;
    }));
  return openSession(now, person, device);
}

export function isOneClickOffered(): boolean {
  const isLocal = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
  return env.mode === "demo" && isLocal(env.host) && isLocal(new URL(env.publicUrl).hostname);
}

/** A session of somebody who has proved who they are, at `provenAt` where not just now. */
export async function openSession(
  now: Date,
  person: db.Person,
  device: Device,
  provenAt = now,
): Promise<{ userId: string; sid: string }> {
  const sid = randomBytes(16).toString("hex");
  await db.insertSession({
    sidHash: sha256(sid),
    userId: person.id,
    sessionVersion: person.sessionVersion,
    at: now,
    provenAt,
    ip: device.ip,
    userAgent: device.userAgent?.slice(0, 300) ?? null,
  });
  await recordAudit(asPerson(person, now, device.ip), {
    action: "person.signed-in",
    subjectKind: "person",
    subjectId: person.id,
    subject: person.name,
  });
  return { userId: person.id, sid };
}

/** Ends the session at once: a copied cookie dies with it. */
export async function signOut(now: Date, sid: string): Promise<void> {
  const session = await db.revokeSession(sha256(sid), now);
  if (!session) return;
  const person = await db.findPerson(session.userId);
  if (person) {
    await recordAudit(asPerson(person, now, null), {
      action: "person.signed-out",
      subjectKind: "person",
      subjectId: person.id,
      subject: person.name,
    });
  }
}

/** Ends the session in whose place a new sign-in of the same browser steps; the sign-in itself is what is told. */
export async function endReplaced(now: Date, sid: string): Promise<void> {
  await db.revokeSession(sha256(sid), now);
}

/** Who a sid speaks for now, and what time it is. Null: nobody, for whatever reason. */
export async function whoIs(sid: string): Promise<{ actor: UserActor; now: Date } | null> {
  const found = await db.findSession(sha256(sid));
  if (!found) return null;
  const { userVersion, disabledAt, now, ...session } = found;
  const limits = await readSetting("session");
  if (!isSessionAlive({ ...session, user: { sessionVersion: userVersion, disabledAt } }, limits, now)) return null;
  await db.touchSession(session.id, now);
  const { userId: id, name, email, role, id: sessionId, signedInAt } = session;
  return { actor: { kind: "user", id, name, email, role, sessionId, signedInAt }, now };
}

// ── inviting and changing people ────────────────────────────────────────────

/** A link that makes one account with the role, good once and for 24 hours. */
export async function invite(ctx: Ctx, { role, name }: NewInvite): Promise<{ url: string; expiresAt: number }> {
  authorize(ctx, "people:write");
  requirePasswords();
  const minted = mintToken();
  const expiresAt = new Date(ctx.now.getTime() + INVITE_MS);
  return mutate(ctx, "people:write", async (tx) => {
    const token = await insertToken(tx, {
      kind: "invite",
      name: name || ROLE_NAMES[role],
      prefix: minted.prefix,
      secretHash: minted.secretHash,
      role,
      createdById: ctx.actor.kind === "user" ? ctx.actor.id : null,
      createdAt: ctx.now,
      expiresAt,
      usesLeft: 1,
    });
    return {
      action: "person.invited",
      subjectKind: "token",
      subjectId: token.id,
      subject: token.name,
      after: { role, expiresAt },
      result: { url: inviteUrl(minted.secret), expiresAt: expiresAt.getTime() },
    };
  });
}

/** While nobody has an account: the link that makes the first admin. Older first links die. */
export async function firstAdminLink(now: Date): Promise<string | null> {
  if (!env.hasPasswordSignIn || (await db.countPeople()) > 0) return null;
  const minted = mintToken();
  await replaceFirstInvite({
    kind: "invite",
    name: FIRST_ADMIN,
    prefix: minted.prefix,
    secretHash: minted.secretHash,
    role: "admin",
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITE_MS),
    usesLeft: 1,
  });
  return inviteUrl(minted.secret);
}

const FIRST_ADMIN = "first admin";

export async function readInvite(now: Date, secret: string): Promise<{ role: Role } | null> {
  const token = await findToken(secret, now);
  return token?.kind === "invite" && token.role ? { role: token.role } : null;
}

/** Turns an invitation into an account. The link works once, also when clicked twice at the same moment. */
export async function acceptInvite(now: Date, input: NewPerson, device: Device): Promise<{ email: string }> {
  requirePasswords();
  const token = await findToken(input.token, now);
  if (token?.kind !== "invite" || !token.role) {
    throw new AppError("invalid", "This link was used or has run out. Ask for a new one; nothing was created.");
  }
  const role = token.role;
  const passwordHash = await hashPassword(input.password);
  try {
    await transact(async (tx) => {
      if (!(await takeUse(tx, token.id)))
        throw new AppError("conflict", "This link was used a moment ago. Nothing was created.");
      const person = await db.insertPerson(tx, {
        email: input.email,
        name: input.name,
        role,
        passwordHash,
        createdAt: now,
      });
      await writeAudit(tx, asPerson(person, now, device.ip), {
        action: "person.joined",
        subjectKind: "person",
        subjectId: person.id,
        subject: person.name,
        after: { email: person.email, role },
      });
    });
  } catch (error) {
    if ((error as { code?: string }).code === "P2002") {
      throw new AppError(
        "conflict",
        "This e-mail address already has an account. Sign in with it, or use another address.",
        { email: "already has an account" },
      );
    }
    throw error;
  }
  return { email: input.email };
}

/** Changes a role or disables an account. The last admin stays. */
export async function changePerson(ctx: Ctx, { userId, role, isDisabled }: PersonChange): Promise<{ id: string }> {
  return mutate(ctx, "people:write", async (tx) => {
    const before = await db.findPerson(userId);
    if (!before) throw new AppError("not-found", "There is no such person.");
    const admins = await db.lockAdmins(tx);
    const staysAdmin = (role ?? before.role) === "admin" && !(isDisabled ?? before.disabledAt !== null);
    if (admins.includes(userId) && admins.length === 1 && !staysAdmin) {
      throw new AppError("conflict", "This is the last admin. Make somebody else admin first; nothing was changed.");
    }
    const disabledAt = isDisabled === undefined ? undefined : isDisabled ? ctx.now : null;
    const after = await db.updatePerson(tx, userId, {
      ...(role && { role }),
      ...(disabledAt !== undefined && { disabledAt }),
    });
    await db.revokeSessionsOf(tx, userId, ctx.now);
    return {
      action: isDisabled ? "person.disabled" : "person.changed",
      subjectKind: "person",
      subjectId: userId,
      subject: before.name,
      before: { role: before.role, isDisabled: before.disabledAt !== null },
      after: { role: after.role, isDisabled: after.disabledAt !== null },
      result: { id: userId },
    };
  });
}

/** Sets a password from the command line, for somebody who forgot theirs; every session of theirs ends. */
export async function setPassword(
  ctx: Ctx,
  { userId, password }: { userId: string; password: string },
): Promise<{ id: string }> {
  authorize(ctx, "people:write");
  requirePasswords();
  const passwordHash = await hashPassword(password);
  return mutate(ctx, "people:write", async (tx) => {
    if (!(await db.findPerson(userId))) throw new AppError("not-found", "There is no such person.");
    const person = await db.replacePassword(tx, userId, passwordHash);
    await db.revokeSessionsOf(tx, userId, ctx.now);
    return {
      action: "person.password-set",
      subjectKind: "person",
      subjectId: userId,
      subject: person.name,
      result: { id: userId },
    };
  });
}

export async function signOutEverywhere(ctx: Ctx, { userId }: { userId: string }): Promise<{ ended: number }> {
  return mutate(ctx, "people:write", async (tx) => {
    const person = await db.findPerson(userId);
    if (!person) throw new AppError("not-found", "There is no such person.");
    const ended = await db.revokeSessionsOf(tx, userId, ctx.now);
    return {
      action: "person.signed-out-everywhere",
      subjectKind: "person",
      subjectId: userId,
      subject: person.name,
      after: { ended },
      result: { ended },
    };
  });
}

export async function listPeople(ctx: Ctx) {
  authorize(ctx, "fleet:read");
  return db.listPeople();
}

/** Who has an account and who is invited. */
export async function readPeople(ctx: Ctx): Promise<PeopleAnswer> {
  const people = await listPeople(ctx);
  const [invites, glass] = await Promise.all([listTokens(["invite"]), readSettingNow("breakGlass")]);
  return {
    now: ctx.now.getTime(),
    canInvite: env.hasPasswordSignIn,
    provider: providerView(),
    people: people.map(({ id, name, email, role, disabledAt, createdAt, lastSeenAt, hasPassword, oidcSubject }) => ({
      id,
      name,
      email,
      role,
      isDisabled: disabledAt !== null,
      isMe: ctx.actor.kind === "user" && ctx.actor.id === id,
      createdAt: createdAt.getTime(),
      lastSeenAt: lastSeenAt?.getTime() ?? null,
      hasPassword,
      isLinked: oidcSubject !== null,
      isGlass: glass.userId === id,
      isOneClick: env.mode === "demo" && !hasPassword && oidcSubject === null,
    })),
    invites: invites.flatMap(({ id, name, role, createdBy, expiresAt, usesLeft }) =>
      role && expiresAt && expiresAt > ctx.now && usesLeft !== 0
        ? [{ id, note: name, role, by: createdBy?.name ?? "command line", expiresAt: expiresAt.getTime() }]
        : [],
    ),
  };
}

function providerView(): PeopleAnswer["provider"] {
  if (!env.oidc) return null;
  const { name, issuer, clientId, groupClaim, roles, defaultRole, emailDomains, isEmailTrusted } = env.oidc;
  return {
    name,
    issuer,
    clientId,
    callback: `${env.publicUrl}/api/auth/callback/oidc`,
    groupClaim,
    roles: roles.map(([group, role]) => ({ group, role })),
    defaultRole,
    emailDomains,
    isEmailTrusted,
  };
}

/** Refuses what would end in a sign-in by password where those are switched off. */
export function requirePasswords(): void {
  if (!env.hasPasswordSignIn)
    throw new AppError(
      "forbidden",
      `Signing in with a password is switched off here. Use ${env.oidc?.name ?? "another way"}.`,
    );
}

function inviteUrl(secret: string): string {
  return `${env.publicUrl}/welcome#${secret}`;
}

export function asPerson(person: db.Person, now: Date, ip: string | null): Ctx {
  const { id, name, email, role } = person;
  return { actor: { kind: "user", id, name, email, role, sessionId: "", signedInAt: now }, now, ip };
}
