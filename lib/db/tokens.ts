import type { Role } from "@/lib/domain/access";
import { type Client, pool, prisma, transact } from "./client";
import type { Tx } from "./mutate";

export type TokenKind = "api" | "ingest" | "enrolment" | "invite";

export type Token = {
  id: string;
  kind: TokenKind;
  name: string;
  prefix: string;
  role: Role | null;
  /** What of the role's rights it has; empty: all that a program may have. */
  scopes: string[];
  intentId: string | null;
  resourceId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  usesLeft: number | null;
  revokedAt: Date | null;
};

export type NewToken = {
  kind: TokenKind;
  name: string;
  prefix: string;
  secretHash: Uint8Array<ArrayBuffer>;
  role?: Role | null;
  scopes?: string[];
  intentId?: string | null;
  resourceId?: string | null;
  createdById?: string | null;
  createdAt: Date;
  expiresAt?: Date | null;
  usesLeft?: number | null;
};

const shown = {
  id: true,
  kind: true,
  name: true,
  prefix: true,
  role: true,
  scopes: true,
  intentId: true,
  resourceId: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  usesLeft: true,
  revokedAt: true,
} as const;

export function insertToken(tx: Client, token: NewToken): Promise<Token> {
  return tx.token.create({ data: token, select: shown });
}

/** The one live invitation of its name; an earlier one dies. */
export async function replaceFirstInvite(token: NewToken): Promise<void> {
  await transact(async (tx) => {
    await tx.token.updateMany({
      where: { kind: "invite", name: token.name, revokedAt: null },
      data: { revokedAt: token.createdAt },
    });
    await insertToken(tx, token);
  });
}

/** Asked with every report of every machine: plain SQL costs a third of the time. */
export async function findTokenByPrefix(prefix: string): Promise<(Token & { secretHash: Uint8Array }) | null> {
  const { rows } = await pool().query<Token & { secretHash: Uint8Array }>({
    name: "find-token",
    text: `select id, kind::text as kind, name, prefix, role::text as role, scopes, intent_id as "intentId", resource_id as "resourceId", created_at as "createdAt",
             expires_at as "expiresAt", last_used_at as "lastUsedAt", uses_left as "usesLeft", revoked_at as "revokedAt", secret_hash as "secretHash"
           from token where prefix = $1`,
    values: [prefix],
  });
  return rows[0] ?? null;
}

/** Tokens that still work or worked lately; machines' own tokens are counted elsewhere. */
export async function listTokens(kinds: TokenKind[]) {
  return prisma.token.findMany({
    where: { kind: { in: kinds }, revokedAt: null },
    select: { ...shown, createdBy: { select: { name: true } } },
    orderBy: { createdAt: "desc" },
    take: 200,
  });
}

/** Takes one use of a one-time token; false when somebody was faster. */
export async function takeUse(tx: Client, id: string): Promise<boolean> {
  const { count } = await tx.token.updateMany({
    where: { id, usesLeft: { gt: 0 }, revokedAt: null },
    data: { usesLeft: { decrement: 1 } },
  });
  return count === 1;
}

export async function markUsed(id: string, now: Date): Promise<void> {
  await prisma.token.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: new Date(now.getTime() - 60_000) } }] },
    data: { lastUsedAt: now },
  });
}

export async function revokeToken(tx: Tx, id: string, now: Date): Promise<Token | null> {
  const { count } = await tx.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
  return count === 1 ? tx.token.findUniqueOrThrow({ where: { id }, select: shown }) : null;
}

/** Who made a token. */
export async function makerOfToken(id: string): Promise<string | null> {
  const row = await prisma.token.findUnique({ where: { id }, select: { createdById: true } });
  return row?.createdById ?? null;
}
