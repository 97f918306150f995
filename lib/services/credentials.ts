import { mutate } from "@/lib/db/mutate";
import { insertToken, listTokens, revokeToken as revoke } from "@/lib/db/tokens";
import { authorize, type Ctx, type Permission } from "@/lib/domain/access";
import type { NewToken, TokensAnswer } from "@/lib/domain/tokens";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { installLine } from "./agent/user-data";
import { mintToken } from "./tokens";

const DAY_MS = 24 * 3_600_000;

/** Makes a credential. Its secret is in the answer and nowhere else, ever. */
export async function createToken(
  ctx: Ctx,
  { kind, name, role, scopes, days }: NewToken,
): Promise<{ id: string; secret: string; installLine: string | null; link: string | null }> {
  const permission: Permission = kind === "ingest" ? "token:ingest" : "token:api";
  const minted = mintToken();
  return mutate(ctx, permission, async (tx) => {
    const expiresAt = days === null ? null : new Date(ctx.now.getTime() + days * DAY_MS);
    const token = await insertToken(tx, {
      kind: kind === "ingest" ? "ingest" : "api",
      name,
      prefix: minted.prefix,
      secretHash: minted.secretHash,
      role,
      scopes,
      createdById: ctx.actor.kind === "user" ? ctx.actor.id : null,
      createdAt: ctx.now,
      expiresAt,
    });
    const result = {
      id: token.id,
      secret: minted.secret,
      installLine: kind === "ingest" ? installLine(env.publicUrl, minted.secret) : null,
      // What stands after the # is not sent to any server, nor kept in its log.
      link: kind === "wallboard" ? `${env.publicUrl}/wallboard#${minted.secret}` : null,
    };
    return {
      action: "token.created",
      subjectKind: "token",
      subjectId: token.id,
      subject: name,
      after: { kind, role, scopes, expiresAt },
      result,
    };
  });
}

/** Ends a credential at once. */
export async function revokeToken(ctx: Ctx, { tokenId }: { tokenId: string }): Promise<{ id: string }> {
  authorize(ctx, "token:ingest");
  const token = (await listTokens(["api", "ingest", "invite"])).find((one) => one.id === tokenId);
  if (!token) throw new AppError("not-found", "There is no such token, or it was revoked before.");
  return mutate(ctx, token.kind === "ingest" ? "token:ingest" : "token:api", async (tx) => {
    if (!(await revoke(tx, tokenId, ctx.now))) throw new AppError("conflict", "This token was revoked a moment ago.");
    return {
      action: "token.revoked",
      subjectKind: "token",
      subjectId: tokenId,
      subject: token.name,
      result: { id: tokenId },
    };
  });
}

/** The tokens that work. Their secrets are nowhere. */
export async function readTokens(ctx: Ctx): Promise<TokensAnswer> {
  authorize(ctx, "fleet:read");
  const tokens = await listTokens(["api", "ingest"]);
  return {
    now: ctx.now.getTime(),
    tokens: tokens.map(({ id, kind, name, prefix, role, scopes, createdAt, expiresAt, lastUsedAt, createdBy }) => ({
      id,
      kind: kind === "api" ? "api" : "ingest",
      name,
      hint: `hd_${prefix}_…`,
      role,
      scopes,
      by: createdBy?.name ?? "command line",
      createdAt: createdAt.getTime(),
      expiresAt: expiresAt?.getTime() ?? null,
      lastUsedAt: lastUsedAt?.getTime() ?? null,
    })),
  };
}
