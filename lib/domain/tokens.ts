import { z } from "zod";
import { type Grant, PERMISSIONS, type Permission, ROLES, type Role } from "./access";
import { cleanName } from "./text";

/** What a screen on the wall may do. */
export const WALLBOARD_SCOPE: Permission = "wallboard:read";

const list = (value: unknown) => (typeof value === "string" ? value.split(",").filter((one) => one !== "") : value);

export const NewToken = z
  .object({
    /** A wallboard is an API token with one scope. */
    kind: z.enum(["ingest", "api", "wallboard"]),
    name: z
      .string()
      .transform((name) => cleanName(name, 80))
      .refine((name) => name !== "", "Give the token a name"),
    role: z.preprocess((value) => (value === "" || value === undefined ? null : value), z.enum(ROLES).nullable()),
    /** What of the role's rights it gets, with commas between them in a form; none: all that a program may have. */
    scopes: z.preprocess(list, z.array(z.string().max(60)).max(60).default([])),
    /** Days until it ends; empty: when it is revoked. */
    days: z.preprocess(
      (value) => (value === "" || value === undefined ? null : value),
      z.coerce.number().int().min(1).max(3650).nullable(),
    ),
  })
  .transform((token) => {
    if (token.kind === "ingest") return { ...token, role: null, scopes: [] };
    return token.kind === "wallboard" ? { ...token, role: "viewer" as const, scopes: [WALLBOARD_SCOPE] } : token;
  })
  .refine((token) => token.kind === "ingest" || token.role !== null, {
    path: ["role"],
    error: "Choose what it may do",
  })
  .superRefine(({ kind, role, scopes }, issues) => {
    if (kind !== "api" || role === null) return;
    const beyond = scopes.filter((scope) => !scopesOf(role).some((known) => known === scope));
    if (beyond.length > 0)
      issues.addIssue({
        code: "custom",
        path: ["scopes"],
        message: `${beyond.join(", ")}: not a right that this role has and a program may use`,
      });
  });
export type NewToken = z.output<typeof NewToken>;

/** What a program with a role may at most be given. */
export function scopesOf(role: Role): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => {
    const grant: Grant = PERMISSIONS[permission];
    return grant.roles.includes(role) && !grant.isForPeople;
  });
}

export const TokenId = z.object({ tokenId: z.uuid() });

export type TokenRow = {
  id: string;
  kind: "api" | "ingest";
  name: string;
  /** Its beginning, by which somebody who holds it knows it again. */
  hint: string;
  role: (typeof ROLES)[number] | null;
  /** What of the role's rights it has; empty: all that a program may have. */
  scopes: string[];
  by: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
};

/** Whether it is for a screen on the wall. */
export function isWallboard({ scopes }: Pick<TokenRow, "scopes">): boolean {
  return scopes.length === 1 && scopes[0] === WALLBOARD_SCOPE;
}

export type TokensAnswer = { now: number; tokens: TokenRow[] };
