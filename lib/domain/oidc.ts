import { z } from "zod";
import { ROLES, type Role } from "./access";
import { cleanEmail, cleanName } from "./text";

/** What an identity provider says of somebody, as far as anything here asks; the signature and the rest were checked before. */
export const OidcClaims = z.looseObject({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: z.string().max(254).transform(cleanEmail).pipe(z.email()).optional().catch(undefined),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().max(400).optional().catch(undefined),
  preferred_username: z.string().max(400).optional().catch(undefined),
  /** When they last proved who they are, in seconds. */
  auth_time: z.number().positive().optional().catch(undefined),
});
export type OidcClaims = z.output<typeof OidcClaims>;

export type OidcRules = {
  groupClaim: string;
  /** Which group makes whom; none: roles are given out in People. */
  roles: readonly (readonly [group: string, role: Role])[];
  /** For those whom no group makes anything; null: they stay out. */
  defaultRole: Role | null;
  /** Which e-mail domains may come in; none named: all. */
  emailDomains: readonly string[];
  /** Whether addresses count as verified although the provider does not say so. */
  isEmailTrusted: boolean;
};

/** Why somebody whom the provider knows stays out; the code stands in the address, the words are ours. */
export const OIDC_REFUSALS = {
  disabled: "Your account here is disabled. An admin can enable it.",
  "no-role": "None of your groups has a role here. Ask an admin which group you need.",
  email: "Your identity provider does not say that your e-mail address is verified, so no account can be found by it.",
  domain: "Accounts of your e-mail domain may not come in here.",
  taken: "Your e-mail address belongs to an account that signs in with another identity. Ask an admin.",
  provider: "The identity provider did not confirm who you are. Nothing was changed; try again.",
} as const;
export type OidcRefusal = keyof typeof OIDC_REFUSALS;

export type KnownPerson = { id: string; role: Role; isDisabled: boolean; oidcSubject: string | null };

export type OidcVerdict =
  | { kind: "refused"; code: OidcRefusal; personId: string | null }
  /** `role` null: it stays as it is. `isNew`: the identity is written beside the account. */
  | { kind: "known"; personId: string; role: Role | null; isLink: boolean }
  | { kind: "new"; email: string; name: string; role: Role };

/** Who comes in. An account is found by its identity, and by e-mail only where the address is verified and the account has none. */
export function judgeSignIn(
  claims: OidcClaims,
  rules: OidcRules,
  known: { byIdentity: KnownPerson | null; byEmail: KnownPerson | null },
): OidcVerdict {
  const email = isVerified(claims, rules) ? claims.email : undefined;
  const { byIdentity, byEmail } = known;
  const person = byIdentity ?? (email === undefined ? null : byEmail);
  const refused = (code: OidcRefusal): OidcVerdict => ({ kind: "refused", code, personId: byIdentity?.id ?? null });
  if (person?.isDisabled) return refused("disabled");
  if (!byIdentity && email === undefined) return refused("email");
  if (rules.emailDomains.length > 0 && !rules.emailDomains.includes(email?.split("@").at(-1) ?? ""))
    return refused("domain");
  if (!byIdentity && person && person.oidcSubject !== null) return refused("taken");
  const role = givenRole(claims, rules);
  if (person) {
    if (rules.roles.length > 0 && role === null) return refused("no-role");
    return { kind: "known", personId: person.id, role: rules.roles.length > 0 ? role : null, isLink: !byIdentity };
  }
  if (role === null) return refused("no-role");
  return { kind: "new", email: email ?? "", name: nameOf(claims), role };
}

/** The highest role that the groups give; where none does, the default. */
export function givenRole(claims: OidcClaims, { groupClaim, roles, defaultRole }: OidcRules): Role | null {
  const groups = new Set(groupsOf(claims, groupClaim));
  const given = new Set(roles.filter(([group]) => groups.has(group)).map(([, role]) => role));
  return ROLES.findLast((role) => given.has(role)) ?? defaultRole;
}

/** A claim by its name, or where it lies deeper by its path ("realm_access.roles"). */
function groupsOf(claims: OidcClaims, name: string): string[] {
  const steps = Object.hasOwn(claims, name) ? [name] : name.split(".");
  const found = steps.reduce<unknown>(
    (inner, step) =>
      inner && typeof inner === "object" && Object.hasOwn(inner, step) ? Reflect.get(inner, step) : null,
    claims,
  );
  if (typeof found === "string") return [found];
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

function isVerified(claims: OidcClaims, rules: OidcRules): boolean {
  return claims.email !== undefined && (claims.email_verified ?? rules.isEmailTrusted);
}

function nameOf({ name, preferred_username, email, sub }: OidcClaims): string {
  return (
    [name, preferred_username, email, sub].map((one) => cleanName(one ?? "", 80)).find((one) => one !== "") ?? "Unnamed"
  );
}

/**
 * Since when a sign-in through the provider counts as fresh: when it says that the person proved who they are. Where it does not
 * say, only a sign-in for which we asked for that proof is fresh; any other may have been passed on without a question.
 */
export function provenAt(authTime: number | undefined, wasProofAsked: boolean, now: number, stepUpMs: number): number {
  if (authTime !== undefined) return Math.min(now, authTime * 1000);
  return wasProofAsked ? now : now - stepUpMs - 1;
}

/** What Settings says of the identity provider; never its secret. */
export type ProviderView = {
  name: string;
  issuer: string;
  clientId: string;
  /** Where the provider must send people back to. */
  callback: string;
  groupClaim: string;
  roles: { group: string; role: Role }[];
  defaultRole: Role | null;
  emailDomains: string[];
  isEmailTrusted: boolean;
};

/** How somebody may sign in at this door. */
export type SignInWays = {
  hasPassword: boolean;
  provider: string | null;
  /** Where passwords are switched off: whether the break-glass account still comes in with its own. */
  hasGlass: boolean;
};
