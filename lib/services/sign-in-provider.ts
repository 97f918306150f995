import { transact } from "@/lib/db/client";
import { writeAudit } from "@/lib/db/mutate";
import * as db from "@/lib/db/people";
import { readSetting } from "@/lib/db/settings";
import { type Ctx, STEP_UP_MS, systemCtx } from "@/lib/domain/access";
import {
  judgeSignIn,
  type KnownPerson,
  OIDC_REFUSALS,
  OidcClaims,
  type OidcVerdict,
  provenAt,
  type SignInWays,
} from "@/lib/domain/oidc";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { asPerson, type Device, openSession } from "./people";

export async function signInWays(): Promise<SignInWays> {
  const hasPassword = env.hasPasswordSignIn;
  const { userId } = await readSetting("breakGlass");
  return { hasPassword, provider: env.oidc?.name ?? null, hasGlass: !hasPassword && userId !== null };
}

/** How somebody who is signed in proves it once more: the break-glass account with its password, whatever else is shut. */
export async function waysOf(userId: string): Promise<SignInWays> {
  const [ways, glass] = [await signInWays(), await readSetting("breakGlass")];
  return userId === glass.userId ? { hasPassword: true, provider: null, hasGlass: false } : ways;
}

/**
 * Opens a session for whom the identity provider names, with the role that their groups give them now. The claims come from an
 * ID token whose signature, issuer, audience, nonce and times were checked. Refusals carry their code in `fields.oidc`.
 */
export async function signInByProvider(
  now: Date,
  given: unknown,
  wasProofAsked: boolean,
  device: Device,
): Promise<{ userId: string; sid: string }> {
  const { oidc } = env;
  const claims = OidcClaims.safeParse(given).data;
  if (!oidc || !claims) throw new AppError("forbidden", OIDC_REFUSALS.provider, { oidc: "provider" });
  const ctx = { ...systemCtx(oidc.name, now), ip: device.ip };
  const verdict = judgeSignIn(claims, oidc, await whoIsKnown(claims));
  if (verdict.kind === "refused") {
    if (verdict.personId !== null) await endAll(ctx, verdict.personId, verdict.code);
    throw new AppError("forbidden", OIDC_REFUSALS[verdict.code], { oidc: verdict.code });
  }
  const person = verdict.kind === "new" ? await join(ctx, claims, verdict) : await update(ctx, claims, verdict);
  const since = provenAt(claims.auth_time, wasProofAsked, now.getTime(), STEP_UP_MS);
  return openSession(now, person, device, new Date(since));
}

async function whoIsKnown({ iss, sub, email }: OidcClaims) {
  const byIdentity = await db.findPersonByIdentity(iss, sub);
  const byEmail = byIdentity || email === undefined ? null : await db.findPersonByEmail(email);
  // Nobody comes by the break-glass account through a provider that is told its address.
  const { userId } = await readSetting("breakGlass");
  const isSealed = byEmail !== null && byEmail.id === userId;
  return {
    byIdentity: byIdentity && known(byIdentity),
    byEmail: byEmail && { ...known(byEmail), ...(isSealed && { oidcSubject: "sealed" }) },
  };
}

function known({ id, role, disabledAt, oidcSubject }: db.Person): KnownPerson {
  return { id, role, isDisabled: disabledAt !== null, oidcSubject };
}

async function join(
  ctx: Ctx,
  { iss, sub }: OidcClaims,
  { email, name, role }: OidcVerdict & { kind: "new" },
): Promise<db.Person> {
  try {
    return await transact(async (tx) => {
      const identity = { oidcIssuer: iss, oidcSubject: sub };
      const person = await db.insertPerson(tx, {
        email,
        name,
        role,
        passwordHash: null,
        createdAt: ctx.now,
        ...identity,
      });
      await writeAudit(tx, asPerson(person, ctx.now, ctx.ip ?? null), {
        action: "person.joined",
        subjectKind: "person",
        subjectId: person.id,
        subject: person.name,
        after: { email, role, issuer: iss },
      });
      return person;
    });
  } catch (error) {
    // Two first sign-ins at once: the other one made the account.
    const made = await db.findPersonByIdentity(iss, sub);
    if (made) return made;
    throw error;
  }
}

async function update(
  ctx: Ctx,
  { iss, sub }: OidcClaims,
  { personId, role, isLink }: OidcVerdict & { kind: "known" },
): Promise<db.Person> {
  return transact(async (tx) => {
    const admins = await db.lockAdmins(tx);
    const before = await db.findPerson(personId);
    if (!before || before.disabledAt) throw new AppError("forbidden", OIDC_REFUSALS.disabled, { oidc: "disabled" });
    if (isLink && !(await db.linkIdentity(tx, personId, iss, sub)))
      throw new AppError("forbidden", OIDC_REFUSALS.taken, { oidc: "taken" });
    // Groups that were set up wrongly must not leave the house without anybody who can mend them.
    const isLastAdmin = admins.length === 1 && admins[0] === personId;
    const isMoved = role !== null && role !== before.role && !(isLastAdmin && role !== "admin");
    if (!isLink && !isMoved) return before;
    const after = isMoved ? await db.updatePerson(tx, personId, { role }) : before;
    await writeAudit(tx, ctx, {
      action: isLink ? "person.linked" : "person.changed",
      subjectKind: "person",
      subjectId: personId,
      subject: before.name,
      before: { role: before.role, ...(isLink && { issuer: null }) },
      after: { role: after.role, ...(isLink && { issuer: iss }) },
      reason: isMoved ? "As the identity provider’s groups say" : null,
    });
    return after;
  });
}

/** Whoever may not come in any more is not left in by an older session either. */
async function endAll(ctx: Ctx, personId: string, code: string): Promise<void> {
  await transact(async (tx) => {
    const person = await db.findPerson(personId);
    const ended = await db.revokeSessionsOf(tx, personId, ctx.now);
    if (!person || ended === 0) return;
    await writeAudit(tx, ctx, {
      action: "person.signed-out-everywhere",
      subjectKind: "person",
      subjectId: personId,
      subject: person.name,
      after: { ended },
      reason: `Refused at the identity provider’s sign-in: ${code}`,
    });
  });
}
